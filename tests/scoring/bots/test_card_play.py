"""The cards that bots play: what a card player would call sensible, one row each."""

import pytest

from scoring import get_rulebook
from scoring.bots.bidding import (
    accepts,
    announces_first_five,
    announces_tout,
    gives_up,
    stops,
    sure_of_rest,
    takes_over,
)
from scoring.bots.player import card_to_avoid, card_to_win
from tests.scoring.bots.eyes import at_table, seen

FIVE = get_rulebook("ombre_five")
RASLE = get_rulebook("rasle")
RENEGADO = get_rulebook("renegado")
NOLO = {"contract": "pure_nolo", "trump": None}
OUVERT = {"contract": "nolo_ouvert", "trump": None}


@pytest.mark.parametrize(
    ("hand", "situation", "card"),
    [
        # the declarer leads
        ("SA C2 C5 HK D3", {"role": "FH"}, "SA"),
        ("C2 C5 C6 C7 HK", {"role": "FH"}, "C5"),
        ("C5 HK DQ D3", {"role": "FH"}, "HK"),
        ("C5 C6 H7 D6 D3", {"role": "FH"}, "H7"),
        ("C5 C6", {"role": "FH"}, "C6"),
        ("SA HK", {"role": "FH"}, "HK"),
        # a defender leads
        ("HK D5 D6 S3", {}, "HK"),
        ("H6 D5 D6 D7", {}, "D7"),
        ("C5 CQ", {}, "CQ"),
        ("HK D5", {"tricks": ["MH HQ, BH H7, FH C3"], "winners": "FH"}, "D5"),
        ("HJ HK D5", {"tricks": ["MH H4, BH H7, FH C3"], "winners": "FH"}, "D5"),
        # whoever follows wins as cheaply as may be
        ("C4 CK CA", {"role": "FH", "on_table": "MH H4, BH CJ"}, "CK"),
        ("HK HQ H7", {"role": "BH", "on_table": "FH HJ, MH H5"}, "HQ"),
        ("D4 S3 C6", {"role": "BH", "on_table": "FH HJ, MH H5"}, "C6"),
        ("D4 S3", {"role": "BH", "on_table": "FH HJ, MH H5"}, "S3"),
        ("HK H7", {"role": "FH", "on_table": "BH HQ"}, "HK"),
        ("HQ HA H7", {"role": "FH", "on_table": "BH HJ"}, "HQ"),
        # a defender leaves the trick to the other
        ("HK H7", {"role": "BH", "on_table": "FH H3, MH HQ"}, "H7"),
        ("C6 D2", {"role": "MH", "on_table": "BH HK"}, "D2"),
        ("HQ H7", {"role": "BH", "on_table": "MH HJ"}, "HQ"),
        ("HK H7", {"role": "BH", "on_table": "MH HQ"}, "H7"),
        # a card that may win later is kept
        ("DK S3", {"role": "BH", "on_table": "FH CA, MH C3"}, "S3"),
    ],
)
def test_in_a_game(hand, situation, card):
    assert card_to_win(at_table(hand, **situation)) == card


@pytest.mark.parametrize(
    ("situation", "card"),
    [
        # MH was called with the king of hearts, and FH has the trick: it is left to him
        ({"role": "MH", "on_table": "FH DK", "king": "HK"}, "S3"),
        # it is not known yet who has the king
        ({"role": "H3", "on_table": "FH DK", "king": "SK"}, "C4"),
        ({"role": "H3", "on_table": "FH D7, MH SK", "king": "SK"}, "C4"),
    ],
)
def test_a_partner_is_who_holds_or_has_played_the_king(situation, card):
    hand = "HK C4 S3" if situation["role"] == "MH" else "C4 S3"
    here = at_table(hand, contract="ask_leave", rulebook=FIVE, players=5, **situation)
    assert card_to_win(here) == card


@pytest.mark.parametrize(
    ("hand", "situation", "card"),
    [
        # the declarer stays under, and throws what is dangerous
        ("S2 S7 HQ", {"role": "FH"}, "S2"),
        ("S2 S7 HQ", {"role": "FH", "on_table": "BH SJ"}, "S7"),
        ("SK SQ", {"role": "FH", "on_table": "BH SJ"}, "SQ"),
        ("SK SQ", {"role": "FH", "on_table": "MH S3, BH SJ"}, "SK"),
        ("S2 HK D7", {"role": "FH", "on_table": "BH C4"}, "HK"),
        # a defender stays under the declarer, else gets rid of high cards
        ("S2 S7 SQ", {"role": "BH", "on_table": "FH SJ, MH S3"}, "S7"),
        ("S7 SQ", {"role": "BH", "on_table": "FH S2, MH S3"}, "SQ"),
        ("S2 S7 SQ", {"role": "BH", "on_table": "MH SJ"}, "S2"),
        ("SQ SK", {"role": "BH", "on_table": "MH SJ"}, "SQ"),
        ("SA HK", {}, "SA"),
        ("SA H6", {"tricks": ["MH S4, BH S7, FH CK"], "winners": "BH"}, "H6"),
    ],
)
def test_in_a_nolo(hand, situation, card):
    assert card_to_avoid(at_table(hand, **NOLO, **situation)) == card


def test_the_only_card_is_played():
    assert card_to_win(at_table("HK")) == "HK"
    assert card_to_avoid(at_table("HK", **NOLO)) == "HK"


@pytest.mark.parametrize(
    ("hand", "open_hand", "card"),
    [
        ("S3 H6 D4", "S4 S5 H7", "S3"),
        ("S6 H6 D4", "S4 S5 H7 D7", "H6"),
    ],
)
def test_an_open_hand_is_led_where_it_must_win(hand, open_hand, card):
    assert card_to_avoid(at_table(hand, **OUVERT, open_hand=open_hand)) == card


def test_who_joined_a_nolo_and_has_a_trick_is_left_alone():
    joined = at_table(
        "S2 S7", contract="simple_nolo", trump=None, joined=("BH",), rulebook=RASLE, winners="BH",
        tricks=["FH H2, MH H3, BH HK"], on_table="BH S6, FH S4",
    )  # fmt: skip
    assert card_to_avoid(joined) == "S7"


@pytest.mark.parametrize(
    ("hand", "situation", "given_up"),
    [
        ("D2 D3 D4 H2 H3 H4 S3 S4 C3", {}, True),
        ("SA C2 D4 H2 H3 H4 S3 S4 C3", {}, True),
        ("SA C2 CA H2 H3 H4 S3 S4 C3", {}, False),
        (
            "SA C2 DK H2 H3 H4 S3 S4",
            {"rulebook": RENEGADO, "contract": "entrada", "winners": "MH FH MH"},
            False,
        ),
        ("SA DK H2 H3 H4 S3", {"rulebook": RENEGADO, "contract": "entrada", "winners": "MH BH MH"}, True),
        ("D2 D3 D4 H2 H3 H4 S3 S4 C3", {"role": "BH"}, False),
        ("D3 D4 H2 H3 H4 S3 S4 C3", {"winners": "MH"}, False),
        ("SK SQ SJ HK HQ HJ DK DQ DJ", {"contract": "simple_nolo", "trump": None}, True),
        ("S2 S3 S4 H2 H3 H4 D7 D6 D5", {"contract": "simple_nolo", "trump": None}, False),
    ],
)
def test_only_a_hopeless_hand_is_given_up(hand, situation, given_up):
    assert gives_up(seen(hand, **{"role": "FH", **situation})) is given_up


def test_a_strong_defender_takes_over():
    assert takes_over(seen("SA C2 CA CK HK"))
    assert not takes_over(seen("SA D4 D5"))


def test_a_defender_who_would_win_refuses_a_surrender():
    assert not accepts(seen("SA C2 CA CK HK"))
    assert accepts(seen("SA D4 D5"))


def test_a_surrender_is_accepted():
    assert accepts(seen("SA D4 D5"))


@pytest.mark.parametrize(
    ("hand", "winners", "stopped"),
    [
        ("D4 D5 D6 H4", "FH FH FH FH FH", True),
        ("SA C2 CA CK", "FH FH FH FH FH", False),
        ("D4 D5", "FH MH FH", False),
    ],
)
def test_play_stops_when_it_may_be_clear_but_for_who_wins_all(hand, winners, stopped):
    assert stops(at_table(hand, role="FH", winners=winners)) is stopped


def test_nobody_stops_in_the_middle_of_a_trick():
    assert not stops(at_table("D4 D5", role="FH", winners="FH FH FH FH FH", on_table="BH D6"))


@pytest.mark.parametrize(
    ("hand", "sure"),
    [("SA C2 CA CK CQ CJ", True), ("SA C2 CA HK", False), ("SA C2 CA CK CQ CJ HQ", False), ("HK", False)],
)
def test_who_is_sure_of_the_rest_announces_tout(hand, sure):
    here = at_table(hand, role="FH", winners="FH FH FH")
    assert (sure_of_rest(here), announces_tout(here)) == (sure, sure)
    assert not announces_tout(at_table(hand, role="FH", winners="FH MH FH"))


@pytest.mark.parametrize(
    ("hand", "situation", "announced"),
    [
        ("SA C2 CA CK CQ H4 H5 D3 D4", {}, True),
        ("SA C2 CA CQ H4 H5 D3 D4 D5", {}, False),
        ("SA C2 CA CK CQ H4 H5 D3", {"winners": "FH"}, False),
        ("SA C2 CA CK CQ H4 H5 D3 D4", {"on_table": "BH C3"}, False),
    ],
)
def test_the_first_five_are_announced_with_five_top_trumps(hand, situation, announced):
    assert announces_first_five(at_table(hand, role="FH", **situation)) is announced
