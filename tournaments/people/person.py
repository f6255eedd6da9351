"""A person over the years: evenings with place and tokens, the curve, and the portrait in numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Q

from core.canonical_json import AsStored
from core.sql import prepared_query
from tournaments.models import Award, Championship, Entry, EveningResult, Round, Tournament
from tournaments.people import visibility
from tournaments.people.person_statistics import (
    Portrait,
    add_club_figures,
    breaks_even,
    deals_by,
    games_at,
    portrait,
)
from tournaments.people.span import Span
from tournaments.seasons.results import AT_ONCE, keep, not_kept

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet

    from clubs.models import Club, Player
    from tournaments.people.person_statistics import OwnDeal

# Databases take some thirty thousand values in a question.
ASKED_AT_ONCE = 5000
# Places with a medal.
MEDALS = 3


class Evening(NamedTuple):
    """An evening of a person; `place` is None while it is played, and 0 where a pair or team has none.

    `number` is the entry's, `format` and `rulebook` are codes. `of` is how many were ranked there: players, or the
    pairs or teams of the same `division`.
    """

    tournament: int
    code: str
    name: str
    day: date
    host: str
    rulebook: str
    format: str
    number: int
    place: int | None
    of: int | None
    tokens: int
    deals: int
    division: int = 1

    @property
    def is_won(self) -> bool:
        """Whether no one was placed higher, in any division."""
        return self.place == 1 and self.division == 1

    @property
    def medal(self) -> int | None:
        """The place, if it is one of the first three of the evening and another was placed lower."""
        is_high = self.place and self.place <= MEDALS and self.division == 1
        return self.place if is_high and self.of and (self.place or 0) < self.of else None


class Month(NamedTuple):
    """The tokens of a month, and the sum until its end."""

    year: int
    month: int
    evenings: int
    tokens: int
    total: int


@dataclass(frozen=True, slots=True)
class Curve:
    """The tokens as they ran: after each deal (from 0 before the first), after each evening, by month.

    `days` are those of the deals.
    """

    by_deal: list[int]
    days: list[date]
    by_evening: list[tuple[date, int]]
    by_month: list[Month]


@dataclass(frozen=True, slots=True)
class OverTheYears:
    """`evenings` are in the order of days; `home` is the club that hosted most of them, with whose games one's own are
    compared. `breaks_even` has, by contract, the share that must be won for it to pay; `awards` are seasons' titles,
    `titles` the championships that were won, `deals` what everything is counted of.
    """

    evenings: Sequence[Evening]
    home: str
    curve: Curve
    portrait: Portrait
    breaks_even: dict[str, float | None]
    awards: Sequence[Award]
    titles: Sequence[Championship]
    deals: Sequence[OwnDeal]

    @property
    def best(self) -> Evening | None:
        return max(self.evenings, key=lambda one: one.tokens, default=None)

    @property
    def tokens(self) -> int:
        """The sum of the evenings, rulings included."""
        return sum(one.tokens for one in self.evenings)

    @property
    def rulings(self) -> int:
        """The tokens of rulings (penalties) besides those of the deals."""
        return self.tokens - self.portrait.tokens

    @property
    def dealt(self) -> int:
        """The deals in which the person was dealt cards, as standings count them."""
        return sum(one.deals for one in self.evenings)

    @property
    def wins(self) -> int:
        return sum(one.is_won for one in self.evenings)


def over_the_years(player: Player, span: Span | None = None, around: Club | None = None) -> OverTheYears:
    """A player's statistics over the years, for their own page, or for the pages of a club (`around`)."""
    span = span or Span()
    is_all = span.is_all and around is None
    rows = _all_played(player.pk) if is_all else list(_played_entries(player, span, around))
    played = [_Played(*row) for row in rows]
    at = deals_by([entry.pk for entry in played])
    counted = portrait(at.deals)
    evenings = _evenings(played, at.deals)
    hosts = Counter(one.host for one in evenings)
    home = hosts.most_common(1)[0][0] if hosts else ""
    # What everybody played there by the same rules in the same span.
    rulebooks = {one.rulebook for one in evenings if one.host == home}
    same = visibility.evenings(around, span).filter(host__name=home, rulebook__in=rulebooks)
    theirs = games_at(same) if counted.contracts else {}
    add_club_figures(counted.contracts, {contract: games.declared for contract, games in theirs.items()})
    return OverTheYears(
        evenings,
        home,
        _curve(evenings, at.deals),
        counted,
        {
            contract: breaks_even(*theirs[contract].gain_and_cost) if contract in theirs else None
            for contract in counted.contracts
        },
        awards_of(player, span, around),
        titles_of(evenings),
        at.deals,
    )


def _played_entries(
    player: Player | int, span: Span | None = None, around: Club | None = None
) -> QuerySet[Entry, tuple[Any, ...]]:
    return visibility.with_names(visibility.entries(around, span)).filter(player=player).values_list(*PLAYED)


_all_played = prepared_query(_played_entries)


def awards_of(player: Player, span: Span, around: Club | None = None) -> list[Award]:
    """The titles that seasons gave a person, of such seasons as they played in under their name."""
    is_all = span.is_all and around is None
    awards = _all_awards(player.pk) if is_all else list(_awards(player, span, around))
    entries = visibility.own_entries(player, around) if awards else Entry.objects.none()
    seasons = set(entries.values_list("tournament__season", flat=True))
    return [award for award in awards if award.season_id in seasons]


def _awards(player: Player | int, span: Span, around: Club | None) -> QuerySet[Award]:
    found = Award.objects.filter(
        player=player, season__removed_at=None, season__host__in=visibility.hosts(around)
    )
    wanted = found.filter(_awarded_in(span)).select_related("season__host")
    return wanted.order_by("season__starts", "number", "pk")


_all_awards = prepared_query(lambda player: _awards(player, Span(), None))


def titles_of(evenings: Iterable[Evening]) -> list[Championship]:
    """The championships that were won at one of these: in the one group of the last stage, when it is over."""
    first = [one.tournament for one in evenings if one.is_won]
    if not first:
        return []
    last = {"stage__each": 0, "stage__next_best": 0, "stage__groups": 1}
    finals = Tournament.objects.filter(pk__in=first, state=Tournament.State.FINISHED, **last)
    told = finals.select_related("stage__championship__host").order_by("date", "pk")
    won = [final.stage.championship for final in told if final.stage]
    return [title for title in won if not title.is_removed]


def _awarded_in(span: Span) -> Q:
    """Filter of the titles of a span: of its season, or of seasons that ended in it, of that club."""
    ends = span.first or date.min, span.last or date.max
    if span.year:
        ends = max(ends[0], date(span.year, 1, 1)), min(ends[1], date(span.year, 12, 31))
    wanted = Q() if ends == (date.min, date.max) else Q(season__ends__range=ends)
    if span.season:
        wanted &= Q(season=span.season)
    return wanted & Q(season__host=span.club) if span.club else wanted


def evenings_of(entries: QuerySet[Entry], deals: Sequence[OwnDeal]) -> list[Evening]:
    """The evenings of these entries of one person, in the order of days; such without a deal are none."""
    return _evenings([_Played(*row) for row in entries.values_list(*PLAYED)], deals)


def _evenings(told: Sequence[_Played], deals: Sequence[OwnDeal]) -> list[Evening]:
    live: dict[int, list[OwnDeal]] = defaultdict(list)
    for one in deals:
        live[one.place.evening].append(one)
    kept = _stored_places([entry.tournament for entry in told])
    found = [
        Evening(*entry[1:], *result)
        for entry in told
        if (result := kept.get(entry.pk) or _running(live.get(entry.tournament, ())))
    ]
    return sorted(found, key=lambda one: (one.day, one.code))


def _running(deals: Sequence[OwnDeal]) -> tuple[None, None, int, int] | None:
    """A person's result at a running evening, from its deals; None before the first one."""
    if not deals:
        return None
    return None, None, sum(one.tokens for one in deals), sum(one.is_dealt for one in deals)


class _Played(NamedTuple):
    """An entry with the columns of Evening that come before its place."""

    pk: int
    tournament: int
    code: str
    name: str
    day: date
    host: str
    rulebook: str
    format: str
    number: int


PLAYED = (
    "pk", "tournament", "tournament__code", "tournament__name", "tournament__date", "tournament__host__name",
    "tournament__rulebook", "tournament__format", "number",
)  # fmt: skip


OVER = Tournament.State.FINISHED


def _stored_places(tournaments: Sequence[int]) -> dict[int, tuple[int | None, int | None, int, int, int]]:
    """Entry -> place, of how many, tokens, deals, division: of the evenings at which no round is played this moment.

    Between two rounds, and the match days of a league, results are stored too, but nobody has a place yet.
    """
    bring_up_to_date(Tournament.objects.filter(pk__in=tournaments))
    rows = EveningResult.objects.filter(tournament__in=tournaments, tournament__results_kept=True).order_by()
    found = rows.values_list(
        "tournament__state", AsStored("tournament__objections_until"),
        "entry", "place", "field", "tokens", "deals", "division",
    )  # fmt: skip
    return {
        entry: (*((place, of) if state == OVER or posted else (None, None)), tokens, deals, division)
        for state, posted, entry, place, of, tokens, deals, division in found
    }


def bring_up_to_date(tournaments: QuerySet[Tournament]) -> None:
    """Compute materialized results where these evenings lack them; skips running evenings."""
    # Few evenings ever lack results: query those, rather than testing thousands. Unordered: sorting by the database
    # would scan all tournaments.
    lacking = sorted(_lacking())
    keys: list[int] = []
    for first in range(0, len(lacking), ASKED_AT_ONCE):
        wanted = tournaments.filter(pk__in=lacking[first : first + ASKED_AT_ONCE]).order_by("pk")
        keys += wanted.values_list("pk", flat=True)
    for first in range(0, len(keys), AT_ONCE):
        keep(*keys[first : first + AT_ONCE])


@prepared_query
def _lacking() -> QuerySet[Tournament, int]:
    playing = Round.objects.filter(state=Round.State.RUNNING).order_by().values("tournament")
    return not_kept().exclude(pk__in=playing).order_by().values_list("pk", flat=True)


def _curve(evenings: Sequence[Evening], deals: Sequence[OwnDeal]) -> Curve:
    totals = list(accumulate((one.tokens for one in evenings), initial=0))[1:]
    months: dict[tuple[int, int], list[int]] = {}
    for one, total in zip(evenings, totals, strict=True):
        month = months.setdefault((one.day.year, one.day.month), [0, 0, 0])
        month[:] = month[0] + 1, month[1] + one.tokens, total
    return Curve(
        list(accumulate((one.tokens for one in deals), initial=0)),
        [one.place.day for one in deals],
        [(one.day, total) for one, total in zip(evenings, totals, strict=True)],
        [Month(*when, *said) for when, said in months.items()],
    )
