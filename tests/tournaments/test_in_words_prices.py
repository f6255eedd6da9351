"""The price list is what the rulebooks print: the tokens of a win, a bete and a kodille by contract."""

from __future__ import annotations

import pytest

from scoring import get_rulebook
from tournaments.in_words.prices import price_list


def prices(rulebook, **options):
    return {
        line.contract: (line.won, line.bete, line.kodille)
        for line in price_list(get_rulebook(rulebook, options))
    }


def test_the_unions_table_of_prices():
    assert prices("union") == {
        "Game": ("1", "1", "2"),
        "Spade game": ("1", "1", "2"),
        "Tourné": ("2", "2", "3"),
        "Simple nolo": ("2", "2", "3"),
        "Grand tourné": ("3", "3", "4"),
        "Solo": ("3", "3", "4"),
        "Spade solo": ("4", "4", "5"),
        "Pure nolo": ("4", "4", "5"),
        "Nolo ouvert": ("6", "6", "7"),
    }


def test_a_kodille_that_grows_with_every_trick_says_so():
    assert prices("rasle")["Simple nolo"] == ("2", "2", "3, and 1 more for each trick after the second")


@pytest.mark.parametrize(
    ("options", "contract", "expected"),
    [
        ({"grand": True, "grand_rate": 4}, "Grand", ("4", "4", "5")),
        ({"mort": True}, "Mort", ("1", "1", "2")),
        ({"kaske": True}, "Kaske", ("1", "1", "2")),
    ],
)
def test_contracts_that_an_option_brings_have_their_price(options, contract, expected):
    assert prices("rasle", **options)[contract] == expected
    assert contract not in prices("rasle")
