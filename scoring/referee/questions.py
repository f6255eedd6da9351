"""Questions to the referee as one line of text: calls, a trick, an exchange, or what may be played.

calls: game, tourné, self              by whose turn it is; or with seats: FH game, MH tourné
trick h: HK S5 / SA C2 H3              trumps (or nolo, grand): the cards played / a hand
trick mort h: HK S5 H4 / SA C2 H3      a contract in which the fourth player plays too, and its trumps
exchange solo: 0 4 4                   cards that the declarer and then each defender takes
define game: tourné / SA H3            the bid that won the auction: what is to be played / with which hand
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from scoring import vocabulary
from scoring.cards import FULL_PACK, Kind
from scoring.game.auction import Auction
from scoring.game.steps import PLEDGE, Act, Step
from scoring.referee.calls import rule_on_calls, rule_on_definition, rule_on_exchange
from scoring.referee.tricks import Trick, four_may_play, fourth_plays, rule_on_trick
from scoring.seats import PLAYING, WITH_FOURTH
from scoring.vocabulary import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scoring.game.steps import Holdings
    from scoring.referee.rulings import Ruling
    from scoring.rulebook import Contract, Rulebook
    from scoring.seats import Role

_QUESTION = re.compile(r"\s*(calls|trick|exchange|define)\b\s*([^:]*):?(.*)", re.IGNORECASE | re.DOTALL)
_PASSES = frozenset(map(fold, vocabulary.PASSED))
_EQUALS = frozenset(("self", "selv", "i forhand"))
_LONGEST = 60

# A call as given: the role (None: the one whose turn it is), the act, and the contract.
Call = tuple["Role | None", Act, str | None]


class UnreadableQuestion(ValueError):
    """A line that is not a valid question; the message says what is wrong."""


class _Question(NamedTuple):
    """A question: the texts before and after the colon, and the table."""

    about: str
    rest: str
    rulebook: Rulebook
    players: int
    in_pairs: bool


def is_question(text: str) -> bool:
    """Whether a line is a question, and not a report."""
    return _QUESTION.match(text) is not None


def answer_question(text: str, rulebook: Rulebook, players: int, *, in_pairs: bool = False) -> Ruling:
    """Parse a question and rule on it; `in_pairs` as in Seating. Raises UnreadableQuestion."""
    found = _QUESTION.match(text)
    if found is None:
        raise UnreadableQuestion("begin with calls, trick, exchange or define")
    about, rest = found[2].strip(), found[3].strip()
    return _KINDS[found[1].lower()](_Question(about, rest, rulebook, players, in_pairs))


def calls_in_turn(
    rulebook: Rulebook, players: int, calls: Iterable[Call], holdings: Holdings | None = None
) -> tuple[Step, ...]:
    """The calls as steps, up to the first illegal one; a call without a role is by the player whose turn it is."""
    steps: list[Step] = []
    auction = Auction.start(rulebook, players, holdings)
    for role, act, contract in calls:
        # After all have passed, the player of the forced contract may still name it.
        falls_to = auction.declarer if auction.bid is None else None
        step = Step(role or auction.to_call or falls_to or PLAYING[players][0], act, contract)
        steps.append(step)
        closed = auction.closed_by(step)
        if closed is None and auction.problem_of(step):
            break
        auction = closed or auction.after(step)
    return tuple(steps)


def _calls(question: _Question) -> Ruling:
    """Rule on calls, given after the colon, or without a colon after the word."""
    rulebook, players = question.rulebook, question.players
    texts = [words for words in (question.rest or question.about).split(",") if words.strip()]
    calls = calls_in_turn(rulebook, players, [call_of(words, rulebook) for words in texts])
    return rule_on_calls(rulebook, players, calls, in_pairs=question.in_pairs)


def call_of(words: str, rulebook: Rulebook) -> Call:
    """Parse a call: `pass`, a contract, `self`, or `self` with the contract, optionally preceded by the seat.

    A number after a contract is the number of cards that it pledges to exchange. Raises UnreadableQuestion.
    """
    seat, _blank, rest = words.strip().partition(" ")
    role = rulebook.roles_by_name.get(seat.upper())
    folded = fold((rest if role else words).strip())
    if folded in _PASSES:
        return role, Act.PASS, None
    for equal in _EQUALS:
        if folded == equal:
            return role, Act.SELF, None
        if folded.startswith(f"{equal} "):
            return role, Act.SELF, contract_of(folded.removeprefix(f"{equal} "), rulebook)
    words, _blank, cards = folded.rpartition(" ")
    if words and cards.isascii() and cards.isdigit():
        return role, Act.BID, f"{contract_of(words, rulebook)}{PLEDGE}{cards}"
    return role, Act.BID, contract_of(folded, rulebook)


def contract_of(words: str, rulebook: Rulebook) -> str:
    """The id of the contract with this name, preferring the rulebook's. Raises UnreadableQuestion."""
    folded = fold(words.strip())
    for ids in (rulebook.by_id, vocabulary.CONTRACTS):
        for contract in ids:
            if folded in (fold(contract), *map(fold, vocabulary.CONTRACTS.get(contract, ()))):
                return contract
    raise UnreadableQuestion(f"“{words.strip()[:_LONGEST]}” is no call and no contract")


def _trick(question: _Question) -> Ruling:
    """Rule on a trick."""
    contract, words = _with_fourth(question)
    kind, trump = (contract.kind, None) if contract and not words else _mode(words)
    before, _slash, after = question.rest.partition("/")
    played, hand = _cards(before), _cards(after)
    hands = len(PLAYING[question.players])
    # If four players are possible, a fourth card shows that four play.
    if contract or (len(played) > hands and four_may_play(question.rulebook, question.players, kind)):
        hands = question.players
    return rule_on_trick(question.rulebook, Trick(kind, trump, played, hand, hands))


def _with_fourth(question: _Question) -> tuple[Contract | None, str]:
    """The contract at the start of the question if the fourth player plays in it, and the words after it."""
    words = question.about.split()
    rows = question.rulebook.contracts_at(question.players) if question.players in WITH_FOURTH else ()
    for row in filter(fourth_plays, rows):
        names = {fold(row.id), *map(fold, vocabulary.CONTRACTS.get(row.id, ()))}
        for length in range(len(words), 0, -1):
            rest = " ".join(words[length:])
            # “nolo” alone can mean every nolo.
            if fold(" ".join(words[:length])) in names - {Kind.NOLO.value} and (
                rest or row.kind is Kind.NOLO
            ):
                return row, rest
    return None, question.about


def _mode(words: str) -> tuple[Kind, str | None]:
    """Parse the kind of contract and the trump suit."""
    folded = fold(words)
    if folded in (Kind.NOLO, Kind.GRAND):
        return Kind(folded), None
    for suit, phrases in vocabulary.SUITS.items():
        if folded in map(fold, phrases):
            return Kind.TRUMP, suit
    raise UnreadableQuestion(
        "say behind “trick” what is trumps, or nolo or grand; then a colon and the cards"
    )


def _cards(text: str) -> tuple[str, ...]:
    cards = tuple(text.upper().replace(",", " ").split())
    for card in cards:
        if card not in FULL_PACK:
            raise UnreadableQuestion(f"“{card[:_LONGEST]}” is no card: cards are like SA and H7")
    return cards


def _exchange(question: _Question) -> Ruling:
    """Rule on an exchange."""
    counts = question.rest.replace(",", " ").split()
    if not counts or not all(count.isascii() and count.isdigit() and len(count) < _MANY for count in counts):
        raise UnreadableQuestion("say behind the colon how many cards are taken: exchange game: 4 3 2")
    most = len(PLAYING[question.players])
    if len(counts) > most:
        raise UnreadableQuestion(f"{most} players exchange at this table")
    declarer, *defenders = map(int, counts)
    contract = _in_force(question.about, question.rulebook)
    return rule_on_exchange(
        question.rulebook, question.players, contract, declarer, defenders, in_pairs=question.in_pairs
    )


def _define(question: _Question) -> Ruling:
    """Rule on the contract that is played on a bid."""
    bid = _in_force(question.about, question.rulebook)
    words, _slash, cards = question.rest.partition("/")
    played = contract_of(words, question.rulebook) if words.strip() else None
    hand = _cards(cards) or None
    return rule_on_definition(question.rulebook, question.players, bid, played, hand)


def _in_force(words: str, rulebook: Rulebook) -> Contract:
    """The contract with this name. Raises UnreadableQuestion if the options switch it off."""
    contract = rulebook.by_id.get(contract_of(words, rulebook))
    if contract is None:
        raise UnreadableQuestion(f"“{words.strip()[:_LONGEST]}” is not played by these rules")
    return contract


_MANY = 4
_KINDS: dict[str, Callable[[_Question], Ruling]] = {
    "calls": _calls,
    "trick": _trick,
    "exchange": _exchange,
    "define": _define,
}
