"""What a rulebook's file gives: its table, its options, and how the options change the table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring.cards import USUAL_PACK, Pack
from scoring.procedure import USUAL_AUCTION, USUAL_PLAY, AuctionRules, PlayRules
from scoring.rulebook import HouseRules, PoolRules, Rulebook

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scoring.contracts import Contract
    from scoring.options import OptionSpec, OptionValue
    from scoring.seats import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookSource:
    """A rulebook before its options are bound. `contracts` gives every contract, in the order of bidding."""

    id: str
    name: str
    source: str
    direction: str
    players: tuple[int, ...]
    zero_sum: bool
    options: tuple[OptionSpec, ...]
    contracts: Callable[[Mapping[str, OptionValue]], tuple[Contract, ...]]
    house: Callable[[Mapping[str, OptionValue]], HouseRules]
    seat_names: Mapping[Role, str] = field(default_factory=dict)
    pool: Callable[[Mapping[str, OptionValue]], PoolRules] | None = None
    pack: Callable[[Mapping[str, OptionValue]], Pack] | None = None
    auction: AuctionRules = USUAL_AUCTION
    play: PlayRules = USUAL_PLAY

    def bind(self, options: Mapping[str, OptionValue]) -> Rulebook:
        """The rulebook with a value for every option."""
        known = self.contracts(options)
        return Rulebook(
            id=self.id,
            name=self.name,
            source=self.source,
            direction=self.direction,
            players=self.players,
            zero_sum=self.zero_sum,
            contracts=tuple(row for row in known if all(options[name] for name in row.needs)),
            known_contracts=frozenset(row.id for row in known),
            option_specs=self.options,
            options=dict(options),
            house=self.house(options),
            seat_names=self.seat_names,
            pool=self.pool and self.pool(options),
            pack=self.pack(options) if self.pack else USUAL_PACK,
            auction=self.auction,
            play=self.play,
        )
