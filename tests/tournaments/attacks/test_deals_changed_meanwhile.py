"""A deal that a captain changes while the desk types it: both are shown, and a yes is to what was shown."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from tests.factories import first_table, make_tournament, report
from tests.tournaments.attacks.test_changed_meanwhile import fields
from tournaments.ledger import Author
from tournaments.models import Table

pytestmark = pytest.mark.databases


@pytest.fixture
def short_table(club, alice) -> Table:
    return first_table(make_tournament(4, club=club, account=alice, deals_per_round=4))


def address(table: Table, name: str, *more: int) -> str:
    return reverse(name, args=[table.round.tournament.code, 1, 1, *more])


GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.mark.parametrize(
    ("name", "typed", "mine"),
    [
        ("desk_deal", {"line": "B game h bete"}, "Game in hearts, bête"),
        (
            "desk_ruling",
            {"tokens_0": "3", "tokens_1": "-3", "tokens_2": "0", "tokens_3": "0"},
            "ruling, by the organiser",
        ),
        ("desk_take_back", {}, "undone"),
    ],
)
def test_a_deal_that_was_changed_meanwhile_stands_beside_what_was_typed(
    as_alice, short_table, alice, name, typed, mine
):
    report(short_table, 1, GAME)
    page = as_alice.get(address(short_table, name, 1)).content.decode()
    opened = fields(page, "base") | typed | {"reason": "the paper says so"}
    report(short_table, 1, {"all_passed": True}, base=1, reason="typed wrong", author=Author("desk", alice))

    said = as_alice.post(address(short_table, name, 1), opened).content.decode()
    beside = re.search(r'<table class="both-versions">.*?</table>', said, re.DOTALL)[0]
    assert "all passed" in beside.lower()
    assert mine.lower() in beside.lower()
    assert "typed wrong" in beside
    assert short_table.dealt.get(number=1).current.revision == 2
    again = fields(said, "base")
    assert again["key"] != opened["key"]
    assert {field: again.get(field, "") for field in typed} == typed
    assert as_alice.post(address(short_table, name, 1), again).status_code == 302
    assert short_table.dealt.get(number=1).current.revision == 3


def test_while_it_is_typed_the_desk_is_told_too(as_alice, short_table):
    report(short_table, 1, GAME)
    opened = fields(as_alice.get(address(short_table, "desk_deal", 1)).content.decode(), "base")
    report(short_table, 1, {"all_passed": True}, base=1, reason="typed wrong")
    said = as_alice.post(
        address(short_table, "desk_deal", 1), opened | {"line": "B game h bete", "check": "1"}
    )
    effect = said.content.decode().split('id="effect"')[1]
    assert "This deal was changed while you were typing." in effect
    assert fields(said.content.decode(), "base")["base"] == "1"


def test_a_yes_at_the_desk_is_to_the_tokens_on_its_page(as_alice, short_table):
    for deal in range(1, 5):
        report(short_table, deal)
    page = as_alice.get(address(short_table, "desk_table")).content.decode()
    report(short_table, 1, GAME, base=1, reason="typed wrong")
    everybody = re.search(r"/agree/\".*?</form>", page, re.DOTALL)[0]
    seen = {"tokens": re.findall(r'name="tokens" value="(-?\d+)"', everybody)}
    assert seen == {"tokens": ["0", "0", "0", "0"]}
    for button, sent in (("desk_agree_all", seen), ("desk_agree", {"tokens": ["0"], "agreed": "yes"})):
        more = [] if button == "desk_agree_all" else [1]
        said = as_alice.post(address(short_table, button, *more), sent, follow=True).content.decode()
        assert "The sheet has changed in the meantime. Check it again." in said
    assert not short_table.seats.exclude(agreed_at=None).exists()
    as_alice.post(address(short_table, "desk_agree_all"), {"tokens": ["-1", "2", "0", "-1"]})
    assert not short_table.seats.filter(agreed_at=None).exists()
