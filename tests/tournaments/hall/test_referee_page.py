"""The referee in the hall: a question in the address, the answer on the page with the paragraph linked."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import RequestFactory
from django.urls import reverse
from django.utils.http import urlencode

from scoring import rulebooks
from scoring.seats import Seating
from tests.factories import first_table, make_tournament, report
from tournaments.hall.referee import ask as ask_directly
from tournaments.hall.referee_said import why_address
from tournaments.models import ClubRules

TOPICS = ("result", "calls", "exchange", "trick")
HUGE = "9" * 5000


def ask(client, topic, query="", **params):
    address = f"{reverse('referee', args=[topic])}?{query}{urlencode(params, doseq=True)}"
    response = client.get(address)
    assert response.status_code == 200
    return response


def text_of(response):
    """What is read on the page."""
    page = response.content.decode()
    plain = re.sub(r"<[^>]+>", " ", page[page.index("<main") : page.index("</main>")])
    return " ".join(unescape(plain).split())


def chips(response):
    """What is shown as allowed."""
    found = re.findall(r'<li class="may[^"]*">(.*?)</li>', response.content.decode())
    return [unescape(re.sub(r"<small>.*", "", chip)).strip() for chip in found]


def buttons(response):
    """The calls that can be tapped."""
    return re.findall(r'<button name="c" value="([^"]*)"', response.content.decode())


pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "da"])
@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_opens_for_every_rulebook(client, topic, language):
    client.cookies["django_language"] = language
    for book in rulebooks():
        page = ask(client, topic, rules=book.id).content.decode()
        assert f'<html lang="{language}">' in page
        assert 'class="field-error"' not in page
        assert 'class="wrong"' not in page


def test_the_first_page_asks_for_a_result(client):
    assert client.get(reverse("referee_home")).context["topic"] == "result"


def test_a_topic_that_there_is_not_is_not_found(client, club):
    assert client.get(reverse("referee", args=["weather"])).status_code == 404
    assert client.get(reverse("hall_referee", args=["NONE", "calls"])).status_code == 404


def test_a_clubs_own_rules_may_be_asked(client, club):
    own = ClubRules.objects.create(club=club, name="Dear solos", rulebook="union", options={"price_solo": 4})
    ClubRules.objects.create(club=club, name="Of old", rulebook="union", options={"no_longer": 7})
    solo = {"contract": "solo", "declarer": "FH", "trump": "H", "outcome": "won", "players": 3}
    response = ask(client, "result", rules=own.choice, **solo)
    said = text_of(response)
    assert f"{club}: Dear solos" in said
    assert "Of old" not in said
    assert response.context["settled"].tokens[0][1] == 8
    assert "own-" in response.context["topics"][1][2]


def test_a_tournaments_referee_answers_by_its_own_rules(client, club):
    tournament = make_tournament(4, club=club, rulebook="rasle", options={"idle_settles": False})
    hall = client.get(tournament.get_absolute_url()).content.decode()
    address = reverse("hall_referee", args=[tournament.code, "result"])
    assert address in hall
    response = client.get(f"{address}?contract=solo&declarer=FH&outcome=won&rules=union")
    said = text_of(response)
    assert "The player who sits out neither pays nor receives. rasle §6.1" in said
    assert f"The rules in force at {tournament.name}" in said
    assert 'name="rules"' not in response.content.decode()


def test_a_result_on_a_tables_sheet_leads_to_the_reason_for_it(client, club):
    tournament = make_tournament(4, club=club, rulebook="rasle", options={"one_four_four": "bete"})
    table = first_table(tournament)
    report(
        table, 1, {"contract": "simple_game", "declarer": 3, "trump": "C", "tricks": {"3": 1, "0": 4, "1": 4}}
    )
    report(table, 2, {"all_passed": True})
    sheet = client.get(reverse("hall_table", args=[tournament.code, 1, table.number])).content.decode()
    why, passed = dict.fromkeys(re.findall(r'<a href="([^"]*line=[^"]*)"', sheet))
    assert "pass" in passed
    said = text_of(client.get(unescape(why)))
    assert "Middlehand, Game in clubs: bête" in said
    assert "One trick against four and four: bête. rasle §5.5" in said


def test_a_deal_that_was_ruled_by_hand_or_taken_back_has_no_reason_by_the_rules():
    book = rulebooks()[0]
    for told in (None, {}, {"ruled": [0, 0, 0, 0]}, {"contract": "solo"}, {"declarer": 9}):
        assert why_address("CODE", book, Seating(4, 0), told) == ""


# results


def test_a_result_is_settled_with_who_pays_whom_and_why(client):
    response = ask(client, "result", contract="solo", declarer="FH", trump="H", outcome="won")
    said = text_of(response)
    assert "Forehand, Solo in hearts: won" in said
    assert "More tricks than each opponent: won. union §5.3" in said
    assert "Middlehand pays forehand 3 : Solo won union §6.2" in said
    assert "Forehand +6 Middlehand −3 Backhand −3 The fourth player 0" in said
    assert f'href="{reverse("rules_text", args=["union"])}#p6.2"' in response.content.decode()


def test_a_result_by_its_tricks(client):
    tricks = {"tricks_FH": 4, "tricks_MH": 4, "tricks_BH": 1}
    said = text_of(ask(client, "result", contract="simple_game", declarer="FH", trump="C", **tricks))
    assert "Forehand took 4 of 9 tricks. union §5.1" in said
    assert "As many tricks as the best opponent: bête. union §5.3" in said


def test_a_result_in_one_line(client):
    response = ask(client, "result", line="B nolo 2 join C 1", rules="rasle")
    assert "Forehand, Simple nolo: kodille" in text_of(response)
    wrong = ask(client, "result", line="B nolo x")
    assert wrong.context["form"].errors["line"] == ["“x” at column 8 is not understood."]
    assert 'value="B nolo x"' in wrong.content.decode()


def test_what_is_impossible_is_said_at_its_field_with_the_paragraph(client):
    response = ask(
        client, "result", contract="nolo_ouvert", declarer="FH", tout="won", trump="H", outcome="won"
    )
    assert set(response.context["form"].errors) == {"tout", "trump"}
    assert "There is no tout in Nolo ouvert. union §5.6" in text_of(response)
    none = ask(client, "result", ask="1")
    assert none.context["form"].errors == {"contract": ["Say which contract was played, or that all passed."]}
    tricks = ask(client, "result", contract="solo", declarer="MH", tricks_MH=9, tricks_FH=5)
    assert "tricks_MH" in tricks.context["form"].errors


def test_what_is_rare_is_asked_back(client):
    said = text_of(ask(client, "result", contract="nolo_ouvert", declarer="FH", outcome="won"))
    assert "Nolo ouvert is rare. Is that right? union §3.1" in said


def test_a_wash_out_costs_nothing(client):
    said = text_of(ask(client, "result", contract="all_passed"))
    assert "All passed Everybody has passed: the deal is a wash-out. union §4.1" in said


def test_points_of_the_declarers_alone_come_from_nowhere(client):
    won = text_of(ask(client, "result", rules="crocodile", contract="solo", declarer="FH", outcome="won"))
    assert "Eldest scores 4 : Solo won crocodile §6.2" in won
    lost = text_of(
        ask(client, "result", rules="crocodile", contract="solo", declarer="FH", outcome="simple_remis")
    )
    assert "Eldest loses 4" in lost


def test_a_pool_pays_and_takes_and_the_dealer_lays_down_the_ante(client):
    said = text_of(
        ask(
            client, "result", rules="renegado", contract="entrada", declarer="FH", outcome="won",
            trump="C", pool=12, estuches=1,
        )
    )  # fmt: skip
    assert "The pool pays forehand 12" in said
    assert "Backhand pays the pool" in said


def test_the_vole_of_the_first_lesson_is_asked_for_and_paid_five_times(client):
    response = ask(
        client, "result", rules="ombre_intro", contract="ombre", declarer="FH", trump="C", tout="won"
    )
    assert response.context["form"]["tout"].label == "Vole"
    assert "Middlehand pays forehand 5" in text_of(response)


# calls


def test_the_first_call_offers_what_is_allowed_and_says_why_the_rest_is_not(client):
    response = ask(client, "calls")
    assert buttons(response) == ["pass", "simple_game", "solo", "pure_nolo", "nolo_ouvert"]
    said = text_of(response)
    assert "It is forehand's turn to call. union §9.1" in said
    assert "Spade game is not the lowest bid of its group that is still possible. union §9.4" in said


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
    assert response.context["form"].non_field_errors() == ["“<b>bluff</b>” is no call."]
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
    assert "Who won the auction with Game cannot play Solo. union §4.2" in refused
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
            "who has any must follow suit. union §10.2",
        ),
        ({"mode": "nolo", "card0": "CK", "hand": ["CA", "S2"]}, ["♣A"], "♣K is winning so far"),
        ({"mode": "S", "hand": ["CA", "S2"]}, ["♠2", "♣A"], "Who leads may play any card. union §10.1"),
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
    assert "These cards cannot be ♥K is named twice." in said
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
    assert "has taken over the hand of middlehand, the declarer's partner. rasle §1.5" in said
    assert "Together the declarer's pair has +4, the other pair −4. rasle §1.5" in said
    assert all("pairs=on" in address for _topic, _name, address in asked.context["topics"])
    alone = ask(client, "result", rules="rasle", **solo)
    assert "§1.5" not in text_of(alone)
    assert 'name="pairs"' in alone.content.decode()


def test_calls_and_exchanges_in_pairs_say_whose_hand_is_taken_over(client):
    calls = ask(client, "calls", "c=pass&c=solo&c=pass&", pairs="on")
    assert "takes over the hand of forehand, the declarer's partner. union §1.5" in text_of(calls)
    assert calls.context["take_back"] == "pairs=on&c=pass&c=solo"
    taken = text_of(ask(client, "exchange", pairs="on", bid="simple_game", took0=3))
    assert "the hand of the declarer's partner, unless the dealer declares. union §1.5" in taken


@pytest.mark.parametrize(("rules", "players"), [("crocodile", 3), ("renegado", 4), ("union", 3)])
def test_where_no_pairs_can_meet_they_are_not_asked_for(client, rules, players):
    page = ask(client, "calls", rules=rules, players=players, pairs="on")
    assert 'name="pairs"' not in page.content.decode()
    assert not page.context["rules"].in_pairs


# strange input


STRANGE = ("", " ", "x", "-1", "999", HUGE, "None", "💥" * 50, "<script>", "\x00", "SA", "FH", "won", "²")
USUAL = {
    "result": {"contract": "solo", "declarer": "FH", "outcome": "won"},
    "calls": {"c": "solo"},
    "exchange": {"bid": "simple_game", "took0": "3"},
    "trick": {"card0": "HK", "hand": "SA"},
}


def answered(topic, book, players, **params):
    """What a page would show, without drawing it."""
    return ask_directly(topic, RequestFactory().get("/", params).GET, book, players)


@pytest.mark.slow
@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
@pytest.mark.parametrize("topic", TOPICS)
def test_strange_input_in_every_field_gets_an_answer(topic, book):
    for players in book.players:
        for name in (*answered(topic, book, players)["form"].fields, "ask"):
            for value in STRANGE:
                told = USUAL[topic] | {name: [value, value]}
                assert "form" in answered(topic, book, players, **told), (name, value)


@pytest.mark.parametrize("topic", TOPICS)
def test_strange_input_is_shown_as_it_was_typed_and_runs_nothing(client, topic):
    rules = {"rules": "renegado" if topic == "result" else "rasle"}
    for name in (*ask(client, topic, **rules).context["form"].fields, "rules", "players"):
        strange = [f"<script>💥\x00{HUGE}"] * 2
        page = ask(client, topic, **(USUAL[topic] | rules | {name: strange})).content.decode()
        assert "<script>" not in page.split("<main", 1)[1].split("</main>", 1)[0], name


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_whatever_is_chosen_of_a_rulebooks_fields_gets_an_answer(book):
    """Every contract with every declarer and outcome, and every rare field with one of them."""
    for players in book.players:
        form = answered("result", book, players)["form"]
        options = {
            name: [value for value, _label in field.choices if value]
            for name, field in form.fields.items()
            if hasattr(field, "choices")
        }
        usual = {name: options[name][0] for name in ("contract", "declarer", "outcome")}
        for contract in options["contract"]:
            for declarer in options["declarer"]:
                for outcome in options["outcome"]:
                    told = {"contract": contract, "declarer": declarer, "outcome": outcome}
                    assert answered("result", book, players, **told)["settled"]
        for field in form.rare:
            for value in options.get(field.name, ["0", "1", "on"]):
                assert answered("result", book, players, **usual, **{field.name: value})["form"]


def test_rules_and_tables_that_there_are_not_are_said_at_their_field(client):
    response = ask(client, "calls", rules="poker", players="3")
    assert response.context["rules"].errors == {"rules": ["There are no such rules: “poker”."]}
    assert response.context["rulebook"].id == "union"
    response = ask(client, "calls", rules="rasle", players="7")
    assert response.context["rules"].errors == {
        "players": ["These rules are for tables of 3, 4, not of “7”."]
    }
    assert response.context["players"] == 4
    alone = ask(client, "calls", rules="ombre_five", players="4")
    assert "These rules are for tables of 5, not of “4”." in text_of(alone)


# Danish


def test_the_referee_speaks_danish(client):
    client.cookies["django_language"] = "da"
    trick = text_of(ask(client, "trick", mode="C", card0="C2", hand=["SA", "HK", "CQ"]))
    assert "♣D" in trick
    assert "♣2 does not" not in trick
    assert "must follow" not in trick
    calls = text_of(ask(client, "calls", "c=solo&c=simple_game"))
    assert "cannot call" not in calls
    assert "union §9.2" in calls
    assert client.get(reverse("referee_home")).content.decode().count("Dommer") >= 2
