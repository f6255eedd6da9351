"""A bot decides by what its player knows: with the hidden cards dealt anew it does the same."""

from random import Random

import pytest

from scoring import get_rulebook
from scoring.bots import next_step
from scoring.family_rules import Shown
from scoring.game import Deal, Phase
from scoring.game.position import changed
from scoring.rulebooks import rulebooks
from scoring.seats import Seating


def with_hidden_cards_shuffled(state, random):
    """The same moment for the player to act, with what he has not seen in other places."""
    role, contract = state.to_act, state.contract
    shown = contract is not None and contract.shown is not Shown.NEVER and state.opening
    seen_hands = {role, state.declarer} if shown else {role}
    discards = state.discards
    lists = [list(cards) for who, cards in state.hands.items() if who not in seen_hands]
    lists += [list(cards) for who, cards in discards.items() if who is not role]
    lists.append(list(state.talon))
    pool = [card for cards in lists for card in cards]
    random.shuffle(pool)
    dealt = [tuple(pool.pop() for _card in cards) for cards in lists]
    hands = {who: cards if who in seen_hands else dealt.pop(0) for who, cards in state.hands.items()}
    laid = {who: cards if who is role else dealt.pop(0) for who, cards in discards.items()}
    return changed(state, hands=hands, discards=laid, talon=dealt.pop(0))


@pytest.mark.parametrize(
    ("rulebook", "players"), [(rulebook.id, max(rulebook.players)) for rulebook in rulebooks()]
)
def test_hidden_cards_change_nothing(rulebook, players):
    random = Random(3)
    for seed in range(12):
        state = Deal.dealt(get_rulebook(rulebook), Seating(players, 0), seed).start()
        while not state.over:
            step = next_step(state)
            # Cards that others discarded lie open in casco; in auctions who holds what decides who may pass.
            open_discards = state.contract is not None and state.contract.exchange.from_discards
            if state.phase is not Phase.AUCTION and not open_discards:
                assert next_step(with_hidden_cards_shuffled(state, random)) == step
            state = state.after(step)


@pytest.mark.parametrize("rulebook", ["union", "crocodile", "renegado", "ombre_two", "ombre_five"])
def test_the_first_call_depends_on_the_own_hand_alone(rulebook):
    rules, random = get_rulebook(rulebook), Random(4)
    players = max(rules.players)
    for seed in range(40):
        deal = Deal.dealt(rules, Seating(players, 0), seed)
        first, *others = deal.hands
        pool = [card for role in others for card in deal.hands[role]] + list(deal.talon)
        random.shuffle(pool)
        size = rules.pack.hand
        hands = {first: deal.hands[first]} | {
            role: tuple(pool[size * place : size * (place + 1)]) for place, role in enumerate(others)
        }
        again = Deal(rules, deal.seating, hands, tuple(pool[size * len(others) :]))
        assert next_step(again.start()) == next_step(deal.start())
