"""Whole deals before the referee: refused at the first step that is not allowed, else played on or settled."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring import get_rulebook, rulebooks
from scoring.bots import play_deal
from scoring.game import Act, Deal, Phase, Step, deal_of, read_deal
from scoring.referee import deal_in_english, rule_on_deal
from scoring.seats import Role, Seating
from tests.scoring.referee.reading import place_of

UNION = get_rulebook("union")
AT_FOUR = Seating(4, 0)
# Forehand D5 SA C2 DK DQ S7 C7 C6 H5, middlehand C4 D2 …: see `scoring.game.deal`.
TEXT = """union 4 dealer 0
FH D5 SA C2 DK DQ S7 C7 C6 H5 | MH H4 CA SJ S4 S5 D6 HJ C4 D2 | BH S2 D3 HA C3 SK H3 HQ CK C5 | \
talon SQ H7 S6 D7 HK S3 D4 H6 DJ H2 DA CJ CQ
FH bid solo, MH pass, BH pass
FH define solo, FH trump D, MH exchange, BH exchange"""
BEGUN = read_deal(TEXT)
BY_DEFINITION = replace(BEGUN, steps=(*BEGUN.steps[:3],))


def ruled(deal):
    return list(deal_in_english(rule_on_deal(deal)))


def after(*steps, deal=BEGUN):
    return replace(deal, steps=(*deal.steps, *steps))


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_what_bots_played_is_settled(book):
    for players in book.players:
        for seed in range(4):
            state = play_deal(book, Seating(players, 0), seed)
            ruling = rule_on_deal(deal_of(state))
            assert (ruling.problems, ruling.refused) == ((), None)
            assert ruling.settled.problems == ()
            assert [line for line in deal_in_english(ruling) if line.startswith("tokens: ")]


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_a_deal_is_refused_at_the_first_step_that_is_not_allowed(book):
    players = max(book.players)
    whole = deal_of(play_deal(book, Seating(players, 0), 3))
    for place in range(len(whole.steps)):
        spoiled = Step(whole.steps[place].role, Act.PLAY, "no card")
        deal = replace(whole, steps=(*whole.steps[:place], spoiled, *whole.steps[place:]))
        ruling = rule_on_deal(deal)
        assert (ruling.index, ruling.refused) == (place, spoiled)
        assert not ruling.allowed
        assert all(place_of(said.paragraph) for said in (*ruling.problems, *ruling.explanations))


def test_a_step_after_the_end_is_refused():
    whole = deal_of(play_deal(UNION, AT_FOUR, 3))
    lines = ruled(after(Step(Role.FH, Act.PASS), deal=whole))
    assert lines == [
        f"step {len(whole.steps) + 1}, FH pass:",
        "not allowed: The deal is over. (union §5.1)",
        "The deal is over. (union §5.1)",
    ]


def test_whose_turn_it_is_and_what_may_be_done():
    assert ruled(Deal.dealt(UNION, AT_FOUR, 1))[0] == "It is forehand’s turn to call. (union §9.1)"
    assert ruled(BY_DEFINITION) == ["It is forehand’s turn to say what is played. (union §4.2)"]
    exchange = replace(BEGUN, steps=BEGUN.steps[:5])
    assert ruled(exchange) == ["It is middlehand’s turn: from 0 to 9 cards are to be discarded. (union §4.3)"]
    assert ruled(BEGUN)[0] == "It is forehand’s turn to play a card. (union §10.1)"


def test_every_card_that_may_not_be_played_has_its_reason():
    led = after(Step(Role.FH, Act.PLAY, "DK"))
    lines = ruled(led)
    assert lines[:2] == ["It is middlehand’s turn to play a card. (union §10.1)", "allowed: ♣A, ♦6, ♦2"]
    assert "not ♥4: Trumps were led, and middlehand must play one. (union §2.4)" in lines
    refused = ruled(after(Step(Role.MH, Act.PLAY, "H4"), deal=led))
    assert refused[:2] == [
        f"step {len(led.steps) + 1}, MH H4:",
        "not allowed: Trumps were led, and middlehand must play one. (union §2.4)",
    ]


def test_a_phase_without_a_number_of_cards_says_whose_turn_it_is():
    book = get_rulebook("crocodile")
    deal = Deal.dealt(book, Seating(3, 0), 5)
    calls = (Step(Role.FH, Act.BID, "play"), Step(Role.MH, Act.PASS), Step(Role.BH, Act.PASS))
    state = replace(deal, steps=calls).replay()
    while state.phase is not Phase.PLAY:
        ruling = rule_on_deal(deal_of(state))
        assert ruling.explanations[0].params["seat"] is state.to_act
        state = state.after(next(state.legal_steps()))


def test_in_pairs_a_deal_that_goes_on_says_whose_hand_is_taken_over():
    pairs = replace(BEGUN, seating=Seating(4, 0, in_pairs=True))
    taken = "The player sitting out takes over the hand of middlehand, the declarer’s partner. (union §1.5)"
    assert taken in ruled(pairs)
    assert taken not in ruled(BEGUN)
    assert taken not in ruled(replace(pairs, steps=()))
