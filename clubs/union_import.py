"""Plan the import of a union's list: each row belongs to the club that it names.

In another club a person is recognised by the name with the same number in the union, e-mail or phone; a name alone, or
a number alone, is doubtful. A person in another club's rows than before moves there.
"""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import chain

from django.utils.translation import gettext as _

from clubs.clubs import add_club
from clubs.import_plan import IMPORTED, Change, Kind, Line, Plan, make_plan
from clubs.matching import Known, differ, known_in, sure_matches
from clubs.member_rows import CellProblem, MemberRow
from clubs.models import Account, Affiliation, Club, Gives, Transfer, UnionNumber
from clubs.names import digits_of, folded, given_first, sorted_as
from clubs.register import add_to_union, last_played, main_memberships
from clubs.register_models import WITH_NAMES
from clubs.roles import unions_of

# The choice for an unknown club that it is to be added.
MAKE = "make"
MOST_LETTERS = 120


@dataclass(frozen=True)
class UnknownClub:
    """A name of a club in the list that no club here has: how it is written, its rows, and what was chosen."""

    called: str
    written: str
    rows: int
    chosen: str


@dataclass(frozen=True)
class ClubPlan(Plan):
    """The plan of an import for one club; without `club`, one of this name is added."""

    name: str
    club: Club | None
    # Rows whose person was recognised in another club: displayed without a question.
    recognised: frozenset[int]


@dataclass(frozen=True)
class UnionPlan(Plan):
    """The plan of a union's import: by club, and the rows without a club."""

    clubs: list[ClubPlan]
    unknown: list[UnknownClub]
    assignable: list[Club]
    may_add_clubs: bool
    without_club: list[Line]
    # The number in the union of each row that brings a new one.
    new_numbers: dict[int, int]

    @property
    def questions(self) -> list[Line]:
        return list(chain.from_iterable(_questions(one) for one in self.clubs))


def _questions(plan: ClubPlan) -> list[Line]:
    return [line for line in plan.lines if line.is_question and line.row.row not in plan.recognised]


@dataclass(frozen=True)
class UnionPeople:
    """The stored clubs and people that a union's list is compared with."""

    union: Club
    gives: Mapping[int, str]
    clubs: list[Club]
    known: list[tuple[int, Known]]
    numbers: Mapping[int, int]
    """Players by their number in the union."""
    may_add_clubs: bool

    @property
    def assignable(self) -> list[Club]:
        """The clubs whose lists the union may change."""
        return [club for club in self.clubs if self.gives.get(club.pk) == Gives.EVERYTHING]


def read_union_people(union: Club, account: Account) -> UnionPeople:
    """The clubs and people of a union, and whether an account may add clubs to it, in five queries."""
    gives = dict(Affiliation.objects.filter(union=union, left=None).values_list("club", "gives"))
    gives[union.pk] = Gives.EVERYTHING
    clubs = list(Club.objects.order_by("name", "pk"))
    seen = {club.pk: club.name for club in clubs if gives.get(club.pk) in WITH_NAMES}
    numbers = dict(UnionNumber.objects.filter(union=union).values_list("number", "player"))
    number_of = {player: number for number, player in numbers.items()}
    numbered = ((club, replace(one, union_number=number_of.get(one.player))) for club, one in known_in(seen))
    # A club that gives names alone does not give addresses.
    known = [
        (club, one if gives[club] == Gives.EVERYTHING else replace(one, email="", phone="", birth_year=None))
        for club, one in numbered
    ]
    may_add_clubs = unions_of(account).filter(pk=union.pk).exists()
    return UnionPeople(union, gives, clubs, known, numbers, may_add_clubs)


def plan_union_import(
    rows: Iterable[MemberRow],
    people: UnionPeople,
    *,
    joined: date,
    choices: Mapping[int, str],
    chosen_clubs: Mapping[str, str],
    heading: Callable[[str], str],
) -> UnionPlan:
    """Plan the import of `rows` into the clubs that they name.

    `chosen_clubs` are a club's primary key, or MAKE where clubs may be added, by the folded name of an unknown club;
    for `joined`, `choices` and `heading` see `make_plan`.
    """
    finder = _ClubFinder(people, chosen_clubs)
    by_club: dict[int | str, list[MemberRow]] = defaultdict(list)
    without_club = []
    for row in rows:
        club, problem = finder.club_of(row)
        if problem:
            problems = (*row.problems, CellProblem(heading("club"), problem))
            without_club.append(Line(row, Kind.REFUSED, becomes=row, problems=problems))
        else:
            by_club[club].append(row)
    planner = _Planner(people, by_club, joined, choices, heading)
    recognised = frozenset(planner.recognised)
    stored = {club.pk: club for club in people.clubs}
    clubs = [
        ClubPlan(lines, stored[key].name, stored[key], recognised)
        if isinstance(key, int)
        else ClubPlan(lines, finder.written[key], None, recognised)
        for key, lines in planner.plan().items()
    ]
    clubs.sort(key=lambda one: sorted_as(one.name))
    return UnionPlan(
        lines=[*without_club, *chain.from_iterable(one.lines for one in clubs)],
        clubs=clubs,
        unknown=finder.unknown,
        assignable=people.assignable,
        may_add_clubs=people.may_add_clubs,
        without_club=without_club,
        new_numbers=planner.new_numbers,
    )


class _ClubFinder:
    """Finds the club of a row: a primary key, or the folded name of one that is to be added."""

    def __init__(self, people: UnionPeople, chosen: Mapping[str, str]) -> None:
        self.people, self.chosen = people, chosen
        self.names = {folded(club.name): club for club in people.clubs}
        in_towns = defaultdict(list)
        for club in people.clubs:
            if club.town and club.pk in people.gives:
                in_towns[folded(club.town)].append(club)
        self.towns = {town: clubs[0] for town, clubs in in_towns.items() if len(clubs) == 1}
        self.assignable = {str(club.pk): club for club in people.assignable}
        self.written: dict[str, str] = {}
        self.counts: dict[str, int] = defaultdict(int)

    def club_of(self, row: MemberRow) -> tuple[int | str, str]:
        """The club of a row, or why it has none."""
        called = folded(row.club)
        if not called:
            return "", _("The row names no club.")
        club = self.names.get(called) or self.towns.get(called)
        if club is None:
            self.counts[called] += 1
            self.written.setdefault(called, row.club)
            answer = self.chosen.get(called, "")
            if answer == MAKE and self.people.may_add_clubs:
                too_long = _("The name of the club is longer than %(most)d characters.") % {
                    "most": MOST_LETTERS
                }
                return called, too_long if len(self.written[called]) > MOST_LETTERS else ""
            club = self.assignable.get(answer)
        return (club.pk if club else ""), self._why_not(club, row.club)

    def _why_not(self, club: Club | None, written: str) -> str:
        """Why the union cannot change the list of this club; "" if it can."""
        if club is None:
            return _("There is no club called %(club)s here. Choose one for it above.") % {"club": written}
        gives = self.people.gives.get(club.pk)
        if gives is None:
            return _("%(club)s does not belong to the union.") % {"club": club}
        if gives != Gives.EVERYTHING:
            return _("%(club)s keeps its list of members itself.") % {"club": club}
        return ""

    @property
    def unknown(self) -> list[UnknownClub]:
        return [
            UnknownClub(called, written, self.counts[called], self.chosen.get(called, ""))
            for called, written in self.written.items()
        ]


@dataclass
class _Planner:
    """Plans all clubs of a list, again where a row is refused for what it does in another club."""

    people: UnionPeople
    by_club: Mapping[int | str, list[MemberRow]]
    joined: date
    choices: Mapping[int, str]
    heading: Callable[[str], str]
    # Rows whose person was recognised in another club, and the choice that this amounts to.
    recognised: dict[int, str] = field(default_factory=dict)
    likely: dict[int, list[Known]] = field(default_factory=dict)
    new_numbers: dict[int, int] = field(default_factory=dict)
    problems: dict[int, CellProblem] = field(default_factory=dict)
    # Rows that are refused for what was chosen in them: they can be answered otherwise.
    answered: dict[int, Line] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.club_of_row = {row.row: club for club, rows in self.by_club.items() for row in rows}
        self.here: dict[int | str, list[Known]] = defaultdict(list)
        self.of_player: dict[int, list[tuple[int, Known]]] = defaultdict(list)
        self.club_of = {known.membership: club for club, known in self.people.known}
        for of, known in self.people.known:
            self.here[of].append(replace(known, club=""))
            self.of_player[known.player].append((of, known))
        # Who a row is surely about in its own club, and the rows of each such player.
        self.sure: dict[int, int] = {}
        self.rows_of: dict[int, list[MemberRow]] = defaultdict(list)
        for club, rows in self.by_club.items():
            by_place = {row.row: row for row in rows}
            for place, known in sure_matches(rows, self.here[club]).items():
                self.sure[place] = known.player
                self.rows_of[known.player].append(by_place[place])

        self._refuse_second_clubs()
        self._recognise()

    def plan(self) -> dict[int | str, list[Line]]:
        plans: dict[int | str, list[Line]] = {}
        stale, ends = set(self.by_club), dict[int, date]()
        while stale:
            plans |= {club: self._plan_club(club, ends) for club in stale}
            plans, refused = self._with_moves(plans)
            refused |= self._number_problems(plans)
            self.problems |= refused
            self.answered |= {
                line.row.row: line
                for line in chain.from_iterable(plans.values())
                if line.row.row in refused and line.row.row not in self.recognised and line.is_question
            }
            ends_now = {
                line.origin.membership: line.becomes.joined
                for line in chain.from_iterable(plans.values())
                if line.origin and line.becomes.joined and line.row.row not in refused
            }
            moved = set(ends_now.items()) ^ set(ends.items())
            changed = {membership for membership, _day in moved}
            stale = {self.club_of_row[row] for row in refused} | {
                club
                for club, known in self.people.known
                if known.membership in changed and club in self.by_club
            }
            ends = ends_now
        return {club: self._with_numbers(lines) for club, lines in plans.items()}

    def _plan_club(self, club: int | str, ends: Mapping[int, date]) -> list[Line]:
        rows = [
            replace(row, problems=(*row.problems, self.problems[row.row]))
            if row.row in self.problems
            else row
            for row in self.by_club[club]
        ]
        here = [
            replace(known, left=ends[known.membership]) if known.membership in ends else known
            for known in self.here[club]
        ]
        plan = make_plan(
            rows,
            here,
            joined=self.joined,
            choices={**self.recognised, **self.choices},
            heading=self.heading,
            likely=self.likely,
        )
        return [self._with_answers(line) for line in plan.lines]

    def _with_answers(self, line: Line) -> Line:
        answered = self.answered.get(line.row.row)
        return replace(line, doubt=answered.doubt, choice=answered.choice) if answered else line

    def _refuse_second_clubs(self) -> None:
        """Refuse rows that have one person in two clubs, unless the person already is a member of both."""
        alike: dict[tuple[object, ...], list[MemberRow]] = defaultdict(list)
        for row in chain.from_iterable(self.by_club.values()):
            if row.left is None:
                for key in _identities(row):
                    alike[key].append(row)
        for rows in alike.values():
            for row in rows:
                others = [
                    other
                    for other in rows
                    if self._club(other) != self._club(row)
                    and not differ(row.union_number, other.union_number)
                ]
                if others and row.row not in self.sure:
                    self.problems.setdefault(row.row, self._two_clubs(others[0]))

    def _club(self, row: MemberRow) -> int | str:
        return self.club_of_row[row.row]

    def _two_clubs(self, other: MemberRow) -> CellProblem:
        text = _("Row %(row)s has the same person in %(club)s: a person has one main club.")
        return CellProblem(self.heading("club"), text % {"row": other.place_in_file, "club": other.club})

    def _recognise(self) -> None:
        """Find the people of other clubs that rows without a sure match may be."""
        called: dict[str, set[int]] = defaultdict(set)
        wanted = {folded(row.name) for row in self._unsure()}
        for player, held in self.of_player.items():
            for name in {folded(given_first(held[0][1].name))} & wanted:
                called[name].add(player)
        for row in self._unsure():
            club = self._club(row)
            by_number = self.people.numbers.get(row.union_number or 0)
            candidates = called[folded(row.name)] | ({by_number} if by_number in self.of_player else set())
            certain: list[Known] = []
            for player in sorted(candidates):
                known = self._best(player, club)
                has_number = player == by_number
                is_alike = has_number or _has_same_contact(row, known)
                has_name = player in called[folded(row.name)]
                is_certain = is_alike and has_name and not differ(row.union_number, known.union_number)
                elsewhere = [other for other in self.rows_of.get(player, ()) if self._club(other) != club]
                if is_certain and elsewhere:
                    self.problems.setdefault(row.row, self._two_clubs(elsewhere[0]))
                if player in self.rows_of or (not known.club and not has_number):
                    continue  # of this club the names are compared anyway
                now = [of for of, one in self.of_player[player] if one.left is None]
                is_listed = all(of in self.by_club for of in now)
                if is_alike or is_listed:
                    self.likely.setdefault(row.row, []).append(known)
                if is_certain and is_listed:
                    certain.append(known)
            if len(certain) == 1:
                self.recognised[row.row] = certain[0].choice

    def _unsure(self) -> Iterator[MemberRow]:
        for row in chain.from_iterable(self.by_club.values()):
            if row.row not in self.sure and row.left is None and not row.problems:
                yield row

    def _best(self, player: int, club: int | str) -> Known:
        """The membership that represents a person: in this club, else the main one, else the latest."""
        held = self.of_player[player]
        for of, known in reversed(held):
            if of == club:
                return replace(known, club="")
        now = [known for _of, known in held if known.left is None]
        return min(now, key=lambda known: known.joined) if now else held[-1][1]

    def _with_moves(
        self, plans: Mapping[int | str, list[Line]]
    ) -> tuple[dict[int | str, list[Line]], dict[int, CellProblem]]:
        """The plans with those who leave another club for this one as moves, and the rows that cannot be such."""
        joining = [line for line in chain.from_iterable(plans.values()) if line.kind == Kind.JOINS]
        players = {line.known.player for line in joining if line.known}
        found_mains = main_memberships(self.people.union, self.joined).filter(player__in=players)
        mains = dict(found_mains.values_list("player", "pk")) if players else {}
        found = {
            club: [self._as_move(line, club, mains) if line.kind == Kind.JOINS else line for line in lines]
            for club, lines in plans.items()
        }
        moves = [line for line in chain.from_iterable(found.values()) if line.origin]
        players = {line.origin.player for line in moves if line.origin}
        latest = last_played(players)
        asked = Transfer.objects.filter(player__in=players, state=Transfer.State.ASKED)
        waiting = set(asked.values_list("player", flat=True))
        problems: dict[int, CellProblem] = {}
        first: dict[int, MemberRow] = {}
        for line in moves:
            if problem := self._move_problem(line, latest, waiting, first):
                problems[line.row.row] = problem
        return found, problems

    def _as_move(self, line: Line, club: int | str, mains: Mapping[int, int]) -> Line:
        """A line whose person leaves their main club, or the first of their other ones; the line itself without one.

        `mains` are main memberships by player.
        """
        if line.known is None or line.becomes.left is not None:
            return line
        held = self.of_player[line.known.player]
        now = [known for of, known in held if known.left is None and of != club]
        if not now:
            return line
        main = mains.get(line.known.player)
        origin = min(now, key=lambda known: (known.membership != main, known.joined, known.membership))
        return replace(line, kind=Kind.MOVES, origin=origin)

    def _move_problem(
        self,
        line: Line,
        latest: Mapping[tuple[int, int | None], date],
        waiting: Container[int],
        first: dict[int, MemberRow],
    ) -> CellProblem | None:
        """Why a person cannot move; `first` are the rows with which players move, to which this one is added."""
        origin, day = line.origin, line.becomes.joined
        if origin is None or day is None:
            return None
        if rows := self.rows_of.get(origin.player):
            return self._two_clubs(rows[0])
        if origin.player in first:
            return self._two_clubs(first[origin.player])
        first[origin.player] = line.row
        if origin.player in waiting:
            text = _("A transfer of this person is already waiting for an answer.")
            return CellProblem(self.heading("name"), text)
        played = latest.get((origin.player, self.club_of[origin.membership]))
        if day < origin.joined or (played and day <= played):
            text = _("They joined or played for their present club after this day. Choose a later one.")
            return CellProblem(self.heading("joined"), text)
        return None

    def _number_problems(self, plans: Mapping[int | str, list[Line]]) -> dict[int, CellProblem]:
        """Rows whose union number belongs to another person."""
        problems: dict[int, CellProblem] = {}
        rows: dict[int, MemberRow] = {}
        for line in chain.from_iterable(plans.values()):
            number = line.row.union_number
            if number is None or line.kind not in IMPORTED:
                continue
            holder = self.people.numbers.get(number)
            if holder is not None and (line.known is None or line.known.player != holder):
                held = self.of_player.get(holder)
                text = _("Number %(number)s in the union belongs to %(name)s.") % {
                    "number": number,
                    "name": held[0][1].name if held else _("someone else"),
                }
            elif number in rows:
                text = _("Row %(row)s has the same number.") % {"row": rows[number].place_in_file}
            else:
                rows[number] = line.row
                continue
            problems[line.row.row] = CellProblem(self.heading("union_number"), text)
        return problems

    def _with_numbers(self, lines: list[Line]) -> list[Line]:
        """The lines with their new numbers in the union as changes."""
        return [self._with_number(line) for line in lines]

    def _with_number(self, line: Line) -> Line:
        number = line.row.union_number
        before = line.known.union_number if line.known else None
        if number is None or line.kind not in IMPORTED or number == before:
            return line
        self.new_numbers[line.row.row] = number
        kind = Kind.CHANGED if line.kind == Kind.UNCHANGED else line.kind
        changes = (*line.changes, Change("union_number", before, number)) if line.known else ()
        return replace(line, kind=kind, changes=changes)


def _identities(row: MemberRow) -> Iterator[tuple[object, ...]]:
    """The keys by which two rows are recognised as one person."""
    if row.union_number is not None:
        yield "number", row.union_number
    if row.email:
        yield "email", folded(row.name), row.email.casefold()
    if row.phone and digits_of(row.phone):
        yield "phone", folded(row.name), digits_of(row.phone)


def _has_same_contact(row: MemberRow, known: Known) -> bool:
    """Whether e-mail or phone of a person with the same name agree."""
    same_email = bool(row.email) and row.email.casefold() == known.email.casefold()
    same_phone = bool(digits_of(row.phone)) and digits_of(row.phone) == digits_of(known.phone)
    return folded(row.name) == folded(given_first(known.name)) and (same_email or same_phone)


def stored_club(plan: ClubPlan, union: Club, *, account: Account, now: datetime) -> Club:
    """The club of a plan; one that is missing is added, in the union."""
    if plan.club is not None:
        return plan.club
    club = add_club(Club(name=plan.name, language=union.language))
    add_to_union(club, union, gives=Gives.EVERYTHING, account=account, now=now)
    return club


def store_union_numbers(union: Club, numbers: Mapping[int, int]) -> None:
    """Give players (by primary key) these numbers in the union instead of those that they have."""
    UnionNumber.objects.filter(union=union, player__in=numbers).delete()
    UnionNumber.objects.bulk_create(
        UnionNumber(union=union, player_id=player, number=number) for player, number in numbers.items()
    )
