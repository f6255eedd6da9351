"""Steps of a deal, the problems of a step, and the rules of a single trick."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scoring.cards import SUITS, TRUMPS, Cards
from scoring.problems import REPORT_PROBLEMS, Problem
from scoring.seats import PLAYING, Role, order_around
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.cards import CardOrder
    from scoring.rulebook import Contract


_KINGS = frozenset(f"{suit}K" for suit in SUITS)


@dataclass(frozen=True, slots=True)
class Holdings:
    """Knowledge of the hands: `held` has complete hands, `elsewhere` cards that no player holds."""

    held: Mapping[Role, frozenset[str]] = field(default_factory=dict)
    elsewhere: frozenset[str] = frozenset()

    def may_hold(self, role: Role, card: str) -> bool:
        """Whether this player can hold the card, given what is known."""
        if role in self.held:
            return card in self.held[role]
        return card not in self.elsewhere and not any(card in hand for hand in self.held.values())

    def holder(self, card: str) -> Role | None:
        """The player known to hold the card; None if there is none."""
        return next((role for role, hand in self.held.items() if card in hand), None)

    def is_located(self, card: str, players: int) -> bool:
        """Whether the place of the card is known: a hand, or no hand."""
        return (
            card in self.elsewhere
            or any(card in hand for hand in self.held.values())
            or (len(self.held) == len(PLAYING[players]))
        )

    def allow(self, role: Role, contract: Contract) -> bool:
        """Whether this player can hold the cards that the contract requires, and lack a king to call."""
        # The fourth player takes the talon, with all cards that were not dealt.
        if role is Role.IDLE and self.held and any(not self.holder(card) for card in contract.lacks):
            return False
        if contract.with_partner and self.held.get(role, frozenset()) >= _KINGS:
            return False
        return not contract.held or any(
            all(self.may_hold(role, card) for card in cards) for cards in contract.held
        )


NOTHING_KNOWN = Holdings()


class Act(StrEnum):
    """The kind of a step. The comments say what the value of the step is, if it has one."""

    PASS = "pass"  # noqa: S105 - a call
    BID = "bid"  # a contract, perhaps with how many cards it pledges to exchange
    SELF = "self"  # equals the last bid: its contract, or an equal one where that may be named
    DEFINE = "define"  # the contract that is played
    TRUMP = "trump"  # a suit, or `sans`
    KING = "king"  # the king whose holder is called as partner
    PROMISE = "promise"  # a bonus bid
    EXCHANGE = "exchange"  # the cards discarded; as many are drawn
    LAY_OFF = "lay_off"  # cards that are too many
    OFFER = "offer"  # the right to exchange first
    ACCEPT = "accept"  # that right, or a surrender
    JOIN = "join"  # a nolo, as a declarer
    ONE_MORE = "one_more"  # draws one card more than discarded, for an open hand
    TAKE_OVER = "take_over"  # a contract that was given up
    NO = "no"  # declines the question of a turn
    ANNOUNCE = "announce"  # `tout` or `first_five`
    GIVE_UP = "give_up"
    PLAY = "play"  # a card
    STOP = "stop"  # by the declarer: the outcome is clear

    __hash__ = str.__hash__


SANS = "sans"
Value = str | tuple[str, ...] | None


class Step(NamedTuple):
    """One action of one player."""

    role: Role
    act: Act
    value: Value = None


PLEDGE = "+"


def bid_of(value: Value) -> tuple[str, int]:
    """Parse a bid like `simple_nolo+3`: the contract, and the number of cards pledged to exchange (0 if none)."""
    contract, plus, cards = str(value).partition(PLEDGE)
    if plus and not (cards.isascii() and cards.isdigit() and len(cards) == 1):
        return str(value), 0
    return contract, int(cards or 0)


class IllegalStep(ValueError):
    """A step that the rules forbid, with its problem; `index` is its index (from 0) in the steps of the deal."""

    def __init__(self, problem: Problem, step: Step, index: int = 0) -> None:
        super().__init__(f"step {index + 1}, {step.role} {step.act}: {problem.code} ({problem.paragraph})")
        self.problem = problem
        self.step = step
        self.index = index


class _Row(NamedTuple):
    paragraph: str
    text: str


STEP_PROBLEMS = {
    # whose turn it is
    "call_out_of_turn": _Row("9.1", _("It is {turn}’s turn to call, not {seat}’s.")),
    "auction_over": _Row("9.1", _("The auction is over.")),
    "step_out_of_turn": _Row("4.3", _("It is {turn}’s turn, not {seat}’s.")),
    "step_not_now": _Row("4.3", _("This cannot be done now.")),
    "card_out_of_turn": _Row("10.1", _("It is {turn}’s turn to play, not {seat}’s.")),
    "play_not_now": _Row("10.1", _("This cannot be done in play.")),
    "deal_over": _Row("5.1", _("The deal is over.")),
    # the auction
    "call_unknown": _Row("9.1", _("A player may pass, bid or equal the last bid.")),
    "bid_too_low": _Row("9.2", _("{contract} does not outrank {bid}.")),
    "bid_not_lowest": _Row("9.4", _("{contract} is not the lowest bid still possible in its group.")),
    "pledge_too_low": _Row(
        "9.2", _("{contract} can only be outbid with more than {cards} cards to exchange.")
    ),
    "pledge_not_here": _Row(
        "9.2", _("{contract} is bid without a number of cards, or with a number from {least} to {most}.")
    ),
    "bid_not_now": _Row("9.6", _("{contract} cannot be bid now.")),
    "bid_needs_cards": _Row("3.8", _("{contract} may only be bid with the required cards in hand.")),
    "no_king_to_call": _Row(
        "3.1", _("A player holding all four kings has none to call: {contract} cannot be bid.")
    ),
    "self_without_bid": _Row("9.3", _("There is no bid yet to equal.")),
    "self_without_right": _Row("9.3", _("{seat} must outrank {bid}; only the others may equal it.")),
    "self_other_rank": _Row("9.3", _("{contract} is not equal to {bid}.")),
    "pass_holding_spadille": _Row(
        "9.5", _("The holder of spadille must bid while nobody else has: {seat} cannot pass.")
    ),
    "pass_last": _Row("9.5", _("The others have passed; {seat} must bid.")),
    # what is played
    "definition_not_allowed": _Row("4.2", _("The winner of the auction with {bid} cannot play {contract}.")),
    "definition_needs_cards": _Row(
        "3.8", _("{contract} may only be played with the required cards in hand.")
    ),
    "trump_not_allowed": _Row("3.3", _("This suit cannot be trumps in {contract}.")),
    "king_not_allowed": _Row("3.2", _("Call a king that is not in your own hand.")),
    "promise_not_allowed": _Row("5.8", _("This cannot be promised in {contract}.")),
    # exchange
    "cards_not_held": _Row("4.3", _("{seat} cannot discard cards not in hand.")),
    "cards_not_own": _Row("4.3", _("{seat} may only discard cards that were dealt.")),
    "cards_number": _Row("4.3", _("From {least} to {most} cards can be discarded here, not {taken}.")),
    # play
    "card_not_held": _Row("10.1", _("{seat} does not hold this card.")),
    "must_follow": _Row("10.2", _("{seat} must follow suit.")),
    "must_follow_trump": _Row("2.4", _("Trumps were led, and {seat} must play one.")),
    "announced_not_allowed": _Row("5.6", _("This cannot be announced now.")),
    "give_up_not_allowed": _Row("4.5", _("{contract} cannot be given up.")),
    "give_up_too_late": _Row("4.5", _("It is too late to give up.")),
    "stop_not_declarer": _Row(
        "5.2", _("Only the declarer, {declarer}, can stop play by laying the cards open; {seat} cannot.")
    ),
    "stop_undecided": _Row("5.2", _("Play cannot stop yet: the outcome is not clear.")),
}


def wrong(code: str, rulebook: str, field: str = "step", **params: Any) -> Problem:
    """The problem of a step or report with this code, at this field, with the rulebook's paragraph."""
    row = STEP_PROBLEMS.get(code) or REPORT_PROBLEMS[code]
    return Problem(code, field, f"{rulebook} §{row.paragraph}", row.text, params)


# (role, card) in order of play.
Trick = tuple[tuple[Role, str], ...]


def legal_cards(order: CardOrder, led: str | None, hand: Cards, *, literal: bool = False) -> Cards:
    """The cards of a hand that may be played; `led` is the first card of the trick, None to lead.

    `literal` is the strict reading of the matadors' privilege: see `must_play_trump`.
    """
    if led is None:
        return hand
    suit_of = order.suit
    suit = suit_of[led]
    following = tuple(card for card in hand if suit_of[card] == suit)
    if not following or (suit == TRUMPS and not must_play_trump(order, led, following, literal=literal)):
        return hand
    return following


def must_play_trump(order: CardOrder, led: str, trumps: Cards, *, literal: bool) -> bool:
    """Whether a hand with these trumps must play one of them to a trump that was led.

    A matador need not be played unless a higher matador was led. Read literally, it need not be played either
    while another trump is in hand, were that a matador too.
    """
    matadors = order.matadors
    if any(card not in matadors for card in trumps):
        return True
    if literal and len(trumps) > 1:
        return False
    # A card that beats a matador is a higher matador.
    strength = order.strength
    return any(strength[card] < strength[led] for card in trumps)


def trick_winner(order: CardOrder, cards: Sequence[str]) -> int:
    """The index of the winning card, given the cards in the order in which they were played."""
    suit_of, strength = order.suit, order.strength
    best = 0
    for index in range(1, len(cards)):
        card = cards[index]
        if suit_of[card] in (TRUMPS, suit_of[cards[best]]) and strength[card] > strength[cards[best]]:
            best = index
    return best


_Known = TypeVar("_Known")


def known(value: _Known | None) -> _Known:
    """Narrow an optional contract, declarer or turn to a value. Raises LookupError for None."""
    if value is None:
        raise LookupError("this is not known yet")
    return value


@cache
def order_of_play(players: int, fourth_plays: bool, *, dealer_out: bool = False) -> tuple[Role, ...]:
    """The roles that play cards, forehand first."""
    playing = (*PLAYING[players], Role.IDLE) if fourth_plays else PLAYING[players]
    return tuple(role for role in order_around(players, dealer_out=dealer_out) if role in playing)


class Ask(StrEnum):
    """The question of a turn between auction and play, or after a surrender."""

    DEFINE = "define"
    TRUMP = "trump"
    KING = "king"
    PROMISE = "promise"
    EXCHANGE = "exchange"
    REPEAT = "repeat"
    LAY_OFF = "lay_off"
    OFFER = "offer"
    ANSWER = "answer"
    JOIN = "join"
    ONE_MORE = "one_more"
    TAKE_OVER = "take_over"
    SURRENDER = "surrender"

    __hash__ = str.__hash__


class Turn(NamedTuple):
    """A question to one player, pending in a deal."""

    role: Role
    ask: Ask


DEFINING = frozenset((Ask.DEFINE, Ask.TRUMP, Ask.KING, Ask.PROMISE))
