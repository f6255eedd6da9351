"""The people that a newcomer, or a row of a member list, may be: those of the visitor's clubs who come in question.

Nobody else is read: whomever `clubs.matching` would find in all of them, it finds in these.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from itertools import chain
from typing import TypeVar

from django.db.models import Q
from django.db.models.functions import Lower

from clubs.as_written import given_first
from clubs.matching import Doubts, Known
from clubs.member_rows import MemberRow
from clubs.models import Club, Membership, Player
from clubs.names import CROWD, ends_of, folded, letters_near, letters_of, sounds
from clubs.roles import Visitor, clubs_of

T = TypeVar("T")

# How many values are asked for in one question; databases take some thirty thousand.
VALUES_AT_ONCE = 5000
# For how many rows whatever may be near is asked for; for more, what is there is looked through first.
FEW_ROWS = 5


def people_like(visitor: Visitor, club: Club, rows: Collection[MemberRow]) -> list[Known]:
    """All memberships, past ones too, of whoever these rows may be and of who has their numbers, in the order made.

    Those of `club`, and of the visitor's clubs.
    """
    clubs = {club.pk: "", **{one.pk: one.name for one in clubs_of(visitor) if one != club}}
    players = _who_sounds_like(rows) | _who_has_addresses(rows) | _of_same_ends(rows, club, clubs)
    found = _memberships(players, clubs)
    # Who is a member has the number alone; who has left may have had one that is somebody else's now.
    numbers = {known.number for known in found if known.left and not known.club} | {
        row.number for row in rows
    }
    found += _memberships(_holders(club, numbers - {None}) - players, clubs)
    return sorted(found, key=lambda known: known.membership)


def lookalikes(visitor: Visitor, club: Club, name: str, email: str) -> tuple[Known, ...]:
    """The people that a newcomer looks like."""
    row = MemberRow(row=0, name=name, email=email)
    people = people_like(visitor, club, [row]) + known_to_union(visitor, club, [row])
    return Doubts(people, [row]).about(row).people


def known_to_union(visitor: Visitor, club: Club, rows: Collection[MemberRow]) -> list[Known]:
    """Return who has a row's very name in clubs of the union that the visitor may not see; each person once.

    Only the same name is looked for: whoever types another one is not to learn how people elsewhere are called.
    """
    if club.union is None:
        return []
    of_union = Club.objects.filter(Q(union=club.union) | Q(pk=club.union.pk), sample=None)
    seen = {club.pk, *clubs_of(visitor).values_list("pk", flat=True)}
    elsewhere = set(of_union.values_list("pk", flat=True)) - seen
    typed = {folded(given_first(row.name)): row.name for row in rows} if elsewhere else {}
    named: dict[int, str] = {}
    for some in _portions({letters_of(name) for name in typed}):
        for pk, name in Player.objects.filter(letters__in=some).values_list("pk", "name"):
            if (alike := folded(given_first(name))) in typed:
                named[pk] = typed[alike]
    held: defaultdict[int, list[tuple[int, int, date, date | None]]] = defaultdict(list)
    for some in _portions(named):
        memberships = Membership.objects.filter(player__in=some).order_by("pk")
        for pk, player, of, joined, left in memberships.values_list("pk", "player", "club", "joined", "left"):
            held[player].append((of, pk, joined, left))
    return [
        _told_no_more(player, named[player], str(club.union), theirs)
        for player, theirs in held.items()
        if seen.isdisjoint(of for of, *_more in theirs) and any(of in elsewhere for of, *_more in theirs)
    ]


def _told_no_more(
    player: int, name: str, union: str, memberships: list[tuple[int, int, date, date | None]]
) -> Known:
    """A person known to the union: a member of another club, or a former member of one."""
    now = [one for one in memberships if one[3] is None]
    _club, membership, joined, left = now[0] if now else memberships[-1]
    return Known(membership, player, name, None, joined, left, club=union, known_to_union=True)


def _who_sounds_like(rows: Collection[MemberRow]) -> set[int]:
    """The players whose name sounds like that of a row, or but for one letter."""
    asked = {sound for row in rows for sound in sounds(row.name)}
    called: defaultdict[str, list[int]] = defaultdict(list)
    for some in _portions(_near_letters(rows)):
        for pk, name in Player.objects.filter(letters__in=some).values_list("pk", "name"):
            called[name].append(pk)
    alike = (players for name, players in called.items() if not asked.isdisjoint(sounds(name)))
    return set(chain.from_iterable(alike))


def _near_letters(rows: Collection[MemberRow]) -> set[int]:
    """What is kept of names that may sound like that of a row; of many rows, as far as anybody has such a name."""
    near = (letters_near(row.name) for row in rows)
    if len(rows) <= FEW_ROWS:
        return set().union(*near)
    there = set(Player.objects.order_by().values_list("letters", flat=True).distinct())
    return set().union(*(letters & there for letters in near))


def _who_has_addresses(rows: Collection[MemberRow]) -> set[int]:
    of_email, found = Player.objects.alias(address=Lower("email")), set[int]()
    for addresses in _portions({row.email.lower() for row in rows} - {""}):
        found.update(of_email.filter(address__in=addresses).values_list("pk", flat=True))
    return found


def _of_same_ends(rows: Collection[MemberRow], club: Club, clubs: Mapping[int, str]) -> set[int]:
    """The players with the same first and last name as a row, in the order in which they are compared with it.

    No more than a name is compared with, and one for each row that may be surely somebody.
    """
    rows_of = Counter(ends_of(row.name) for row in rows)
    room = {ends: CROWD + count for ends, count in rows_of.items() if ends}
    found: defaultdict[int, set[int]] = defaultdict(set)
    fields = "club", "left", "pk", "player__ends", "player"
    for some in _portions(room):
        # In no order, and of no club: the database would go through all memberships by it.
        alike = Membership.objects.filter(player__ends__in=some).order_by().values_list(*fields)
        in_order = sorted(
            (one for one in alike if one[0] in clubs),
            key=lambda one: (one[0] != club.pk or one[1] is not None, clubs[one[0]], one[2]),
        )
        for _club, _left, _pk, ends, player in in_order:
            if len(found[ends]) < room[ends]:
                found[ends].add(player)
    return set().union(*found.values())


def _holders(club: Club, numbers: Collection[int | None]) -> set[int]:
    """The players who have these numbers in the club now."""
    now = Membership.objects.filter(club=club, left=None)
    return {
        player
        for some in _portions(numbers)
        for player in now.filter(number__in=some).values_list("player", flat=True)
    }


def _memberships(players: Collection[int], clubs: Mapping[int, str]) -> list[Known]:
    """The memberships of these players in these clubs; of clubs it is not asked, since an index would go by them.

    The keys, which are numbers, are written into the question: Django looks longer at thousands of values than it takes
    to answer.
    """
    fields = (
        "pk",
        "player",
        "player__name",
        "number",
        "joined",
        "left",
        "player__email",
        "player__phone",
        "club",
    )
    of_all = Membership.objects.order_by()
    return [
        Known(membership, player, name, number, joined, left, email, phone, clubs[club])
        for some in _portions(players)
        for membership, player, name, number, joined, left, email, phone, club in of_all.extra(  # noqa: S610 - numbers
            where=[f"player_id IN ({', '.join(map(str, some))})"]
        ).values_list(*fields)
        if club in clubs
    ]


def _portions(values: Collection[T], most: int = VALUES_AT_ONCE) -> Iterator[list[T]]:
    in_order = list(values)
    for first in range(0, len(in_order), most):
        yield in_order[first : first + most]
