"""The rules of Pot L'Hombre with Icelandic numbers, paragraph by paragraph of `scoring/rules/pot.md`."""

import pytest

from scoring import get_rulebook
from scoring.game import Phase
from scoring.price_list import price_list
from scoring.seats import Role, Seating
from scoring.settlement import pool_after, settle_at_table
from tests.scoring.game.deals import after, next_steps, table
from tests.scoring.reports import SEATINGS, codes, report, settled, tokens, tricks

POT = get_rulebook("pot")
# 3.1: taken out of the pot when won and paid into it for a bête, and for a kodille.
PRICES = {
    "simple_game": (1, 2),
    "spade_game": (1, 2),
    "tourne": (1, 2),
    "simple_nolo": (2, 3),
    "grand_tourne": (2, 3),
    "solo": (2, 3),
    "pure_nolo": (3, 4),
    "spade_solo": (3, 4),
    "nolo_ouvert": (6, 7),
}
MORT = get_rulebook("pot", {"mort": True})


@pytest.mark.parametrize("contract", PRICES)
def test_3_1_and_6_a_contract_is_settled_with_the_pot_alone(contract):
    price, kodille = PRICES[contract]
    told = {"contract": contract, "declarer": "FH", "pool": 9}
    assert tokens(POT, **told, outcome="won") == {"FH": price, "MH": 0, "BH": 0, "POOL": -price}
    assert tokens(POT, **told, outcome="bete") == {"FH": -price, "MH": 0, "BH": 0, "POOL": price}
    assert tokens(POT, **told, outcome="kodille") == {"FH": -kodille, "MH": 0, "BH": 0, "POOL": kodille}


@pytest.mark.parametrize(("lies", "paid"), [(0, 0), (3, 3), (6, 6), (20, 6)])
def test_6_2_the_pot_pays_no_more_than_lies_in_it(lies, paid):
    ouvert = {"contract": "nolo_ouvert", "declarer": "FH", "outcome": "won", "pool": lies}
    assert tokens(POT, **ouvert) == {"FH": paid, "MH": 0, "BH": 0, "POOL": -paid}


def test_6_4_a_tout_is_paid_by_each_defender():
    solo = {"contract": "solo", "declarer": "FH", "pool": 9}
    assert tokens(POT, **solo, tricks=tricks("FH9 MH0 BH0")) == {"FH": 4, "MH": -1, "BH": -1, "POOL": -2}
    failed = {"tricks": tricks("FH8 MH1 BH0"), "first_five_by": "FH"}
    assert tokens(POT, **solo, **failed) == {"FH": 0, "MH": 1, "BH": 1, "POOL": -2}
    assert tokens(POT, 4, **solo, **failed)["IDLE"] == 0


def test_6_5_each_player_pays_a_stake_before_each_deal():
    won = report(4, "pot", contract="solo", declarer="FH", outcome="won", pool=4)
    assert settle_at_table(won, SEATINGS[4], POT).tokens == (1, -1, -1, -1)
    assert pool_after(won, SEATINGS[4], POT) == 4 - 2 + 4
    passed = report(4, "pot", all_passed=True, pool=4)
    assert pool_after(passed, Seating(4, 1), POT) == 8


def test_4_5_what_may_be_given_up_costs_a_bete():
    told = {"declarer": "FH", "abandoned": True, "pool": 9}
    assert tokens(POT, contract="grand_tourne", **told)["FH"] == -2
    for contract in ("simple_nolo", "solo", "nolo_ouvert"):
        assert "abandoned_not_allowed" in codes(POT, contract=contract, **told)


def test_5_4_a_simple_nolo_costs_no_more_for_many_tricks():
    nolo = {"contract": "simple_nolo", "declarer": "FH", "pool": 9}
    assert [tokens(POT, tricks={"FH": took}, **nolo)["FH"] for took in (0, 1, 2, 7)] == [2, -2, -3, -3]


def test_a_report_must_say_what_lies_in_the_pot():
    assert codes(POT, contract="solo", declarer="FH", outcome="won") == ["pool_missing"]
    assert codes(POT, contract="solo", declarer="FH", outcome="won", pool=1) == ["pool_odd"]


@pytest.mark.parametrize(
    ("contract", "fell", "outcome"),
    [
        ("mort", "IDLE5 FH2 MH1 BH1", "won"),
        ("mort", "IDLE4 FH2 MH2 BH1", "bete"),
        ("mort", "IDLE3 FH3 MH2 BH1", "bete"),
        ("mort", "IDLE2 FH3 MH2 BH2", "kodille"),
        ("mort_spadille", "IDLE6 FH1 MH1 BH1", "won"),
        ("mort_spadille", "IDLE5 FH2 MH1 BH1", "bete"),
    ],
)
def test_3_6_mort_needs_five_tricks_and_six_with_spadille(contract, fell, outcome):
    fell = {word[:-1]: int(word[-1]) for word in fell.split()}
    mort = {"contract": contract, "declarer": "IDLE", "trump": "H", "tricks": fell, "pool": 8}
    assert settled(MORT, 4, **mort).outcome == outcome


@pytest.mark.parametrize(("hands", "contract"), [({"FH": "SA"}, "mort"), ({"talon": "SA"}, "mort_spadille")])
def test_3_6_the_talon_says_which_mort_it_is(hands, contract):
    state = after(table("pot", 4, options={"mort": True}, **hands), "FH pass, MH pass, BH pass")
    assert (state.contract.id, state.declarer, state.phase) == (contract, Role.IDLE, Phase.EXCHANGE)
    assert next_steps(state) == "lay_off"


def test_3_6_who_has_spadille_plays_no_plain_mort():
    assert MORT.by_id["mort"].is_held_by(["CA", "HK"])
    assert not MORT.by_id["mort"].is_held_by(["SA", "HK"])
    assert not MORT.by_id["mort_spadille"].is_held_by(["CA", "HK"])


def test_3_7_grandissimo_is_won_with_five_tricks():
    book = get_rulebook("pot", {"grandissimo": True})
    told = {"contract": "grandissimo", "declarer": "FH", "pool": 9}
    assert tokens(book, **told, tricks=tricks("FH5 MH4 BH0"))["FH"] == 2
    assert tokens(book, **told, tricks=tricks("FH4 MH3 BH2"))["FH"] == -2
    assert tokens(book, **told, tricks=tricks("FH3 MH6 BH0"))["FH"] == -3
    assert "grandissimo" not in POT.by_id


def test_the_price_list_says_what_comes_out_of_the_pot():
    (row,) = (row for row in price_list(POT, 3).rows if row.contract.id == "solo")
    assert [(result.code, result.price.own, result.price.pool) for result in row.results] == [
        ("won", 2, 0), ("bete", -2, 0), ("kodille", -3, 0),
    ]  # fmt: skip


def test_pairs_do_not_play_for_a_pot():
    assert not POT.for_pairs
