"""A rulebook: a value that says all that the engine must know of a set of rules, its options bound."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring.seats import WITH_FOURTH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.contracts import Contract
    from scoring.options import OptionSpec, OptionValue


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """What the options of a rulebook come down to in the engine; what a rulebook leaves out is as here.

    - idle_settles: the player sitting out pays and receives like a defender
    - forced_spadille: somebody must bid, so that a deal cannot be passed out
    - fouls: the rules price a fouled exchange; declarer_foul is the outcome of the declarer's, and
      defender_foul_covers_idle says whether a defender who fouls pays the share of the player sitting out too
    - one_four_four: the outcome of one trick to the declarer and four to each defender
    - first_five_bonus, repeat_exchange, aces_bonus: played at all (tokens for the last)
    """

    idle_settles: bool
    forced_spadille: bool = False
    fouls: bool = False
    declarer_foul: str = "bete"
    defender_foul_covers_idle: bool = True
    one_four_four: str = "kodille"
    first_five_bonus: bool = False
    repeat_exchange: bool = False
    aces_bonus: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rulebook:
    """Rules with their options bound. `scoring.get_rulebook` gives the same object for the same values."""

    id: str
    name: str
    source: str
    direction: str
    players: tuple[int, ...]
    zero_sum: bool
    contracts: tuple[Contract, ...]
    known_contracts: frozenset[str]
    option_specs: tuple[OptionSpec, ...]
    options: Mapping[str, OptionValue]
    house: HouseRules
    by_id: dict[str, Contract] = field(init=False)
    with_mort: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {row.id: row for row in self.contracts})
        object.__setattr__(self, "with_mort", any(row.by_fourth for row in self.contracts))

    def contracts_at(self, players: int) -> tuple[Contract, ...]:
        """The contracts in force at a table of so many, in the order of bidding."""
        return tuple(row for row in self.contracts if players in WITH_FOURTH or not row.by_fourth)

    def may_be_passed_out(self, players: int) -> bool:
        """Whether three passes end a deal: not where somebody must bid or the fourth player takes over."""
        return not self.house.forced_spadille and not (self.with_mort and players in WITH_FOURTH)
