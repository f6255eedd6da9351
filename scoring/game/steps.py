"""What a player does in a deal, step by step, and what can be wrong with a step."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.problems import CATALOGUE as REPORTS
from scoring.problems import Problem
from scoring.words import _

if TYPE_CHECKING:
    from scoring.seats import Role


class Act(StrEnum):
    """What is done. The value of a step is a contract, a suit, a card or cards, as the act needs."""

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
    ONE_MORE = "one_more"  # card is drawn than is discarded, for an open hand
    TAKE_OVER = "take_over"  # a contract that was given up
    NO = "no"  # none of the above
    ANNOUNCE = "announce"  # `tout` or `first_five`
    GIVE_UP = "give_up"
    PLAY = "play"  # a card
    STOP = "stop"  # by the declarer: the outcome is clear

    __hash__ = str.__hash__


SANS = "sans"
Value = str | tuple[str, ...] | None


class Step(NamedTuple):
    """One thing that one player does."""

    role: Role
    act: Act
    value: Value = None


PLEDGE = "+"


def bid_of(value: Value) -> tuple[str, int]:
    """The contract of a bid, and how many cards it pledges to exchange, 0 where it does not say: `simple_nolo+3`."""
    contract, plus, cards = str(value).partition(PLEDGE)
    if plus and not (cards.isascii() and cards.isdigit() and len(cards) == 1):
        return str(value), 0
    return contract, int(cards or 0)


class IllegalStep(ValueError):  # noqa: N818 - the engine's errors are named for what is wrong
    """A step that the rules forbid: `problem` says why, `index` (from 0) which of a deal's steps it is."""

    def __init__(self, problem: Problem, step: Step, index: int = 0) -> None:
        super().__init__(f"step {index + 1}, {step.role} {step.act}: {problem.code} ({problem.paragraph})")
        self.problem = problem
        self.step = step
        self.index = index


class _Row(NamedTuple):
    paragraph: str
    text: str


CATALOGUE = {
    # whose turn it is
    "call_out_of_turn": _Row("9.1", _("It is {turn}'s turn to call, not {seat}'s.")),
    "auction_over": _Row("9.1", _("The auction is over.")),
    "step_out_of_turn": _Row("4.3", _("It is {turn}'s turn, not {seat}'s.")),
    "step_not_now": _Row("4.3", _("This cannot be done now.")),
    "card_out_of_turn": _Row("10.1", _("It is {turn}'s turn to play, not {seat}'s.")),
    "play_not_now": _Row("10.1", _("This cannot be done in play.")),
    "deal_over": _Row("5.1", _("The deal is over.")),
    # the auction
    "call_unknown": _Row("9.1", _("A player passes, bids or equals the last bid.")),
    "bid_too_low": _Row("9.2", _("{contract} does not outrank {bid}.")),
    "bid_not_lowest": _Row("9.4", _("{contract} is not the lowest bid of its group that is still possible.")),
    "pledge_too_low": _Row("9.2", _("{contract} is outbid only with more than {cards} cards to exchange.")),
    "pledge_not_here": _Row(
        "9.2", _("{contract} is bid without a number of cards, or with one from {least} to {most}.")
    ),
    "bid_not_now": _Row("9.6", _("{contract} cannot be bid now.")),
    "bid_needs_cards": _Row("3.8", _("{contract} is bid only with the cards in hand that it asks for.")),
    "no_king_to_call": _Row("3.1", _("Who holds all four kings has none to call: {contract} cannot be bid.")),
    "self_without_bid": _Row("9.3", _("There is no bid yet that could be equalled.")),
    "self_without_right": _Row("9.3", _("{seat} must outrank {bid}; only others may equal it.")),
    "self_other_rank": _Row("9.3", _("{contract} is not equal to {bid}.")),
    "pass_holding_spadille": _Row(
        "9.5", _("Who holds spadille must bid as long as nobody has bid; {seat} cannot pass.")
    ),
    "pass_last": _Row("9.5", _("The others have passed; {seat} must bid.")),
    # what is played
    "definition_not_allowed": _Row("4.2", _("Who won the auction with {bid} cannot play {contract}.")),
    "definition_needs_cards": _Row(
        "3.8", _("{contract} is played only with the cards in hand that it asks for.")
    ),
    "trump_not_allowed": _Row("3.3", _("This cannot be trumps in {contract}.")),
    "king_not_allowed": _Row("3.2", _("Call a king that is not in your own hand.")),
    "promise_not_allowed": _Row("5.8", _("This cannot be promised in {contract}.")),
    # exchange
    "cards_not_held": _Row("4.3", _("{seat} cannot discard cards that are not in hand.")),
    "cards_not_own": _Row("4.3", _("{seat} discards only of the cards that were dealt.")),
    "cards_number": _Row("4.3", _("From {least} to {most} cards can be discarded here, not {taken}.")),
    # play
    "card_not_held": _Row("10.1", _("{seat} does not hold this card.")),
    "must_follow": _Row("10.2", _("{seat} must follow suit.")),
    "must_follow_trump": _Row("2.4", _("Trumps were led, and {seat} must play one.")),
    "announced_not_allowed": _Row("5.6", _("This cannot be announced now.")),
    "give_up_not_allowed": _Row("4.5", _("{contract} cannot be given up.")),
    "give_up_too_late": _Row("4.5", _("It is too late to give up.")),
    "stop_not_declarer": _Row(
        "5.2", _("Play is stopped by the declarer, {declarer}, who lays the cards open; not by {seat}.")
    ),
    "stop_undecided": _Row("5.2", _("Play cannot stop: the outcome is not clear yet.")),
}


def wrong(code: str, rulebook: str, field: str = "step", **params: Any) -> Problem:
    """The problem of this code, with its text and the rulebook's paragraph."""
    row = CATALOGUE.get(code) or REPORTS[code]
    return Problem(code, field, f"{rulebook} §{row.paragraph}", row.text, params)
