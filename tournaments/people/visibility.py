"""Privacy: who appears on public pages over the years, and under which name."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q

from clubs.models import Club, Player, shortened
from clubs.names import matches_search, sought_words
from clubs.register_models import clubs_in
from core.sql import prepared_query
from tournaments.models import Entry, Tournament
from tournaments.models.names import NAMELESS
from tournaments.people.span import Span

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet


# Privacy rules: who is counted, named and found where. The only place that decides.
#
# An evening counts where its host allows statistics: everywhere, on the host's own pages alone, or nowhere. The same
# holds for an entry by the club it plays for. A name shows only what was played under a name: an evening at which
# players are numbers is shown with that number on the host's pages, and on no personal page. Erased players, and those
# who have objected, are in sums but never named; cards that others have yet to play are never shown.

EVERYWHERE = Club.Statistics.EVERYWHERE
BY_NUMBER = Club.NameStyle.NUMBER
OWN = (EVERYWHERE, Club.Statistics.CLUB)


def _hosted(around: Club | None, to: str = "") -> Q:
    """Filter of a host's public evenings; `to` is the lookup prefix of the host."""
    everywhere = {f"{to}statistics": EVERYWHERE}
    if around is None:
        return Q(**everywhere)
    own = Q(**{f"{to}pk": around.pk, f"{to}statistics__in": OWN})
    return own | Q(**{f"{to}pk__in": clubs_in(around.pk)}, **everywhere)


def hosts(around: Club | None = None) -> QuerySet[Club]:
    """The hosts whose evenings count: on the pages of a club (a union: with its clubs), or on people's own pages."""
    return Club.objects.filter(_hosted(around))


def _counts(around: Club | None, to: str = "") -> Q:
    """Filter of public tournaments; `to` is their lookup prefix. By joins: a person's are found by the person."""
    begun = Q(**{f"{to}called_off_at": None}) & ~Q(**{f"{to}state": Tournament.State.SETUP})
    opened = Q(**{f"{to}boards": False}) | Q(**{f"{to}state": Tournament.State.FINISHED})
    return begun & opened & _hosted(around, f"{to}host__")


def evenings(around: Club | None = None, span: Span | None = None) -> QuerySet[Tournament]:
    """The tournaments of a span that count there; such on duplicate boards when they are over."""
    return Tournament.objects.filter(_counts(around), (span or Span()).as_q()).order_by()


def entries(around: Club | None = None, span: Span | None = None) -> QuerySet[Entry]:
    """The entries whose players are shown there."""
    wanted = Q(club=None) | Q(club__statistics=EVERYWHERE)
    if around is not None:
        wanted |= Q(club=around, club__statistics__in=OWN)
    at = _counts(around, "tournament__") & (span or Span()).as_q("tournament__")
    return Entry.objects.filter(at, wanted).order_by()


def with_names(found: QuerySet[Entry]) -> QuerySet[Entry]:
    """Filter to entries shown by name, of people with public names."""
    numbers = Q(club__name_style=BY_NUMBER) | Q(club=None, tournament__host__name_style=BY_NUMBER)
    return told_of(found.exclude(numbers))


def own_entries(player: Player, around: Club | None = None) -> QuerySet[Entry]:
    """Entries of a player's own page; none for players without one."""
    return with_names(entries(around)).filter(player=player)


def told_of(found: QuerySet[Entry]) -> QuerySet[Entry]:
    """Filter to entries that lists show: also by number, but no erased players nor those who have objected."""
    return found.exclude(player__name=NAMELESS).exclude(player__has_objected=True)


def hidden() -> frozenset[int]:
    """Primary keys of players who are never shown: erased, or they have objected."""
    found = Player.objects.filter(Q(name=NAMELESS) | Q(has_objected=True))
    return frozenset(found.order_by().values_list("pk", flat=True))


def has_page(player: Player) -> bool:
    return own_entries(player).exists()


def with_page(players: Collection[int]) -> set[int]:
    """The players (primary keys) among these with a page of their own: lists link to it."""
    # One evening is enough: of who has played at many the others are not looked at.
    own = with_names(entries()).filter(player=OuterRef("pk"))
    found = Player.objects.filter(Exists(own), pk__in=players).order_by()
    return set(found.values_list("pk", flat=True))


class Person(NamedTuple):
    """A player with a public page, and the name shown there."""

    pk: int
    name: str


def people(club: Club | None = None) -> QuerySet[Player]:
    """All people with a page of their own; with a club (a union: with its clubs) those who have played for it."""
    own = with_names(entries()).filter(player=OuterRef("pk"))
    played = own if club is None else own.filter(Q(club=club) | Q(club__in=clubs_in(club)))
    return Player.objects.filter(Exists(played)).order_by("pk")


def people_called(query: str, found: QuerySet[Player], most: int) -> list[Person]:
    """At most so many of `people` whose shown name contains every word of the query.

    A name shown with an initial matches by the initial alone: else a search would reveal the rest.
    """
    for word in sought_words(query):
        found = found.filter(sought__contains=word)
    # Few clubs show initials: where none does, no entry is looked at for it.
    clubs = list(Club.objects.filter(name_style=Club.NameStyle.INITIAL).values_list("pk", flat=True))
    by_initial = Q(club__in=clubs) | Q(club=None, tournament__host__in=clubs)
    is_short = Exists(with_names(entries()).filter(by_initial, player=OuterRef("pk")))
    rows = found.annotate(is_short=is_short).values_list("pk", "name", "is_short")
    # Fetch no more rows than needed: the subquery may scan all evenings of a player.
    each = rows.iterator(chunk_size=max(most, 1))
    told = (Person(pk, shortened(name) if is_short else name) for pk, name, is_short in each)
    return list(islice((person for person in told if matches_search(query, person.name)), most))


CLOSED = Q(club__is_findable=False) | Q(club=None, tournament__host__is_findable=False)
INITIAL = Q(club__name_style=Club.NameStyle.INITIAL) | Q(
    club=None, tournament__host__name_style=Club.NameStyle.INITIAL
)


class OwnPage(NamedTuple):
    """A person's own page: what they are called there, and whether search engines may list it."""

    name: str
    may_be_found: bool


def page_of(player: Player) -> OwnPage | None:
    """None for who has no page of their own."""
    for closed, initial in _page_told(player.pk):
        return OwnPage(player.short_name if initial else player.name, not closed)
    return None


@prepared_query
def _page_told(player: int) -> QuerySet[Entry, tuple[int, int]]:
    """Counts of evenings closed to search engines, and of those that show an initial; no row where there are none."""
    own = with_names(entries()).filter(player=player).values("player")
    counted = own.annotate(closed=Count("pk", filter=CLOSED), initial=Count("pk", filter=INITIAL))
    return counted.values_list("closed", "initial")


def may_be_found(player: Player) -> bool:
    """Whether search engines may list a person's page: every club they play for, or visit, has opened it."""
    page = page_of(player)
    return page is not None and page.may_be_found


def may_club_be_found(club: Club) -> bool:
    """Whether search engines may list a club's history: every club of those who stand there has opened it."""
    if (
        not club.is_findable
        or club.statistics != EVERYWHERE
        or hosts(club).filter(is_findable=False).exists()
    ):
        return False
    closed = Club.objects.filter(is_findable=False)
    return not told_of(entries(club)).filter(club__in=closed.values("pk")).exists()


def name_of(player: Player) -> str:
    """A person's name on their own page: in full where all of their clubs show it so."""
    page = page_of(player)
    return page.name if page else player.short_name


def names_of(players: Collection[int]) -> dict[int, str]:
    """Shown names of these players (by primary key); players without a page are missing."""
    there = with_names(entries()).filter(player__in=players)
    told = there.values("player", "player__name").annotate(short=Count("pk", filter=INITIAL))
    return {
        one["player"]: shortened(one["player__name"]) if one["short"] else one["player__name"] for one in told
    }
