"""Plan a member list's import, row by row: pure functions, so that a dry run and the import cannot differ.

Blank cells change nothing. A number belongs to one member at a time, and no one is a member twice.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from django.db.models import TextChoices
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.matching import Doubt, Doubts, Known, sure_matches
from clubs.member_rows import CellProblem, MemberRow
from clubs.names import folded, given_first, is_same_phone

OF_THE_PLAYER = ("name", "email", "phone", "birth_year")
OF_THE_MEMBERSHIP = ("number", "joined", "left")
NEW, SKIP = "new", "skip"

LABELS = {
    "name": gettext_lazy("name"),
    "number": gettext_lazy("member number"),
    "joined": gettext_lazy("joined"),
    "left": gettext_lazy("left"),
    "email": gettext_lazy("email"),
    "phone": gettext_lazy("phone"),
    "birth_year": gettext_lazy("year of birth"),
    "union_number": gettext_lazy("number in the union"),
}

Value = str | int | date | None


class Kind(TextChoices):
    """The outcome of a row; those that need attention come first."""

    DOUBTFUL = "doubtful", gettext_lazy("doubtful")
    REFUSED = "refused", gettext_lazy("refused")
    NEW = "new", gettext_lazy("new member")
    JOINS = "joins", gettext_lazy("known player joins")
    MOVES = "moves", gettext_lazy("moves here from another club")
    CHANGED = "changed", gettext_lazy("changed")
    LEFT_OUT = "left_out", gettext_lazy("left out")
    UNCHANGED = "unchanged", gettext_lazy("already member, unchanged")


IMPORTED = {Kind.NEW, Kind.JOINS, Kind.MOVES, Kind.CHANGED, Kind.UNCHANGED}


@dataclass(frozen=True)
class Change:
    field: str
    before: Value
    after: Value

    @property
    def label(self) -> str:
        return str(LABELS[self.field])


@dataclass(frozen=True)
class Line:
    """A row and what happens to it.

    `known` is the matched person (None for a new one), `becomes` their values after the import.
    """

    row: MemberRow
    kind: Kind
    becomes: MemberRow
    known: Known | None = None
    changes: tuple[Change, ...] = ()
    problems: tuple[CellProblem, ...] = ()
    doubt: Doubt = field(default_factory=Doubt)
    choice: str = ""
    # The membership of another club that ends, where the person moves.
    origin: Known | None = None

    @property
    def notes(self) -> tuple[CellProblem, ...]:
        """Cells that were corrected when parsed, or left out."""
        return self.row.notes

    @property
    def choices(self) -> list[str]:
        """The choices for a doubtful row."""
        repeats = self.row.number is not None and any(
            row.number == self.row.number for row in self.doubt.rows
        )
        people = [known.choice for known in self.doubt.people if known.may_be_added]
        return [*people, *([] if repeats else [NEW]), SKIP]

    @property
    def is_question(self) -> bool:
        """Whether the person of this row has to be chosen, or has been."""
        return bool(self.doubt) and len(self.choices) > 1

    @property
    def makes_member(self) -> bool:
        """Whether this row's person is a member of the club once it is imported."""
        return self.kind in IMPORTED and self.becomes.left is None

    @property
    def keeps_number(self) -> bool:
        return self.known is not None and not self.known.club and self.known.number == self.becomes.number


@dataclass(frozen=True)
class Plan:
    lines: list[Line]

    @property
    def counts(self) -> Counter[Kind]:
        return Counter(line.kind for line in self.lines)

    def lines_of(self, kind: Kind) -> list[Line]:
        return [line for line in self.lines if line.kind == kind]

    @property
    def questions(self) -> list[Line]:
        return [line for line in self.lines if line.is_question]

    def same_names(self) -> dict[int, str]:
        """Choices for the doubtful rows that look like one person of the very same name: that person."""
        found = {}
        for line in self.lines_of(Kind.DOUBTFUL):
            namesakes = [known for known in line.doubt.people if folded(known.name) == folded(line.row.name)]
            if len(namesakes) == 1 and namesakes[0].may_be_added:
                found[line.row.row] = namesakes[0].choice
        return found

    @property
    def refused(self) -> list[int]:
        """The places of the rows that are refused."""
        return [line.row.row for line in self.lines_of(Kind.REFUSED)]


def make_plan(
    rows: Iterable[MemberRow],
    people: Iterable[Known],
    *,
    joined: date,
    choices: Mapping[int, str] | None = None,
    heading: Callable[[str], str] = str,
    likely: Mapping[int, Sequence[Known]] | None = None,
) -> Plan:
    """Plan an import of `rows` into a club.

    `people` are the club's memberships, past ones too, and those of other clubs that the importer may see;
    `joined` is the day for new members whose row has none; `choices` are a `Known.choice`, NEW or SKIP
    by the place of a doubtful row; `heading` returns the file's column heading of a field; `likely` are further people
    that a row may be, by its place.
    """
    rows, people, choices = list(rows), list(people), choices or {}
    sure = sure_matches((row for row in rows if not row.problems), people)
    spoken_for = {known.player for known in sure.values()}
    doubts = Doubts((known for known in people if known.player not in spoken_for), rows)
    for row in rows:
        if row.row in sure:
            doubts.remember(row)
    lines = []
    for row in rows:
        line = Line(row, Kind.NEW, becomes=row)
        if row.problems:
            line = replace(line, kind=Kind.REFUSED, problems=row.problems)
        elif row.row in sure:
            line = about(line, sure[row.row])
        else:
            doubt = doubts.about(row)
            if likely and row.row in likely:
                players = {known.player for known in likely[row.row]}
                others = (known for known in doubt.people if known.player not in players)
                doubt = replace(doubt, people=(*likely[row.row], *others))
            line = _decided(replace(line, doubt=doubt), choices.get(row.row, ""))
            doubts.remember(row)
        lines.append(_with_dates(line, joined, heading))
    return Plan(_without_clashes(lines, people, heading))


def _decided(line: Line, choice: str) -> Line:
    """The outcome of a row without a sure match, by the choice if it is doubtful."""
    if not line.doubt:
        return line
    if not line.is_question:
        return replace(line, kind=Kind.LEFT_OUT)
    if choice not in line.choices:
        return replace(line, kind=Kind.DOUBTFUL)
    line = replace(line, choice=choice)
    if choice == SKIP:
        return replace(line, kind=Kind.LEFT_OUT)
    chosen = [known for known in line.doubt.people if known.choice == choice]
    return about(line, chosen[0]) if chosen else line


def about(line: Line, known: Known) -> Line:
    """The line of a row that is about a known person: their membership changes, or they join (again)."""
    row = line.row
    stays = not known.club and known.left in (None, row.left)
    fields = OF_THE_PLAYER + OF_THE_MEMBERSHIP if stays else OF_THE_PLAYER
    becomes = replace(row, **{field: getattr(row, field) or getattr(known, field) for field in fields})
    # Written in another way only, it stays as it is known.
    recased = row.recased and row.name.casefold() == given_first(known.name).casefold()
    if recased or row.written == known.name:
        becomes = replace(becomes, name=known.name)
    if is_same_phone(becomes.phone, known.phone):
        becomes = replace(becomes, phone=known.phone)
    if becomes.email.casefold() == known.email.casefold():
        becomes = replace(becomes, email=known.email)
    changes = tuple(
        Change(field, getattr(known, field), getattr(becomes, field))
        for field in fields
        if getattr(becomes, field) != getattr(known, field)
    )
    kind = Kind.JOINS if not stays else Kind.CHANGED if changes else Kind.UNCHANGED
    return replace(line, kind=kind, known=known, becomes=becomes, changes=changes)


def _with_dates(line: Line, joined: date, heading: Callable[[str], str]) -> Line:
    """The line with a day of joining for a new membership, or refused if its days cannot be."""
    becomes = line.becomes
    if line.kind in {Kind.NEW, Kind.JOINS}:
        left_before = line.known.left if line.known and not line.known.club else None
        if becomes.joined is None or (left_before and becomes.joined < left_before):
            becomes = replace(becomes, joined=joined)
        if left_before and joined < left_before:
            text = _("They left on %(left)s and cannot rejoin before that date.") % {
                "left": _day(left_before)
            }
            return refuse_line(line, heading("joined"), text)
    elif line.kind != Kind.CHANGED:
        return line
    if becomes.joined and becomes.left and becomes.left < becomes.joined:
        text = _("They would leave on %(left)s, before joining on %(joined)s.")
        days = {"left": _day(becomes.left), "joined": _day(becomes.joined)}
        return refuse_line(line, heading("left"), text % days)
    return replace(line, becomes=becomes)


def _day(day: date) -> str:
    return date_format(day, "DATE_FORMAT")


def refuse_line(line: Line, column: str, text: str) -> Line:
    """The line of a row that is not imported, with the reason at its column."""
    return replace(line, kind=Kind.REFUSED, problems=(CellProblem(column, text),))


def _without_clashes(lines: list[Line], people: list[Known], heading: Callable[[str], str]) -> list[Line]:
    """Refuse rows that would give a number to two members or make a person a member twice.

    A refused row leaves its member as they are, so others may clash with them: repeated until none does.
    """
    while True:
        clashes = _clashes(lines, people)
        if not clashes:
            return lines
        lines = [
            refuse_line(line, heading(clashes[line.row.row][0]), clashes[line.row.row][1])
            if line.row.row in clashes
            else line
            for line in lines
        ]


def _clashes(lines: list[Line], people: list[Known]) -> dict[int, tuple[str, str]]:
    """(field, reason) for each row whose number or person another member has. Unchanged numbers have priority."""
    changing = {line.known.membership for line in lines if line.known and line.kind in IMPORTED}
    numbers: dict[int, Known | Line] = {}
    players: dict[int, Known | Line] = {}
    for known in people:
        if known.is_member and known.membership not in changing:
            numbers[known.number or 0] = players[known.player] = known
    found: dict[int, tuple[str, str]] = {}
    for line in sorted(lines, key=lambda line: (not line.keeps_number, line.row.row)):
        if not line.makes_member:
            continue
        number, player = line.becomes.number or 0, line.known and line.known.player
        if player and player in players:
            found[line.row.row] = ("name", _is_already(players[player]))
        elif number and number in numbers:
            found[line.row.row] = ("number", _has_number(numbers[number]))
        else:
            numbers[number] = players[player or 0] = line
    return found


def _is_already(other: Known | Line) -> str:
    if isinstance(other, Line):
        return _("Row %(row)s is the same person.") % {"row": other.row.place_in_file}
    return _("%(name)s is already a member.") % vars(other)


def _has_number(other: Known | Line) -> str:
    if isinstance(other, Line):
        return _("Row %(row)s has the same number.") % {"row": other.row.place_in_file}
    return _("Number %(number)s belongs to %(name)s.") % vars(other)
