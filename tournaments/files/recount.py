"""Counting everything again from the reports alone, to see whether what is stored and shown agrees with it.

It uses nothing that the pages use for adding up: the rules engine settles each current result anew, and the sums are
made here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scoring.results import UnreadableResult, read_result
from scoring.rulebooks import Rulebook
from scoring.settlement import IllegalResult, settle_at_table
from tournaments.boards import fingerprint
from tournaments.boards.folders import PUBLISHED
from tournaments.chain import Chains, chain_notices
from tournaments.files.kept_recount import (
    OF_FEATS,
    OF_SUM,
    feat_differences,
    result_differences,
    sum_differences,
)
from tournaments.files.seat_recount import changes_at, tokens_at
from tournaments.files.stored_tables import AtTable, tables_of
from tournaments.ledger import broken_chain
from tournaments.ledger.outcomes import declarer_of
from tournaments.ledger.pool import TablePool
from tournaments.ledger.sitting import seating_at
from tournaments.ledger.sums import Sums, read_at
from tournaments.ledger.tables import rulebook_of
from tournaments.models import (
    DealSum,
    Entry,
    EveningResult,
    Penalty,
    Table,
    Tournament,
)
from tournaments.seasons.feats import feats_of
from tournaments.seasons.results import KEPT, played
from tournaments.standings.players import Counted
from tournaments.teams.recount import team_differences
from tournaments.teams.standings import counted_of_teams

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from scoring.seats import Seating
    from tournaments.standings.players import Standings
    from tournaments.teams.standings import TeamStandings

Found = TypeVar("Found")


@dataclass(frozen=True)
class Difference:
    """Where a recount differs from what is stored, and how; in English, for the command line."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


class Recounted(NamedTuple):
    """What a recount of a tournament found, in English."""

    differences: list[str]
    notices: list[str]


def differences(tournament: Tournament) -> Iterator[Difference]:
    """Every difference, tables first in their order, then the standings."""
    return Recount([tournament.pk]).differences(tournament.pk)


class Recount:
    """Tournaments (by primary key) to be recounted in this order. What is stored of them is read at once.

    Their tables are read a hundred at a time, as they are counted: a tournament may have thousands.
    """

    def __init__(self, keys: Sequence[int]) -> None:
        stored = Tournament.objects.select_related("host").in_bulk(keys)
        self.tournaments = {pk: stored[pk] for pk in keys if pk in stored}
        self._chains = Chains(list(self.tournaments.values()))
        self._standings = _of_all(lambda: Counted(list(self.tournaments.values())))
        self._kept = self._by_tournament(EveningResult.objects.all(), *KEPT)
        self._feats = self._by_tournament(EveningResult.objects.all(), *OF_FEATS)
        kept = [one for one in self.tournaments.values() if one.results_kept]
        self._counted_feats = _of_all(lambda: feats_of(*kept))
        self._summed = self._by_tournament(DealSum.objects.all(), *OF_SUM)
        self._numbers = self._by_tournament(Entry.objects.all(), "pk", "number")
        counting = Penalty.objects.filter(cancelled_at=None).exclude(entry=None)
        self._rulings = self._by_tournament(counting, "entry", "tokens")
        self._gaps: dict[int, list[Difference]] = {pk: [] for pk in self.tournaments}
        self._tables = tables_of(self.tournaments)

    def _by_tournament(self, rows: QuerySet[Any], *fields: Any) -> dict[int, list[Any]]:
        found: dict[int, list[Any]] = {pk: [] for pk in self.tournaments}
        for pk, *row in rows.filter(tournament__in=found).order_by("pk").values_list("tournament", *fields):
            found[pk].append(row)
        return found

    def recounted(self, most: int | None = None) -> Iterator[Recounted]:
        """Each tournament in turn, with at most so many differences; all unless told."""
        for pk in self.tournaments:
            found = [str(difference) for difference in islice(self.differences(pk), most)]
            yield Recounted(found, [str(notice) for notice in self.notices(pk)])

    def differences(self, pk: int) -> Iterator[Difference]:
        """Of one of them, not before those that stand before it."""
        tournament = self.tournaments[pk]
        totals: dict[int, int] = {}
        numbers = dict(self._numbers[pk])
        sums = Sums()
        for at in self._tables_of(pk):
            place = f"{tournament.code} round {at.table.round.number} table {at.table.number}"
            for text in (*_at_table(at, numbers, totals), *_folders_at(at.table)):
                yield Difference(place, text)
            sums.all(read_at(at.table, at.counting, texts=attrgetter("text_of_result", "text_of_tokens")))
            self._gaps[pk] += [Difference(place, text) for text in _gaps_at(at)]
        for place, text in self._chains.differences(pk):
            yield Difference(f"{tournament.code} {place}", text)
        yield from _seeds(tournament)
        for entry_id, tokens in self._rulings[pk]:
            totals[entry_id] = totals.get(entry_id, 0) + tokens
        shown = (self._standings or Counted([tournament])).standings(pk, moved=False)
        for row in shown.rows:
            given = totals.get(row.entry_id, 0)
            if row.with_rulings != given:
                yield Difference(
                    f"{tournament.code} standings",
                    f"no. {row.number} has {row.with_rulings:+d} tokens, the reports give {given:+d}",
                )
        teams = counted_of_teams(tournament) if tournament.in_teams else None
        for text in team_differences(tournament, teams) if teams else ():
            yield Difference(f"{tournament.code} standings of teams", text)
        for where, text in self._kept_differences(pk, shown, teams, sums):
            yield Difference(f"{tournament.code} {where}", text)

    def _kept_differences(
        self, pk: int, shown: Standings, teams: TeamStandings | None, sums: Sums
    ) -> Iterator[tuple[str, str]]:
        """What is kept of its results and is not what they give, and where it is shown."""
        tournament = self.tournaments[pk]
        for text in result_differences(tournament, played(self._kept[pk]), shown, teams):
            yield "season", text
        feats = feats_of(tournament) if self._counted_feats is None else self._counted_feats
        for text in feat_differences(tournament, self._feats[pk], feats):
            yield "records", text
        for text in sum_differences(tournament, self._summed[pk], sums):
            yield "statistics", text

    def notices(self, pk: int) -> Iterator[Difference]:
        """What nobody has damaged and an organiser should know: another machine's seals, pools that do not follow.

        The pools are those of the tables that have been recounted.
        """
        tournament = self.tournaments[pk]
        for text in chain_notices(tournament):
            yield Difference(f"{tournament.code} chain", text)
        yield from self._gaps[pk]

    def _tables_of(self, pk: int) -> Iterator[AtTable]:
        """A tournament's tables; those before them that nobody asked for are passed over."""
        for tournament, tables in self._tables:
            if tournament == pk:
                yield from tables
                return


def _of_all(count: Callable[[], Found]) -> Found | None:
    """What is counted for all at once; None where it cannot be: then for each, once it is told what is wrong there."""
    try:
        return count()
    except Exception:  # noqa: BLE001 - what was changed by hand at one of them may raise anything
        return None


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


def _gaps_at(at: AtTable) -> Iterator[str]:
    """Where a pool is not what the deal before has left."""
    rulebook = rulebook_of(at.table.round.tournament)
    if rulebook.pool is None:
        return
    by_key = {report.id: report for report in at.reports}
    counting = {deal: by_key[key] for deal, key in at.current.items() if key in by_key}
    for gap in TablePool(rulebook, len(at.seats), counting).gaps:
        yield (
            f"deal {gap.deal} was settled with {gap.reported} in the pool, "
            f"from the deal before follow {gap.follows}"
        )


def _at_table(at: AtTable, numbers: Mapping[int, int], totals: dict[int, int]) -> Iterator[str]:
    """What is wrong at one table; adds its counted tokens to `totals` by entry. `numbers` are those of the entries."""
    table, seats, reports, current = at
    broken = broken_chain(table, reports)
    if broken:
        yield broken
    newest = {report.deal_number: report for report in reports}
    if current != {number: report.id for number, report in newest.items()}:
        yield "a deal does not count its newest report"
    there = [seat.position for seat in seats]
    if there != list(range(len(seats) or bool(reports))):
        yield f"of its seats {there} are left, by their positions: nothing can be counted there"
        return
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
    return _settled_as(report.text_of_result, seating, rulebook)


@lru_cache(maxsize=8192)
def _settled_as(said: str, seating: Seating, rulebook: Rulebook) -> tuple[int, ...]:
    return settle_at_table(read_result(json.loads(said), seating), seating, rulebook).tokens
