"""Match people: rows of a member list, or a newcomer, against the people that a club knows.

A row is certainly a member if number and name agree, or if the name is equal and nothing contradicts it; "Lund, Anna"
and "ANNA LUND" are Anna Lund (`clubs.names`). Everything else that is similar (name, e-mail, number, two rows of one
file) is doubtful: a person chooses. Only people of the user's own clubs are considered.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from typing import TypeVar

from django.db.models import Q
from django.db.models.functions import Lower

from clubs.member_rows import MemberRow
from clubs.models import Affiliation, Club, Gives, Membership, Player
from clubs.names import (
    CROWD,
    Likeness,
    NameIndex,
    ends_of,
    folded,
    given_first,
    in_usual_letters,
    is_same_phone,
    letters_near,
    letters_of,
    sounds,
)
from clubs.roles import Visitor, clubs_seen_by

MOST_LIKES = 4


@dataclass(frozen=True)
class Known:
    """A stored membership; `club` is the name of its club if that is not the club in question.

    If the person is `known_to_union` only, through clubs that the visitor may not see, `club` is the union, the name is
    as typed, and other fields are empty; `left` is None while they are a member of one of those clubs.
    """

    membership: int
    player: int
    name: str
    number: int | None
    joined: date
    left: date | None = None
    email: str = ""
    phone: str = ""
    club: str = ""
    known_to_union: bool = False
    birth_year: int | None = None
    # Queried where a union's list is imported.
    union_number: int | None = None

    @property
    def may_be_added(self) -> bool:
        """Whether a club may add this person itself; the union adds members of other clubs."""
        return not self.known_to_union or self.left is not None

    @property
    def is_member(self) -> bool:
        """Whether this is a member of the club in question now."""
        return not self.club and self.left is None

    @property
    def choice(self) -> str:
        """The choice that a row is this person."""
        return f"same-{self.membership}"


@dataclass(frozen=True)
class Doubt:
    """The candidates of a doubtful row: people, and rows of the same file."""

    people: tuple[Known, ...] = ()
    rows: tuple[MemberRow, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.people or self.rows)


def sure_matches(rows: Iterable[MemberRow], people: Iterable[Known]) -> dict[int, Known]:
    """The membership that a row, by its place, is surely about: each once, rows with a number first."""
    here = defaultdict(list)
    for known in people:
        if not known.club:
            here[folded(given_first(known.name))].append(known)
    sure: dict[int, Known] = {}
    taken: set[int] = set()
    for row in sorted(rows, key=lambda row: (row.number is None, row.row)):
        pool = [
            known for known in here[folded(row.name)] if known.membership not in taken and _fits(row, known)
        ]
        pool.sort(key=lambda known: _agreements(row, known), reverse=True)
        if len(pool) == 1 or (len(pool) > 1 and _outdoes(row, pool[0], pool[1])):
            sure[row.row] = pool[0]
            taken.add(pool[0].membership)
    return sure


def _fits(row: MemberRow, known: Known) -> bool:
    """Whether a row with the same folded name is surely this membership, unless another one fits as well."""
    if known.left not in (None, row.left):
        return False
    if row.number is not None and row.number == known.number:
        return True
    numbers_differ = any(
        differ(getattr(row, field), getattr(known, field))
        for field in ("number", "union_number", "birth_year")
    )
    emails_differ = "" not in (row.email, known.email) and row.email.casefold() != known.email.casefold()
    return _is_same_name(row, known) and not numbers_differ and not emails_differ


def differ(first: int | None, second: int | None) -> bool:
    """Whether two numbers are known and not the same."""
    return None not in (first, second) and first != second


def _is_same_name(row: MemberRow, known: Known) -> bool:
    """Letter by letter; where one of the two lists shouts, or whispers, letters of either size are one."""
    name = given_first(known.name)
    if row.written == known.name:
        return True
    if row.recased or in_usual_letters(name) != name:
        return row.name.casefold() == name.casefold()
    return row.name == name


def _agreements(row: MemberRow, known: Known) -> int:
    fields = ("number", "left", "joined", "email")
    agreeing = sum(getattr(row, field) == getattr(known, field) for field in fields)
    has_number = row.union_number is not None and row.union_number == known.union_number
    has_year = row.birth_year is not None and row.birth_year == known.birth_year
    return agreeing + has_number + has_year + is_same_phone(row.phone, known.phone)


def _outdoes(row: MemberRow, best: Known, second: Known) -> bool:
    """Whether the best match is better than the second, or the two cannot be distinguished."""
    twins = replace(best, membership=0, player=0) == replace(second, membership=0, player=0)
    return twins or _agreements(row, best) > _agreements(row, second)


class Doubts:
    """Possible matches of a row without a sure one: people without a sure row, and other rows of its file."""

    def __init__(self, people: Iterable[Known], rows: Iterable[MemberRow]) -> None:
        """`people` are those no row is surely about. A player is offered once, preferably as a member."""
        self._names: NameIndex[Known] = NameIndex(row.name for row in rows)
        self._emails: defaultdict[str, list[Known]] = defaultdict(list)
        self._holders: dict[int, Known] = {}
        self._rows: NameIndex[MemberRow] = NameIndex()
        self._row_emails: dict[str, MemberRow] = {}
        offered: set[int] = set()
        for known in sorted(people, key=lambda known: (not known.is_member, known.club)):
            if known.player in offered:
                continue
            offered.add(known.player)
            self._names.add(known.name, known)
            if known.email:
                self._emails[known.email.casefold()].append(known)
            if known.is_member and known.number is not None:
                self._holders[known.number] = known

    def remember(self, row: MemberRow) -> None:
        """Rows that come after this one may be the same person."""
        self._rows.add(row.name, row)
        if row.email:
            self._row_emails.setdefault(row.email.casefold(), row)

    def about(self, row: MemberRow) -> Doubt:
        people = [known for _how, known in self._names.find(row.name)]
        people += self._emails.get(row.email.casefold(), [])
        if not people and row.number in self._holders:
            people = [self._holders[row.number]]  # who may have married
        # Two members of one list may well have names that are nearly the same, if each has a number.
        rows = [
            other
            for how, other in self._rows.find(row.name)
            if how != Likeness.SIMILAR or row.number is None or other.number is None
        ]
        if row.email.casefold() in self._row_emails:
            rows.append(self._row_emails[row.email.casefold()])
        return Doubt(
            people=tuple({known.player: known for known in people}.values())[:MOST_LIKES],
            rows=tuple({other.row: other for other in rows}.values())[:MOST_LIKES],
        )


T = TypeVar("T")

# Values in one query; databases accept some thirty thousand.
VALUES_AT_ONCE = 5000
# Up to this many rows all near names are queried; for more, stored keys are scanned first.
FEW_ROWS = 5


def people_like(visitor: Visitor, club: Club, rows: Collection[MemberRow]) -> list[Known]:
    """All memberships, also past ones, that these rows match by name or number, by primary key.

    Those of `club` and of the clubs whose members the visitor may see.
    """
    clubs = {club.pk: "", **{one.pk: one.name for one in clubs_seen_by(visitor) if one != club}}
    players = _who_sounds_like(rows) | _who_has_addresses(rows) | _of_same_ends(rows, club, clubs)
    found = _memberships(players, clubs)
    # A member's number is unique; that of a past member may be another member's now.
    numbers = {known.number for known in found if known.left and not known.club} | {
        row.number for row in rows
    }
    found += _memberships(_holders(club, numbers - {None}) - players, clubs)
    return sorted(found, key=lambda known: known.membership)


def similar_people(visitor: Visitor, club: Club, name: str, email: str) -> tuple[Known, ...]:
    """The people that a newcomer looks like."""
    row = MemberRow(row=0, name=name, email=email)
    people = people_like(visitor, club, [row]) + known_to_union(visitor, club, [row])
    return Doubts(people, [row]).about(row).people


def known_to_union(visitor: Visitor, club: Club, rows: Collection[MemberRow]) -> list[Known]:
    """Return people with exactly a row's name in clubs of the union that the visitor may not see, each once.

    Similar names are not searched for: a guess must not reveal the names of people in other clubs.
    """
    unions = list(club.unions)
    if not unions:
        return []
    giving = Affiliation.objects.filter(union__in=unions, left=None).exclude(gives=Gives.NOTHING)
    of_union = Club.objects.filter(
        Q(pk__in=giving.values("club")) | Q(pk__in=[one.pk for one in unions]), sample=None
    )
    union_of = {
        **{one.club_id: str(one.union) for one in giving.select_related("union").order_by("-joined", "-pk")},
        **{union.pk: str(union) for union in unions},
    }
    seen = {club.pk, *clubs_seen_by(visitor).values_list("pk", flat=True)}
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
        _known_to_union(
            player, named[player], next(union_of[of] for of, *_more in theirs if of in union_of), theirs
        )
        for player, theirs in held.items()
        if seen.isdisjoint(of for of, *_more in theirs) and any(of in elsewhere for of, *_more in theirs)
    ]


def _known_to_union(
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
    """The search keys of names that may sound like a row's; for many rows only those that are stored."""
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

    At most as many as a name is compared with, plus one for each row that may have a sure match.
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
    """The memberships of these players in these clubs; clubs are filtered here, since an index on them would be used.

    The keys, which are integers, are formatted into the SQL: Django takes longer to adapt thousands of parameters than
    the database takes to answer.
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
        "player__birth_year",
        "club",
    )
    of_all = Membership.objects.order_by()
    return [
        Known(
            *(membership, player, name, number, joined, left, email, phone, clubs[club]),
            birth_year=birth_year,
        )
        for some in _portions(players)
        for membership, player, name, number, joined, left, email, phone, birth_year, club in of_all.extra(  # noqa: S610 - numbers
            where=[f"player_id IN ({', '.join(map(str, some))})"]
        ).values_list(*fields)
        if club in clubs
    ]


def known_in(clubs: Mapping[int, str]) -> list[tuple[int, Known]]:
    """All memberships of these clubs, past ones too, each with its club's primary key."""
    fields = (
        *("pk", "player", "player__name", "number", "joined", "left", "player__email", "player__phone"),
        "player__birth_year",
    )
    found = Membership.objects.filter(club__in=clubs).order_by("pk")
    return [
        (
            club,
            Known(
                *(membership, player, name, number, joined, left, email, phone, clubs[club]),
                birth_year=birth_year,
            ),
        )
        for club, membership, player, name, number, joined, left, email, phone, birth_year in found.values_list(
            "club", *fields
        )
    ]


def _portions(values: Collection[T], most: int = VALUES_AT_ONCE) -> Iterator[list[T]]:
    in_order = list(values)
    for first in range(0, len(in_order), most):
        yield in_order[first : first + most]
