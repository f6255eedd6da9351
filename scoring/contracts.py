"""What a contract is: one row of a rulebook's table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from scoring.cards import SUITS, Kind
from scoring.procedure import Shown, Surrender, When
from scoring.seats import PLAYING, Role
from scoring.words import CONTRACT_NAMES

if TYPE_CHECKING:
    from collections.abc import Collection

    from scoring.exchange import ExchangeLimits


_FOURTH, _FOREHAND, _LAST = (Role.IDLE,), (Role.FH,), (Role.BH,)
FIRST_FIVE = 5


class Trumps(StrEnum):
    """Where the trump suit comes from."""

    CHOSEN = "chosen"
    TURNED = "turned"
    SPADES = "spades"
    NONE = "none"


# Rows of a table: two are the same only if they are the same row, and so they make cheap keys.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contract:
    """A contract. Prices are tokens from, or to, each player who settles with the declarer.

    A higher `rank` outranks a lower; `group` is where the rules sort contracts into groups. `kodille_extra`
    comes on top of the price, once or, with `extra_per_trick`, for every trick after the first. `wins_from`
    is the least number of tricks that wins where more than every defender's is not enough. `needs` names the
    options that must be on for the contract to be played at all, `unless` those that must be off. `by_fourth`: the
    fourth player takes the talon and declares; `by_forehand`: forehand alone may declare; `by_last`: the
    dealer alone, who speaks last. `fourth_joins`: he becomes a
    declarer of it too; `others_may_join`: who likes may; `all_join`: all who were dealt cards are declarers, and each
    pays for his tricks beyond `free_tricks`. `avoids_tricks`: a game that is won by taking no trick. `surrender`: what
    becomes of a deal that is given up during play. `counts_as`: the contract that it is where spadille is turned.
    `with_partner`: the holder of a king that the declarer calls plays with him. `when` it can be bid; `held`: with
    which cards in hand, one of these sets at least; `lacks`: without which; `pledges`: it is outbid by itself with more
    cards to exchange.
    `may_take_more`: the declarer may draw a card more than he discards, and then plays an open hand.
    `trump_after_exchange`: trumps are named when the declarer has exchanged; `or_sans`: he may play without.
    `shown`: when he lays his hand open. `bonus_bids`: what he may promise to win by.
    """

    id: str
    rank: int
    kind: Kind
    trumps: Trumps
    price: int
    kodille_extra: int
    exchange: ExchangeLimits
    group: str = ""
    may_become: tuple[str, ...] = ()
    may_be_abandoned: bool = False
    extra_per_trick: bool = False
    wins_from: int = 0
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    by_fourth: bool = False
    by_forehand: bool = False
    by_last: bool = False
    fourth_joins: bool = False
    others_may_join: bool = False
    may_repeat_exchange: bool = False
    may_have_aces: bool = False
    all_join: bool = False
    free_tricks: int = 0
    pledges: bool = False
    may_take_more: bool = False
    asks_about_spades: bool = False
    rare: bool = False
    avoids_tricks: bool = False
    surrender: Surrender = Surrender.NEVER
    when: When = When.AUCTION
    held: tuple[tuple[str, ...], ...] = ()
    lacks: tuple[str, ...] = ()
    trump_after_exchange: bool = False
    or_sans: bool = False
    shown: Shown = Shown.NEVER
    counts_as: str = ""
    with_partner: bool = False
    bonus_bids: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """English; translated by whoever shows it."""
        return CONTRACT_NAMES[self.id]

    def declarers_at(self, players: int) -> tuple[Role, ...]:
        """Who may declare at a table of so many."""
        if self.by_fourth:
            return _FOURTH
        if self.by_last:
            return _LAST
        return _FOREHAND if self.by_forehand else PLAYING[players]

    @property
    def is_game(self) -> bool:
        """Whether it is won with tricks: not a nolo, nor a contrabola, which has trumps and avoids tricks."""
        return self.kind is not Kind.NOLO and not self.avoids_tricks

    @property
    def suits(self) -> tuple[str, ...]:
        """The trump suits that a report must choose from; none where the contract itself says it all."""
        return SUITS if self.trumps in (Trumps.CHOSEN, Trumps.TURNED) else ()

    @property
    def bids_beyond_five(self) -> bool:
        """Whether it is won with more than five tricks only: then a lead to the sixth is no try for all of them."""
        return self.wins_from > FIRST_FIVE

    def is_held_by(self, hand: Collection[str]) -> bool:
        """Whether a hand has the cards that the contract asks for, and none that it may not have."""
        if not set(self.lacks).isdisjoint(hand):
            return False
        return not self.held or any(set(cards) <= set(hand) for cards in self.held)

    def may_be_defined_as(self, other: Contract) -> bool:
        """Whether a declarer who won the auction with this bid may play the other contract."""
        return other.id == self.id or other.id in self.may_become
