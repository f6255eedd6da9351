"""Moving a tournament to another version of its rules, and what that would change."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import uuid4

from django.db import transaction
from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from scoring import ENGINE_VERSION, get_rulebook
from scoring.versions import VERSIONS, in_force, is_newer
from tournaments.changes.locks import held_tables, locked
from tournaments.changes.log import write_down
from tournaments.changes.versions import VERSIONS_APART
from tournaments.domain.outcomes import LOST_DEARLY, WON
from tournaments.domain.terms import OTHER_RULES
from tournaments.draw.tables import SMALL_TABLE
from tournaments.ledger.queries import NamesAt, rulebook_of
from tournaments.ledger.recording import Author, recount
from tournaments.ledger.seating import Sittings
from tournaments.ledger.submissions import Judged, Refused, Submission, judge
from tournaments.models import Seat, Table
from tournaments.standings.players import standings
from tournaments.standings.team_ranking import side_of
from tournaments.standings.teams import team_standings
from tournaments.standings.tie_breaks import rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from clubs.models import Account
    from scoring.rulebook import Rulebook
    from scoring.versions import Change
    from tournaments.domain.terms import ProblemText
    from tournaments.models import Report, Tournament
    from tournaments.standings.tie_breaks import Row


# What would follow from another version of a tournament's rules: for deals, places and matches.


@dataclass(frozen=True, slots=True)
class Place:
    """A player's place and total, as they are and as they would be."""

    before: Row
    after: Row


@dataclass(frozen=True, slots=True)
class MatchAnew:
    """A match of pairs or teams of which a deal comes to something else: tokens at home and away, before and after."""

    round: int
    home: str
    away: str
    before: tuple[int, int]
    after: tuple[int, int]


class RulesOutlook:
    """The effects of changing a tournament to another version of the rules.

    `seen` is a mark of what it was worked out from: a tournament in which something was reported, or whose rules were
    moved meanwhile, has another one.
    """

    def __init__(self, tournament: Tournament, version: str) -> None:
        self.tournament = tournament
        self.version = version
        self.rulebook: Rulebook = get_rulebook(tournament.rulebook, tournament.options, version)

    @cached_property
    def tables(self) -> list[Table]:
        tables = Table.objects.filter(round__tournament=self.tournament).order_by("round__number", "number")
        return list(tables.select_related("round__tournament", "match"))

    @property
    def state_mark(self) -> str:
        changes = sum(len(table.turns) for table in self.tables)
        reports = sum(table.reports_count for table in self.tables)
        return f"{self.tournament.rules_version}-{reports}-{changes}"

    @property
    def changes(self) -> list[Change]:
        """The differences between the versions, the newest first; on the way back those that no longer apply."""
        here = self.tournament.rules_version
        return [one for one in self.rulebook.changes if in_force(one, self.version) != in_force(one, here)]

    @property
    def is_newer(self) -> bool:
        return is_newer(self.version, self.tournament.rules_version)

    @cached_property
    def concerned(self) -> list[DealAnew]:
        """The deals that would be settled differently, or become invalid."""
        seats = (
            Seat.objects.filter(table__in=self.tables).values_list("table").annotate(Count("pk")).order_by()
        )
        players = dict(seats)
        return [
            one
            for table in self.tables
            for one in resettled_table_deals(table, players[table.pk], self.rulebook)
        ]

    @property
    def deals(self) -> list[DealAnew]:
        """The deals that come to something else."""
        return [one for one in self.concerned if one.judged]

    @property
    def impossible(self) -> list[DealAnew]:
        """The deals that these rules refuse: they are to be corrected, or ruled on, before."""
        return [one for one in self.concerned if not one.judged]

    @cached_property
    def places(self) -> list[Place]:
        """All players whose place or total changes, in the order of the new places."""
        now = standings(self.tournament)
        after = {row.entry_id: row.but(rounds=list(row.rounds)) for row in now.rows}
        column = {number: index for index, number in enumerate(now.rounds)}
        there = Sittings(Q(table__in={one.table.pk for one in self.deals}))
        for one in self.deals:
            for position, entry in enumerate(there.entries_in_deal(one.table.pk, one.deal)):
                _move(after[entry], one, position, column[one.table.round.number])
        rank(after.values(), now.tie_break_codes)
        places = [Place(row, after[row.entry_id]) for row in now.rows]
        moved = [
            one for one in places if (one.before.rank, one.before.total) != (one.after.rank, one.after.total)
        ]
        return sorted(moved, key=lambda one: (one.after.rank, one.after.number))

    @cached_property
    def matches(self) -> list[MatchAnew]:
        """Every match whose tokens change."""
        moved: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        firsts: dict[int, int] = {}
        for table in self.tables:
            firsts.setdefault(table.match_id or 0, table.pk)
        for one in self.deals:
            match = one.table.match
            if match is None:
                continue
            for position, (before, after) in enumerate(one.tokens):
                side = side_of(position, at_second=firsts[match.pk] != one.table.pk)
                moved[one.table.round.number, match.number][side] += after - before
        if not moved:
            return []
        teams = team_standings(self.tournament)
        results = {(row.round, row.number): row for rows in teams.rounds.values() for row in rows}
        found = []
        for (round_, number), (home, away) in sorted(moved.items()):
            row = results[round_, number]
            if row.tokens and row.away is not None and (home or away):
                at_home, at_away = row.tokens
                names = teams.names[row.home], teams.names[row.away]
                found.append(MatchAnew(round_, *names, row.tokens, (at_home + home, at_away + away)))
        return found


def _move(row: Row, one: DealAnew, position: int, column: int) -> None:
    """Add to a player's line what a deal brings more than before."""
    before, after = one.tokens[position]
    row.rounds[column] = (row.rounds[column] or 0) + after - before
    if len(one.tokens) == SMALL_TABLE:
        row.at_three += after - before
    if one.judged and position == one.report.declarer:
        row.games_won += (one.judged.outcome in WON) - (one.report.outcome in WON)
        row.kodilles += (one.judged.outcome in LOST_DEARLY) - (one.report.outcome in LOST_DEARLY)


# Moving a running tournament to another version of its rules, after a preview.
#
# A tournament stays with the version that it started with. If a newer one scores some results differently, an organiser
# may adopt it while the tournament is not finished: the deals concerned are reported again, all else is unchanged.
# The way back is the same step, to a version used before.

MOVED = gettext_noop(
    "Now played by version {version} of the rules instead of {was}; deals scoring differently: {count}"
)


def versions_offered(tournament: Tournament) -> list[str]:
    """The versions that a tournament may be moved to: the newest, and those that it was played by before it was moved.

    None where nothing of what is read otherwise concerns its rulebook.
    """
    if not tournament.rules_frozen or tournament.is_finished or tournament.is_called_off:
        return []
    moves = tournament.log.filter(text=MOVED).values_list("params", flat=True)
    known = {ENGINE_VERSION, *(move["was"] for move in moves)} & set(VERSIONS)
    changes, here = rulebook_of(tournament).changes, tournament.rules_version
    return [
        version
        for version in reversed(VERSIONS)
        if version in known and any(in_force(one, version) != in_force(one, here) for one in changes)
    ]


@transaction.atomic
def move_rules(
    tournament: Tournament, version: str, *, seen: str, account: Account, now: datetime
) -> RulesOutlook:
    """Adopt another version of the rules, and report again every deal whose result changes.

    `seen` is the fingerprint of the preview. Raises NotPossible if the version is not offered (any more), if
    something was reported meanwhile, and if a deal is invalid under it.
    """
    tournament = locked(tournament)
    if tournament.rules_version == version:
        raise NotPossible(
            _("It is already played by version %(version)s of the rules.") % {"version": version}
        )
    if tournament.is_finished:
        raise NotPossible(_("The tournament has finished, so its rules cannot be changed."))
    if version not in versions_offered(tournament):
        raise NotPossible(
            _("It cannot be played by version %(version)s of the rules.") % {"version": version}
        )
    outlook = RulesOutlook(tournament, version)
    if seen != outlook.state_mark:
        raise NotPossible(_("Something has been reported in the meantime. Check again what would change."))
    if outlook.impossible:
        raise NotPossible(
            _("These rules reject some deals: correct them, or make a ruling on their tokens, first.")
        )
    was, tournament.rules_version = tournament.rules_version, version
    tournament.save(update_fields=["rules_version"])
    concerned = _tell_again(tournament, outlook.deals, account=account, now=now)
    write_down(
        tournament, account, MOVED, now=now, about=[tournament, *concerned],
        version=version, was=was, count=len(outlook.deals),
    )  # fmt: skip
    return outlook


def _tell_again(
    tournament: Tournament, deals: Iterable[DealAnew], *, account: Account, now: datetime
) -> list[Table]:
    """Store the deals at their tables; returns those tables. All phones reload their state and choices."""
    by_table: dict[int, list[DealAnew]] = defaultdict(list)
    for one in deals:
        by_table[one.table.pk].append(one)
    tables = list(held_tables().filter(round__tournament=tournament).order_by("pk"))
    for table in tables:
        tell_again(table, by_table[table.pk], account=account, now=now)
        if table.is_open:
            # A large step of the table's version makes a phone request the complete state.
            table.version += VERSIONS_APART
            table.save(update_fields=["version"])
    return [table for table in tables if by_table[table.pk]]


# Results of a table's deals under another version of its rules, and reporting the deals again under it.
#
# A report is never altered: a deal with another result gets a new version, with the reason.


@dataclass(frozen=True, slots=True)
class DealAnew:
    """A deal with another result under the other rules; `judged` is None if they reject it: see `problems`."""

    table: Table
    report: Report
    judged: Judged | None = None
    problems: Sequence[ProblemText] = ()

    @property
    def deal(self) -> int:
        return self.report.deal_number

    @property
    def tokens(self) -> list[tuple[int, int]]:
        """The tokens of each seat now and by the other rules."""
        after = self.judged.tokens if self.judged else self.report.tokens
        return list(zip(self.report.tokens, after, strict=True))


def resettled_table_deals(table: Table, players: int, rulebook: Rulebook) -> Iterator[DealAnew]:
    """The deals of a table of so many players that this rulebook rejects, or gives another result."""
    names = NamesAt(table, players)
    for dealt in table.dealt.select_related("current").order_by("number"):
        report = dealt.current
        if report is None or report.result is None:
            continue
        try:
            judged = judge(table, rulebook, names, report.deal_number, report.result, at_desk=True)
        except Refused as refused:
            yield DealAnew(table, report, problems=refused.problems)
            continue
        if (judged.outcome, list(judged.tokens)) != (report.outcome, report.tokens):
            yield DealAnew(table, report, judged)


def tell_again(table: Table, deals: Iterable[DealAnew], *, account: Account | None, now: datetime) -> None:
    """Report these deals again, settled by the tournament's current rules; the caller holds the tournament's lock."""
    told = [
        Submission(
            key=uuid4(),
            deal=one.deal,
            base=one.report.revision,
            result=one.report.result,
            reason=OTHER_RULES,
        )
        for one in deals
    ]
    if told:
        recount(table, told, Author("desk", account), now=now)
