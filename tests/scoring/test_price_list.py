"""The price list is the rulebooks' own table: what a win, a bete and a kodille cost by contract."""

from fractions import Fraction

import pytest

from scoring import get_rulebook
from scoring.price_list import Price, price_list


def prices(rulebook, players=4, **options):
    rows = price_list(get_rulebook(rulebook, options), players).rows
    return {row.contract.id: [result.price.each for result in row.results] for row in rows}


def bonuses(rulebook, players=4, **options):
    found = price_list(get_rulebook(rulebook, options), players).bonuses
    return {bonus.code: (bonus.price, {contract.id for contract in bonus.contracts}) for bonus in found}


def test_union_3_1_the_table_of_prices():
    assert prices("union") == {
        "simple_game": [1, -1, -2],
        "spade_game": [1, -1, -2],
        "tourne": [2, -2, -3],
        "simple_nolo": [2, -2, -3],
        "grand_tourne": [3, -3, -4],
        "solo": [3, -3, -4],
        "spade_solo": [4, -4, -5],
        "pure_nolo": [4, -4, -5],
        "nolo_ouvert": [6, -6, -7],
    }


def test_rasle_3_1_the_table_of_prices():
    assert prices("rasle") == {
        "simple_game": [1, -1, -2],
        "spade_game": [1, -1, -2],
        "tourne": [1, -1, -2],
        "simple_nolo": [2, -2, -3],
        "grand_tourne": [2, -2, -3],
        "solo": [2, -2, -3],
        "pure_nolo": [3, -3, -5],
        "spade_solo": [3, -3, -5],
        "nolo_ouvert": [5, -5, -8],
    }


def test_rasle_6_3_a_kodille_of_simple_nolo_costs_a_token_more_for_each_further_trick():
    row = next(row for row in price_list(get_rulebook("rasle"), 4).rows if row.contract.id == "simple_nolo")
    assert [(result.code, result.price.each, result.more) for result in row.results] == [
        ("won", 2, 0),
        ("bete", -2, 0),
        ("kodille", -3, -1),
    ]


@pytest.mark.parametrize(
    ("options", "contract", "expected"),
    [
        ({"grand": True, "grand_rate": 4, "grand_kodille_extra": 2}, "grand", [4, -4, -6]),
        ({"mort": True}, "mort", [1, -1, -2]),
        ({"kaske": True}, "kaske", [1, -1, -2]),
    ],
)
def test_a_contract_that_an_option_brings_has_its_price(options, contract, expected):
    assert prices("rasle", **options)[contract] == expected
    assert contract not in prices("rasle")


def test_mort_is_not_played_where_nobody_sits_out():
    assert "mort" not in prices("rasle", 3, mort=True)


def test_rasle_6_4_a_tout_costs_a_token_in_every_contract_but_nolos():
    games = {"simple_game", "spade_game", "tourne", "grand_tourne", "solo", "spade_solo"}
    assert bonuses("rasle") == {"tout_won": (Price(1), games), "tout_failed": (Price(-1), games)}


def test_bonuses_by_option_stand_with_the_contracts_that_have_them():
    found = bonuses("rasle", aces_bonus=3, repeat_exchange=True)
    assert found["aces"] == (Price(3), {"grand_tourne"})
    assert found["exchange_repeated"] == (Price(-2), {"simple_nolo"})


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("idle_settles", [True, False])
def test_the_price_for_each_is_the_same_however_many_settle(players, idle_settles):
    assert prices("rasle", players, idle_settles=idle_settles) == prices("rasle")


def test_crocodile_5_8_a_bonus_bid_is_worth_times_the_contract_on_top_of_the_result():
    found = price_list(get_rulebook("crocodile"), 3).bonuses
    times = {(bonus.code, bonus.times, bonus.everywhere) for bonus in found if bonus.times}
    assert times == {
        ("cuatro_made", 1, True), ("cuatro_failed", -2, True),
        ("primeras_made", 1, True), ("primeras_failed", -2, True),
        ("tout_made", 3, True), ("tout_failed", -7, False), ("tout_failed", -8, False),
    }  # fmt: skip


def test_crocodile_only_the_declarer_scores():
    rows = price_list(get_rulebook("crocodile"), 3).rows
    assert {(result.price.each, result.price.one) for row in rows for result in row.results} == {(0, 0)}


def test_renegado_6_the_pool_is_taken_doubled_or_paid_to_who_wins_the_kodille():
    row = next(row for row in price_list(get_rulebook("renegado"), 4).rows if row.contract.id == "solo")
    assert {result.code: result.price for result in row.results} == {
        "won": Price(15, pool=Fraction(1)),
        "primeras": Price(18, pool=Fraction(1)),
        "bete": Price(own=-20, pool=Fraction(-1)),
        "kodille": Price(one=-20, pool=Fraction(-1)),
        "vole": Price(25, pool=Fraction(1)),
        "vole_failed": Price(-20),
    }


def test_ombre_five_two_thirds_of_the_pool_are_the_declarers_who_has_a_partner():
    rows = price_list(get_rulebook("ombre_five"), 5).rows
    assert [[result.price.pool for result in row.results] for row in rows] == [
        [Fraction(2, 3), Fraction(-2, 3), Fraction(-2, 3)],
        [Fraction(1), Fraction(-1), Fraction(-1)],
    ]


def test_ombre_two_the_stake_is_all_there_is():
    (row,) = price_list(get_rulebook("ombre_two"), 2).rows
    assert [result.price.tokens for result in row.results] == [0, 0, 0]
