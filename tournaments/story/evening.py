"""What is told of an evening's deals, as plain values: everything else in this room is counted from these alone.

A deal's place in the evening is a step: deal 3 of the second of two rounds of forty is step 43. Step 0 is before the
first deal.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tournaments.domain.comparison import Amount


@dataclass(frozen=True, slots=True)
class ToldRound:
    """A round that has begun; `deals` are those of its longest table. Over is what brings no more deals."""

    number: int
    deals: int
    is_over: bool = True


@dataclass(frozen=True, slots=True)
class ToldDeal:
    """A reported deal: where, whose, and what it came to. Players are entries.

    `tokens` has everybody who sat at the table. `contract` is empty where nothing was declared: passed by all, ruled by
    the organiser, or a table's totals alone, which stand at its last deal.
    """

    round: int
    table: int
    number: int
    tokens: dict[int, int]
    contract: str = ""
    declarer: int | None = None
    is_won: bool = False
    tout: str = ""
    is_passed: bool = False
    is_totals_only: bool = False

    @property
    def turnover(self) -> int:
        """Tokens that changed hands, counted at both ends."""
        return sum(abs(amount) for amount in self.tokens.values())

    @property
    def declarers_tokens(self) -> int:
        return 0 if self.declarer is None else self.tokens[self.declarer]


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the deals of a table took, from the first report to the last: so many `seconds` for so many `deals`."""

    round: int
    table: int
    seconds: float
    deals: int

    @property
    def each(self) -> float:
        """Seconds a deal."""
        return self.seconds / self.deals


@dataclass(frozen=True, slots=True)
class Evening:
    """All that is told. `players` are in the order of the standings, `deals` in that of rounds, numbers and tables.

    `seated` has, by round, the table of everybody who sits there. `carried` was taken along from the stage before;
    `rulings` are tokens given or taken in a round, or after the last (None).
    """

    players: tuple[int, ...]
    rounds: tuple[ToldRound, ...]
    deals: tuple[ToldDeal, ...]
    seated: dict[int, dict[int, int]] = field(default_factory=dict)
    carried: dict[int, Amount] = field(default_factory=dict)
    rulings: dict[tuple[int, int | None], int] = field(default_factory=dict)
    paces: tuple[Pace, ...] = ()
