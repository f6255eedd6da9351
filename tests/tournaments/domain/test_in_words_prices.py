"""The price list is what the rulebooks print: the tokens of a win, a bete and a kodille by contract."""

from __future__ import annotations

import pytest

from scoring import get_rulebook
from tournaments.lifecycle.rules_text import price_table


def lines(rulebook, **options):
    return {line.contract: line for line in price_table(get_rulebook(rulebook, options)).lines}


def test_the_unions_table_of_prices_and_exchanges():
    assert [
        (line.contract, line.prices, line.declarer, line.defenders) for line in lines("union").values()
    ] == [
        ("Game", ("1", "1", "2"), "1 or more", "any number"),
        ("Spade game", ("1", "1", "2"), "1 or more", "any number"),
        ("Tourné", ("2", "2", "3"), "2 or more", "any number"),
        ("Simple nolo", ("2", "2", "3"), "1 or more", "none"),
        ("Grand tourné", ("3", "3", "4"), "2 or more", "any number"),
        ("Solo", ("3", "3", "4"), "none", "any number"),
        ("Spade solo", ("4", "4", "5"), "none", "any number"),
        ("Pure nolo", ("4", "4", "5"), "none", "none"),
        ("Nolo ouvert", ("6", "6", "7"), "none", "none"),
    ]


def test_a_kodille_that_grows_with_every_trick_says_so():
    line = lines("rasle")["Simple nolo"]
    assert line.prices == ("2", "2", "3+")
    assert line.note == "A kodille costs 3, and 1 more for each trick after the second."


@pytest.mark.parametrize(
    ("options", "contract", "prices", "declarer"),
    [
        ({"grand": True, "grand_rate": 4}, "Grand", ("4", "4", "5"), "5 or more"),
        ({"mort": True}, "Mort", ("1", "1", "2"), "the whole talon"),
        ({"kaske": True}, "Kaske", ("1", "1", "2"), "8 or more"),
    ],
)
def test_contracts_that_an_option_brings_have_their_price(options, contract, prices, declarer):
    line = lines("rasle", **options)[contract]
    assert (line.prices, line.declarer) == (prices, declarer)
    assert contract not in lines("rasle")


def bonuses(rulebook, **options):
    found = price_table(get_rulebook(rulebook, options)).bonuses
    return [(bonus.name, bonus.price, bonus.where) for bonus in found]


def test_the_bonuses_stand_with_their_contracts():
    assert bonuses("rasle", aces_bonus=2) == [
        ("tout", "+1", "all but Simple nolo, Pure nolo, Nolo ouvert"),
        ("tout failed", "−1", "all but Simple nolo, Pure nolo, Nolo ouvert"),
        ("three or four aces", "+2", "Grand tourné"),
    ]


def test_a_clubs_own_prices_stand_beside_the_rulebooks():
    found = lines("union", price_nolo_ouvert=10, kodille_nolo_ouvert=5)
    assert (found["Nolo ouvert"].prices, found["Nolo ouvert"].usual) == (("10", "10", "15"), "6 · 6 · 7")
    assert {line.usual for line in found.values()} == {"", "6 · 6 · 7"}


def test_results_that_cost_the_same_everywhere_share_a_column():
    table = price_table(get_rulebook("crocodile"))
    assert table.columns == (
        "won",
        "cuatro, primeras",
        "tout",
        "simple remis, piccolo remis, simple loss",
        "crocodile lunch",
        "contraprimeras, contranolo",
    )
    by_name = {line.contract: line.prices for line in table.lines}
    assert by_name["Solo"] == ("+4", "+8", "+20", "−4", "−8", "−16")
    assert by_name["Nolo ouvert"] == ("+10", "–", "–", "−10", "−20", "−40")
    assert table.reading == "Points for the declarer only: nobody pays them."


def test_a_bonus_that_follows_the_contracts_price_is_said_in_times():
    found = {(name, price): where for name, price, where in bonuses("crocodile")}
    assert ("cuatro bid and made", "+1 × the price") in found
    assert found["tout failed", "−8 × the price"].endswith(": primeras")
    assert found["talking ouvert bid and made", "+10"] == "Nolo ouvert"


def test_the_pool_is_won_and_lost_beside_the_price():
    table = price_table(get_rulebook("renegado"))
    line = next(line for line in table.lines if line.contract == "Vuelta")
    prices = [price.replace("\N{NO-BREAK SPACE}", " ") for price in line.prices]
    assert dict(zip(table.columns, prices, strict=True)) == {
        "won": "7 + P",
        "primeras": "10 + P",
        "bête, kodille": "20 + P",
        "vole": "17 + P",
        "vole failed": "28",
    }
    assert table.reading.endswith("Before each deal the dealer pays 5 tokens into the pool.")


def test_a_pool_that_is_shared_with_a_partner_is_two_thirds_the_declarers():
    table = price_table(get_rulebook("ombre_five"))
    assert [(line.contract, line.prices) for line in table.lines] == [
        ("Ask leave", ("⅔\N{NO-BREAK SPACE}P", "⅔\N{NO-BREAK SPACE}P")),
        ("Solo", ("P", "P")),
    ]
    assert table.reading.endswith("Before each deal every player pays 3 tokens into the pool.")


def test_a_kodille_for_one_opponent_alone_is_said_to_be():
    table = price_table(get_rulebook("ombre_intro"))
    assert table.lines[0].prices == ("1", "1", "5", "5")
    assert table.reading.endswith("A kodille is paid only to its winner.")


def test_what_is_counted_costs_so_much_for_each():
    found = [line for line in bonuses("renegado") if line[0] == "estuches"]
    assert [price for _name, price, _where in found] == ["+1 for each", "−1 for each"]
