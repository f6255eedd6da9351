# ruff: noqa: E501 - a row is read on one line
"""The rules of crocodile, paragraph by paragraph: `scoring/rules/crocodile.md`."""

import pytest

from scoring import get_rulebook
from scoring.answers import in_words
from tests.scoring.reports import codes, distributions, settled, tokens

BOOK = get_rulebook("crocodile")
PLAY = {"contract": "play", "declarer": "ELD"}
VALUES = {
    "casco": 1, "play": 2, "grand": 2, "tournee": 3, "exchange_nolo": 3, "solo": 4, "grandissimo": 4, "tournee_respect": 6,
    "nolo": 6, "nolo_ouvert": 10,
}  # fmt: skip
GAMES = [name for name in VALUES if "nolo" not in name]
NOLOS = [name for name in VALUES if "nolo" in name]
LOSSES = {"simple_remis": -1, "piccolo_remis": -1, "crocodile_lunch": -2, "contraprimeras": -4}


def tricks(text):
    """`4-3-2`: eldest's, the middle's and the dealer's."""
    return {"tricks": dict(zip(("ELD", "MID", "DLR"), map(int, text.split("-")), strict=True))}


def score(contract, text="", options=None, **fields):
    """Eldest's outcome, extras and points."""
    book = get_rulebook("crocodile", options or {})
    told = {"contract": contract, "declarer": "ELD"} | (tricks(text) if text else {}) | fields
    came_to = settled(book, 3, **told)
    return came_to.outcome, list(came_to.extras), came_to.tokens[0]


def test_1_1_play_goes_clockwise_and_the_seats_are_eldest_middle_and_dealer():
    assert (BOOK.direction, BOOK.players) == ("clockwise", (3,))
    assert list(BOOK.seat_names.values()) == ["ELD", "MID", "DLR"]


@pytest.mark.parametrize(("contract", "value"), VALUES.items())
def test_3_1_a_contract_won_earns_its_value(contract, value):
    assert score(contract, outcome="won") == ("won", [], value)


def test_3_2_only_eldest_plays_casco():
    assert [row.id for row in BOOK.contracts if row.by_forehand] == ["casco"]


def test_4_1_no_deal_is_passed_out():
    assert codes(BOOK, all_passed=True) == ["washout_forced"]


@pytest.mark.parametrize(
    ("bid", "raises"),
    [
        ("play", "tournee exchange_nolo solo grandissimo tournee_respect nolo nolo_ouvert"),
        ("grand", "tournee exchange_nolo solo grandissimo tournee_respect nolo nolo_ouvert"),
        ("tournee", "solo grandissimo tournee_respect nolo nolo_ouvert"),
        ("solo", "tournee_respect nolo nolo_ouvert"),
        ("tournee_respect", "nolo_ouvert"),
        ("nolo", "nolo_ouvert"),
        ("nolo_ouvert", ""),
        ("casco", ""),
    ],
)
def test_4_2_who_won_the_auction_may_play_a_contract_of_higher_value(bid, raises):
    assert list(BOOK.by_id[bid].may_become) == raises.split()


def test_4_2_higher_value_is_by_a_clubs_own_values():
    book = get_rulebook("crocodile", {"price_grand": 3})
    assert "grand" in book.by_id["play"].may_become
    assert "tournee" not in book.by_id["grand"].may_become


def test_4_2_nobody_raises_to_a_casco_however_dear():
    book = get_rulebook("crocodile", {"price_casco": 2, "price_grand": 1})
    assert not any("casco" in row.may_become for row in book.contracts)


@pytest.mark.parametrize("contract", VALUES)
def test_4_5_exchange_games_but_tournee_respect_and_exchange_nolo_may_be_conceded(contract):
    fields = {"contract": contract, "declarer": "ELD", "conceded": True}
    if contract in ("casco", "play", "grand", "tournee"):
        assert score(contract, conceded=True) == ("simple_loss", [], -VALUES[contract])
    else:
        assert "abandoned_not_allowed" in codes(BOOK, **fields)


def test_4_5_a_bonus_bid_is_lost_with_a_contract_that_is_conceded():
    assert score("play", conceded=True, bonus_bid="cuatro") == ("simple_loss", ["cuatro_failed"], -6)


@pytest.mark.parametrize("contract", GAMES)
@pytest.mark.parametrize(
    ("played", "outcome", "times"),
    [
        ("5-4-0", "won", 1),
        ("5-2-2", "won", 1),
        ("8-1-0", "won", 1),
        ("4-3-2", "won", 2),
        ("4-2-3", "won", 2),
        ("4-4-1", "simple_remis", -1),
        ("4-1-4", "simple_remis", -1),
        ("3-3-3", "simple_remis", -1),
        ("1-4-4", "piccolo_remis", -1),
        ("4-5-0", "crocodile_lunch", -2),
        ("3-4-2", "crocodile_lunch", -2),
        ("3-6-0", "crocodile_lunch", -2),
        ("2-4-3", "crocodile_lunch", -2),
        ("1-5-3", "crocodile_lunch", -2),
        ("1-3-5", "crocodile_lunch", -2),
        ("0-5-4", "contraprimeras", -4),
    ],
)
def test_5_3_games(contract, played, outcome, times):
    assert score(contract, played)[::2] == (outcome, times * VALUES[contract])


def test_5_3_every_way_in_which_the_tricks_fall_has_an_outcome():
    for counts in distributions(3):
        outcome, _extras, points = score("play", "-".join(map(str, counts)))
        most = max(counts[1:])
        if counts[0] > most:
            assert (outcome, points >= 2) == ("won", True), counts
        elif counts[0] == most:
            assert (outcome, points) == ("simple_remis", -2), counts
        else:
            lost = {(1, 4, 4): ("piccolo_remis", -2)}.get(counts, ("crocodile_lunch", -4))
            # Without a trick the declarer has lost the first five.
            assert (outcome, points) == (lost if counts[0] else ("contraprimeras", -8)), counts


@pytest.mark.parametrize("contract", NOLOS)
@pytest.mark.parametrize(
    ("played", "outcome", "times"),
    [
        ("0-5-4", "won", 1),
        ("1-4-4", "simple_loss", -1),
        ("1-8-0", "simple_loss", -1),
        ("2-4-3", "crocodile_lunch", -2),
        ("3-3-3", "crocodile_lunch", -2),
        ("4-4-1", "crocodile_lunch", -2),
        ("4-5-0", "crocodile_lunch", -2),
        ("4-3-2", "contranolo", -4),
        ("4-2-3", "contranolo", -4),
        ("5-4-0", "contranolo", -4),
        ("9-0-0", "contranolo", -4),
    ],
)
def test_5_4_nolos(contract, played, outcome, times):
    assert score(contract, played)[::2] == (outcome, times * VALUES[contract])


@pytest.mark.parametrize(
    ("reported", "outcome"),
    [
        ({"tricks": {"ELD": 0}}, "won"),
        ({"tricks": {"ELD": 1}}, "simple_loss"),
        ({"tricks": {"ELD": 2}}, "crocodile_lunch"),
        ({"tricks": {"ELD": 3}}, "crocodile_lunch"),
        ({"tricks": {"ELD": 5}}, "contranolo"),
        ({"tricks": {"ELD": 4, "MID": 3}}, "contranolo"),
        ({"tricks": {"ELD": 4, "MID": 4}}, "crocodile_lunch"),
        ({"tricks": {"ELD": 4}, "outcome": "contranolo"}, "contranolo"),
        ({"tricks": {"ELD": 4}, "outcome": "crocodile_lunch"}, "crocodile_lunch"),
        ({"tricks": {"ELD": 2}, "played_out": False}, "crocodile_lunch"),
        ({"tricks": {"ELD": 4, "MID": 3, "DLR": 2}, "played_out": False}, "contranolo"),
        ({"tricks": {"ELD": 4, "MID": 5, "DLR": 0}, "played_out": False}, "crocodile_lunch"),
        ({"outcome": "contranolo"}, "contranolo"),
    ],
)
def test_5_4_the_declarers_tricks_tell_a_nolo_but_for_four(reported, outcome):
    assert score("nolo", **reported)[0] == outcome


@pytest.mark.parametrize("played", ["4-3-2", "4-4-1", "3-3-3", "1-4-4", "0-5-4", "2-5-2", "4-5-0"])
def test_5_7_contraprimeras_come_before_every_other_outcome(played):
    assert score("play", played, first_five_by="OPP") == ("contraprimeras", [], -8)


@pytest.mark.parametrize(
    ("options", "by", "played", "outcome"),
    [
        ({}, "OPP", "0-5-4", "contraprimeras"),
        ({}, "MID", "0-5-4", "contraprimeras"),
        ({}, "ELD", "5-2-2", "won"),
        ({"contraprimeras_together": False}, "OPP", "0-5-4", "crocodile_lunch"),
        ({"contraprimeras_together": False}, "MID", "0-5-4", "contraprimeras"),
        ({"contraprimeras_together": False}, "ELD", "5-2-2", "won"),
        ({"contraprimeras_always": False}, "OPP", "0-5-4", "contraprimeras"),
        ({"contraprimeras_always": False}, "OPP", "4-3-2", "won"),
        ({"contraprimeras_always": False}, "OPP", "4-4-1", "simple_remis"),
        ({"contraprimeras_always": False}, "OPP", "1-4-4", "piccolo_remis"),
    ],
)
def test_5_7_options_of_contraprimeras(options, by, played, outcome):
    assert score("play", played, options, first_five_by=by)[0] == outcome


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"outcome": "contraprimeras"}, "contraprimeras"),
        ({"outcome": "contraprimeras", "tricks": {"ELD": 4}}, "contraprimeras"),
        (
            {"tricks": {"ELD": 0, "MID": 3, "DLR": 2}, "played_out": False, "first_five_by": "OPP"},
            "contraprimeras",
        ),
        ({"tricks": {"ELD": 5, "MID": 0, "DLR": 0}, "played_out": False}, "won"),
        ({"tricks": {"MID": 5}}, "crocodile_lunch"),
        ({"outcome": "won", "first_five_by": "ELD"}, "won"),
        ({"first_five_by": "ELD"}, "won"),
    ],
)
def test_5_2_what_is_reported_decides_or_says_the_outcome(fields, outcome):
    assert score("play", **fields)[0] == outcome


def test_5_7_contraprimeras_that_are_said_count_only_in_place_of_a_lunch_by_the_option():
    option = {"contraprimeras_always": False}
    assert score("play", "0-5-4", option, outcome="contraprimeras")[0] == "contraprimeras"
    book = get_rulebook("crocodile", option)
    assert codes(book, **PLAY, **tricks("4-3-2"), outcome="contraprimeras") == ["outcome_disagrees"]


@pytest.mark.parametrize(
    ("played", "fields", "extras", "points"),
    [
        ("5-3-1", {}, [], 2),
        ("5-3-1", {"first_five_by": "ELD"}, ["silent_primeras"], 4),
        ("4-3-2", {}, ["silent_cuatro"], 4),
        ("9-0-0", {}, ["silent_primeras", "silent_tout"], 10),
        ("9-0-0", {"first_five_by": "ELD"}, ["silent_primeras", "silent_tout"], 10),
        ("3-3-3", {}, [], -2),
        ("4-3-2", {"bonus_bid": "cuatro"}, ["cuatro_made"], 6),
        ("5-3-1", {"bonus_bid": "cuatro"}, ["cuatro_failed"], -2),
        ("9-0-0", {"bonus_bid": "cuatro"}, ["cuatro_failed", "silent_primeras", "silent_tout"], 6),
        ("5-2-2", {"bonus_bid": "primeras", "first_five_by": "ELD"}, ["primeras_made"], 6),
        ("5-2-2", {"bonus_bid": "primeras"}, ["primeras_failed"], -2),
        ("4-3-2", {"bonus_bid": "primeras"}, ["primeras_failed", "silent_cuatro"], 0),
        ("9-0-0", {"bonus_bid": "primeras"}, ["primeras_made", "silent_tout"], 12),
        ("9-0-0", {"bonus_bid": "tout"}, ["tout_made"], 16),
        ("8-1-0", {"bonus_bid": "tout"}, ["tout_failed"], -12),
        ("8-1-0", {"bonus_bid": "tout", "first_five_by": "ELD"}, ["tout_failed"], -12),
        ("4-3-2", {"bonus_bid": "tout"}, ["silent_cuatro", "tout_failed"], -10),
        ("3-5-1", {"bonus_bid": "tout"}, ["tout_failed"], -18),
        ("0-5-4", {"bonus_bid": "cuatro", "first_five_by": "OPP"}, ["cuatro_failed"], -12),
    ],
)
def test_5_8_bonuses_and_bonus_bids(played, fields, extras, points):
    assert score("play", played, **fields)[1:] == (extras, points)


@pytest.mark.parametrize(
    ("fields", "points"),
    [
        ({"outcome": "won", "bonus_bid": "talking_ouvert"}, 20),
        ({"outcome": "simple_loss", "bonus_bid": "talking_ouvert"}, -20),
        ({"outcome": "crocodile_lunch", "bonus_bid": "talking_ouvert"}, -30),
        ({"outcome": "contranolo", "bonus_bid": "talking_ouvert"}, -50),
    ],
)
def test_5_8_talking_ouvert_is_ten_points(fields, points):
    made = "talking_made" if points > 0 else "talking_failed"
    assert score("nolo_ouvert", **fields)[1:] == ([made], points)
    more = score("nolo_ouvert", options={"price_talking_ouvert": 12}, **fields)[2]
    assert more == points + (2 if points > 0 else -2)


def test_5_8_only_the_larger_silent_bonus_by_the_option():
    option = {"silent_bonuses_add": False}
    assert score("play", "9-0-0", option) == ("won", ["silent_tout"], 8)
    assert score("play", "9-0-0", option, bonus_bid="primeras") == (
        "won",
        ["primeras_made", "silent_tout"],
        12,
    )
    assert score("play", "4-3-2", option) == ("won", ["silent_cuatro"], 4)
    assert score("play", "5-3-1", option) == ("won", [], 2)


@pytest.mark.parametrize(
    ("played", "bids", "extras", "points"),
    [
        ("9-0-0", ["primeras", "tout"], ["primeras_made", "tout_made"], 2 + 4 + 14),
        ("8-1-0", ["tout", "primeras"], ["primeras_made", "tout_failed"], 2 + 4 - 14),
        ("4-3-2", ["primeras", "cuatro"], ["cuatro_made", "primeras_failed"], 2 + 4 - 4),
    ],
)
def test_5_8_several_bids_by_the_option_are_settled_one_by_one(played, bids, extras, points):
    by = {} if played == "4-3-2" else {"first_five_by": "ELD"}
    assert score("play", played, {"several_bonus_bids": True}, bonus_bid=bids, **by)[1:] == (extras, points)


def test_6_1_only_the_declarers_score_changes():
    assert tokens(BOOK, **PLAY | {"declarer": "MID"}, outcome="won") == {"ELD": 0, "MID": 2, "DLR": 0}
    assert tokens(BOOK, **PLAY | {"declarer": "DLR"}, outcome="crocodile_lunch") == {
        "ELD": 0,
        "MID": 0,
        "DLR": -4,
    }
    assert not BOOK.zero_sum


@pytest.mark.parametrize("contract", GAMES)
@pytest.mark.parametrize(("outcome", "times"), LOSSES.items())
def test_6_2_and_6_3_what_a_loss_costs(contract, outcome, times):
    assert score(contract, outcome=outcome) == (outcome, [], times * VALUES[contract])


def test_the_parts_say_what_was_paid_for():
    came_to = settled(BOOK, **PLAY, **tricks("9-0-0"), bonus_bid="primeras")
    assert [in_words(part.text, part.params) for part in came_to.parts] == [
        "Play won", "primeras bid and made", "silent tout",
    ]  # fmt: skip
    lost = settled(BOOK, **PLAY, **tricks("4-4-1"), bonus_bid="cuatro")
    assert [in_words(part.text, part.params) for part in lost.parts] == [
        "Play: simple remis", "cuatro bid and not made",
    ]  # fmt: skip
