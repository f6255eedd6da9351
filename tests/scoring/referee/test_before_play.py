"""The referee on what is played and exchanged."""

from __future__ import annotations

import pytest

from scoring import get_rulebook, rulebooks
from scoring.referee import answer_question, rule_on_calls, rule_on_definition, rule_on_exchange
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
    assert ruling.explanations


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


@pytest.mark.parametrize(
    ("options", "players", "taken", "allowed", "said"),
    [
        ({"joint_simple_nolo": True}, 3, [3, 4, 0], True, "joins exchanges like the declarer, in turn; 10 cards"),
        ({"joint_simple_nolo": True}, 3, [3, 9, 1], True, "Other defenders do not exchange. (rasle §7.4)"),
        ({"joint_simple_nolo": True}, 3, [3, 9, 2], False, "not allowed: 2 cards cannot be exchanged: 1 are left"),
        ({}, 3, [3, 4, 0], False, "not allowed: The defenders do not exchange cards here."),
        ({}, 4, [3], True, "The fourth player, who joins, takes all 13 cards that nobody has and discards 4 of them."),
        ({"joint_simple_nolo": True, "nolo_defenders_exchange": True}, 3, [3, 4, 6], True, "10 cards are left for"),
    ],
)  # fmt: skip
def test_who_joins_a_nolo_exchanges(options, players, taken, allowed, said):
    book = get_rulebook("rasle", options)
    ruling = rule_on_exchange(book, players, book.by_id["simple_nolo"], taken[0], taken[1:])
    assert ruling.allowed is allowed
    assert said in read_out(ruling, book)


@pytest.mark.parametrize(
    ("book", "question", "allowed"),
    [
        ("union", "game: respekt / SA CA H3", True),
        ("union", "game: respekt / SA H3", False),
        ("union", "game: tourné / H3", True),
        ("union", "tourné: grand tourné / CA", False),
    ],
)
def test_a_respekt_is_played_with_both_black_aces_only(book, question, allowed):
    rulebook = get_rulebook(book)
    ruling = answer_question(f"define {question}", rulebook, 3)
    assert ruling.allowed is allowed
    refused = "Grand tourné may only be played with the required cards in hand. (union §3.8)"
    assert (refused in read_out(ruling, rulebook).partition("\n")[0]) is not allowed


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
