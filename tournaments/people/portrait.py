"""A person's deals in numbers, whatever evenings they are of. Plain values in and out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from scoring.seats import Role
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.ledger.deal_sums import RULED
from tournaments.people.evidence import Rate
from tournaments.people.own_deals import DECLARED, DEFENDED, JOINED, PASSED, SAT_OUT
from tournaments.standings.statistics import Declared, Tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.people.own_deals import OwnDeal


@dataclass(slots=True)
class Contract:
    """What somebody's games of a contract came to, and `others`: those of everybody at the home club."""

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
    """The most games in a row: won, without a bet (won, or what a game given up for nothing is), and lost."""

    won: int = 0
    without_bet: int = 0
    lost: int = 0


@dataclass(slots=True)
class Portrait:
    """`deals` were reported one by one; tokens of tables whose totals alone are known are `totals_only`."""

    deals: int = 0
    totals_only: int = 0
    kinds: dict[str, Tally] = field(default_factory=dict)
    declared: Declared = field(default_factory=Declared)
    contracts: dict[str, Contract] = field(default_factory=dict)
    roles: dict[Role, Tally] = field(default_factory=dict)
    # Of deals that were dealt to them and not passed by all, by role: how often they declared.
    declares: dict[Role, Rate] = field(default_factory=dict)
    # Games declared by who bids first, forehand.
    first_bid: Declared = field(default_factory=Declared)
    touts_tried: int = 0
    touts_made: int = 0
    runs: Runs = field(default_factory=Runs)
    best_deal: OwnDeal | None = None
    worst_deal: OwnDeal | None = None

    @property
    def tokens(self) -> int:
        return self.totals_only + sum(kind.tokens for kind in self.kinds.values())

    @property
    def bids(self) -> Rate:
        """How often they declared, of the deals that were dealt to them and that somebody could declare."""
        kinds = self.kinds
        of = sum(kinds[kind].deals for kind in (DECLARED, JOINED, DEFENDED, PASSED) if kind in kinds)
        return Rate(self.declared.deals, of)


# In the order in which pages tell them.
KINDS = (DECLARED, DEFENDED, JOINED, SAT_OUT, PASSED, RULED)


def portrait(deals: Iterable[OwnDeal]) -> Portrait:
    """Count somebody's deals, in the order in which they were played."""
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
        if one.role is not Role.IDLE and kind in (DECLARED, JOINED, DEFENDED):
            dealt[one.role][1] += 1
            dealt[one.role][0] += kind == DECLARED
        if kind == DECLARED:
            games.append(one)
            _count_game(found, contracts[one.deal.sort.contract], one)
        if found.best_deal is None or tokens > found.best_deal.tokens:
            found.best_deal = one
        if found.worst_deal is None or tokens < found.worst_deal.tokens:
            found.worst_deal = one
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
        lost=_longest(sort.is_bet or sort.is_kodille for sort in sorts),
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


def beside(contracts: Mapping[str, Contract], others: Mapping[str, Declared]) -> None:
    """Put what everybody's games of these contracts came to beside one's own."""
    for name, contract in contracts.items():
        contract.others = others.get(name, Declared())
