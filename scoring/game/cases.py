"""Answers to cases about auction, exchange, cards and seats; see `scoring.answers`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from scoring.cards import FULL_PACK, SUITS, TRUMPS, CardOrder, Kind, card_order, suit_order, trump_order
from scoring.game.auction import Auction, Status
from scoring.game.position import top_trumps
from scoring.game.steps import PLEDGE, Act, Holdings, IllegalStep, Step, known, legal_cards, trick_winner
from scoring.rulebook import exchange_problems
from scoring.seats import PLAYING, deals_each

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scoring.problems import Problem
    from scoring.rulebook import Contract, Rulebook
    from scoring.seats import Role

Situation = dict[str, Any]
Answer = dict[str, Any]

# The least number of top trumps that are called matadors.
_MATADORS_FROM = 4
_TALON = "TALON"
_CARD = re.compile(r"[SHDC][A2-7JQK]")


class CannotAnswer(ValueError):
    """A case that is invalid or of an unknown kind; the message says what is wrong."""


def answer_auction(situation: Situation, rulebook: Rulebook, players: int) -> Answer:
    """Replay an auction: its result, or whose turn it is with the legal calls, or the first illegal call."""
    calls = situation.get("calls")
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise CannotAnswer("calls is a list of objects, each with seat and call")
    auction = Auction.start(rulebook, players, _holdings(situation, rulebook))
    for index, call in enumerate(calls):
        step = _call(call, rulebook)
        try:
            auction = auction.closed_by(step) or auction.after(step)
        except IllegalStep as error:
            return {"status": "illegal", "call_index": index} | _reason(error.problem)
    return _outcome(auction, rulebook)


def _call(call: dict[str, Any], rulebook: Rulebook) -> Step:
    role, name, contract = _seat(call.get("seat"), rulebook), call.get("call"), call.get("contract")
    if not isinstance(name, str) or not (contract is None or isinstance(contract, str)):
        raise CannotAnswer("a call is pass, a contract, or self, perhaps with the contract that is named")
    if name == Act.PASS:
        return Step(role, Act.PASS)
    if name == Act.SELF:
        return Step(role, Act.SELF, contract)
    cards = _count(call, "cards")
    return Step(role, Act.BID, f"{name}{PLEDGE}{cards}" if cards else name)


def _outcome(auction: Auction, rulebook: Rulebook) -> Answer:
    if auction.status is Status.WASHOUT:
        return {"status": "washout", "next_dealer": rulebook.seat_name(PLAYING[auction.players][0])}
    if auction.declarer and auction.contract:
        declarer = rulebook.seat_name(auction.declarer)
        return {"status": "complete", "declarer": declarer, "contract": auction.contract.id}
    calls = [{"call": step.act.value, "contract": step.value} for step in auction.legal_calls()]
    return {"status": "open", "to_call": rulebook.seat_name(known(auction.to_call)), "legal_calls": calls}


def _holdings(situation: Situation, rulebook: Rulebook) -> Holdings:
    """Parse the known cards by seat, or in the talon, given as text or as a list."""
    holding = situation.get("holding") or {}
    if not isinstance(holding, dict):
        raise CannotAnswer("holding is an object: cards by seat, or by TALON")
    cards = {seat: frozenset(_cards_in(text)) for seat, text in holding.items()}
    elsewhere = cards.pop(_TALON, frozenset())
    return Holdings({_seat(seat, rulebook): held for seat, held in cards.items()}, elsewhere)


def _cards_in(value: object) -> list[str]:
    words: list[Any] = value if isinstance(value, list) else [value]
    if not all(isinstance(word, str) for word in words):
        raise CannotAnswer("cards are like SA")
    return _CARD.findall(" ".join(words))


def answer_definition(situation: Situation, rulebook: Rulebook, _players: int) -> Answer:
    """Whether a declarer who won the auction with one bid may play another contract, with this `hand` if given."""
    bid = _contract(situation, "final_bid", rulebook)
    played = _contract(situation, "defined_as", rulebook)
    hand = frozenset(_cards_in(situation["hand"])) if situation.get("hand") is not None else None
    legal = bid is not None and played is not None and bid.may_be_defined_as(played)
    return {"legal": legal and (hand is None or known(played).is_held_by(hand))}


def answer_exchange(situation: Situation, rulebook: Rulebook, players: int) -> Answer:
    """Whether the declarer, and then the defenders given, may exchange these numbers of cards."""
    contract = _contract(situation, "contract", rulebook)
    defenders = [f"defender{number}" for number in range(1, players)]
    counts = [_count(situation, name) for name in ("declarer", *defenders)]
    if contract is None:
        return {"legal": False}
    pack = rulebook.pack
    talon = pack.talon(len(PLAYING[players]))
    found = exchange_problems(
        contract.exchange,
        rulebook.id,
        counts[0],
        counts[1:],
        talon,
        pack.hand,
        others_join=contract.others_may_join,
    )
    return {"legal": not found} | (_reason(found[0]) if found else {})


def answer_card_order(situation: Situation, rulebook: Rulebook, _players: int) -> Answer:
    """The cards of a suit, or the trumps, from high to low."""
    kind, trump = _mode(situation)
    suit, ranking = situation.get("suit"), rulebook.pack.ranking
    if suit != TRUMPS and suit not in SUITS:
        raise CannotAnswer(f"suit is trumps, or one of {', '.join(SUITS)}")
    order = trump_order(kind, trump, ranking) if suit == TRUMPS else suit_order(suit, kind, trump, ranking)
    return {"high_to_low": [card for card in order if card in rulebook.pack.cards]}


def answer_legal_play(situation: Situation, rulebook: Rulebook, _players: int) -> Answer:
    """The cards of a hand that may be played to a trick."""
    trick, hand = (_cards(situation, field, rulebook.pack.cards) for field in ("trick_so_far", "hand"))
    if not set(trick).isdisjoint(hand):
        raise CannotAnswer("a card of the trick is no longer in the hand")
    literal = rulebook.house.literal_matador_privilege
    order = _order(situation, rulebook)
    return {"legal": legal_cards(order, trick[0] if trick else None, hand, literal=literal)}


def answer_trick_winner(situation: Situation, rulebook: Rulebook, _players: int) -> Answer:
    """The seat that wins a trick."""
    plays = situation.get("plays")
    if not isinstance(plays, list) or not plays or not all(isinstance(play, dict) for play in plays):
        raise CannotAnswer("plays is a list of objects, each with seat and card")
    seats = [play.get("seat") for play in plays]
    if not all(isinstance(seat, str) for seat in seats):
        raise CannotAnswer("a seat is named by its code, like FH")
    if len(set(seats)) < len(seats):
        raise CannotAnswer("plays names a seat twice")
    cards = _cards({"plays": [play.get("card") for play in plays]}, "plays", rulebook.pack.cards)
    return {"winner": seats[trick_winner(_order(situation, rulebook), cards)]}


def answer_estuches(situation: Situation, rulebook: Rulebook, _players: int) -> Answer:
    """The number of estuches: top trumps in sequence that a declarer holds, or plays without."""
    count, holds = _top_trumps(situation, rulebook)
    return {"count": count, "type": "with" if holds else "without"}


def answer_matador_count(situation: Situation, rulebook: Rulebook, _players: int) -> Answer:
    """The number of matadors that a player holds; without spadille they are faux-matadors."""
    count, holds = _top_trumps(situation, rulebook)
    if not holds:
        with_spadille = {**situation, "ombre_trumps": [*situation["ombre_trumps"], "SA"]}
        count = _top_trumps(with_spadille, rulebook)[0] - 1
    if count < _MATADORS_FROM:
        return {"count": count, "type": "none"}
    return {"count": count, "type": "matadors" if holds else "faux_matadors"}


def _top_trumps(situation: Situation, rulebook: Rulebook) -> tuple[int, bool]:
    trump, held = situation.get("trump"), _cards(situation, "ombre_trumps")
    if trump not in SUITS:
        raise CannotAnswer(f"trump is one of {', '.join(SUITS)}")
    return top_trumps(str(trump), held, rulebook.pack.ranking)


def _order(situation: Situation, rulebook: Rulebook) -> CardOrder:
    kind, trump = _mode(situation)
    return card_order(kind, trump, rulebook.pack.ranking)


def _mode(situation: Situation) -> tuple[Kind, str | None]:
    trump, mode = situation.get("trump"), situation.get("mode", Kind.TRUMP)
    if mode not in list(Kind):
        raise CannotAnswer(f"mode is one of {', '.join(Kind)}")
    kind = Kind(mode)
    if kind is not Kind.TRUMP:
        return kind, None
    if trump not in SUITS:
        raise CannotAnswer(f"trump is one of {', '.join(SUITS)}")
    return kind, str(trump)


def _cards(situation: Situation, field: str, pack: Sequence[str] = FULL_PACK) -> tuple[str, ...]:
    cards = situation.get(field, [])
    if not isinstance(cards, list) or not all(isinstance(card, str) and card in pack for card in cards):
        raise CannotAnswer(f"{field} is a list of cards of the pack, like SA")
    if len(set(cards)) < len(cards):
        raise CannotAnswer(f"{field} names a card twice")
    return tuple(cards)


def answer_seating(situation: Situation, rulebook: Rulebook, players: int) -> Answer:
    """The roles at a table and the next dealer; or deals for each player, a legal length, the size of the talon."""
    if "deals_in_round" in situation:
        each = deals_each(_count(situation, "deals_in_round"), players)
        if each is None:
            raise CannotAnswer(f"these deals do not come out even at a table of {players}")
        return {"deals_dealt_by_each": each[0], "sit_outs_each": each[1]}
    if "deals" in situation:
        deals = _count(situation, "deals")
        return {"legal_game_length": deals > 0 and deals_each(deals, players) is not None}
    if "hands" in situation:
        return _talon(situation, rulebook, players)
    return _roles(situation, rulebook, players)


def _talon(situation: Situation, rulebook: Rulebook, players: int) -> Answer:
    pack = rulebook.pack
    if _count(situation, "hands") != pack.hand:
        raise CannotAnswer(f"hands have {pack.hand} cards")
    named = _count(situation, "players") or players
    if named not in rulebook.players:
        raise CannotAnswer(f"{rulebook.id} is played at tables of {rulebook.players}")
    return {"talon": pack.talon(len(PLAYING[named]))}


def _roles(situation: Situation, rulebook: Rulebook, players: int) -> Answer:
    """The roles of seats listed clockwise (`compass`, `seats_cw`) or counter-clockwise (`seats_ccw`)."""
    listed = situation.get("compass", situation.get("seats_cw"))
    clockwise = listed is not None
    names = listed if clockwise else situation.get("seats_ccw")
    seats = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    if (
        not isinstance(seats, list)
        or not all(isinstance(name, str) for name in seats)
        or len(set(seats)) != len(seats)
        or len(seats) != players
    ):
        raise CannotAnswer(f"say who sits where: {players} different names, clockwise as compass")
    dealer = situation.get("dealer")
    if not isinstance(dealer, str) or dealer not in seats:
        raise CannotAnswer("say which of the seats is the dealer's")
    if clockwise is not (rulebook.direction == "clockwise"):
        seats = seats[::-1]
    seating = rulebook.seating(players, seats.index(dealer))
    forehand = seats[seating.forehand]
    roles = {rulebook.seat_name(role): seats[position] for role, position in seating.positions.items()}
    return roles | {"trick1_leader": forehand, "next_dealer": forehand}


def _seat(name: object, rulebook: Rulebook) -> Role:
    if not isinstance(name, str) or name not in rulebook.roles_by_name:
        raise CannotAnswer("a seat is named by its code, like FH")
    return rulebook.roles_by_name[name]


def _contract(situation: Situation, field: str, rulebook: Rulebook) -> Contract | None:
    """The contract, or None for one that the options switch off."""
    name = situation.get(field)
    if not isinstance(name, str) or name not in rulebook.known_contracts:
        raise CannotAnswer(f"{field} is one of {', '.join(sorted(rulebook.known_contracts))}")
    return rulebook.by_id.get(name)


def _count(situation: Situation, field: str) -> int:
    count = situation.get(field, 0)
    if type(count) is not int or count < 0:
        raise CannotAnswer(f"{field} is a whole number, nought or more")
    return count


def _reason(problem: Problem) -> Answer:
    return {"code": problem.code, "paragraph": problem.paragraph}


CASES: dict[str, Callable[[Situation, Rulebook, int], Answer]] = {
    "auction": answer_auction,
    "definition": answer_definition,
    "exchange": answer_exchange,
    "card_order": answer_card_order,
    "legal_play": answer_legal_play,
    "trick_winner": answer_trick_winner,
    "seating": answer_seating,
    "estuches": answer_estuches,
    "matador_count": answer_matador_count,
}
