"""The referee about calls, what may be played and exchanged, and a trick."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils.http import urlencode

from tests.tournaments.hall.test_referee_page import ask, buttons, chips, text_of

pytestmark = pytest.mark.django_db


# calls


def test_the_first_call_offers_what_is_allowed_and_says_why_the_rest_is_not(client):
    response = ask(client, "calls")
    assert buttons(response) == ["pass", "simple_game", "solo", "pure_nolo", "nolo_ouvert"]
    said = text_of(response)
    assert "It is forehand’s turn to call. union §9.1" in said
    assert "Spade game is not the lowest bid still possible in its group. union §9.4" in said


def test_calls_go_on_to_the_end_by_tapping(client):
    response = ask(client, "calls")
    for code in ("simple_game", "spade_game", "self spade_game", "pass", "pass"):
        assert code in buttons(response)
        earlier = [("c", one) for one in response.context["codes"]]
        response = client.get(f"{reverse('referee', args=['calls'])}?{urlencode([*earlier, ('c', code)])}")
    assert buttons(response) == []
    said = text_of(response)
    assert "3. Forehand" not in said
    assert "The others have passed: forehand plays Spade game. union §9.1" in said
    assert "or say instead: Tourné, Simple nolo, Grand tourné. union §4.2" in said
    assert response.context["take_back"].count("c=") == 4


def test_a_call_that_is_not_allowed_is_refused_and_may_be_made_anew(client):
    response = ask(client, "calls", "c=solo&c=simple_game&c=pass")
    assert "Middlehand cannot call that: Game" in text_of(response)
    assert "Game does not outrank Solo. union §9.2" in text_of(response)
    assert response.context["codes"] == ["solo"]
    assert "pass" in buttons(response)


def test_calls_where_it_counts_who_holds_spadille(client):
    known = ask(client, "calls", "c=simple_game&c=solo&", rules="rasle", spadille="FH")
    assert "grand_tourne" not in buttons(known)
    assert ask(client, "calls", spadille="talon").status_code == 200
    assert "spadille" not in ask(client, "calls", rules="ombre_five").context["form"].fields


def test_what_is_no_call_is_said_and_the_calls_before_it_stand(client):
    response = ask(client, "calls", "c=solo&c=<b>bluff</b>&c=pass")
    assert response.context["form"].non_field_errors() == ["“<b>bluff</b>” is not a call."]
    assert response.context["codes"] == ["solo"]


def test_the_chosen_rules_stay_with_the_calls(client):
    response = ask(client, "calls", "rules=rasle&players=3&c=pass&c=tourne")
    assert response.context["take_back"] == "rules=rasle&players=3&c=pass"
    assert response.context["anew"] == "rules=rasle&players=3"


# before play


def test_what_may_be_played_and_exchanged(client):
    response = ask(client, "exchange", bid="simple_game", played="tourne", took0=3, took1=4)
    said = text_of(response)
    assert "Tourné may be played" in said
    assert "This exchange is allowed" in said
    assert "10 cards are left for them. union §4.3" in said
    assert "Grand tourné" in chips(response)


def test_what_may_not_be_played_or_exchanged(client):
    refused = text_of(ask(client, "exchange", bid="simple_game", played="solo"))
    assert "Solo may not be played" in refused
    assert "The winner of the auction with Game cannot play Solo. union §4.2" in refused
    too_few = text_of(ask(client, "exchange", played="tourne", took0=1))
    assert "This exchange is not allowed" in too_few
    assert "from 2 to 9 cards here, not 1. union §4.3" in too_few


# a trick


@pytest.mark.parametrize(
    ("trick", "allowed", "said"),
    [
        (
            {"mode": "C", "card0": "C2", "hand": ["SA", "HK"]},
            ["♠A", "♥K"],
            "♣2 does not compel ♠A. union §2.4",
        ),
        ({"mode": "C", "card0": "C2", "hand": ["CA", "HK"]}, ["♣A"], "a lower matador must follow it: ♣A."),
        (
            {"mode": "H", "card0": "DK", "hand": ["D2", "HK"]},
            ["♦2"],
            "anyone who has the suit must follow. union §10.2",
        ),
        ({"mode": "nolo", "card0": "CK", "hand": ["CA", "S2"]}, ["♣A"], "♣K is winning so far"),
        (
            {"mode": "S", "hand": ["CA", "S2"]},
            ["♠2", "♣A"],
            "The player who leads may play any card. union §10.1",
        ),
    ],
)
def test_which_cards_may_be_played(client, trick, allowed, said):
    response = ask(client, "trick", **trick)
    assert chips(response) == allowed
    assert said in text_of(response)


def test_who_wins_a_trick(client):
    cards = {"card0": "HK", "card1": "C3", "card2": "SA"}
    assert "♠A wins the trick" in text_of(ask(client, "trick", mode="C", **cards))
    nolo = {"mode": "nolo", "rules": "rasle"} | cards
    assert "♥K wins the trick" in text_of(ask(client, "trick", **nolo))
    assert "♥K is winning so far" in text_of(ask(client, "trick", fourth="on", **nolo))
    assert "♥K wins the trick" in text_of(ask(client, "trick", card3="H2", **nolo))


def test_a_fourth_card_is_asked_for_only_where_four_may_play(client):
    assert "Fourth card" in text_of(ask(client, "trick", rules="rasle"))
    assert "Fourth card" not in text_of(ask(client, "trick", rules="union"))


def test_cards_that_cannot_be_are_said(client):
    said = text_of(ask(client, "trick", mode="C", card0="HK", hand=["HK", "H2"]))
    assert "These cards are impossible ♥K is named twice." in said
    many = [f"{suit}{rank}" for suit in "SH" for rank in "KQJ76"]
    assert "A hand has 9 cards." in text_of(ask(client, "trick", hand=many))


def test_tapped_cards_stay_tapped(client):
    page = ask(client, "trick", hand=["HK"]).content.decode()
    assert re.findall(r'value="(\w+)" checked', page) == ["HK"]


# pairs


def test_the_public_page_may_be_asked_about_pairs(client):
    solo = {"contract": "solo", "declarer": "FH", "trump": "H", "outcome": "won"}
    asked = ask(client, "result", rules="rasle", pairs="on", **solo)
    said = text_of(asked)
    assert "has taken over the hand of middlehand, the declarer’s partner. rasle §1.5" in said
    assert "Together the declarer’s pair gets +4, the other pair −4. rasle §1.5" in said
    assert all("pairs=on" in address for _topic, _name, address in asked.context["topics"])
    alone = ask(client, "result", rules="rasle", **solo)
    assert "§1.5" not in text_of(alone)
    assert 'name="pairs"' in alone.content.decode()


def test_calls_and_exchanges_in_pairs_say_whose_hand_is_taken_over(client):
    calls = ask(client, "calls", "c=pass&c=solo&c=pass&", pairs="on")
    assert "takes over the hand of forehand, the declarer’s partner. union §1.5" in text_of(calls)
    assert calls.context["take_back"] == "pairs=on&c=pass&c=solo"
    taken = text_of(ask(client, "exchange", pairs="on", bid="simple_game", took0=3))
    assert "the hand of the declarer’s partner, unless the dealer declares. union §1.5" in taken


@pytest.mark.parametrize(("rules", "players"), [("crocodile", 3), ("renegado", 4), ("union", 3)])
def test_where_no_pairs_can_meet_they_are_not_asked_for(client, rules, players):
    page = ask(client, "calls", rules=rules, players=players, pairs="on")
    assert 'name="pairs"' not in page.content.decode()
    assert not page.context["rules"].in_pairs
