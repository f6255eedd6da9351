"""The auction by the union's and the Rasle rules: rules texts §9, one row a sentence."""

import pytest

from scoring import get_rulebook
from scoring.game import Act, Auction, Step
from scoring.seats import Role
from tests.scoring.game.auctions import legal, outcome

FORCED = {"forced_spadille": True}
KASKE = {"kaske": True}
MORT = {"mort": True}


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("", "open FH"),
        ("FH simple_game", "open MH"),
        ("FH pass", "open MH"),
        ("FH simple_game, MH tourne", "open FH"),
        ("FH simple_game, MH pass", "open BH"),
        ("FH pass, MH pass", "open BH"),
        ("FH pass, MH simple_game", "open BH"),
        ("FH simple_game, MH pass, BH solo", "open FH"),
        ("FH simple_game, MH pass, BH solo, FH self", "open BH"),
        ("FH simple_game, MH pass, BH pass", "FH simple_game"),
        ("FH pass, MH pass, BH solo", "BH solo"),
        ("FH pass, MH simple_game, BH tourne, MH pass", "BH tourne"),
        ("FH simple_game, MH tourne, FH self, MH pass, BH solo, FH self, BH pass", "FH solo"),
        ("FH pass, MH pass, BH pass", "washout FH"),
        ("MH pass", "0 call_out_of_turn"),
        ("FH pass, BH pass", "1 call_out_of_turn"),
        ("FH simple_game, MH tourne, BH pass", "2 call_out_of_turn"),
        ("FH pass, MH simple_game, FH self", "2 call_out_of_turn"),
        ("FH pass, MH pass, BH pass, FH simple_game", "3 auction_over"),
        ("FH pass, MH pass, BH solo, FH pass", "3 auction_over"),
    ],
)
def test_9_1_forehand_against_middlehand_then_backhand_against_who_is_left(calls, expected):
    assert outcome("rasle", calls) == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("FH solo, MH pass, BH pass", "FH solo"),
        ("FH tourne, MH spade_game", "1 bid_too_low"),
        ("FH simple_game, MH simple_game", "1 bid_too_low"),
        ("FH simple_game, MH tourne, FH tourne", "2 bid_too_low"),
        ("FH pure_nolo, MH spade_solo", "1 bid_too_low"),
        ("FH spade_solo, MH pure_nolo", "1 bid_too_low"),
        ("FH spade_solo, MH nolo_ouvert, FH pass, BH pass", "MH nolo_ouvert"),
        ("FH bridge", "0 contract_unknown"),
        ("FH grand", "0 contract_not_agreed"),
        ("FH self", "0 self_without_bid"),
    ],
)
def test_9_2_rasle_any_bid_that_outranks_the_last(calls, expected):
    assert outcome("rasle", calls) == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("FH simple_game, MH tourne, FH self, MH pass, BH pass", "FH tourne"),
        ("FH simple_game, MH tourne, FH self tourne, MH pass, BH pass", "FH tourne"),
        ("FH simple_game, MH self", "1 self_without_right"),
        ("FH simple_game, MH pass, BH self", "2 self_without_right"),
        ("FH pass, MH solo, BH spade_solo, MH self, BH pass", "MH spade_solo"),
        ("FH simple_game, MH pure_nolo, FH self spade_solo", "2 self_other_rank"),
        ("FH simple_game, MH tourne, FH self simple_nolo", "2 self_other_rank"),
        ("FH simple_game, MH tourne, FH self bridge", "2 contract_unknown"),
    ],
)
def test_9_3_rasle_who_sits_before_the_bidder_may_say_self(calls, expected):
    assert outcome("rasle", calls) == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        (
            "FH simple_game, MH spade_game, FH self, MH simple_nolo, FH self tourne, MH pass, BH pass",
            "FH tourne",
        ),
        ("FH solo, MH pure_nolo, FH self spade_solo, MH pass, BH pass", "FH spade_solo"),
        ("FH solo, MH spade_solo, FH self pure_nolo, MH pass, BH pass", "FH pure_nolo"),
        ("FH solo, MH spade_solo, FH self nolo_ouvert", "2 self_other_rank"),
        ("FH solo, MH spade_solo, FH pass, BH pure_nolo", "3 bid_too_low"),
    ],
)
def test_9_3_union_who_has_priority_may_name_an_equal_contract(calls, expected):
    assert outcome("union", calls) == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("", "pass simple_game solo pure_nolo nolo_ouvert"),
        ("FH simple_game", "pass spade_game solo pure_nolo nolo_ouvert"),
        ("FH simple_game, MH spade_game", "pass self:spade_game solo pure_nolo nolo_ouvert"),
        ("FH simple_game, MH spade_game, FH self", "pass tourne simple_nolo solo pure_nolo nolo_ouvert"),
        (
            "FH simple_game, MH spade_game, FH self, MH tourne",
            "pass self:tourne self:simple_nolo solo pure_nolo nolo_ouvert",
        ),
        (
            "FH simple_game, MH spade_game, FH self, MH tourne, FH self",
            "pass grand_tourne solo pure_nolo nolo_ouvert",
        ),
        ("FH solo", "pass spade_solo pure_nolo nolo_ouvert"),
        ("FH simple_game, MH solo", "pass self:solo pure_nolo nolo_ouvert"),
        ("FH solo, MH spade_solo", "pass self:spade_solo self:pure_nolo nolo_ouvert"),
        ("FH pure_nolo", "pass nolo_ouvert"),
        ("FH nolo_ouvert", "pass"),
        ("FH solo, MH nolo_ouvert", "pass self:nolo_ouvert"),
    ],
)
def test_9_4_union_the_lowest_bid_of_a_group(calls, expected):
    assert legal("union", calls) == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("FH spade_game", "0 bid_not_lowest"),
        ("FH pass, MH simple_game, BH tourne", "2 bid_not_lowest"),
        ("FH simple_game, MH spade_game, FH tourne", "2 bid_not_lowest"),
        ("FH simple_game, MH spade_solo", "1 bid_not_lowest"),
        ("FH pass, MH simple_game, BH spade_game, MH self, BH tourne, MH pass", "BH tourne"),
    ],
)
def test_9_4_union_the_bidding_is_not_rushed(calls, expected):
    assert outcome("union", calls) == expected


@pytest.mark.parametrize("rulebook", ["union", "rasle"])
@pytest.mark.parametrize(
    ("calls", "holding", "expected"),
    [
        ("FH pass", {"FH": "SA"}, "0 pass_holding_spadille"),
        ("FH pass, MH pass", {"MH": ["SA", "H3"]}, "1 pass_holding_spadille"),
        ("FH pass, MH pass, BH pass", {"TALON": "SA"}, "2 pass_last"),
        ("FH pass, MH pass, BH pass", None, "2 pass_last"),
        ("FH pass, MH pass, BH simple_game", None, "BH simple_game"),
        ("FH simple_game, MH pass, BH pass", {"MH": "SA"}, "FH simple_game"),
        ("FH simple_game, MH solo, FH pass, BH pass", {"FH": "SA"}, "MH solo"),
    ],
)
def test_9_5_forced_spadille(rulebook, calls, holding, expected):
    assert outcome(rulebook, calls, options=FORCED, holding=holding) == expected


@pytest.mark.parametrize(
    ("calls", "options", "players", "expected"),
    [
        ("FH pass, MH pass, BH pass, FH kaske", KASKE, 3, "FH kaske"),
        ("FH pass, MH pass, BH pass, FH pass, MH pass, BH kaske", KASKE, 3, "BH kaske"),
        ("FH pass, MH pass, BH pass, FH pass, MH pass, BH pass", KASKE, 3, "washout FH"),
        ("FH pass, MH pass, BH pass", KASKE, 3, "open FH"),
        ("FH pass, MH pass, BH pass, FH pass", KASKE, 3, "open MH"),
        ("FH pass, MH pass, BH pass, FH simple_game", KASKE, 3, "3 bid_not_now"),
        ("FH kaske", KASKE, 3, "0 bid_not_now"),
        ("FH pass, MH pass, BH pass, FH kaske", {}, 3, "3 auction_over"),
        ("FH kaske", {}, 3, "0 contract_not_agreed"),
        ("FH pass, MH pass, BH pass", MORT, 4, "IDLE mort"),
        ("FH pass, MH pass, BH pass", MORT, 3, "washout FH"),
        ("FH mort", MORT, 4, "0 bid_not_now"),
        ("FH pass, MH pass, BH pass", KASKE | MORT, 4, "open FH"),
        ("FH pass, MH pass, BH pass, FH pass, MH pass, BH pass", KASKE | MORT, 4, "IDLE mort"),
        ("FH pass, MH pass, BH pass, FH pass, MH kaske", KASKE | MORT, 4, "MH kaske"),
    ],
)
def test_9_6_when_all_pass(calls, options, players, expected):
    assert outcome("rasle", calls, options=options, players=players) == expected


@pytest.mark.parametrize(
    ("calls", "options", "holding", "expected"),
    [
        ("FH grand_tourne, MH pass, BH pass", {}, {"FH": "SA CA"}, "FH grand_tourne"),
        ("FH grand_tourne, MH pass, BH pass", {}, None, "FH grand_tourne"),
        ("FH grand_tourne", {}, {"FH": "SA"}, "0 bid_needs_cards"),
        ("FH grand_tourne", {}, {"BH": "SA"}, "0 bid_needs_cards"),
        ("FH grand_tourne", {}, {"TALON": ["CA"]}, "0 bid_needs_cards"),
        ("FH grand_tourne", {}, {"BH": "SA CA"}, "0 bid_needs_cards"),
        ("FH grand_tourne", {}, {"BH": "H3"}, "open MH"),
        ("FH grand_tourne", {"grand_tourne_holdings": "two_aces"}, {"FH": "HA CA"}, "open MH"),
        ("FH grand_tourne", {"grand_tourne_holdings": "two_aces"}, {"FH": "D7 CA"}, "0 bid_needs_cards"),
        ("FH grand_tourne", {"grand_tourne_holdings": "two_aces_or_seven"}, {"FH": "D7"}, "open MH"),
        ("FH simple_game, MH grand_tourne, FH self", {}, None, "2 bid_needs_cards"),
        ("FH simple_game, MH grand_tourne, FH self", {}, {"MH": "SA CA"}, "2 bid_needs_cards"),
        (
            "FH simple_game, MH grand_tourne, FH self",
            {"grand_tourne_holdings": "two_aces"},
            {"FH": "HA CA"},
            "open MH",
        ),
        (
            "FH simple_game, MH grand_tourne, FH self",
            {"grand_tourne_holdings": "two_aces"},
            {"FH": "HA"},
            "2 bid_needs_cards",
        ),
    ],
)
def test_3_8_a_grand_tourne_is_bid_with_the_cards_in_hand(calls, options, holding, expected):
    assert outcome("rasle", calls, options=options, holding=holding) == expected


def test_4_1_what_may_be_called_follows_what_is_held():
    assert legal("rasle", "", options=FORCED, holding={"FH": "SA"}).split()[0] == "simple_game"
    assert "grand_tourne" in legal("rasle", "").split()
    assert "grand_tourne" not in legal("rasle", "", holding={"MH": "SA"}).split()


def test_an_auction_of_which_no_card_is_known():
    auction = Auction.start(get_rulebook("union"), 3)
    assert "simple_game" in [step.value for step in auction.legal_calls()]
    assert auction.problem_of(Step(Role.FH, Act.PLAY, "SA")).code == "call_unknown"
    ended = (
        auction.after(Step(Role.FH, Act.PASS)).after(Step(Role.MH, Act.PASS)).after(Step(Role.BH, Act.PASS))
    )
    assert ended.legal_calls() == ()
