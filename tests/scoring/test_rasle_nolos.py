"""The variations on simple nolo, on grand's rank, on grand tourné's holdings and mort, and the learners' cards."""

import pytest

from scoring import get_rulebook
from scoring.cards import Kind, card_order, trump_order
from scoring.choices import choices
from scoring.game import Act, Phase, Step
from scoring.price_list import price_list
from scoring.referee import answer_question, rule_on_result
from scoring.seats import Role
from tests.scoring.game.auctions import legal, outcome
from tests.scoring.game.deals import after, next_steps, refused, table
from tests.scoring.game.test_cases import answer
from tests.scoring.referee.reading import read_out
from tests.scoring.reports import SEATINGS, codes, report, settled, tokens, tricks

FOR_ALL, ONE_MORE, BY_EXCHANGE = {"nolo_for_all": True}, {"nolo_one_more": True}, {"nolo_by_exchange": True}


@pytest.mark.parametrize(
    ("fell", "players", "expected", "came_to"),
    [
        ("FH3 MH3 BH3", 3, {"FH": 0, "MH": 0, "BH": 0}, "won"),
        ("FH4 MH3 BH2", 3, {"FH": -2, "MH": 1, "BH": 1}, "bete"),
        ("FH0 MH4 BH5", 3, {"FH": 3, "MH": 0, "BH": -3}, "won"),
        ("FH9 MH0 BH0", 3, {"FH": -12, "MH": 6, "BH": 6}, "kodille"),
        ("FH5 MH4 BH0", 4, {"FH": -5, "MH": -1, "BH": 3, "IDLE": 3}, "kodille"),
    ],
)
def test_7_5_all_three_pay_each_other_for_tricks_beyond_three(fell, players, expected, came_to):
    book = get_rulebook("rasle", FOR_ALL)
    nolo = {"contract": "simple_nolo", "declarer": "FH", "tricks": tricks(fell)}
    assert tokens(book, players, **nolo) == expected
    assert settled(book, players, **nolo).outcome == came_to


def test_7_5_a_clubs_price_of_a_trick_and_what_a_report_must_say():
    nolo = {"contract": "simple_nolo", "declarer": "FH"}
    dear = get_rulebook("rasle", FOR_ALL | {"kodille_simple_nolo": 3})
    assert tokens(dear, tricks=tricks("FH4 MH5 BH0"), **nolo) == {"FH": 0, "MH": -9, "BH": 9}
    book = get_rulebook("rasle", FOR_ALL)
    assert "joined_tricks_needed" in codes(book, tricks={"FH": 4}, **nolo)
    assert codes(book, tricks=tricks("FH4 MH5"), **nolo) == []
    assert "abandoned_not_allowed" in codes(book, abandoned=True, **nolo)
    assert tokens(book, foul="FH", **nolo) == {"FH": -4, "MH": 2, "BH": 2}
    still = get_rulebook("rasle", FOR_ALL | {"simple_nolo_may_be_abandoned": True})
    assert not still.by_id["simple_nolo"].may_be_abandoned


def test_7_5_prices_say_what_a_trick_costs():
    (row,) = (
        row for row in price_list(get_rulebook("rasle", FOR_ALL), 3).rows if row.contract.id == "simple_nolo"
    )
    assert [(result.code, result.price.each, result.more) for result in row.results] == [("kodille", -1, -1)]


def test_7_5_the_referee_says_why_it_costs():
    book = get_rulebook("rasle", FOR_ALL)
    nolo = {"contract": "simple_nolo", "declarer": "FH"}
    said = [
        rule_on_result(book, SEATINGS[3], report(book="rasle", tricks=tricks(fell), **nolo))
        .explanations[-1]
        .text
        for fell in ("FH3 MH3 BH3", "FH4 MH3 BH2")
    ]
    assert said == ["No more tricks than allowed free.", "More tricks than allowed free: each one costs."]


def test_7_5_all_three_exchange_and_avoid_tricks():
    state = after(table("rasle", options=FOR_ALL), "FH bid simple_nolo, MH pass, BH pass")
    assert (state.joined, state.ask.value) == ((Role.MH, Role.BH), "exchange")
    state = after(state, "FH exchange, MH exchange, BH exchange")
    assert state.phase is Phase.PLAY
    four = after(table("rasle", 4, options=FOR_ALL), "FH bid simple_nolo, MH pass, BH pass")
    assert after(four, "FH exchange, MH exchange, BH exchange").playing == (Role.FH, Role.MH, Role.BH)


def test_4_3_one_card_more_for_an_open_hand():
    options = ONE_MORE | {"repeat_exchange": True}
    state = table("rasle", options=options, FH="SA S2 S3 HK", talon="H7 H6 H5")
    asked = after(state, "FH bid simple_nolo, MH pass, BH pass")
    assert next_steps(asked) == "one_more no"
    plain = after(asked, "FH no, FH exchange HK, FH exchange")
    assert plain.phase is Phase.PLAY
    drawn = after(asked, "FH one_more, FH exchange HK")
    assert (len(drawn.hands[Role.FH]), drawn.limits(), drawn.ask.value) == (10, (1, 1), "lay_off")
    playing = after(drawn, "FH lay_off H7")
    assert (playing.phase, len(playing.hands[Role.FH])) == (Phase.PLAY, 9)
    assert playing.view(Role.MH).open_hand == ()
    assert playing.after(Step(Role.FH, Act.PLAY, "SA")).view(Role.MH).open_hand != ()


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("FH simple_nolo, MH simple_nolo, FH pass, BH pass", "MH simple_nolo"),
        ("FH simple_nolo, MH self", "1 self_without_right"),
        ("FH simple_nolo, MH tourne", "1 bid_too_low"),
        ("FH simple_nolo, MH simple_nolo, FH self", "2 self_without_right"),
        ("FH simple_nolo+3, MH simple_nolo+3", "1 pledge_too_low"),
        ("FH simple_nolo+3, MH simple_nolo+4", "open FH"),
        ("FH simple_nolo+9, MH simple_nolo", "1 pledge_not_here"),
        ("FH simple_nolo+12", "0 contract_unknown"),
        ("FH simple_nolo+0", "open MH"),
        ("FH solo+3", "0 pledge_not_here"),
        ("FH grand_tourne, MH simple_nolo+9", "1 bid_too_low"),
        ("FH simple_nolo+9, MH grand_tourne", "open FH"),
    ],
)
def test_9_2_more_cards_to_exchange_outbid_fewer(calls, expected):
    assert outcome("rasle", calls, options=BY_EXCHANGE) == expected


def test_9_2_who_pledged_cards_must_exchange_them():
    state = table("rasle", options=BY_EXCHANGE)
    state = after(state, "FH bid simple_nolo, MH bid simple_nolo+3, FH pass, BH pass")
    assert state.limits() == (3, 9)
    defined = after(table("rasle", options=BY_EXCHANGE), "FH bid simple_game, MH pass, BH pass")
    assert after(defined, "FH define simple_nolo").limits() == (1, 9)
    assert "+" not in legal("rasle", "FH simple_nolo")
    assert legal("rasle", "FH simple_nolo+7", options=BY_EXCHANGE).split()[1:4] == [
        "simple_nolo", "simple_nolo+8", "simple_nolo+9",
    ]  # fmt: skip


def test_9_2_cases_and_the_referee_name_the_cards():
    calls = [
        {"seat": "FH", "call": "simple_nolo", "cards": 2},
        {"seat": "MH", "call": "simple_nolo", "cards": 2},
    ]
    given = answer("auction", {"calls": calls}, options=BY_EXCHANGE)
    assert (given["status"], given["code"], given["paragraph"]) == ("illegal", "pledge_too_low", "rasle §9.2")
    book = get_rulebook("rasle", BY_EXCHANGE)
    said = read_out(answer_question("calls: simple nolo 3", book, 3), book)
    assert "It promises to exchange 3 cards at least; Simple nolo with more cards outbids it." in said
    assert "Simple nolo can only be outbid with more than 3 cards" in read_out(
        answer_question("calls: simple nolo 3, simple nolo 2", book, 3), book
    )


@pytest.mark.parametrize(
    ("options", "calls", "expected"),
    [
        ({}, "FH grand_tourne, MH grand", "1 bid_too_low"),
        ({"grand_rank": "above_grand_tourne"}, "FH grand_tourne, MH grand", "open FH"),
        ({"grand_rank": "above_grand_tourne"}, "FH grand, MH solo", "open FH"),
        ({"grand_rank": "as_simple_nolo"}, "FH grand, MH simple_nolo", "1 bid_too_low"),
        ({"grand_rank": "as_tourne"}, "FH grand, MH simple_nolo", "open FH"),
        ({"grandissimo_rank": "as_spade_solo"}, "FH solo, MH grandissimo", "open FH"),
        ({"grandissimo_rank": "as_spade_solo"}, "FH pure_nolo, MH grandissimo", "1 bid_too_low"),
        ({"grandissimo_rank": "above_spade_solo"}, "FH grandissimo, MH pure_nolo", "1 bid_too_low"),
        ({"grandissimo_rank": "above_spade_solo"}, "FH grandissimo, MH nolo_ouvert", "open FH"),
    ],
)
def test_3_7_where_grand_and_grandissimo_rank(options, calls, expected):
    assert outcome("rasle", calls, options={"grand": True} | options) == expected


def test_3_7_contracts_stand_in_the_order_of_bidding():
    book = get_rulebook(
        "rasle", {"grand": True, "grand_rank": "above_solo", "grandissimo_rank": "as_spade_solo"}
    )
    assert [row.id for row in book.contracts][4:] == [
        "grand_tourne", "solo", "grand", "grandissimo", "pure_nolo", "spade_solo", "nolo_ouvert",
    ]  # fmt: skip
    ranks = [row.rank for row in book.contracts]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    ("option", "hand", "expected"),
    [
        ("grand_tourne_red_aces", "HA DA", True),
        ("grand_tourne_red_aces", "HA CA", False),
        ("grand_tourne_mixed_aces", "HA CA", True),
        ("grand_tourne_mixed_aces", "HA DA", False),
        ("grand_tourne_three_aces", "HA DA CA", True),
        ("grand_tourne_three_aces", "HA CA", False),
        ("grand_tourne_seven", "D7", True),
        ("grand_tourne_seven", "HA DA", False),
    ],
)
def test_3_8_single_holdings_for_a_grand_tourne(option, hand, expected):
    grand_tourne = get_rulebook("rasle", {option: True}).by_id["grand_tourne"]
    assert grand_tourne.is_held_by(hand.split()) is expected
    assert grand_tourne.is_held_by(["SA", "CA"])
    assert not get_rulebook("rasle").by_id["grand_tourne"].is_held_by(hand.split())


def test_3_6_mort_that_must_be_a_nolo():
    options = {"mort": True, "mort_nolo": True, "mort_nolo_must": True}
    passed = "FH pass, MH pass, BH pass"
    assert outcome("rasle", passed, players=4, options=options) == "IDLE mort_nolo"
    state = after(table("rasle", 4, options=options), passed)
    assert (state.contract.id, state.limits()) == ("mort_nolo", (4, 4))
    mort = {"contract": "mort", "declarer": "IDLE", "trump": "H", "outcome": "won"}
    assert codes(get_rulebook("rasle", options), 4, **mort) == ["contract_not_agreed"]


@pytest.mark.parametrize("rulebook", ["rasle", "la_bete"])
def test_2_2_for_learners_red_cards_rank_like_black_ones(rulebook):
    ranking = get_rulebook(rulebook, {"krokodille": True}).pack.ranking
    hearts = "SA HA CA HK HQ HJ H7 H6 H5 H4 H3 H2"
    assert " ".join(trump_order(Kind.TRUMP, "H", ranking)) == hearts
    assert " ".join(trump_order(Kind.TRUMP, "C", ranking)) == "SA C2 CA CK CQ CJ C7 C6 C5 C4 C3"
    order = card_order(Kind.NOLO, None, ranking)
    assert order.strength["H7"] > order.strength["H2"] > order.strength["HA"]
    assert card_order(Kind.TRUMP, "H", ranking).matadors == ("SA", "HA", "CA")


def test_2_4_for_learners_a_red_ace_is_a_matador():
    hands = {"FH": "SA H2", "MH": "HA SK SQ SJ S7 S6 S5 S4 S3", "BH": "HK"}
    state = table("rasle", options={"krokodille": True}, **hands)
    state = after(
        state, "FH bid solo, MH pass, BH pass, FH define solo, FH trump H, MH exchange, BH exchange"
    )
    assert refused(after(state, "FH H2"), "MH SK") == ""
    assert refused(after(state, "FH SA"), "MH SK") == "must_follow_trump"


def test_4_4_who_joined_and_fouls_loses_the_own_account_and_pays_for_the_others_in_the_declarers():
    nolo = {"contract": "simple_nolo", "declarer": "FH"}
    # The declarer has won 2 from each of three, and the fouler pays all of it; the fouler's own is a bête.
    expected = {"FH": 8, "MH": 2, "BH": 2, "IDLE": -12}
    assert tokens("rasle", 4, **nolo, foul="IDLE") == expected
    assert tokens("rasle", 4, **nolo, foul="IDLE", joined=["IDLE"]) == expected
    dear = get_rulebook("rasle", {"declarer_foul": "kodille"})
    assert tokens(dear, 4, **nolo, foul="IDLE") == {"FH": 9, "MH": 3, "BH": 3, "IDLE": -15}


def test_4_4_every_other_declarer_has_won_where_one_who_joined_fouls():
    book = get_rulebook("rasle", {"joint_simple_nolo": True})
    nolo = {"contract": "simple_nolo", "declarer": "FH", "joined": ["MH", "IDLE"]}
    assert tokens(book, 4, **nolo, foul="MH") == {"FH": 8, "MH": -18, "BH": 2, "IDLE": 8}
    three = {"contract": "simple_nolo", "declarer": "FH", "joined": ["MH"]}
    assert tokens(book, 3, **three, foul="MH") == {"FH": 6, "MH": -8, "BH": 2}


def test_4_4_a_phone_offers_the_fourth_players_foul_at_what_it_costs():
    offered = choices(get_rulebook("rasle"), 4)
    row = next(one for one in offered["contracts"] if one["id"] == "simple_nolo")
    foul = next(one for one in row["rare"] if one["code"] == "foul_IDLE")
    assert foul["tokens"]["FH"] == {"FH": 8, "MH": 2, "BH": 2, "IDLE": -12}
