"""Counting everything again from the reports alone, to see whether what is stored and shown agrees with it.

It uses nothing that the pages use for adding up: the rules engine settles each current result anew, and the sums are
made here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import DatabaseError
from django.db.models import Q

from core.canonical_json import json_of
from core.sql import key_set
from scoring.rulebook import Rulebook
from tournaments.boards.dealing import fingerprint
from tournaments.boards.folders import PUBLISHED
from tournaments.changes.chain_check import Chains, chain_notices
from tournaments.domain.formats import those_in_teams
from tournaments.files.deal_recount import deals_again
from tournaments.files.kept_recount import (
    OF_FEATS,
    OF_SUM,
    feat_differences,
    result_differences,
    sum_differences,
)
from tournaments.files.seat_recount import changes_at, tokens_at
from tournaments.files.stored_tables import AtTable, tables_of
from tournaments.files.team_recount import Played, team_differences
from tournaments.ledger.deal_sums import Sums
from tournaments.ledger.queries import TablePool, rulebook_of
from tournaments.ledger.report_chain import broken_chain, stored_hash
from tournaments.models import (
    BoardSet,
    Deal,
    DealSort,
    DealSum,
    Entry,
    EveningResult,
    LogEntry,
    Penalty,
    Round,
    Tournament,
)
from tournaments.seasons.results import KEPT, PlayedDeal, feats_in, played
from tournaments.standings.deal_counts import Reported, games_reported
from tournaments.standings.players import Counted
from tournaments.standings.teams import Stored, counted_of_teams

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tournaments.ledger.seating import Sittings
    from tournaments.standings.players import Standings
    from tournaments.standings.teams import TeamStandings

# The deals that count; asked for where somebody came or changed seats in the middle of a round.
COUNTING = Deal.objects.filter(current__result__isnull=False)


class Pooled(NamedTuple):
    """What a report says of the pool."""

    result: Any
    tokens: Any


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


@dataclass
class Tally:
    """What the tables of a tournament come to; `numbers` are those of the entries.

    Tokens by entry, the deals as they were played, and for each table with reports the number of its round, what is
    reported and, where the turn to deal just goes around, the first dealer.
    """

    numbers: Mapping[int, int]
    totals: dict[int, int] = field(default_factory=dict)
    deals: list[PlayedDeal] = field(default_factory=list)
    rounds: dict[int, int] = field(default_factory=dict)
    reported: dict[int, Reported] = field(default_factory=dict)
    in_turn: dict[int, tuple[int, bool]] = field(default_factory=dict)


class Recount:
    """Tournaments (by primary key) to be recounted in this order. What is stored of them is read at once.

    Their tables are read a hundred at a time, as they are counted: a tournament may have thousands.
    """

    def __init__(self, keys: Sequence[int]) -> None:
        found = Tournament.objects.select_related("host").filter(pk__in=key_set(keys))
        stored = {one.pk: one for one in found}
        self.tournaments = {pk: stored[pk] for pk in keys if pk in stored}
        # Of one that has been taken away since it was listed, by other means than ours, rows may be left.
        self._there = key_set(list(self.tournaments))
        self._chains = Chains(list(self.tournaments.values()), read=False)
        self._standings = self._counted()
        in_teams = those_in_teams(self.tournaments.values())
        self._teams, self._matches = Stored(in_teams), Played([one.pk for one in in_teams])
        self._kept = self._by_tournament(EveningResult.objects.all(), *KEPT, *OF_FEATS)
        self._summed = self._by_tournament(DealSum.objects.all(), *OF_SUM)
        self._sorts = dict(DealSort.objects.values_list("pk", "said"))
        self._entries = self._by_tournament(Entry.objects.all(), "pk", "number", "team__number")
        with_boards = Q(tournament__boards=True)
        published = LogEntry.objects.filter(with_boards, text=PUBLISHED)
        self._published = self._by_tournament(published, "params")
        self._seeds = self._by_tournament(BoardSet.objects.filter(with_boards), "round_number", "seed")
        counting = Penalty.objects.filter(cancelled_at=None).exclude(entry=None)
        # As the standings count them: a ruling for a round whose start was taken back waits for it.
        counting = counting.exclude(round__state=Round.State.DRAWN)
        self._rulings = self._by_tournament(counting, "entry", "tokens")
        self._gaps: dict[int, list[Difference]] = {pk: [] for pk in self.tournaments}
        self._tables = tables_of(self.tournaments)

    def _by_tournament(self, rows: QuerySet[Any], *fields: Any) -> dict[int, list[Any]]:
        found: dict[int, list[Any]] = {pk: [] for pk in self.tournaments}
        for pk, *row in (
            rows.filter(tournament__in=self._there).order_by("pk").values_list("tournament", *fields)
        ):
            found[pk].append(row)
        return found

    def recounted(self, most: int | None = None) -> Iterator[Recounted]:
        """Each tournament in turn, with at most so many differences; all unless told."""
        for pk in self.tournaments:
            found = [str(difference) for difference in islice(self.differences(pk), most)]
            yield Recounted(found, [str(notice) for notice in self.notices(pk)])

    def differences(self, pk: int) -> Iterator[Difference]:
        """Of one of them, not before those that stand before it."""
        tournament, chains = self.tournaments[pk], self._chains
        tally = Tally({entry: number for entry, number, _team in self._entries[pk]})
        try:
            yield from self._at_tables(pk, tally)
            yield from _chained(tournament, chains)
            yield from self._boards(pk)
            yield from self._shown(pk, tally)
        except DatabaseError:
            raise
        except Exception as error:  # noqa: BLE001 - what was changed by hand may raise anything
            # What the chain says names it, and it may not have heard of all reports.
            if chains.waits(pk):
                yield from _chained(tournament, Chains([tournament]))
                yield from self._boards(pk)
            yield Difference(tournament.code, f"cannot be counted to the end: {error!r}")

    def _at_tables(self, pk: int, tally: Tally) -> Iterator[Difference]:
        rulebook = rulebook_of(self.tournaments[pk])
        for at in self._tables_of(pk):
            round_, table = at.table.round.number, at.table.number
            self._chains.reported(pk, round_, table, at.reports)
            place = f"{self.tournaments[pk].code} round {round_} table {table}"
            for text in (*_at_table(at, rulebook, tally), *_folders_at(at)):
                yield Difference(place, text)
            if rulebook.pool is not None:
                self._gaps[pk] += [Difference(place, text) for text in _gaps_at(at, rulebook)]

    def _shown(self, pk: int, tally: Tally) -> Iterator[Difference]:
        """Where what is shown, or kept of it, is not what its tables come to."""
        tournament, totals = self.tournaments[pk], tally.totals
        for entry_id, tokens in self._rulings[pk]:
            totals[entry_id] = totals.get(entry_id, 0) + tokens
        counted = self._standings or Counted([tournament], with_games=False)
        _add_games(tally, counted)
        shown = counted.standings(pk, moved=False)
        for row in shown.rows:
            given = totals.get(row.entry_id, 0)
            if row.with_rulings != given:
                yield Difference(
                    f"{tournament.code} standings",
                    f"no. {row.number} has {row.with_rulings:+d} tokens, the reports give {given:+d}",
                )
        teams = counted_of_teams(tournament, stored=self._teams) if tournament.in_teams else None
        for text in team_differences(tournament, teams, self._matches) if teams else ():
            yield Difference(f"{tournament.code} standings of teams", text)
        for where, text in self._kept_differences(pk, tally, counted.sittings, shown, teams):
            yield Difference(f"{tournament.code} {where}", text)

    def _boards(self, pk: int) -> Iterator[Difference]:
        """Whether the seed of each round's boards has the fingerprint that was published last."""
        published = {params["round"]: params["fingerprint"] for (params,) in self._published[pk]}
        for number, seed in self._seeds[pk] if published else ():
            if published.get(number, "") not in ("", fingerprint(seed)):
                place = f"{self.tournaments[pk].code} round {number}"
                yield Difference(place, "the boards' seed has not the fingerprint published")

    def _kept_differences(
        self, pk: int, tally: Tally, sittings: Sittings, shown: Standings, teams: TeamStandings | None
    ) -> Iterator[tuple[str, str]]:
        """What is kept of its results and is not what they give, and where it is shown."""
        tournament = self.tournaments[pk]
        kept = self._kept[pk]
        results = played(row[: len(KEPT)] for row in kept)
        members = [(number, team) for _entry, number, team in self._entries[pk] if team is not None]
        for text in result_differences(tournament, results, shown, teams, members):
            yield "season", text
        feats = feats_in(tally.rounds, sittings, tally.deals) if tournament.results_kept else {}
        for text in feat_differences(tournament, (row[len(KEPT) :] for row in kept), feats):
            yield "records", text
        sums = Sums().all(deal for _table, _number, deal in tally.deals)
        summed = ((self._sorts.get(sort, ""), *sums_kept) for sort, *sums_kept in self._summed[pk])
        for text in sum_differences(tournament, summed, sums):
            yield "statistics", text

    def notices(self, pk: int) -> Iterator[Difference]:
        """What nobody has damaged and an organiser should know: another machine's seals, pools that do not follow.

        The pools are those of the tables that have been recounted.
        """
        tournament = self.tournaments[pk]
        for text in chain_notices(tournament):
            yield Difference(f"{tournament.code} chain", text)
        yield from self._gaps[pk]

    def _counted(self) -> Counted | None:
        """All their standings; None where they cannot be counted: then each, once it is told what is wrong there."""
        try:
            return Counted(list(self.tournaments.values()), with_games=False)
        except Exception:  # noqa: BLE001 - what was changed by hand at one of them may raise anything
            return None

    def _tables_of(self, pk: int) -> Iterator[AtTable]:
        """A tournament's tables; those before them that nobody asked for are passed over."""
        for tournament, tables in self._tables:
            if tournament == pk:
                yield from tables
                return


def _folders_at(at: AtTable) -> Iterator[str]:
    """Whether each deal's folder is what was last said of it."""
    table = at.table
    if not table.folders:
        return
    if len(table.folders) != table.deals:
        yield f"{len(table.folders)} folders for {table.deals} deals"
    for deal, folder in at.folders.items():
        stands = table.folders[deal - 1] if 1 <= deal <= len(table.folders) else None
        if stands != folder:
            yield f"deal {deal} is with folder {stands}, it was last said to be with {folder}"


def _chained(tournament: Tournament, chains: Chains) -> Iterator[Difference]:
    for place, text in chains.differences(tournament.pk):
        yield Difference(f"{tournament.code} {place}", text)


def _gaps_at(at: AtTable, rulebook: Rulebook) -> Iterator[str]:
    """Where a pool is not what the deal before has left."""
    by_key: dict[int, Any] = {
        report.id: Pooled(json_of(report.result), json_of(report.tokens)) for report in at.reports
    }
    counting = {deal: by_key[key] for deal, key in at.current.items() if key in by_key}
    for gap in TablePool(rulebook, len(at.seats), counting).gaps:
        yield (
            f"deal {gap.deal} was settled with {gap.reported} in the pool, "
            f"from the deal before follow {gap.follows}"
        )


def _at_table(at: AtTable, rulebook: Rulebook, tally: Tally) -> Iterator[str]:
    """What is wrong at one table, which is added to the tally."""
    table, seats, reports, current, *_others = at
    broken = broken_chain(table, reports, stored_hash)
    if broken:
        yield broken
    newest = {report.deal_number: report for report in reports}
    if current != {number: report.id for number, report in newest.items()}:
        yield "a deal does not count its newest report"
    there = [seat.position for seat in seats]
    if there != list(range(len(seats) or bool(reports))):
        yield f"of its seats {there} are left, by their positions: nothing can be counted there"
        return
    yield from changes_at(at, tally.numbers)
    tokens: dict[int, tuple[int, ...]] = {}
    counting = [newest[number] for number in sorted(newest)]
    before = len(tally.deals)
    yield from deals_again(at, rulebook, counting, tokens, tally.deals)
    yield from tokens_at(at, tokens, tally.totals)
    if reports:
        tally.rounds[table.pk] = table.round.number
    if deals := tally.deals[before:]:
        told = [(number, deal.declarer, deal.sort.outcome) for _table, number, deal in deals]
        tally.reported[table.pk] = Reported.of(told)
        if not table.turns:
            tally.in_turn[table.pk] = table.first_dealer, table.round.tournament.dealer_sits_out


def _add_games(tally: Tally, counted: Counted) -> None:
    """Count the games of those who sit at tables that are shown, as they are reported there."""
    reported = {table: here for table, here in tally.reported.items() if table in counted.sittings.sizes}
    counted.add_games(games_reported(reported, tally.in_turn, COUNTING, counted.sittings))
