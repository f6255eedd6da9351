"""Recounting a tournament from its reports, deal by deal and seat by seat, and the differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import DatabaseError
from django.db.models import Q

from core.canonical_json import json_of
from core.sql import key_set
from scoring.results import UnreadableResult, read_result
from scoring.rulebook import Rulebook
from scoring.seats import Turns, changes_in_force
from scoring.settlement import IllegalResult, settle_at_table
from tournaments.boards.dealing import fingerprint
from tournaments.boards.folders import PUBLISHED
from tournaments.changes.chain import Chains, chain_notices
from tournaments.domain.formats import those_in_teams
from tournaments.domain.outcomes import declarer_of
from tournaments.exports.verify.derived import (
    OF_FEATS,
    OF_SUM,
    AtTable,
    feat_differences,
    result_differences,
    sum_differences,
    tables_of,
)
from tournaments.ledger.deal_sums import Sums, parse_deal
from tournaments.ledger.queries import TablePool, rulebook_of
from tournaments.ledger.report_chain import ReportRow, broken_chain, stored_hash
from tournaments.models import (
    BoardSet,
    Deal,
    DealSort,
    DealSum,
    Entry,
    EveningResult,
    LogEntry,
    Match,
    Penalty,
    Round,
    Seat,
    Table,
    Tournament,
)
from tournaments.seasons.results import KEPT, PlayedDeal, feats_in, parse_results
from tournaments.standings.players import Counted
from tournaments.standings.statistics import Reported, games_reported
from tournaments.standings.teams import Stored, TeamStandings, counted_of_teams

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from scoring.seats import Seating
    from tournaments.ledger.deal_sums import CountedDeal
    from tournaments.ledger.seating import Sittings
    from tournaments.standings.players import Standings


# Independent recount of everything from the reports alone, to verify what is stored and shown.
#
# It shares no summation code with the pages: the rules engine settles each current result again, and the sums are
# made here.

# Deals that count; loaded where a substitute joined or players changed seats in the middle of a round.
COUNTING = Deal.objects.filter(current__result__isnull=False)


class Pooled(NamedTuple):
    """A report's figures of the pool."""

    result: Any
    tokens: Any


@dataclass(frozen=True)
class Difference:
    """A difference between a recount and the stored rows; in English, for the command line."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


class Recounted(NamedTuple):
    """The result of recounting a tournament, in English."""

    differences: list[str]
    notices: list[str]


def differences(tournament: Tournament) -> Iterator[Difference]:
    """Every difference, tables first in their order, then the standings."""
    return Recount([tournament.pk]).differences(tournament.pk)


@dataclass
class Tally:
    """Sums of a tournament's tables; `numbers` are those of the entries.

    Tokens by entry, the deals played, and for each table with reports its round, its progress and, where the
    dealer simply rotates, the first dealer.
    """

    numbers: Mapping[int, int]
    totals: dict[int, int] = field(default_factory=dict)
    deals: list[PlayedDeal] = field(default_factory=list)
    rounds: dict[int, int] = field(default_factory=dict)
    reported: dict[int, Reported] = field(default_factory=dict)
    in_turn: dict[int, tuple[int, bool]] = field(default_factory=dict)


class Recount:
    """Tournaments (by primary key) to be recounted in this order. Their stored rows are queried at once.

    Their tables are queried in batches of a hundred: a tournament may have thousands.
    """

    def __init__(self, keys: Sequence[int]) -> None:
        found = Tournament.objects.select_related("host").filter(pk__in=key_set(keys))
        stored = {one.pk: one for one in found}
        self.tournaments = {pk: stored[pk] for pk in keys if pk in stored}
        # Of one that has been taken away since it was listed, by other means than ours, rows may be left.
        self._there = key_set(list(self.tournaments))
        self._chains = Chains(list(self.tournaments.values()), read=False)
        self._standings = self._all_standings()
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
        """Each tournament in turn, with at most `most` differences; all by default."""
        for pk in self.tournaments:
            found = [str(difference) for difference in islice(self.differences(pk), most)]
            yield Recounted(found, [str(notice) for notice in self.notices(pk)])

    def differences(self, pk: int) -> Iterator[Difference]:
        """The differences of one tournament, in the order of the tournaments."""
        tournament, chains = self.tournaments[pk], self._chains
        tally = Tally({entry: number for entry, number, _team in self._entries[pk]})
        try:
            yield from self._at_tables(pk, tally)
            yield from _chained(tournament, chains)
            yield from self._boards(pk)
            yield from self._display_differences(pk, tally)
        except DatabaseError:
            raise
        except Exception as error:  # noqa: BLE001 - what was changed by hand may raise anything
            # The chain's message names the difference, and the chain may not have been given all reports.
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

    def _display_differences(self, pk: int, tally: Tally) -> Iterator[Difference]:
        """Differences between what is shown or materialized and the sums of the tables."""
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
                yield Difference(place, "the boards' seed does not match its published fingerprint")

    def _kept_differences(
        self, pk: int, tally: Tally, sittings: Sittings, shown: Standings, teams: TeamStandings | None
    ) -> Iterator[tuple[str, str]]:
        """Differences in materialized results, and on which pages they are shown."""
        tournament = self.tournaments[pk]
        kept = self._kept[pk]
        results = parse_results(row[: len(KEPT)] for row in kept)
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
        """Facts without damage that an organiser should know: foreign seals, gaps in pools.

        Pools are those of the tables recounted so far.
        """
        tournament = self.tournaments[pk]
        for text in chain_notices(tournament):
            yield Difference(f"{tournament.code} chain", text)
        yield from self._gaps[pk]

    def _all_standings(self) -> Counted | None:
        """All standings; None if they cannot be computed: then one by one, with an error each."""
        try:
            return Counted(list(self.tournaments.values()), with_games=False)
        except Exception:  # noqa: BLE001 - what was changed by hand at one of them may raise anything
            return None

    def _tables_of(self, pk: int) -> Iterator[AtTable]:
        """A tournament's tables; skips tables of tournaments before it that were not requested."""
        for tournament, tables in self._tables:
            if tournament == pk:
                yield from tables
                return


def _folders_at(at: AtTable) -> Iterator[str]:
    """Deals whose folder differs from the last recorded one."""
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
    """Deals at which the pool differs from the remainder of the deal before."""
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
    """Differences at one table; its figures are added to the tally."""
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
        tally.reported[table.pk] = Reported.from_deals(told)
        if not table.turns:
            tally.in_turn[table.pk] = table.first_dealer, table.round.tournament.dealer_sits_out


def _add_games(tally: Tally, counted: Counted) -> None:
    """Count the games of those who sit at tables that are shown, as they are reported there."""
    reported = {table: here for table, here in tally.reported.items() if table in counted.sittings.sizes}
    counted.add_games(games_reported(reported, tally.in_turn, COUNTING, counted.sittings))


# Settling the deals of a table again, by the rules alone: what each gives, and what is wrong with it.


def deals_again(
    at: AtTable,
    rulebook: Rulebook,
    counting: Sequence[ReportRow],
    tokens: dict[int, tuple[int, ...]],
    deals: list[PlayedDeal],
) -> Iterator[str]:
    """Differences of a table's deals; adds their number and their tokens by the rules alone."""
    table = at.table
    turns, in_pairs = (
        Turns(len(at.seats), table.first_dealer, table.turns, rulebook.dealer_sits_out),
        table.round.tournament.hands_taken_over,
    )
    in_turn = [(dealt, _settling(rulebook, dealt)) for dealt in turns.in_turn(in_pairs=in_pairs)]
    for report in counting:
        number = report.deal_number
        if in_turn:
            dealt, settled = in_turn[(number - 1) % len(in_turn)]
        else:
            dealt = turns.seating(number, in_pairs=in_pairs)
            settled = _settling(rulebook, dealt)
        again = settled(report[_FIRST_SAID:_LAST_SAID])
        for text in again.wrong:
            yield f"deal {number} {text}"
        if report.result is not None and again.tokens is not None:
            tokens[number] = again.tokens
            # What is wrong may have been changed so that it cannot be counted.
            deal = again.deal or parse_deal(report.result, report.outcome, report.tokens, dealt)
            deals.append((table.pk, number, deal))


# A report's columns about its deal.
_Said = tuple[Any, ...]
_SAID = ("contract", "declarer", "result", "dealer", "outcome", "tokens")
_FIRST_SAID = ReportRow._fields.index(_SAID[0])
_LAST_SAID = _FIRST_SAID + len(_SAID)


class _Settled(NamedTuple):
    """A deal settled again: tokens by position as the rules alone give them; None where it is against them.

    `wrong` is what is wrong with it; `deal` is how it counts, where nothing is.
    """

    tokens: tuple[int, ...] | None
    wrong: tuple[str, ...] = ()
    deal: CountedDeal | None = None


@lru_cache(maxsize=256)
def _settling(rulebook: Rulebook, dealt: Seating) -> Callable[[_Said], _Settled]:
    """The settlement of a report's deal by these rules, for its dealer.

    A cache, since the same result is often repeated: the same game, won by the same seat.
    """
    return lru_cache(maxsize=1024)(partial(_settled, rulebook, dealt))


def _settled(rulebook: Rulebook, dealt: Seating, report: _Said) -> _Settled:
    """A deal's result by the rules alone; `told` are the reported tokens."""
    contract, declarer, said, dealer, outcome, told = report
    result, wrong = json_of(said), []
    if said is not None and dealer != dealt.dealer:
        wrong.append("was settled with another dealer than dealt it")
    try:
        tokens = _tokens_of(result, dealt, rulebook)
    except (UnreadableResult, IllegalResult) as error:
        return _Settled(None, (*wrong, f"is against the rules: {error}"))
    if list(tokens) != (stored := json_of(told)):
        wrong.append(f"gives {list(tokens)}, stored is {stored}")
    counts = (None, "") if result is None else (declarer_of(result), result.get("contract", ""))
    if counts != (declarer, contract):
        wrong.append("counts as another declarer's or another contract than was reported")
    deal = None if wrong or said is None else parse_deal(said, outcome, told, dealt)
    return _Settled(tokens, tuple(wrong), deal)


def _tokens_of(result: Any, dealt: Seating, rulebook: Rulebook) -> tuple[int, ...]:
    """None where the deal was taken back."""
    if result is None:
        return ()
    if "ruled" in result:
        return tuple(result["ruled"])
    return settle_at_table(read_result(result, dealt), dealt, rulebook).tokens


# Counting a table's seats again: what was changed in the middle of the round, and whose tokens are whose.


def changes_at(at: AtTable, numbers: Mapping[int, int]) -> Iterator[str]:
    """Differences between dealers and seats and their recorded changes; `numbers` are those of the entries.

    From here on the recorded changes count.
    """
    table, written = at.table, at.changes
    if written != table.turns:
        yield f"changes of dealer and seats are {table.turns}, written down are {written}"
        table.turns = written
    came = [change for change in changes_in_force(written) if "left" in change and "came" in change]
    left = sorted((change["seat"], change["deal"] - 1, change["left"]) for change in came)
    formers = sorted((one.position, one.through, numbers[one.entry_id]) for one in at.formers)
    if left != formers:
        yield f"substitutes took over from {left}, counted apart are {formers}"
    last = {change["seat"]: change["came"] for change in came}
    for seat in at.seats:
        number = numbers[seat.entry_id]
        if last.get(seat.position, number) != number:
            yield f"no. {last[seat.position]} came to seat {seat.position}, there sits no. {number}"


def tokens_at(at: AtTable, counted: Mapping[int, Sequence[int]], totals: dict[int, int]) -> Iterator[str]:
    """Whether each seat has the tokens that its deals give; adds what is everybody's to `totals`, by entry.

    `counted` are the deals' tokens by position.
    """
    for seat in at.seats:
        position = seat.position
        left = given = sum(map(itemgetter(position), counted.values()))
        if seat.tokens != given:
            yield f"seat {position} has {seat.tokens:+d} tokens, its reports give {given:+d}"
        first = 1
        for former in at.formers:
            if former.position != position:
                continue
            deals = range(first, former.through + 1)
            theirs = sum(counted[deal][position] for deal in deals if deal in counted)
            first, left = former.through + 1, left - theirs
            totals[former.entry_id] = totals.get(former.entry_id, 0) + theirs
            if former.tokens != theirs:
                yield (
                    f"seat {position} had {former.tokens:+d} tokens through deal {former.through}, "
                    f"its reports give {theirs:+d}"
                )
        totals[seat.entry_id] = totals.get(seat.entry_id, 0) + left


# Counting the standings of pairs and teams again, match by match, with nothing that the pages add up by.


def team_differences(
    tournament: Tournament, shown: TeamStandings, played: Played | None = None
) -> Iterator[str]:
    """Each pair or team whose match points or tokens, as `shown`, do not follow from its matches and rulings.

    `played` may have been queried together with other tournaments'.
    """
    played = played or Played([tournament.pk])
    counted: dict[int, list[int]] = {}
    for match in played.matches[tournament.pk]:
        points, tokens = _match_result(match, tournament.match_points)
        for team, won, scored in zip((match.home, match.away), points, tokens, strict=True):
            total = counted.setdefault(team, [0, 0])
            total[0] += won
            total[1] += scored
    for number, match_points in played.rulings[tournament.pk]:
        counted.setdefault(number, [0, 0])[0] += match_points
    for row in shown.rows:
        has = [row.points - row.carried_points, row.table_tokens]
        if has != counted.get(row.number, [0, 0]):
            yield (
                f"no. {row.number} has {has[0]} match points and {has[1]:+d} tokens, its matches and rulings give "
                f"{counted.get(row.number, [0, 0])}"
            )


class _At(NamedTuple):
    """A match's table: how many reports there are, and position and tokens of each seat."""

    reports: int
    seats: list[list[int]]


class _Met(NamedTuple):
    """A match: the numbers of its two sides, what was awarded, and its tables in their order."""

    home: int
    away: int
    awarded_home: int | None
    awarded_away: int | None
    tables: list[_At]


OF_MATCH = ("round__tournament", "pk", "home__number", "away__number", "awarded_home", "awarded_away")


class Played:
    """The matches of rounds that have begun, and what was ruled of match points, by their tournaments' primary keys."""

    def __init__(self, tournaments: Iterable[int]) -> None:
        self.matches: dict[int, list[_Met]] = {pk: [] for pk in tournaments}
        self.rulings: dict[int, list[tuple[int, int]]] = {pk: [] for pk in self.matches}
        these = key_set(self.matches)
        # As rows: to make a model of each seat takes longer than to count it.
        matches = Match.objects.filter(round__tournament__in=these, away__isnull=False)
        found: dict[int, _Met] = {}
        for of, pk, *met in matches.exclude(round__state="drawn").values_list(*OF_MATCH):
            found[pk] = _Met._make([*met, []])
            self.matches[of].append(found[pk])
        at: dict[int, _At] = {}
        tables = Table.objects.filter(match__in=key_set(found)).order_by("number")
        for pk, match, reports in tables.values_list("pk", "match", "reports_count"):
            at[pk] = _At(reports, [])
            found[match].tables.append(at[pk])
        for pk, *seat in Seat.objects.filter(table__in=key_set(at)).values_list(
            "table", "position", "tokens"
        ):
            at[pk].seats.append(seat)
        ruled = Penalty.objects.filter(tournament__in=these, cancelled_at=None).exclude(team=None)
        counting = ruled.exclude(round__state="drawn")
        for pk, team, points in counting.values_list("tournament", "team__number", "match_points"):
            self.rulings[pk].append((team, points))


def _match_result(match: _Met, match_points: list[int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Match points and tokens of home and away; nothing where nothing is reported."""
    if match.awarded_home is not None and match.awarded_away is not None:
        return (match.awarded_home, match.awarded_away), (0, 0)
    if not any(table.reports for table in match.tables):
        return (0, 0), (0, 0)
    home = away = 0
    for index, table in enumerate(match.tables):
        for position, tokens in table.seats:
            if position % 2 == index:
                home += tokens
            else:
                away += tokens
    won, drawn, lost = match_points
    if home == away:
        return (drawn, drawn), (home, away)
    return ((won, lost) if home > away else (lost, won)), (home, away)
