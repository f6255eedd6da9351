"""Counting everything again from the reports alone, to see whether what is stored and shown agrees with it.

It uses nothing that the pages use for adding up: the rules engine settles each current result anew, and the sums are
made here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from scoring.results import UnreadableResult, read_result
from scoring.rulebooks import Rulebook
from scoring.settlement import IllegalResult, settle_at_table
from tournaments.boards import fingerprint
from tournaments.boards.folders import PUBLISHED
from tournaments.chain import chain_differences, chain_notices
from tournaments.files.kept_recount import result_differences
from tournaments.files.seat_recount import changes_at, tokens_at
from tournaments.ledger import broken_chain
from tournaments.ledger.outcomes import declarer_of
from tournaments.ledger.pool import TablePool
from tournaments.ledger.sitting import seating_at
from tournaments.ledger.tables import rulebook_of
from tournaments.models import Deal, Report, Table, Tournament
from tournaments.standings.players import standings
from tournaments.teams.recount import team_differences

AT_ONCE = 100  # tables
SAID = [field.attname for field in Report._meta.concrete_fields]


@dataclass(frozen=True)
class Difference:
    """Where a recount differs from what is stored, and how; in English, for the command line."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


def differences(tournament: Tournament) -> Iterator[Difference]:
    """Every difference, tables first in their order, then the standings."""
    totals: dict[int, int] = {}
    numbers = dict(tournament.entries.values_list("pk", "number"))
    for table, reports, current in _tables(tournament):
        place = f"{tournament.code} round {table.round.number} table {table.number}"
        for text in (*_at_table(table, reports, current, numbers, totals), *_folders_at(table)):
            yield Difference(place, text)
    for place, text in chain_differences(tournament):
        yield Difference(f"{tournament.code} {place}", text)
    yield from _seeds(tournament)
    penalties = tournament.penalties.filter(cancelled_at=None).exclude(entry=None)
    for entry_id, tokens in penalties.values_list("entry", "tokens"):
        totals[entry_id] = totals.get(entry_id, 0) + tokens
    for row in standings(tournament).rows:
        counted = totals.get(row.entry_id, 0)
        if row.with_rulings != counted:
            yield Difference(
                f"{tournament.code} standings",
                f"no. {row.number} has {row.with_rulings:+d} tokens, the reports give {counted:+d}",
            )
    for text in team_differences(tournament) if tournament.in_teams else ():
        yield Difference(f"{tournament.code} standings of teams", text)
    for text in result_differences(tournament):
        yield Difference(f"{tournament.code} season", text)


def _tables(tournament: Tournament) -> Iterator[tuple[Table, list[Any], dict[int, int]]]:
    """Every table in order, its reports in theirs, and which of them (primary key) each of its deals counts.

    All that is recounted at a table is read for many at once, and never for too many. A report is a row here with the
    fields of one: making a model of each takes as long as recounting it.
    """
    rounds = {round_.pk: round_ for round_ in tournament.rounds.all()}
    tables = Table.objects.filter(round__in=rounds).order_by("round__number", "number")
    there = ("seats", "seat_changes", "former_seats", "folder_changes")
    waiting = tables.prefetch_related(*there).iterator(AT_ONCE)
    while some := list(islice(waiting, AT_ONCE)):
        reports: dict[int, list[Any]] = {table.pk: [] for table in some}
        current: dict[int, dict[int, int]] = {table.pk: {} for table in some}
        for report in (
            Report.objects.filter(table__in=some).order_by("sequence").values_list(*SAID, named=True)
        ):
            reports[report.table_id].append(report)
        for table_id, deal, counts in Deal.objects.filter(table__in=some).values_list(
            "table", "number", "current"
        ):
            current[table_id][deal] = counts
        for table in some:
            table.round = rounds[table.round_id]
            yield table, reports[table.pk], current[table.pk]


def _folders_at(table: Table) -> Iterator[str]:
    """Whether each deal's folder is what was last said of it."""
    if not table.folders:
        return
    if len(table.folders) != table.deals:
        yield f"{len(table.folders)} folders for {table.deals} deals"
    for deal, folder in {change.deal_number: change.now for change in table.folder_changes.all()}.items():
        if table.folder_of(deal) != folder:
            yield f"deal {deal} is with folder {table.folder_of(deal)}, it was last said to be with {folder}"


def _seeds(tournament: Tournament) -> Iterator[Difference]:
    """Whether the seed of each round's boards has the fingerprint that was published last."""
    lines = tournament.log.filter(text=PUBLISHED).order_by("pk") if tournament.boards else ()
    published = {line.params["round"]: line.params["fingerprint"] for line in lines}
    for board_set in tournament.board_sets_dealt.all() if published else ():
        number = board_set.round_number
        if published.get(number, "") not in ("", fingerprint(board_set.seed)):
            yield Difference(
                f"{tournament.code} round {number}", "the boards' seed has not the fingerprint published"
            )


def notices(tournament: Tournament) -> Iterator[Difference]:
    """What nobody has damaged and an organiser should know: another machine's seals, pools that do not follow."""
    for text in chain_notices(tournament):
        yield Difference(f"{tournament.code} chain", text)
    rulebook = rulebook_of(tournament)
    if rulebook.pool is None:
        return
    tables = Table.objects.filter(round__tournament=tournament).select_related("round")
    for table in tables.order_by("round__number", "number"):
        reports = {deal.number: deal.current for deal in table.dealt.select_related("current")}
        for gap in TablePool(rulebook, table.seats.count(), reports).gaps:
            yield Difference(
                f"{tournament.code} round {table.round.number} table {table.number}",
                f"deal {gap.deal} was settled with {gap.reported} in the pool, "
                f"from the deal before follow {gap.follows}",
            )


def _at_table(
    table: Table,
    reports: Sequence[Any],
    current: Mapping[int, int],
    numbers: Mapping[int, int],
    totals: dict[int, int],
) -> Iterator[str]:
    """What is wrong at one table; adds its counted tokens to `totals` by entry. `numbers` are those of the entries."""
    broken = broken_chain(table, reports)
    if broken:
        yield broken
    newest = {report.deal_number: report for report in reports}
    if current != {number: report.id for number, report in newest.items()}:
        yield "a deal does not count its newest report"
    seats = list(table.seats.all())
    yield from changes_at(
        table,
        {deal: told.dealer for deal, told in newest.items() if told.result is not None},
        seats,
        numbers,
    )
    rulebook = rulebook_of(table.round.tournament)
    tokens: dict[int, tuple[int, ...]] = {}
    for number in sorted(newest):
        try:
            counted = _settled(table, newest[number], len(seats), rulebook)
        except (UnreadableResult, IllegalResult) as error:
            yield f"deal {number} is against the rules: {error}"
            continue
        if list(counted) != newest[number].tokens:
            yield f"deal {number} gives {list(counted)}, stored is {newest[number].tokens}"
        result = newest[number].result or {}
        counts_as = declarer_of(result), result.get("contract", "")
        if counts_as != (newest[number].declarer, newest[number].contract):
            yield f"deal {number} counts as another declarer's or another contract than was reported"
        if counted:
            tokens[number] = counted
    yield from tokens_at(table, seats, tokens, totals)


def _settled(table: Table, report: Any, players: int, rulebook: Rulebook) -> tuple[int, ...]:
    """A report's tokens by position, from the rules alone."""
    if report.result is None:
        return ()
    if "ruled" in report.result:
        return tuple(report.result["ruled"])
    seating = seating_at(table, players, report.deal_number)
    result = read_result(report.result, seating)
    return settle_at_table(result, seating, rulebook).tokens
