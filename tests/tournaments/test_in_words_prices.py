"""The price list is what the rulebooks print: the tokens of a win, a bete and a kodille by contract."""

from __future__ import annotations

import pytest

from scoring import get_rulebook
from tournaments.in_words.prices import price_table


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


def test_the_bonuses_stand_with_their_contracts():
    bonuses = price_table(get_rulebook("rasle", {"aces_bonus": 2})).bonuses
    assert [(bonus.name, bonus.price, bonus.contracts) for bonus in bonuses] == [
        ("tout", 1, "all but Simple nolo, Pure nolo, Nolo ouvert"),
        ("tout failed", -1, "all but Simple nolo, Pure nolo, Nolo ouvert"),
        ("three or four aces", 2, "Grand tourné"),
    ]
