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

# A call as it was heard: whose it was (None: whose turn it was), what was done, and with which contract.
Call = tuple["Role | None", Act, str | None]


class UnreadableQuestion(ValueError):  # noqa: N818 - the engine's errors are named for what is wrong
    """A line that asks nothing the referee knows; the message says where it stumbled."""


class _Question(NamedTuple):
    """What stands before and behind the colon, and the table that it is about."""

    about: str
    rest: str
    rulebook: Rulebook
    players: int
    in_pairs: bool


def is_question(text: str) -> bool:
    """Whether a line asks about the game rather than telling a result."""
    return _QUESTION.match(text) is not None


def answer_question(text: str, rulebook: Rulebook, players: int, *, in_pairs: bool = False) -> Ruling:
    """The ruling on a question; `in_pairs` as in Seating. Raises UnreadableQuestion."""
    found = _QUESTION.match(text)
    if found is None:
        raise UnreadableQuestion("begin with calls, trick, exchange or define")
    about, rest = found[2].strip(), found[3].strip()
    return _KINDS[found[1].lower()](_Question(about, rest, rulebook, players, in_pairs))


def calls_in_turn(
    rulebook: Rulebook, players: int, calls: Iterable[Call], holdings: Holdings | None = None
) -> tuple[Step, ...]:
    """The calls, each by whose turn it is unless its seat is named, up to the first that is not allowed."""
    steps: list[Step] = []
    auction = Auction.start(rulebook, players, holdings)
    for role, act, contract in calls:
        # A contract that falls to somebody when all pass may still be named.
        falls_to = auction.declarer if auction.bid is None else None
        step = Step(role or auction.to_call or falls_to or PLAYING[players][0], act, contract)
        steps.append(step)
        closed = auction.closed_by(step)
        if closed is None and auction.problem_of(step):
            break
        auction = closed or auction.after(step)
    return tuple(steps)


def _calls(asked: _Question) -> Ruling:
    """Calls stand behind the colon, or without one right behind the word."""
    rulebook, players = asked.rulebook, asked.players
    said = [words for words in (asked.rest or asked.about).split(",") if words.strip()]
    calls = calls_in_turn(rulebook, players, [call_of(words, rulebook) for words in said])
    return rule_on_calls(rulebook, players, calls, in_pairs=asked.in_pairs)


def call_of(words: str, rulebook: Rulebook) -> Call:
    """A call as it is said: `pass`, a contract, `self`, or `self` with the contract; perhaps with the seat before it.

    A number behind a contract is that of the cards that it pledges to exchange.

    Raises UnreadableQuestion.
    """
    seat, _blank, rest = words.strip().partition(" ")
    role = rulebook.roles_by_name.get(seat.upper())
    said = fold((rest if role else words).strip())
    if said in _PASSES:
        return role, Act.PASS, None
    for equal in _EQUALS:
        if said == equal:
            return role, Act.SELF, None
        if said.startswith(f"{equal} "):
            return role, Act.SELF, contract_of(said.removeprefix(f"{equal} "), rulebook)
    words, _blank, cards = said.rpartition(" ")
    if words and cards.isascii() and cards.isdigit():
        return role, Act.BID, f"{contract_of(words, rulebook)}{PLEDGE}{cards}"
    return role, Act.BID, contract_of(said, rulebook)


def contract_of(words: str, rulebook: Rulebook) -> str:
    """The id of the contract that is called so, the rulebook's own first. Raises UnreadableQuestion."""
    said = fold(words.strip())
    for ids in (rulebook.by_id, vocabulary.CONTRACTS):
        for contract in ids:
            if said in (fold(contract), *map(fold, vocabulary.CONTRACTS.get(contract, ()))):
                return contract
    raise UnreadableQuestion(f"“{words.strip()[:_LONGEST]}” is no call and no contract")


def _trick(asked: _Question) -> Ruling:
    contract, words = _with_fourth(asked)
    kind, trump = (contract.kind, None) if contract and not words else _mode(words)
    before, _slash, after = asked.rest.partition("/")
    played, hand = _cards(before), _cards(after)
    hands = len(PLAYING[asked.players])
    # Where four may play, a fourth card shows that they do.
    if contract or (len(played) > hands and four_may_play(asked.rulebook, asked.players, kind)):
        hands = asked.players
    return rule_on_trick(asked.rulebook, Trick(kind, trump, played, hand, hands))


def _with_fourth(asked: _Question) -> tuple[Contract | None, str]:
    """The contract that the question begins with, if the fourth player plays in it; and the words behind it."""
    words = asked.about.split()
    rows = asked.rulebook.contracts_at(asked.players) if asked.players in WITH_FOURTH else ()
    for row in filter(fourth_plays, rows):
        names = {fold(row.id), *map(fold, vocabulary.CONTRACTS.get(row.id, ()))}
        for length in range(len(words), 0, -1):
            rest = " ".join(words[length:])
            # “nolo” alone may be any nolo.
            if fold(" ".join(words[:length])) in names - {Kind.NOLO.value} and (
                rest or row.kind is Kind.NOLO
            ):
                return row, rest
    return None, asked.about


def _mode(words: str) -> tuple[Kind, str | None]:
    said = fold(words)
    if said in (Kind.NOLO, Kind.GRAND):
        return Kind(said), None
    for suit, phrases in vocabulary.SUITS.items():
        if said in map(fold, phrases):
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


def _exchange(asked: _Question) -> Ruling:
    counts = asked.rest.replace(",", " ").split()
    if not counts or not all(count.isascii() and count.isdigit() and len(count) < _MANY for count in counts):
        raise UnreadableQuestion("say behind the colon how many cards are taken: exchange game: 4 3 2")
    most = len(PLAYING[asked.players])
    if len(counts) > most:
        raise UnreadableQuestion(f"{most} players exchange at this table")
    declarer, *defenders = map(int, counts)
    contract = _in_force(asked.about, asked.rulebook)
    return rule_on_exchange(
        asked.rulebook, asked.players, contract, declarer, defenders, in_pairs=asked.in_pairs
    )


def _define(asked: _Question) -> Ruling:
    bid = _in_force(asked.about, asked.rulebook)
    words, _slash, cards = asked.rest.partition("/")
    played = contract_of(words, asked.rulebook) if words.strip() else None
    hand = _cards(cards) or None
    return rule_on_definition(asked.rulebook, asked.players, bid, played, hand)


def _in_force(words: str, rulebook: Rulebook) -> Contract:
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
