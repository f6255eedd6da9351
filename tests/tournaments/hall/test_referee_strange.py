"""Whatever is typed or tapped at the referee gets an answer, and runs nothing."""

from __future__ import annotations

import pytest
from django.test import RequestFactory

from scoring import rulebooks
from tests.tournaments.hall.test_referee_page import TOPICS, ask, text_of
from tournaments.hall.referee import ask as ask_directly

HUGE = "9" * 5000
pytestmark = pytest.mark.django_db
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
    assert response.context["rules"].errors == {"rules": ["There are no rules called “poker”."]}
    assert response.context["rulebook"].id == "union"
    response = ask(client, "calls", rules="rasle", players="7")
    assert response.context["rules"].errors == {
        "players": ["These rules are for tables of 3, 4, not of “7”."]
    }
    assert response.context["players"] == 4
    alone = ask(client, "calls", rules="ombre_five", players="4")
    assert "These rules are for tables of 5, not of “4”." in text_of(alone)
