"""A rulebook's own words: the union says kruk where others say kodille, wherever it is said."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from scoring import get_rulebook, rulebooks
from scoring.notation import read_words, write_words
from scoring.referee import result_in_english
from scoring.referee.results import rule_on_result
from scoring.results import DealResult
from scoring.seats import Role, Seating
from tests.factories import first_table, make_tournament, report
from tournaments.domain.terms import loss_names, outcome_name
from tournaments.ledger.scoresheet import result_sentence, score_sheet
from tournaments.lifecycle.rules_text import rule_sheet
from tournaments.reporting.captain_state import table_state
from tournaments.reporting.script_text import page_words

ROOT = Path(settings.BASE_DIR)
KODILLE = re.compile(r"\bkodilles?\b", re.IGNORECASE)
LOST = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "kodille"}
# What is said by other rules alone: of a kodille that one player wins or that costs by the trick, of grands and pools,
# and at a table of five.
OF_OTHERS = {
    "kodille with {tricks} tricks",
    "Say who won the kodille, or how many tricks each took.",
    "The kodille was won by {seats}.",
    "There is no kodille here for which a single opponent is paid.",
    "The fewest tricks of declarer and partner that count as a remise; fewer are a kodille.",
    "Extra for a kodille in a grand",
    "Tokens added for a kodille in a grand or grandissimo, to each player.",
    "Won the kodille",
    "Kodille to",
    (
        "Seat, contract, trump, result, estuches: “{one} solo h won estuches 2”, “{one} entrada s kodille won by "
        "{other} estuches 1”."
    ),
    "Seat, contract, trump, result: “{one} entrada h won”, “{one} solo s kodille”.",
    "A kodille costs %(first)d, and %(more)d more for each trick after the second.",
    (
        "P is what is in the pool. The winner takes it, plus any other earnings from each opponent; losses "
        "go into the pool or, for a kodille, to its winner."
    ),
    "A kodille is paid only to its winner.",
    "kodille to %(name)s",
}


@cache
def texts() -> frozenset[str]:
    """Every text that is marked for translation."""
    sources = [path for folder in ("scoring", "tournaments") for path in (ROOT / folder).rglob("*.py")]
    calls = (
        node
        for path in sources
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args
    )
    marks = {"_", "gettext_noop", "gettext_lazy"}
    return frozenset(
        call.args[0].value
        for call in calls
        if call.func.id in marks and isinstance(call.args[0], ast.Constant)
    )


@pytest.fixture
def lost_table(club, alice):
    """A table of three by the union's rules, at which a solo was a kruk, told twice."""
    table = first_table(
        make_tournament(
            3, club=club, account=alice, rulebook="union", deals_at_three=6, tie_breaks=["fewest_kodilles"]
        )
    )
    report(table, 1, LOST)
    report(table, 1, LOST | {"trump": "D"}, base=1, reason="two phones")
    return table


def test_every_text_of_a_kodille_is_the_unions_own_or_is_never_said_by_its_rules():
    said = {text for text in texts() if KODILLE.search(text)}
    assert said == {*get_rulebook("union").wording, *OF_OTHERS}


@pytest.mark.parametrize("book", [book for book in rulebooks() if book.wording], ids=lambda book: book.id)
def test_a_rulebook_has_words_for_texts_that_there_are_and_that_can_be_translated(book):
    assert {*book.wording, *book.wording.values()} <= texts()
    for text, own in book.wording.items():
        assert set(re.findall(r"{\w+}", own)) == set(re.findall(r"{\w+}", text))


@pytest.mark.parametrize(
    ("rulebook", "outcome", "losses"),
    [
        ("union", "kruk", ("Bête", "Kruk")),
        ("rasle", "kodille", ("Bête", "Kodille")),
        ("crocodile", "kodille", ("Lost", "Lost dearly")),
    ],
)
def test_a_kodille_is_called_by(rulebook, outcome, losses):
    book = get_rulebook(rulebook)
    assert (outcome_name(book, "kodille"), loss_names(book)) == (outcome, losses)


def test_a_slips_line_is_written_with_the_unions_word_and_read_again():
    lost = DealResult(contract="solo", declarer=Role.MH, trump="H", outcome="kodille")
    dealt_by_a, union = Seating(4, 0), get_rulebook("union")
    assert write_words(lost, dealt_by_a, union) == "D solo h kruk"
    assert write_words(lost, dealt_by_a, get_rulebook("rasle")) == "D solo h kodille"
    assert read_words("D solo h kruk", dealt_by_a, union) == lost


def test_the_referee_says_it_on_the_command_line():
    union, lost = get_rulebook("union"), DealResult(
        contract="solo", declarer=Role.FH, trump="H", tricks=((Role.FH, 2), (Role.MH, 4), (Role.BH, 3))
    )  # fmt: skip
    lines = list(result_in_english(rule_on_result(union, Seating(4, 0), lost), union, Seating(4, 0), lost))
    assert lines[0] == "B plays Solo in hearts: kruk"
    assert "Fewer tricks than an opponent: kruk. (union §5.3)" in lines
    assert not [line for line in lines if KODILLE.search(line)]


def test_the_phone_is_told_it_with_the_table(lost_table):
    state = table_state(lost_table, now=lost_table.round.started_at)
    assert state["deals"][0]["text"] == "Solo ♦ · kruk"
    assert state["choices"]["names"]["kodille"] == "kruk"
    assert page_words(get_rulebook("union"))["said_kodille"] == "{name} was kruk in {contract}"
    assert page_words(get_rulebook("rasle"))["said_kodille"] == "{name} was kodille in {contract}"


def test_sheets_and_prices_say_it(lost_table):
    sheet = score_sheet(lost_table)
    assert sheet.lines[0].result == "kruk"
    assert result_sentence(sheet.rulebook, sheet.lines[0].report, sheet.names).endswith(
        "Solo in diamonds, kruk"
    )
    assert rule_sheet(sheet.rulebook).prices.columns == ("won", "bête", "kruk")


@pytest.mark.parametrize(
    ("page", "where"),
    [
        ("hall_table", "table"), ("hall_player", "player"), ("standings", "tournament"),
        ("hall_rules", "tournament"), ("desk_table", "table"), ("desk_slip", "table"), ("desk_deal", "deal"),
        ("desk_log", "tournament"), ("tournament_new", "nowhere"), ("captain", "secret"),
    ],
)  # fmt: skip
def test_no_page_of_the_unions_tournament_says_kodille(as_alice, lost_table, page, where):
    code = lost_table.round.tournament.code
    places = {
        "table": [code, 1, 1],
        "deal": [code, 1, 1, 1],
        "player": [code, lost_table.seats.get(position=1).entry.number],
        "tournament": [code],
        "secret": [lost_table.secret],
        "nowhere": [],
    }
    content = as_alice.get(reverse(page, args=places[where])).content.decode()
    read = re.sub(r"<(?:script|style).*?</(?:script|style)>|<[^>]*>", " ", content, flags=re.DOTALL)
    # What may be typed is told too, in every word that is understood.
    said = re.sub(r"kruk · kodille · k\b", "kruk", read)
    assert "kruk" in said.lower() or page in ("captain", "tournament_new")
    assert KODILLE.findall(said) == []


def test_what_the_phones_scripts_read_has_the_word_for_codes_alone(client, lost_table):
    content = client.get(reverse("captain", args=[lost_table.secret])).content.decode()
    for part in ("state", "words"):
        told = json.loads(re.search(rf'<script id="{part}"[^>]*>(.*?)</script>', content, re.DOTALL)[1])
        assert [text for text in strings(told) if KODILLE.search(text) and text != "kodille"] == []


def strings(value):
    if isinstance(value, dict):
        return [text for inner in value.values() for text in strings(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in strings(inner)]
    return [value] if isinstance(value, str) else []
