"""A whole deal as one value: who sits where, the cards as dealt, and every step; replayed to see that all was right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.game.auction import Auction, speaking_order
from scoring.game.holdings import Holdings
from scoring.game.position import Table
from scoring.game.state import State, start
from scoring.game.steps import Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.results import DealResult
    from scoring.rulebook import Rulebook
    from scoring.seats import Role, Seating

Cards = tuple[str, ...]


class WrongCards(ValueError):  # noqa: N818 - the engine's errors are named for what is wrong
    """Hands and talon that are not a pack dealt by the rules."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal: hands by role in the order in which they were dealt, the talon from its top, and the steps.

    Raises WrongCards where the cards are not the rulebook's pack.
    """

    rulebook: Rulebook
    seating: Seating
    hands: Mapping[Role, Cards]
    talon: Cards
    steps: tuple[Step, ...] = ()

    def __post_init__(self) -> None:
        pack = self.rulebook.pack
        order = speaking_order(self.seating.players)
        if tuple(self.hands) != order or any(len(hand) != pack.hand for hand in self.hands.values()):
            raise WrongCards(f"{', '.join(order)} have {pack.hand} cards each")
        cards = [card for hand in self.hands.values() for card in hand] + list(self.talon)
        if sorted(cards) != sorted(pack.cards):
            raise WrongCards(f"hands and talon are not the {len(pack.cards)} cards of the pack, each once")

    @classmethod
    def dealt(cls, rulebook: Rulebook, seating: Seating, seed: int) -> Deal:
        """The deal of the pack that `random.Random(seed)` shuffles, in batches, forehand first."""
        order = speaking_order(seating.players)
        cards = rulebook.pack.shuffled(seed)
        *hands, talon = rulebook.pack.dealt(cards, len(order))
        return cls(rulebook, seating, dict(zip(order, hands, strict=True)), talon)

    def start(self) -> State:
        """The state before the first step."""
        held = Holdings({role: frozenset(hand) for role, hand in self.hands.items()})
        auction = Auction.start(self.rulebook, self.seating.players, held)
        return start(Table(self.rulebook, self.seating, self.hands, self.talon), auction)

    def replayed(self) -> State:
        """The state after all steps. Raises IllegalStep, with its index, at the first that the rules forbid."""
        state = self.start()
        for step in self.steps:
            state = state.after(step)
        return state

    def result(self, pool: int | None = None) -> DealResult:
        """What is to be settled. Raises IllegalStep, and ValueError where the deal is not over."""
        return self.replayed().result(pool)


def deal_of(state: State) -> Deal:
    """The deal with the steps that led to this state."""
    table = state.table
    return Deal(table.rulebook, table.seating, table.hands, table.talon, state.steps)
