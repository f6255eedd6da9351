"""A player's evening in numbers, as clubs keep them: what was declared and defended, and what it brought.

Every reported deal at the player's tables is one of these: washed out, ruled by the organiser, declared,
joined (a nolo that another declared), sat out (also where all others passed), or defended. Tokens are the
player's own. A table's totals without deals are counted as tokens only.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING

from django.db.models import TextField
from django.db.models.functions import Cast

from core.sql import key_set
from scoring.seats import Role, Turns
from tournaments.domain.outcomes import LOST, LOST_DEARLY, TOTALS_ONLY, WON, is_totals_only
from tournaments.ledger.deal_sums import known_deals
from tournaments.ledger.seating import Sat, Sittings, seating_at, sittings_of, turns_at
from tournaments.models import Deal, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from django.db.models import QuerySet

    from scoring.rulebook import Contract
    from scoring.seats import Seating
    from tournaments.models import Entry, Report


# In order of play; the player who sits out comes last.
SEATS = (Role.FH, Role.MH, Role.H3, Role.H4, Role.BH, Role.IDLE)


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A reported deal at one of the player's tables, the player at `position`; `seating` as it was dealt."""

    round: int
    table: int  # its number
    number: int
    position: int
    report: Report
    seating: Seating

    @property
    def tokens(self) -> int:
        return int(self.report.tokens[self.position])

    @property
    def role(self) -> Role:
        """The player's role in the deal; in pairs with the hand that was taken over."""
        seating = self.seating
        declarer = (self.report.result or {}).get("declarer")
        if declarer is not None:
            seating = seating.declared_by(seating.role_of(declarer))
        return seating.role_of(self.position)

    @property
    def kind(self) -> str:
        """The kind of the deal for the player; see the module's docstring."""
        result = self.report.result or {}
        if result.get("all_passed"):
            return "sat_out" if self.role is Role.IDLE else "washed_out"
        if is_totals_only(result):
            return TOTALS_ONLY
        if "ruled" in result:
            return "ruled"
        if self.report.declarer == self.position:
            return "declared"
        if self.position in result.get("joined", []):
            return "joined"
        return "sat_out" if self.role is Role.IDLE else "defended"


def deals_of(entry: Entry) -> list[PlayedDeal]:
    """The deals that were reported while the player sat at a table, in the order they were played."""
    sittings = sittings_of(entry)
    at: dict[int, list[Sat]] = defaultdict(list)
    for own in sittings.seats_of(entry.pk):
        at[own.table].append(own)
    reported = Deal.objects.filter(table__in=at, current__result__isnull=False)
    deals = []
    for deal in reported.select_related("current", "table__round__tournament"):
        sat = next((sat for sat in at[deal.table_id] if sat.plays_in(deal.number)), None)
        if sat is not None:
            seating = seating_at(deal.table, sittings.sizes[deal.table_id], deal.number)
            deals.append(
                PlayedDeal(sat.round, deal.table.number, deal.number, sat.position, deal.current, seating)
            )
    return sorted(deals, key=lambda deal: (deal.round, deal.number))


def running_totals(deals: Iterable[PlayedDeal]) -> list[int]:
    """The player's tokens before the first deal and after each."""
    return list(accumulate((deal.tokens for deal in deals), initial=0))


@dataclass(slots=True)
class Tally:
    """Deals of one sort and the tokens they brought."""

    deals: int = 0
    tokens: int = 0

    def add(self, tokens: int) -> None:
        self.deals += 1
        self.tokens += tokens

    @property
    def average(self) -> float:
        """Tokens a deal; 0 where there is no deal."""
        return self.tokens / self.deals if self.deals else 0.0


@dataclass(slots=True)
class Declared(Tally):
    """Outcomes of declared deals, in total or of one contract.

    `bete` counts losses at the single price, `kodille` those at a higher one, whatever the rules call them.
    """

    won: int = 0
    bete: int = 0
    kodille: int = 0

    def count(self, outcome: str) -> None:
        self.won += outcome in WON
        self.bete += outcome in LOST
        self.kodille += outcome in LOST_DEARLY


@dataclass(slots=True)
class PlayerStatistics:
    """Statistics of one player's deals."""

    deals: int = 0
    washed_out: int = 0
    # Tokens that deals passed by all cost: antes that stayed in the pool.
    antes: int = 0
    # Tokens from tables of which only the totals are known.
    totals_only: int = 0
    ruled: Tally = field(default_factory=Tally)
    declared: Declared = field(default_factory=Declared)
    joined: Tally = field(default_factory=Tally)
    defended: Tally = field(default_factory=Tally)
    sat_out: Tally = field(default_factory=Tally)
    contracts: dict[str, Declared] = field(default_factory=dict)
    roles: dict[Role, Tally] = field(default_factory=dict)
    touts_tried: int = 0
    touts_made: int = 0

    @property
    def tokens(self) -> int:
        sorts: tuple[Tally, ...] = (self.ruled, self.declared, self.joined, self.defended, self.sat_out)
        return self.antes + self.totals_only + sum(sort.tokens for sort in sorts)


def statistics(deals: Iterable[PlayedDeal], contracts: Iterable[Contract]) -> PlayerStatistics:
    """Count a player's deals. `contracts` is the order in which those that were declared are listed."""
    counted = PlayerStatistics()
    by_contract = {contract.id: Declared() for contract in contracts}
    by_role = {role: Tally() for role in SEATS}
    for deal in deals:
        if deal.kind == TOTALS_ONLY:
            counted.totals_only += deal.tokens
            continue
        _count(counted, deal, by_contract)
        by_role[deal.role].add(deal.tokens)
    counted.contracts = {name: line for name, line in by_contract.items() if line.deals}
    counted.roles = {role: line for role, line in by_role.items() if line.deals}
    return counted


def _count(counted: PlayerStatistics, deal: PlayedDeal, by_contract: dict[str, Declared]) -> None:
    counted.deals += 1
    match deal.kind:
        case "washed_out":
            counted.washed_out += 1
            counted.antes += deal.tokens
        case "declared":
            for line in (counted.declared, by_contract.setdefault(deal.report.contract, Declared())):
                line.add(deal.tokens)
                line.count(deal.report.outcome)
            tout = (deal.report.result or {}).get("tout")
            counted.touts_tried += tout is not None
            counted.touts_made += tout == "won"
        case "ruled" | "joined" | "defended" | "sat_out" as sort:
            tally: Tally = getattr(counted, sort)
            tally.add(deal.tokens)


# Count the deals that each player played, and in which roles.

# Counts of each player's deals: those dealt to them, and outcomes of those that they declared.
#
# At a table of four each player sits out one deal in four. Deals are read once for all tables and players, and cached
# by table until its next report: a thousand players are recounted after every deal in the hall.


@dataclass(slots=True)
class Games:
    """Deals that a player was dealt cards in, and how many they won and lost dearly as declarer."""

    dealt: int = 0
    won: int = 0
    kodilles: int = 0


# As the database has them.
_WON, _LOST_DEARLY = ({one.value for one in which} for which in (WON, LOST_DEARLY))
GamesOf = dict[int, Games]
# A deal's number, whose game it was and what became of it.
Told = tuple[int, int | None, str]


@dataclass(slots=True)
class Reported:
    """The reported deals of a table: their number, the last one, and whether only totals are known.

    `won` and `kodilles` have the position that declared, for each game that was won and lost dearly.
    """

    deals: int = 0
    last: int = 0
    totals_only: bool = False
    won: list[int] = field(default_factory=list)
    kodilles: list[int] = field(default_factory=list)

    @classmethod
    def from_deals(cls, deals: Sequence[Told]) -> Reported:
        """Classify these deals of a table, at least one."""
        here = cls(len(deals), max(map(itemgetter(0), deals)))
        for _number, declarer, outcome in deals:
            if declarer is None:
                here.totals_only |= outcome == TOTALS_ONLY
            elif outcome in _WON:
                here.won.append(declarer)
            elif outcome in _LOST_DEARLY:
                here.kodilles.append(declarer)
        return here


# By the end of a table's chain of reports, which nothing but its reports gives: what they are can be read once.
_reported: dict[str, Reported] = {}
MOST_KEPT = 20_000  # tables


def games_of(
    rounds: Mapping[int, bool], last: Collection[int], sittings: Sittings
) -> tuple[GamesOf, GamesOf]:
    """Entry -> games, in the `last` of these rounds (primary keys) and in the others; `sittings` has their tables.

    `rounds` tells of each whether the dealer sits out there.
    A washed-out deal is one; of a table whose totals alone are known all deals count.
    """
    deals = Deal.objects.filter(table__round__in=key_set(rounds), current__result__isnull=False)
    tables = Table.objects.filter(round__in=key_set(rounds), reports_count__gt=0)
    # Changes as text, which nearly no table has: nothing has to be read.
    changes = Cast("turns", TextField())
    told = list(tables.order_by().values_list("pk", "round", "last_hash", "first_dealer", changes))
    reported = _reported_at({table: head for table, _round, head, *_turn in told}, deals)
    in_turn = {table: (first, rounds[round_]) for table, round_, _head, first, turns in told if turns == "[]"}
    at_last = {table for table, round_, *_rest in told if round_ in last}
    parts: tuple[dict[int, Reported], dict[int, Reported]] = {}, {}
    for table, here in reported.items():
        parts[table not in at_last][table] = here
    now, before = (games_reported(part, in_turn, deals, sittings) for part in parts)
    return now, before


def games_reported(
    reported: Mapping[int, Reported],
    in_turn: Mapping[int, tuple[int, bool]],
    deals: QuerySet[Deal],
    sittings: Sittings,
) -> dict[int, Games]:
    """The games counted with the tables' progress given; `deals` are those that count there.

    `in_turn` has the first dealer of each table without changes of dealer or seats, and whether the dealer sits
    out there.
    """
    games: dict[int, Games] = defaultdict(Games)
    for table, here in reported.items():
        if table not in sittings.changed:
            for declarer in here.won:
                games[sittings.throughout[table, declarer]].won += 1
            for declarer in here.kodilles:
                games[sittings.throughout[table, declarer]].kodilles += 1
    _add_substitutes(sittings.changed & reported.keys(), deals, games, sittings)
    _add_dealt(in_turn, deals, games, sittings, reported)
    return dict(games)


def _reported_at(heads: Mapping[int, str], deals: QuerySet[Deal]) -> dict[int, Reported]:
    """The reported deals at these tables, given with the heads of their chains; without tables where no deal counts."""
    if len(_reported) > MOST_KEPT:
        _reported.clear()
    for head in heads.values():
        if head not in _reported and (parsed := known_deals(head)):
            told = [(deal.number, deal.declarer, deal.outcome) for deal in parsed]
            _reported[head] = Reported.from_deals(told)
    found = {table: kept for table, head in heads.items() if (kept := _reported.get(head))}
    if unread := {table: head for table, head in heads.items() if table not in found}:
        few = 2 * len(unread) <= len(heads)
        found |= _read(unread, deals.filter(table__in=key_set(unread)) if few else deals)
    return {table: here for table, here in found.items() if here.deals}


def _read(heads: dict[int, str], deals: QuerySet[Deal]) -> dict[int, Reported]:
    """Count the deals of these tables, and keep what they come to by the end that the chain has at that moment."""
    at_each: dict[int, list[Told]] = {table: [] for table in heads}
    # Deal by deal: a database that puts a few deals of each player together sorts them all for it.
    told = ("table", "table__last_hash", "number", "current__declarer", "current__outcome")
    for table, head, number, declarer, outcome in deals.order_by().values_list(*told):
        if table in at_each:
            heads[table] = head
            at_each[table].append((number, declarer, outcome))
    read = {table: Reported.from_deals(deals) if deals else Reported() for table, deals in at_each.items()}
    _reported.update((heads[table], here) for table, here in read.items() if heads[table])
    return read


def _add_substitutes(
    changed: Collection[int], deals: QuerySet[Deal], games: dict[int, Games], sittings: Sittings
) -> None:
    """Count the games of a table with a substitute: the deal decides whose game it was."""
    if not changed:
        return
    apart = deals.filter(table__in=changed)
    for table, declarer, deal, outcome in apart.values_list(
        "table_id", "current__declarer", "number", "current__outcome"
    ):
        if declarer is not None:
            whose = games[sittings.entry_at(table, declarer, deal)]
            whose.won += outcome in WON
            whose.kodilles += outcome in LOST_DEARLY


def _add_dealt(
    in_turn: Mapping[int, tuple[int, bool]],
    deals: QuerySet[Deal],
    games: dict[int, Games],
    sittings: Sittings,
    reported: Mapping[int, Reported],
) -> None:
    one_by_one = []
    for table, here in reported.items():
        size = sittings.sizes[table]
        # The first deals of the table, all of them, with the turn going around and everybody staying on their chair.
        plain = here.last == here.deals and not here.totals_only and table not in sittings.changed
        if not plain or table not in in_turn:
            one_by_one.append(table)
            continue
        for position, count in enumerate(dealt_each(size, *in_turn[table], here.deals)):
            games[sittings.throughout[table, position]].dealt += count
    _add_one_by_one(one_by_one, deals, games, sittings, reported)


@lru_cache(maxsize=4096)
def dealt_each(players: int, first_dealer: int, dealer_out: bool, deals: int) -> tuple[int, ...]:
    """The number of a table's first deals in which each position is dealt cards."""
    turns = Turns(players, first_dealer, dealer_out=dealer_out)
    roles = [turns.seating(deal).roles for deal in range(1, deals + 1)]
    return tuple(sum(each[position] is not Role.IDLE for each in roles) for position in range(players))


def _add_one_by_one(
    tables: Collection[int],
    deals: QuerySet[Deal],
    games: dict[int, Games],
    sittings: Sittings,
    reported: Mapping[int, Reported],
) -> None:
    """Count deal by deal, where deals are missing, the turn or the seats were changed, or only totals are known."""
    if not tables:
        return
    told: dict[int, list[int]] = defaultdict(list)
    for table, number in deals.filter(table__in=tables).values_list("table_id", "number"):
        told[table].append(number)
    for at in Table.objects.filter(pk__in=tables).select_related("round__tournament"):
        turns = turns_at(at, sittings.sizes[at.pk])
        for deal in range(1, at.deals + 1) if reported[at.pk].totals_only else told[at.pk]:
            for position, role in enumerate(turns.seating(deal).roles):
                games[sittings.entry_at(at.pk, position, deal)].dealt += role is not Role.IDLE
