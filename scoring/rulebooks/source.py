"""What a rulebook's file gives: its table, its options, and how the options change the table."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from scoring.cards import USUAL_PACK, Pack
from scoring.options import BadOption, refuse
from scoring.procedure import USUAL_AUCTION, USUAL_PLAY, AuctionRules, PlayRules
from scoring.rulebook import PoolRules, Rulebook
from scoring.versions import (
    CONTRABOLA_WITHOUT_FIRST_FIVE,
    ESTUCHES_BY_SUIT,
    FIRST_FIVE_BY_TRICKS,
    SOLO_BY_THE_LAST,
    STOPPED_WHEN_CLEAR,
    Change,
    in_force,
)
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scoring.contracts import Contract
    from scoring.family_rules import HouseRules
    from scoring.options import OptionSpec, OptionValue
    from scoring.seats import Role

# The engine's rules that a version has changed.
_BY_VERSION = {
    "tricks_tell_first_five": FIRST_FIVE_BY_TRICKS,
    "contrabola_without_first_five": CONTRABOLA_WITHOUT_FIRST_FIVE,
    "stops_when_clear": STOPPED_WHEN_CLEAR,
    "estuches_by_suit": ESTUCHES_BY_SUIT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookSource:
    """A rulebook before its options are bound.

    `contracts` gives every contract, in the order of bidding; `against` what speaks against a set of options that
    are right one by one; `changes` what a version of the rules reads otherwise than the one before; `example`
    the lines that explain its notation, by its options where they need be.
    """

    id: str
    name: str
    source: str
    direction: str
    players: tuple[int, ...]
    zero_sum: bool
    options: tuple[OptionSpec, ...]
    contracts: Callable[[Mapping[str, OptionValue]], tuple[Contract, ...]]
    house: Callable[[Mapping[str, OptionValue]], HouseRules]
    example: str | Callable[[Mapping[str, OptionValue]], str]
    seat_names: Mapping[Role, str] = field(default_factory=dict)
    wording: Mapping[str, str] = field(default_factory=dict)
    pool: Callable[[Mapping[str, OptionValue]], PoolRules] | None = None
    against: Callable[[Mapping[str, OptionValue]], Iterable[BadOption]] | None = None
    pack: Callable[[Mapping[str, OptionValue]], Pack] | None = None
    auction: AuctionRules | Callable[[Mapping[str, OptionValue]], AuctionRules] = USUAL_AUCTION
    play: PlayRules = USUAL_PLAY
    changes: tuple[Change, ...] = (STOPPED_WHEN_CLEAR, FIRST_FIVE_BY_TRICKS)

    def bind(self, options: Mapping[str, OptionValue], version: str) -> Rulebook:
        """The rulebook with a value for every option. Raises BadOption where they do not go together."""
        known = self._contracts(options, version)
        played = tuple(
            row
            for row in known
            if all(options[name] for name in row.needs) and not any(options[name] for name in row.unless)
        )
        refuse([*self._prices_out_of_order(played), *(self.against(options) if self.against else ())])
        return Rulebook(
            id=self.id,
            name=self.name,
            source=self.source,
            direction=self.direction,
            players=self.players,
            zero_sum=self.zero_sum,
            contracts=played,
            known_contracts=frozenset(row.id for row in known),
            option_specs=self.options,
            options=dict(options),
            house=self._house(options, version),
            example=self.example if isinstance(self.example, str) else self.example(options),
            seat_names=self.seat_names,
            wording=self.wording,
            pool=self.pool and self.pool(options),
            pack=self.pack(options) if self.pack else USUAL_PACK,
            auction=self.auction if isinstance(self.auction, AuctionRules) else self.auction(options),
            play=self.play,
            version=version,
            changes=self.changes,
        )

    def _contracts(self, options: Mapping[str, OptionValue], version: str) -> tuple[Contract, ...]:
        """Every contract, as this version has it."""
        rows = self.contracts(options)
        if in_force(SOLO_BY_THE_LAST, version):
            return rows
        return tuple(replace(row, by_last=False) for row in rows)

    def _house(self, options: Mapping[str, OptionValue], version: str) -> HouseRules:
        """The engine's rules, as this version has them."""
        house = self.house(options)
        known = {rule.name for rule in fields(house)}
        by_version: dict[str, Any] = {
            name: in_force(change, version) for name, change in _BY_VERSION.items() if name in known
        }
        return replace(house, **by_version)

    def _prices_out_of_order(self, contracts: Sequence[Contract]) -> Iterator[BadOption]:
        """A contract must not be cheaper than a lower one of its kind."""
        priced = {spec.name for spec in self.options}
        for row in contracts:
            name = f"price_{row.id}"
            cheaper = [
                other
                for other in contracts
                if other.kind is row.kind and other.rank < row.rank and other.price > row.price
            ]
            if name in priced and cheaper:
                text = _("{contract} outranks {other}, and must not cost less.")
                yield BadOption(name, text, contract=row.id, other=cheaper[-1].id)
