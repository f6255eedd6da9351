"""A player's evening in numbers, as clubs keep them: what was declared and defended, and what it brought.

Every reported deal at the player's tables is one of these: washed out, ruled by the organiser, declared,
joined (a nolo that another declared), sat out (also where all others passed), or defended. Tokens are the
player's own. A table's totals without deals are counted as tokens only.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from scoring.seats import Role
from tournaments.domain.outcomes import LOST, LOST_DEARLY, TOTALS_ONLY, WON, is_totals_only
from tournaments.ledger.seating import Sat, seating_at, sittings_of
from tournaments.models import Deal

if TYPE_CHECKING:
    from collections.abc import Iterable

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
