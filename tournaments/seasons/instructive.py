"""Selection of a season's most instructive deals with folders; plain values in and out.

A deal is instructive if the tables' results for one seat differ most (*spread*), if a high contract could be made
and nobody played it (*unfound*), or if the same contract of the same seat was made at some tables and beaten at
others (*defence*).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

# Share of exchanges in which a contract must succeed to count as makeable (and as unfound).
CAN_BE_MADE = 0.8
MOST = 12


class Reason(StrEnum):
    SPREAD = "spread"
    UNFOUND = "unfound"
    DEFENCE = "defence"


class Contract(NamedTuple):
    """A contract of a seat; `trump` is "" where it is not chosen, `rank` its place in the bidding."""

    role: str
    contract: str
    trump: str
    rank: int


class Played(NamedTuple):
    """A table's result with a folder: the contract, None where all passed, whether it was made, tokens by seat."""

    contract: Contract | None
    is_made: bool
    tokens: dict[str, int]


class Chance(NamedTuple):
    """The share with which a contract is made by best play."""

    contract: Contract
    made: int
    solved: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A folder and the values that make it instructive; 0 means not at all.

    `chance`: the makeable contract that nobody played; `contested`: the one made and beaten, with the numbers of
    tables.
    """

    key: tuple[int, int, int]
    spread: int
    chance: Chance | None = None
    contested: Contract | None = None
    made: int = 0
    beaten: int = 0
    usual: Contract | None = field(default=None)

    def worth(self, reason: Reason) -> tuple[int, int]:
        """The value of a folder for this reason; ties go by the spread."""
        if reason is Reason.UNFOUND:
            return (self.chance.contract.rank, self.spread) if self.chance else (0, 0)
        if reason is Reason.DEFENCE:
            return (min(self.made, self.beaten), self.spread)
        return (self.spread, 0)

    def contract_for(self, reason: Reason) -> Contract | None:
        """The contract that is looked at for this reason."""
        if reason is Reason.UNFOUND:
            return self.chance.contract if self.chance else None
        return self.contested if reason is Reason.DEFENCE else self.usual


def candidate(key: tuple[int, int, int], played: Sequence[Played], chances: Iterable[Chance]) -> Candidate:
    """A folder as its tables played it, with what could be made."""
    seats = {seat for one in played for seat in one.tokens}
    tokens = [[one.tokens[seat] for one in played if seat in one.tokens] for seat in seats]
    spread = max((max(some) - min(some) for some in tokens), default=0)
    contracts = Counter(one.contract for one in played if one.contract)
    highest = max((contract.rank for contract in contracts), default=-1)
    unfound = [
        chance
        for chance in chances
        if chance.solved
        and chance.made / chance.solved >= CAN_BE_MADE
        and chance.contract.rank > highest
        and chance.contract not in contracts
    ]
    best = max(unfound, key=lambda one: (one.contract.rank, one.made / one.solved), default=None)
    made = Counter(one.contract for one in played if one.contract and one.is_made)
    contested = max(
        contracts, key=lambda one: (min(made[one], contracts[one] - made[one]), contracts[one]), default=None
    )
    is_contested = contested is not None and 0 < made[contested] < contracts[contested]
    return Candidate(
        key,
        spread,
        chance=best,
        contested=contested if is_contested else None,
        made=made[contested] if contested and is_contested else 0,
        beaten=contracts[contested] - made[contested] if contested and is_contested else 0,
        usual=contracts.most_common(1)[0][0] if contracts else None,
    )


def choose(candidates: Sequence[Candidate], most: int = MOST) -> list[tuple[Candidate, Reason]]:
    """The most instructive, the three reasons in turn, each deal once."""
    queues = {
        reason: sorted(
            (one for one in candidates if one.worth(reason)[0] > 0),
            key=lambda one: (one.worth(reason), one.key),
            reverse=True,
        )
        for reason in Reason
    }
    chosen: list[tuple[Candidate, Reason]] = []
    taken: set[tuple[int, int, int]] = set()
    while len(chosen) < most and any(queues.values()):
        for reason, queue in queues.items():
            while queue and queue[0].key in taken:
                queue.pop(0)
            if queue and len(chosen) < most:
                taken.add(queue[0].key)
                chosen.append((queue.pop(0), reason))
    return chosen
