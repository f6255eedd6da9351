"""Who is who: a member list's rows against the people a club knows.

A row is surely a member if number and name agree, or the name letter by letter and nothing contradicts it; "Lund,
Anna" and "ANNA LUND" are Anna Lund (`clubs.as_written`).
All else that is alike (`clubs.names`, the same e-mail or number, two rows of one file) is doubtful: somebody
chooses.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from clubs.as_written import given_first, in_usual_letters, is_same_phone
from clubs.member_rows import MemberRow
from clubs.names import Likeness, NameIndex, folded

MOST_LIKES = 4


@dataclass(frozen=True)
class Known:
    """A membership as it stands. `club` names it if it is in another club than the one in question.

    Where the person is `known_to_union` alone, in clubs that the visitor may not see, `club` is the union, the name is
    as typed, and nothing else is told; `left` is None while they are a member of one of those clubs.
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

    @property
    def may_be_added(self) -> bool:
        """Whether a club may add this person itself; somebody who is a member elsewhere is added by the union."""
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
    """Who a row might be: people, and rows of the same file."""

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
    numbers_differ = None not in (row.number, known.number)
    emails_differ = "" not in (row.email, known.email) and row.email.casefold() != known.email.casefold()
    return _is_same_name(row, known) and not numbers_differ and not emails_differ


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
    return agreeing + is_same_phone(row.phone, known.phone)


def _outdoes(row: MemberRow, best: Known, second: Known) -> bool:
    """Whether the best match is better than the second, or nobody could tell the two apart."""
    twins = replace(best, membership=0, player=0) == replace(second, membership=0, player=0)
    return twins or _agreements(row, best) > _agreements(row, second)


class Doubts:
    """Who a row might be that is surely nobody: people no row is sure of, and other rows of its file."""

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
