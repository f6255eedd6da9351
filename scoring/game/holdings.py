"""What is known of who holds which cards: enough to say who may bid what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoring.cards import SUITS
from scoring.seats import PLAYING, Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.contracts import Contract

_KINGS = frozenset(f"{suit}K" for suit in SUITS)


@dataclass(frozen=True, slots=True)
class Holdings:
    """What is known of who holds which cards: all that counts of the hands in `held`, nothing of others."""

    held: Mapping[Role, frozenset[str]] = field(default_factory=dict)
    elsewhere: frozenset[str] = frozenset()

    def may_hold(self, role: Role, card: str) -> bool:
        """Whether this player holds the card, as far as one can know."""
        if role in self.held:
            return card in self.held[role]
        return card not in self.elsewhere and not any(card in hand for hand in self.held.values())

    def holder(self, card: str) -> Role | None:
        return next((role for role, hand in self.held.items() if card in hand), None)

    def tell_of(self, card: str, players: int) -> bool:
        """Whether one knows who holds the card, or that nobody does."""
        return (
            card in self.elsewhere
            or any(card in hand for hand in self.held.values())
            or (len(self.held) == len(PLAYING[players]))
        )

    def allow(self, role: Role, contract: Contract) -> bool:
        """Whether this player can hold what the contract asks for; a king that is called is another's."""
        # Who takes the talon has what nobody was dealt.
        if role is Role.IDLE and self.held and any(not self.holder(card) for card in contract.lacks):
            return False
        if contract.with_partner and self.held.get(role, frozenset()) >= _KINGS:
            return False
        return not contract.held or any(
            all(self.may_hold(role, card) for card in cards) for cards in contract.held
        )


NOTHING_KNOWN = Holdings()
