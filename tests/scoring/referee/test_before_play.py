"""The referee on what is played and exchanged."""

from __future__ import annotations

import pytest

from scoring import get_rulebook, rulebooks
from scoring.referee import rule_on_calls, rule_on_definition, rule_on_exchange
from scoring.seats import PLAYING
from tests.scoring.referee.reading import book_of, cases, read_out


@pytest.mark.parametrize("case", cases("definition"))
def test_definitions(case):
    book, asked = book_of(case), case["situation"]
    bid = book.by_id.get(asked["final_bid"])
    if bid is None or asked["defined_as"] not in book.by_id:
        assert case["expected"] == {"legal": False}
        return
    ruling = rule_on_definition(book, case["players"], bid, asked["defined_as"])
    text = read_out(ruling, book)
    assert ruling.allowed is case["expected"]["legal"]
    assert text.startswith("not allowed: ") is not ruling.allowed


@pytest.mark.parametrize("case", cases("exchange"))
def test_exchanges(case):
    book, asked, players = book_of(case), case["situation"], case["players"]
    defenders = [asked.get(f"defender{n}", 0) for n in range(1, len(PLAYING[players]))]
    ruling = rule_on_exchange(
        book, players, book.by_id[asked["contract"]], asked.get("declarer", 0), defenders
    )
    read_out(ruling, book)
    assert ruling.allowed is case["expected"]["legal"]
    assert ruling.said


@pytest.mark.parametrize(
    ("book", "contract", "said"),
    [
        ("rasle", "solo", "In Solo the declarer exchanges no cards."),
        ("union", "tourne", "In Tourné the declarer exchanges from 2 to 9 cards."),
        ("crocodile", "casco", "In Casco the declarer exchanges this many cards: 13."),
        ("crocodile", "tournee_respect", "In Tournée respect the declarer exchanges this many cards: 1."),
    ],
)
def test_how_many_cards_the_declarer_exchanges(book, contract, said):
    rulebook = get_rulebook(book)
    assert said in read_out(rule_on_exchange(rulebook, 3, rulebook.by_id[contract], 0), rulebook)


def test_nobody_exchanges_more_cards_than_were_dealt():
    two = get_rulebook("ombre_two")
    allowed = [rule_on_exchange(two, 2, two.by_id["ombre"], 0, [taken]).allowed for taken in (8, 9)]
    assert allowed == [True, False]


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_every_rulebook_answers_the_first_call_every_exchange_and_every_definition(book):
    for players in book.players:
        ruling = rule_on_calls(book, players, [])
        assert any(choice.allowed for choice in ruling.choices)
        read_out(ruling, book)
        for contract in book.contracts_at(players):
            read_out(rule_on_exchange(book, players, contract, contract.exchange.least), book)
            read_out(rule_on_definition(book, players, contract), book)
