"""The rules of the Danish union's tournaments, paragraph by paragraph of `scoring/rules/union.md`."""

from itertools import product

import pytest

from scoring import get_rulebook
from scoring.rulebook import exchange_problems
from tests.scoring.reports import codes, distributions, settled, tokens, tricks

UNION = get_rulebook("union")
IDLE_SETTLES = get_rulebook("union", {"idle_settles": True})

# Table I: rank, group, price, the declarer exchanges from, to, the defenders too, may be given up.
TABLE_I = {
    "simple_game": (1, "I", 1, 1, 9, True, True),
    "spade_game": (2, "I", 1, 1, 9, True, True),
    "tourne": (3, "I", 2, 2, 9, True, True),
    "simple_nolo": (3, "I", 2, 1, 9, False, True),
    "grand_tourne": (4, "I", 3, 2, 9, True, True),
    "solo": (5, "II", 3, 0, 0, True, False),
    "spade_solo": (6, "II", 4, 0, 0, True, False),
    "pure_nolo": (6, "III", 4, 0, 0, False, False),
    "nolo_ouvert": (7, "IV", 6, 0, 0, False, False),
}
GAMES = ("simple_game", "spade_game", "tourne", "grand_tourne", "solo", "spade_solo")
NOLOS = ("simple_nolo", "pure_nolo", "nolo_ouvert")


def test_3_1_contracts_are_those_of_table_i():
    assert {
        row.id: (
            row.rank, row.group, row.price, row.exchange.least, row.exchange.most, row.exchange.defenders,
            row.may_be_abandoned,
        )
        for row in UNION.contracts
    } == TABLE_I  # fmt: skip


@pytest.mark.parametrize("bid", TABLE_I)
def test_4_2_a_bid_becomes_an_equal_or_higher_contract_of_its_group(bid):
    bid_rank, bid_group, *_rest = TABLE_I[bid]
    becomes = {row.id for row in UNION.contracts if UNION.by_id[bid].may_be_defined_as(row)}
    assert becomes == {
        name for name, (rank, group, *_) in TABLE_I.items() if group == bid_group and rank >= bid_rank
    }


@pytest.mark.parametrize("contract", TABLE_I)
def test_4_3_the_exchange_keeps_to_table_i_and_the_talon(contract):
    _rank, _group, _price, least, most, defenders_too, _up = TABLE_I[contract]
    counts = list(product(range(15), range(-1, 11), range(-1, 11)))
    legal = [
        (declarer, first, second)
        for declarer, first, second in counts
        if least <= declarer <= most
        and first in range(10 if defenders_too else 1)
        and second in range(10 if defenders_too else 1)
        and declarer + first + second <= 13
    ]
    limits = UNION.by_id[contract].exchange
    assert [taken for taken in counts if not exchange_problems(limits, "union", taken[0], taken[1:])] == legal


@pytest.mark.parametrize("contract", GAMES)
def test_5_3_and_6_games_are_won_bete_or_kodille_by_the_most_tricks(contract):
    price = TABLE_I[contract][2]
    for fh, mh, bh in distributions(3):
        each = price if fh > max(mh, bh) else -price if fh == max(mh, bh) else -price - 1
        each += fh == 9  # the tout that nine tricks are
        played = {"FH": fh, "MH": mh, "BH": bh}
        assert tokens(UNION, contract=contract, declarer="FH", tricks=played) == {
            "FH": 2 * each, "MH": -each, "BH": -each,
        }, played  # fmt: skip


@pytest.mark.parametrize("contract", NOLOS)
def test_5_4_and_6_nolos_cost_the_same_from_two_tricks_on(contract):
    price = TABLE_I[contract][2]
    for took in range(10):
        each = (price, -price, -price - 1)[min(took, 2)]
        assert tokens(UNION, contract=contract, declarer="MH", tricks={"MH": took}) == {
            "FH": -each, "MH": 2 * each, "BH": -each,
        }, took  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "fh"),
    [
        ({"tricks": tricks("FH9 MH0 BH0")}, 4),
        ({"tricks": tricks("FH9 MH0 BH0"), "tout": "won"}, 4),
        ({"outcome": "won", "tout": "won"}, 4),
        ({"tout": "won"}, 4),
        ({"tricks": tricks("FH8 MH1 BH0"), "tout": "failed"}, 0),
        ({"tricks": tricks("FH4 MH4 BH1"), "tout": "failed"}, -4),
        ({"outcome": "kodille", "tout": "failed"}, -6),
        ({"tricks": tricks("FH8 MH1 BH0"), "led_sixth": True}, 0),
        ({"tricks": tricks("FH8 MH1 BH0"), "led_sixth": True, "first_five_by": "FH"}, 0),
        ({"tricks": tricks("FH4 MH3 BH2"), "led_sixth": True}, 2),
        ({"tricks": tricks("FH3 MH5 BH1"), "led_sixth": True, "first_five_by": "MH"}, -4),
        (
            {"tricks": tricks("FH5 MH0 BH0"), "played_out": False, "first_five_by": "FH", "claimed_after": 5},
            2,
        ),
    ],
)
def test_5_6_the_tout_is_paid_apart_from_the_game(fields, fh):
    assert tokens(UNION, contract="simple_game", declarer="FH", **fields)["FH"] == fh


def test_5_6_a_tout_shows_in_the_extras():
    assert settled(UNION, contract="solo", declarer="FH", outcome="won", tout="failed").extras == (
        "tout_failed",
    )


@pytest.mark.parametrize("contract", TABLE_I)
def test_4_5_giving_up_costs_a_bete_where_the_declarer_exchanges(contract):
    _rank, _group, price, _least, most, *_ = TABLE_I[contract]
    given_up = {"contract": contract, "declarer": "FH", "abandoned": True}
    if most:
        assert tokens(UNION, **given_up) == {"FH": -2 * price, "MH": price, "BH": price}
        assert codes(UNION, **given_up, declarer_has_played=True) == ["abandoned_too_late"]
    else:
        assert "abandoned_not_allowed" in codes(UNION, **given_up)


def test_6_1_the_player_sitting_out_stays_out_of_it_but_by_the_option():
    solo = {"contract": "solo", "declarer": "FH", "outcome": "won"}
    assert tokens(UNION, 4, **solo) == {"FH": 6, "MH": -3, "BH": -3, "IDLE": 0}
    assert tokens(IDLE_SETTLES, 4, **solo) == {"FH": 9, "MH": -3, "BH": -3, "IDLE": -3}


def test_4_1_all_pass_and_nobody_pays():
    assert tokens(UNION, 4, all_passed=True) == {"FH": 0, "MH": 0, "BH": 0, "IDLE": 0}
    assert settled(UNION, all_passed=True) == ("washout", (), (0, 0, 0), (), 0)


def test_4_1_forced_spadille_leaves_no_wash_out():
    assert codes(get_rulebook("union", {"forced_spadille": True}), all_passed=True) == ["washout_must_bid"]
