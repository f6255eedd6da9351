"""Statistics of one person: own deals, sums, shares, with their uncertainty."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from itertools import groupby
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from django.core.cache import cache, caches
from django.db.models import Count, F, Min, Q, Sum, TextField
from django.db.models.functions import Cast

from core.serving.addresses import SHARED
from core.sql import key_set
from scoring.outcomes import Outcome
from scoring.seats import Role
from tournaments.boards.luck import Estimate, Fit, Observation
from tournaments.changes.versions import print_of_versions
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.ledger.deal_sums import RULED, CountedDeal, Sort, deals_at, parse_tokens, sum_what_is_lacking
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.seating import Sat, Sittings, seating_at
from tournaments.models import (
    Deal,
    DealSort,
    DealSum,
    Entry,
    FormerSeat,
    Match,
    Round,
    Seat,
    Table,
    Tournament,
)
from tournaments.models.play import on_own_day
from tournaments.people import visibility
from tournaments.standings.statistics import Declared, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from datetime import datetime

    from django.db.models import QuerySet

    from clubs.models import Player


# Confidence of shares: small samples are marked as such, and never ranked.

# Below this number of games a share is shown with its interval, and not ranked.
LEAST_GAMES = 20
# Below this number of deals an average means little.
LEAST_DEALS = 100
# Standard deviations to either side: nineteen intervals in twenty hold the true share.
SURE = 1.96


@dataclass(frozen=True, slots=True)
class Rate:
    """A share: `count` of `of`."""

    count: int
    of: int

    @property
    def share(self) -> float | None:
        """The share from 0 to 1; None for 0 of 0."""
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.count, self.of)

    @property
    def is_little(self) -> bool:
        return self.of < LEAST_GAMES


def wilson(count: int, of: int) -> tuple[float, float]:
    """The 95 per cent confidence interval of a proportion (Wilson score, 1927); (0, 1) for an empty sample.

    It stays within 0 and 1: three wins of three give at least 0.44.
    """
    if not of:
        return 0.0, 1.0
    share, square = count / of, SURE * SURE
    middle = share + square / (2 * of)
    width = SURE * sqrt(share * (1 - share) / of + square / (4 * of * of))
    whole = 1 + square / of
    return max(0.0, (middle - width) / whole), min(1.0, (middle + width) / whole)


# The deals of a person, of all evenings, in the order in which they were played: read from the ledger each time.

DECLARED, JOINED, DEFENDED, SAT_OUT, PASSED = "declared", "joined", "defended", "sat_out", "washed_out"


class Place(NamedTuple):
    """A table's context: `evening` is the tournament's primary key."""

    day: date
    evening: int
    code: str
    round: int
    table: int


class OwnDeal(NamedTuple):
    """A deal at one of the person's tables, who sat at `position`; `table` is the table's primary key."""

    place: Place
    table: int
    number: int
    position: int
    deal: CountedDeal

    @property
    def tokens(self) -> int:
        return self.deal.tokens[self.position]

    @property
    def role(self) -> Role:
        """The person's role in the deal; in pairs with the hand that was taken over."""
        return self.deal.roles[self.position]

    @property
    def is_dealt(self) -> bool:
        """Whether the person was dealt cards: not who sat out, also where the fourth player joined."""
        return self.role is not Role.IDLE

    @property
    def kind(self) -> str:
        """The kind of the deal for the person, as `standings.statistics` names it."""
        outcome = self.deal.sort.outcome
        # A player who sat out could not pass. Counted as passed, the deals would not add up to those by seat.
        if outcome == Outcome.WASHOUT and self.role is Role.IDLE:
            return SAT_OUT
        if outcome in DEAL_KINDS:
            return DEAL_KINDS[outcome]
        if self.deal.declarer == self.position:
            return DECLARED
        if self.position in self.deal.joined:
            return JOINED
        return SAT_OUT if self.role is Role.IDLE else DEFENDED


# A player may declare in these, also where all passed.
COULD_DECLARE = (DECLARED, JOINED, DEFENDED, PASSED)
DEAL_KINDS: dict[str, str] = {Outcome.WASHOUT: PASSED, RULED: RULED, TOTALS_ONLY: TOTALS_ONLY}


class AtTables(NamedTuple):
    """The deals of a person in their order, and who sat where at the tables."""

    deals: list[OwnDeal]
    sittings: Sittings


def tables_of(entries: QuerySet[Entry]) -> set[int]:
    """The tables (by primary key) at which one of these entries sat."""
    return _tables_by(list(entries.values_list("pk", flat=True)))


def _tables_by(mine: Collection[int]) -> set[int]:
    seats = Seat.objects.filter(entry__in=mine).order_by().values_list("table", flat=True)
    formers = FormerSeat.objects.filter(entry__in=mine).order_by().values_list("table", flat=True)
    return {*seats, *formers}


# Of a table, for its Place: a season of teams is played on many days.
WHERE = (
    "pk", "round__date", "round__tournament__date", "round__tournament", "round__tournament__code", "round__number",
    "number",
)  # fmt: skip


def deals_of(entries: QuerySet[Entry], tables: Collection[int] | None = None) -> AtTables:
    """The deals of one person by these entries of theirs; at these of their tables, unless at all."""
    return deals_by(list(entries.values_list("pk", flat=True)), tables)


def deals_by(own: Collection[int], tables: Collection[int] | None = None) -> AtTables:
    """A person's deals by the primary keys of the entries."""
    at = Table.objects.filter(pk__in=_tables_by(own) if tables is None else tables, reports_count__gt=0)
    rows = at.order_by().values_list(*WHERE)
    places = {table: Place(own_day or day, *where) for table, own_day, day, *where in rows}
    mine = set(own)
    sittings = Sittings(Q(table__in=list(places)))
    times: dict[int, list[Sat]] = defaultdict(list)
    for sat in sittings.all:
        if sat.entry in mine:
            times[sat.table].append(sat)
    played: dict[int, list[OwnDeal]] = defaultdict(list)
    for deal in deals_at(Table.objects.filter(pk__in=list(places))):
        place, here = places[deal.table], played[deal.table]
        for sat in times[deal.table]:
            if sat.plays_in(deal.number):
                here.append(OwnDeal(place, deal.table, deal.number, sat.position, deal))
    found = [one for table in sorted(played, key=places.__getitem__) for one in played[table]]
    return AtTables(found, sittings)


# A person's deals in numbers, whatever evenings they are of. Plain values in and out.


@dataclass(slots=True)
class Contract:
    """One player's games of a contract, and `others`: those of all players of the home club."""

    own: Declared = field(default_factory=Declared)
    others: Declared = field(default_factory=Declared)
    # Tokens of games that were won, and of those that were lost.
    won_tokens: int = 0
    lost_tokens: int = 0

    @property
    def won(self) -> Rate:
        return Rate(self.own.won, self.own.deals)

    @property
    def others_won(self) -> Rate:
        return Rate(self.others.won, self.others.deals)


@dataclass(frozen=True, slots=True)
class Runs:
    """The most games in a row: won, and without a bet (won, or what a game given up for nothing is)."""

    won: int = 0
    without_bet: int = 0


@dataclass(slots=True)
class Portrait:
    """`deals` were reported one by one; tokens of tables whose totals alone are known are `totals_only`."""

    deals: int = 0
    totals_only: int = 0
    kinds: dict[str, Tally] = field(default_factory=dict)
    declared: Declared = field(default_factory=Declared)
    contracts: dict[str, Contract] = field(default_factory=dict)
    roles: dict[Role, Tally] = field(default_factory=dict)
    # By role: how often they declared, among the deals in which they could.
    declares: dict[Role, Rate] = field(default_factory=dict)
    # Games declared by who bids first, forehand.
    first_bid: Declared = field(default_factory=Declared)
    touts_tried: int = 0
    touts_made: int = 0
    runs: Runs = field(default_factory=Runs)
    best_deal: OwnDeal | None = None

    @property
    def tokens(self) -> int:
        return self.totals_only + sum(kind.tokens for kind in self.kinds.values())

    @property
    def bids(self) -> Rate:
        """Share of deals declared, among the deals in which the player could declare."""
        return Rate(self.declared.deals, sum(rate.of for rate in self.declares.values()))


# In display order.
KINDS = (DECLARED, DEFENDED, JOINED, SAT_OUT, PASSED, RULED)


def portrait(deals: Iterable[OwnDeal]) -> Portrait:
    """Count one player's deals, in the order played."""
    found = Portrait()
    kinds: dict[str, Tally] = defaultdict(Tally)
    contracts: dict[str, Contract] = defaultdict(Contract)
    roles: dict[Role, Tally] = defaultdict(Tally)
    dealt: dict[Role, list[int]] = defaultdict(lambda: [0, 0])
    games: list[OwnDeal] = []
    for one in deals:
        tokens, kind = one.tokens, one.kind
        if kind == TOTALS_ONLY:
            found.totals_only += tokens
            continue
        found.deals += 1
        kinds[kind].add(tokens)
        roles[one.role].add(tokens)
        if one.role is not Role.IDLE and kind in COULD_DECLARE:
            dealt[one.role][1] += 1
            dealt[one.role][0] += kind == DECLARED
        if kind == DECLARED:
            games.append(one)
            _count_game(found, contracts[one.deal.sort.contract], one)
        if found.best_deal is None or tokens > found.best_deal.tokens:
            found.best_deal = one
    found.kinds = {kind: kinds[kind] for kind in KINDS if kind in kinds}
    found.contracts = dict(sorted(contracts.items(), key=lambda item: (-item[1].own.deals, item[0])))
    found.roles, found.runs = dict(roles), _runs(games)
    found.declares = {role: Rate(*counts) for role, counts in dealt.items()}
    return found


def _count_game(found: Portrait, contract: Contract, one: OwnDeal) -> None:
    sort, tokens = one.deal.sort, one.tokens
    lines = [found.declared, contract.own]
    if one.role is Role.FH:
        lines.append(found.first_bid)
    for line in lines:
        line.add(tokens)
        line.count(sort.outcome)
    if sort.is_won:
        contract.won_tokens += tokens
    else:
        contract.lost_tokens += tokens
    found.touts_tried += bool(sort.tout)
    found.touts_made += sort.tout == "won"


def _runs(games: Iterable[OwnDeal]) -> Runs:
    sorts = [one.deal.sort for one in games]
    return Runs(
        won=_longest(sort.is_won for sort in sorts),
        without_bet=_longest(not (sort.is_bet or sort.is_kodille) for sort in sorts),
    )


def _longest(flags: Iterable[bool]) -> int:
    return max((sum(1 for _flag in run) for flag, run in groupby(flags) if flag), default=0)


def breaks_even(won_tokens: int, won: int, lost_tokens: int, lost: int) -> float | None:
    """The share of games to be won so that neither tokens are won nor lost, by what these games brought and cost.

    None where none was won, or none was lost, or where a loss costs nothing.
    """
    if not won or not lost:
        return None
    gain, cost = won_tokens / won, -lost_tokens / lost
    return cost / (gain + cost) if gain + cost > 0 else None


def add_club_figures(contracts: Mapping[str, Contract], others: Mapping[str, Declared]) -> None:
    """Add the figures of all players of the club to one player's contracts."""
    for name, contract in contracts.items():
        contract.others = others.get(name, Declared())


# Aggregates over many evenings by kind of deal and by year. Callers compute missing sums first.

FEW_SORTS, FEW_EVENINGS = 100, 1500
KEPT = 24 * 3600  # seconds; the cached value has its own validity


def sorts(wanted: Callable[[Sort], bool] | None = None) -> dict[int, Sort]:
    """The sorts of deals that there ever were, by primary key; those that are wanted."""
    found = {pk: Sort(*said) for pk, *said in DealSort.objects.values_list("pk", *Sort._fields)}
    return found if wanted is None else {pk: sort for pk, sort in found.items() if wanted(sort)}


def by_sort(
    tournaments: QuerySet[Tournament], wanted: Callable[[Sort], bool] | None = None
) -> dict[Sort, tuple[int, int]]:
    """The number of deals of each sort at these tournaments, and their declarers' tokens."""
    return {sort: sums for (_year, sort), sums in _summed(tournaments, wanted, by_year=False).items()}


def by_year(
    tournaments: QuerySet[Tournament], wanted: Callable[[Sort], bool] | None = None
) -> dict[tuple[int, Sort], tuple[int, int]]:
    """The number of deals of each sort in each year."""
    return _summed(tournaments, wanted, by_year=True)


def _summed(
    tournaments: QuerySet[Tournament], wanted: Callable[[Sort], bool] | None, *, by_year: bool
) -> dict[tuple[int, Sort], tuple[int, int]]:
    sum_what_is_lacking()
    known = sorts(wanted)
    rows = DealSum.objects.order_by()
    if len(known) <= FEW_SORTS:
        rows = rows.filter(sort__in=list(known))
    group = ("year", "sort") if by_year else ("sort",)

    def summed(some: QuerySet[DealSum]) -> Iterable[tuple[int, ...]]:
        return some.values_list(*group).annotate(Sum("deals"), Sum("tokens"))

    found: dict[tuple[int, Sort], list[int]] = {}
    for part, sign in _parts(rows, tournaments):
        for *year, sort, deals, tokens in summed(part):
            if sort in known:
                sums = found.setdefault((year[0] if year else 0, known[sort]), [0, 0])
                sums[0] += sign * deals
                sums[1] += sign * tokens
    return {key: (deals, tokens) for key, (deals, tokens) in found.items() if deals}


def _parts(rows: QuerySet[DealSum], tournaments: QuerySet[Tournament]) -> list[tuple[QuerySet[DealSum], int]]:
    """The sums to add or subtract, so that the result is that of these evenings.

    Of a few evenings their sums are looked up. Of nearly all of them all sums are added up, and those of the others
    taken away: to ask of each of 660,000 whether its evening is meant takes three times as long as to add it. Else all
    are gone through in the order of an index, which SQLite does where no index leads to the evening.
    """
    keys = set(tournaments.values_list("pk", flat=True))
    if len(keys) <= FEW_EVENINGS:
        return [(rows.filter(tournament__in=keys), 1)]
    others = set(Tournament.objects.order_by().values_list("pk", flat=True)) - keys
    if len(others) <= FEW_EVENINGS:
        return [(rows, 1), (rows.filter(tournament__in=others), -1)]
    return [(rows.alias(at=F("tournament") + 0).filter(at__in=tournaments.values("pk")), 1)]


def of_contracts(sums: Mapping[Sort, tuple[int, int]]) -> dict[str, Declared]:
    """Results by contract, the most played first."""
    found: dict[str, Declared] = {}
    for sort, (deals, tokens) in sums.items():
        if sort.is_declared:
            add(found.setdefault(sort.contract, Declared()), sort, deals, tokens)
    return dict(sorted(found.items(), key=lambda item: (-item[1].deals, item[0])))


def add(line: Declared, sort: Sort, deals: int, tokens: int) -> None:
    line.deals += deals
    line.tokens += tokens
    line.won += deals * sort.is_won
    line.bete += deals * sort.is_bet
    line.kodille += deals * sort.is_kodille


class Played(NamedTuple):
    """All games of a contract at some evenings: outcomes, and their `gain_and_cost`."""

    declared: Declared
    gain_and_cost: list[int]


def games_at(tournaments: QuerySet[Tournament]) -> dict[str, Played]:
    """Games by contract; cached until one of these evenings changes, since all participants see the same.

    A recount of all sums invalidates it too: no version changes then, but sums never reuse a key.
    """
    told = tournaments.aggregate(print=print_of_versions(), all=Count("pk"))
    oldest = DealSum.objects.aggregate(Min("pk"))["pk__min"]
    if oldest is None:  # just deleted: the recounted sums have keys of their own
        sum_what_is_lacking()
        oldest = DealSum.objects.aggregate(Min("pk"))["pk__min"]
    key = f"games-at:{told['all']}:{told['print']}:{oldest}"
    kept: dict[str, Played] | None = cache.get(key)
    if kept is None:
        sums = by_sort(tournaments)
        contracts = of_contracts(sums)
        gains = gain_and_cost(sums.items(), contracts)
        kept = {contract: Played(declared, gains[contract]) for contract, declared in contracts.items()}
        cache.set(key, kept, KEPT)
    return kept


def gain_and_cost(
    sums: Iterable[tuple[Sort, tuple[int, int]]], contracts: Collection[str]
) -> dict[str, list[int]]:
    """For these contracts: tokens and number of games won, tokens and number of games lost."""
    found = {contract: [0, 0, 0, 0] for contract in contracts}
    for sort, (deals, tokens) in sums:
        if sort.contract in found:
            at = 0 if sort.is_won else 2
            found[sort.contract][at] += tokens
            found[sort.contract][at + 1] += deals
    return found


# A person's play on the same cards over the years, by least squares over all evenings with folders.

# So many evenings are fitted in the request that needs them, in some 50 ms; more by the process for jobs.
AT_ONCE = 10
# Cache key and lifetime of the last fit.
FIT, FIT_LIFETIME = "same-cards-fit", 30 * 24 * 3600


def play_over_the_years(player: Player) -> Estimate | None:
    """A person's tokens a deal above the others with the same cards; None where too few deals can be compared.

    Where many evenings are to be fitted, of the fit before until the process for jobs has made another.
    """
    if not visibility.own_entries(player).filter(tournament__boards=True).exists():
        return None
    fit = _fit(at_most=AT_ONCE)
    return fit.estimate(player.pk) if fit else None


def refresh_fit(_now: datetime) -> None:
    """Fit the evenings with folders again where one of them has changed."""
    _fit()


def _fit(at_most: int | None = None) -> Fit | None:
    """The fit over all evenings with folders that count for people's pages; the last one if there are too many."""
    evenings = visibility.evenings().filter(boards=True).order_by("pk")
    versions = dict(evenings.values_list("pk", "version"))
    key = sha256(repr(versions).encode()).hexdigest()
    are_too_many = at_most is not None and len(versions) > at_most
    cached: tuple[str, Fit] | None = caches[SHARED].get(FIT)
    if cached and (cached[0] == key or are_too_many):
        return cached[1]
    if are_too_many:
        return None
    fit = Fit(_observations(evenings))
    with suppress(OSError):  # the cache is full
        caches[SHARED].set(FIT, (key, fit), FIT_LIFETIME)
    return fit


def _observations(evenings: Collection[Tournament]) -> Iterator[Observation]:
    """The results of these evenings that can be compared, by person, in a fixed number of queries.

    A cell is a seat of a folder of a round; `boards.results.lines_of` has the same results with all that a page shows.
    """
    by_key = {evening.pk: evening for evening in evenings}
    settles = {pk: rulebook_of(evening).house.idle_settles for pk, evening in by_key.items()}
    waiting = Match.objects.filter(on_own_day(), ended_at=None, awarded_home=None).values("round")
    rounds = Round.objects.filter(tournament__in=key_set(by_key), state=Round.State.CLOSED)
    opened = rounds.exclude(pk__in=waiting).order_by().in_bulk()
    for round_ in opened.values():
        round_.tournament = by_key[round_.tournament_id]
    tables = Table.objects.filter(round__in=key_set(opened)).order_by().in_bulk()
    for table in tables.values():
        table.round = opened[table.round_id]
    whose = dict(Entry.objects.filter(tournament__in=key_set(by_key)).order_by().values_list("pk", "player"))
    deals = Deal.objects.filter(table__in=key_set(tables), current__result__isnull=False)
    played = deals.exclude(current__result__has_key="ruled").order_by("table", "number")
    sittings = Sittings(Q(round__in=key_set(opened)))
    for pk, number, tokens, declarer in played.values_list(
        "table", "number", Cast("current__tokens", TextField()), "current__result__declarer"
    ):
        table = tables[pk]
        if not (folder := table.folder_of(number)):
            continue
        entries = sittings.entries_in_deal(pk, number)
        seating = seating_at(table, len(entries), number, declarer)
        cards = table.round_id, folder, len(entries) if settles[table.round.tournament_id] else 0
        for role, entry, won in zip(seating.roles, entries, parse_tokens(tokens), strict=True):
            yield Observation((cards, role.value), whose[entry], float(won))
