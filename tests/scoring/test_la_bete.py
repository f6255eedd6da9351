"""The rules of the La Bete page where they are not Rasle's, and that they are elsewhere."""

import pytest

from scoring import get_rulebook
from scoring.seats import PLAYING
from tests.scoring.reports import codes, distributions, settled, tokens

BOOK, RASLE = get_rulebook("la_bete"), get_rulebook("rasle")
NOLO = {"contract": "simple_nolo", "declarer": "FH"}


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("contract", [row.id for row in BOOK.contracts if row.id != "simple_nolo"])
def test_3_1_to_6_3_every_deal_settles_as_in_rasle(contract, players):
    for counts in distributions(3):
        played = {
            "contract": contract, "declarer": "MH",
            "tricks": {role.value: count for role, count in zip(PLAYING[3], counts, strict=True)},
        }  # fmt: skip
        assert settled(BOOK, players, **played) == settled(RASLE, players, **played), counts


@pytest.mark.parametrize(("tricks", "each"), [(0, 2), (1, -2), (2, -3), (4, -5), (9, -10)])
def test_6_3_a_simple_nolo_costs_a_token_more_for_each_trick_after_the_first(tricks, each):
    assert tokens(BOOK, **NOLO, tricks={"FH": tricks}) == {"FH": 2 * each, "MH": -each, "BH": -each}


def test_7_1_at_a_table_of_four_nobody_joins_a_simple_nolo():
    assert tokens(BOOK, 4, **NOLO, tricks={"FH": 0}) == {"FH": 6, "MH": -2, "BH": -2, "IDLE": -2}
    joined = {"joined": ["IDLE"], "tricks": {"FH": 0, "IDLE": 1}}
    assert codes(BOOK, 4, **NOLO, **joined) == ["joined_not_here"]


@pytest.mark.parametrize("contract", ["kaske", "mort", "grand"])
def test_3_5_to_3_7_there_are_no_contracts_by_agreement(contract):
    assert contract not in BOOK.known_contracts


@pytest.mark.parametrize(
    ("options", "foul", "expected"),
    [
        ({}, "FH", {"FH": -6, "MH": 2, "BH": 2, "IDLE": 2}),
        ({"declarer_foul": "kodille"}, "FH", {"FH": -9, "MH": 3, "BH": 3, "IDLE": 3}),
        ({}, "MH", {"FH": 6, "MH": -6, "BH": 0, "IDLE": 0}),
        ({"defender_foul_covers_idle": False}, "MH", {"FH": 6, "MH": -4, "BH": 0, "IDLE": -2}),
        ({"idle_settles": False}, "MH", {"FH": 4, "MH": -4, "BH": 0, "IDLE": 0}),
    ],
)
def test_4_4_a_fouled_exchange(options, foul, expected):
    book = get_rulebook("la_bete", options)
    assert tokens(book, 4, contract="grand_tourne", declarer="FH", foul=foul) == expected


def test_4_1_a_deal_is_passed_out_unless_somebody_must_bid():
    assert codes(BOOK, all_passed=True) == []
    assert codes(get_rulebook("la_bete", {"forced_spadille": True}), all_passed=True) == ["washout_must_bid"]
