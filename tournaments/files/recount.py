"""Counting everything again from the reports alone, to see whether what is stored and shown agrees with it.

It uses nothing that the pages use for adding up: the rules engine settles each current result anew, and the sums are
made here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.results import UnreadableResult, read_result
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
from tournaments.models import Report, Table, Tournament
from tournaments.standings.players import standings
from tournaments.teams.recount import team_differences


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
    tables = Table.objects.filter(round__tournament=tournament).select_related("round__tournament")
    for table in tables.order_by("round__number", "number"):
        place = f"{tournament.code} round {table.round.number} table {table.number}"
        for text in (*_at_table(table, totals), *_folders_at(table)):
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
    for text in team_differences(tournament):
        yield Difference(f"{tournament.code} standings of teams", text)
    for text in result_differences(tournament):
        yield Difference(f"{tournament.code} season", text)


def _folders_at(table: Table) -> Iterator[str]:
    """Whether each deal's folder is what was last said of it."""
    if not table.folders:
        return
    if len(table.folders) != table.deals:
        yield f"{len(table.folders)} folders for {table.deals} deals"
    for deal, folder in dict(table.folder_changes.values_list("deal_number", "now")).items():
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


def _at_table(table: Table, totals: dict[int, int]) -> Iterator[str]:
    """What is wrong at one table; adds its counted tokens to `totals` by entry."""
    reports = list(table.reports.order_by("sequence"))
    broken = broken_chain(table, reports)
    if broken:
        yield broken
    newest = {report.deal_number: report for report in reports}
    current = {deal.number: deal.current_id for deal in table.dealt.all()}
    if current != {number: report.pk for number, report in newest.items()}:
        yield "a deal does not count its newest report"
    seats = list(table.seats.all())
    yield from changes_at(
        table, {deal: told.dealer for deal, told in newest.items() if told.result is not None}, seats
    )
    tokens: dict[int, tuple[int, ...]] = {}
    for number in sorted(newest):
        try:
            counted = _settled(table, newest[number], len(seats))
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


def _settled(table: Table, report: Report, players: int) -> tuple[int, ...]:
    """A report's tokens by position, from the rules alone."""
    if report.result is None:
        return ()
    if "ruled" in report.result:
        return tuple(report.result["ruled"])
    seating = seating_at(table, players, report.deal_number)
    result = read_result(report.result, seating)
    return settle_at_table(result, seating, rulebook_of(table.round.tournament)).tokens
