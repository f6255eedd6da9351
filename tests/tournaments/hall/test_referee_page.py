"""The referee in the hall: a question in the address, the answer on the page with the paragraph linked."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils.http import urlencode

from scoring import rulebooks
from scoring.seats import Seating
from tests.factories import first_table, make_tournament, report
from tests.languages import LANGUAGES
from tests.pages import words
from tournaments.hall.referee import why_address
from tournaments.models import ClubRules

TOPICS = ("result", "calls", "exchange", "trick")


def ask(client, topic, query="", **params):
    address = f"{reverse('referee', args=[topic])}?{query}{urlencode(params, doseq=True)}"
    response = client.get(address)
    assert response.status_code == 200
    return response


def text_of(response):
    """What is read on the page."""
    page = response.content.decode()
    return words(page[page.index("<main") : page.index("</main>")])


def chips(response):
    """What is shown as allowed."""
    found = re.findall(r'<li class="may[^"]*">(.*?)</li>', response.content.decode())
    return [unescape(re.sub(r"<small>.*", "", chip)).strip() for chip in found]


def buttons(response):
    """The calls that can be tapped."""
    return re.findall(r'<button name="c" value="([^"]*)"', response.content.decode())


pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", LANGUAGES)
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
