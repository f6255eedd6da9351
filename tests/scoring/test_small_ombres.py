"""Ombre for two, for five, and as a first lesson: their texts in `scoring/rules/`, paragraph by paragraph."""

import pytest

from scoring import BadOption, get_rulebook
from scoring.answers import in_words
from scoring.game import Act, Step
from scoring.seats import Seating
from scoring.settlement import pool_after, settle_at_table
from tests.scoring.game import auctions
from tests.scoring.game.deals import after, table
from tests.scoring.reports import SEATINGS, codes, report, settled, tokens, tricks

TWO = {"contract": "ombre", "declarer": "A"}
ASK = {"contract": "ask_leave", "declarer": "FH", "partner": "H3"}
ALONE = {"contract": "solo", "declarer": "BH"}
LESSON = {"contract": "ombre", "declarer": "FH"}


@pytest.mark.parametrize(
    ("mine", "outcome", "expected"),
    [
        (8, "won", {"A": 7, "B": 0, "POOL": -7}),
        (5, "won", {"A": 7, "B": 0, "POOL": -7}),
        (4, "remise", {"A": -7, "B": 0, "POOL": 7}),
        (3, "kodille", {"A": -7, "B": 7, "POOL": 0}),
        (0, "kodille", {"A": -7, "B": 7, "POOL": 0}),
    ],
)
def test_two_5_3_and_6_five_of_eight_win_the_pool_four_double_it_fewer_pay_the_other(mine, outcome, expected):
    fields = TWO | {"tricks": {"A": mine, "B": 8 - mine}, "pool": 7}
    assert settled("ombre_two", 2, **fields).outcome == outcome
    assert tokens("ombre_two", 2, **fields) == expected
    assert tokens("ombre_two", 2, **TWO, outcome=outcome, pool=7) == expected


def test_two_6_2_and_6_6_prices_beside_the_pool_are_a_clubs_own():
    book = get_rulebook("ombre_two", {"price_ombre": 3, "price_puesta": 2, "price_estuche": 1})
    assert tokens(book, 2, **TWO, outcome="won", pool=7, estuches=2) == {"A": 12, "B": -5, "POOL": -7}
    assert tokens(book, 2, **TWO, outcome="remise", pool=7, estuches=2) == {"A": -9, "B": -2, "POOL": 11}
    assert tokens(book, 2, **TWO, outcome="kodille", pool=7, estuches=2) == {"A": -9, "B": 9, "POOL": 0}


def test_two_1_4_a_red_suit_is_out_of_the_pack():
    assert {card[0] for card in get_rulebook("ombre_two").pack.cards} == {"S", "H", "C"}
    assert get_rulebook("ombre_two").pack.suits == ("S", "H", "C")
    assert {card[0] for card in get_rulebook("ombre_two", {"suit_out": "hearts"}).pack.cards} == {
        "S",
        "D",
        "C",
    }
    assert get_rulebook("ombre_two").pack.talon(2) == 14


@pytest.mark.parametrize(
    ("mine", "partners", "outcome", "expected"),
    [
        (3, 2, "won", {"FH": 10, "H3": 5, "POOL": -15}),
        (5, 1, "won", {"FH": 10, "H3": 5, "POOL": -15}),
        (0, 5, "won", {"FH": 10, "H3": 5, "POOL": -15}),
        (3, 1, "remise", {"FH": -10, "H3": -5, "POOL": 15}),
        (2, 1, "kodille", {"FH": -10, "H3": -5, "MH": 5, "H4": 5, "BH": 5}),
    ],
)
def test_five_5_3_and_6_declarer_and_partner_share_two_thirds_and_one(mine, partners, outcome, expected):
    rest = 8 - mine - partners
    fields = ASK | {"pool": 15, "tricks": {"FH": mine, "H3": partners, "MH": rest, "H4": 0, "BH": 0}}
    assert settled("ombre_five", 5, **fields).outcome == outcome
    nought = dict.fromkeys(("FH", "MH", "H3", "H4", "BH", "POOL"), 0)
    assert tokens("ombre_five", 5, **fields) == nought | expected
    assert tokens("ombre_five", 5, **ASK, outcome=outcome, pool=15) == nought | expected


@pytest.mark.parametrize(
    ("pool", "outcome", "expected"),
    [
        (16, "won", [10, 0, 5, 0, 0, -15]),
        (17, "won", [10, 0, 5, 0, 0, -15]),
        (17, "remise", [-10, 0, -5, 0, 0, 15]),
        (17, "kodille", [-10, 5, -5, 5, 5, 0]),
        (2, "won", [0, 0, 0, 0, 0, 0]),
    ],
)
def test_five_6_2_thirds_are_rounded_down(pool, outcome, expected):
    paid = tokens("ombre_five", 5, **ASK, outcome=outcome, pool=pool)
    assert [paid[seat] for seat in ("FH", "MH", "H3", "H4", "BH", "POOL")] == expected


@pytest.mark.parametrize(
    ("tricks", "outcome", "expected"),
    [
        (5, "won", [17, 0, 0, 0, 0, -17]),
        (4, "remise", [-17, 0, 0, 0, 0, 17]),
        (3, "kodille", [-16, 4, 4, 4, 4, 0]),
    ],
)
def test_five_3_2_who_plays_alone_takes_and_pays_all(tricks, outcome, expected):
    fields = ALONE | {"pool": 17, "tricks": {"BH": tricks, "FH": 8 - tricks, "MH": 0, "H3": 0, "H4": 0}}
    assert settled("ombre_five", 5, **fields).outcome == outcome
    paid = tokens("ombre_five", 5, **fields)
    assert [paid[seat] for seat in ("BH", "FH", "MH", "H3", "H4", "POOL")] == expected


@pytest.mark.parametrize(
    ("remise_at", "tricks", "outcome"),
    [(4, 3, "kodille"), (3, 3, "remise"), (3, 4, "remise"), (3, 2, "kodille")],
)
def test_five_5_3_remise_from_so_many_tricks(remise_at, tricks, outcome):
    book = get_rulebook("ombre_five", {"remise_at": remise_at})
    fields = ALONE | {"pool": 15, "tricks": {"BH": tricks, "FH": 8 - tricks, "MH": 0, "H3": 0, "H4": 0}}
    assert settled(book, 5, **fields).outcome == outcome


@pytest.mark.parametrize(
    ("tricks", "stopped", "outcome"),
    [
        ({"FH": 3, "H3": 2, "MH": 0, "H4": 0, "BH": 0}, True, "won"),
        ({"FH": 3, "H3": 2}, False, "won"),
        ({"MH": 3, "H4": 2, "BH": 0}, False, "kodille"),
        ({"FH": 3, "MH": 3, "H4": 1, "BH": 0}, False, "remise"),
    ],
)
def test_five_5_2_what_is_told_of_the_tricks_decides(tricks, stopped, outcome):
    fields = ASK | {"pool": 15, "tricks": tricks} | ({"played_out": False} if stopped else {})
    assert settled("ombre_five", 5, **fields).outcome == outcome


def test_five_6_5_every_player_pays_the_stake():
    seating, book = Seating(5, 4), get_rulebook("ombre_five")
    won = report(5, "ombre_five", **ASK, outcome="won", pool=15)
    assert settle_at_table(won, seating, book).tokens == (7, -3, 2, -3, -3)
    assert pool_after(won, seating, book) == 15


@pytest.mark.parametrize(
    ("fields", "outcome", "expected"),
    [
        ({"tricks": {"FH": 5, "MH": 3, "BH": 1}}, "won", [2, -1, -1]),
        ({"tricks": {"FH": 4, "MH": 3, "BH": 2}}, "won", [2, -1, -1]),
        ({"first_five_by": "FH"}, "won", [2, -1, -1]),
        (
            {"tricks": {"FH": 5, "MH": 0, "BH": 0}, "played_out": False, "first_five_by": "FH"},
            "won",
            [2, -1, -1],
        ),
        ({"tricks": {"FH": 5, "MH": 0, "BH": 0}, "played_out": False}, "won", [2, -1, -1]),
        ({"tricks": {"FH": 9, "MH": 0, "BH": 0}}, "vole", [10, -5, -5]),
        ({"vole": "won"}, "vole", [10, -5, -5]),
        ({"outcome": "vole"}, "vole", [10, -5, -5]),
        ({"tricks": {"FH": 8, "MH": 1, "BH": 0}, "first_five_by": "FH"}, "lost", [-2, 1, 1]),
        ({"vole": "failed"}, "lost", [-2, 1, 1]),
        ({"tricks": {"FH": 3, "MH": 3, "BH": 3}}, "lost", [-2, 1, 1]),
        ({"tricks": {"FH": 4, "MH": 4, "BH": 1}}, "lost", [-2, 1, 1]),
        ({"surrendered": True}, "lost", [-2, 1, 1]),
        ({"tricks": {"FH": 3, "MH": 5, "BH": 1}}, "kodille", [-5, 5, 0]),
        ({"tricks": {"FH": 1, "MH": 4, "BH": 4}}, "kodille", [-5, 3, 2]),
        ({"outcome": "kodille", "won_by": "BH"}, "kodille", [-5, 0, 5]),
        ({"surrendered": True, "takeover": "MH", "outcome": "won"}, "won", [-1, 2, -1]),
    ],
)
def test_lesson_5_and_6_single_stakes_five_for_the_vole_and_to_who_won_a_kodille(fields, outcome, expected):
    came_to = settled("ombre_intro", **LESSON, **fields)
    assert (came_to.outcome, list(came_to.tokens)) == (outcome, expected)


def test_lesson_6_3_a_kodille_goes_to_the_nearer_by_the_option_and_stakes_may_be_higher():
    book = get_rulebook("ombre_intro", {"codille_shared": False, "price_ombre": 2})
    assert settled(book, **LESSON, tricks={"FH": 1, "MH": 4, "BH": 4}).tokens == (-10, 10, 0)
    assert settled(book, **LESSON, outcome="won").tokens == (4, -2, -2)
    shared = get_rulebook("ombre_intro", {"price_ombre": 2})
    assert settled(shared, **LESSON, tricks={"FH": 1, "MH": 4, "BH": 4}).tokens == (-10, 5, 5)


def test_lesson_6_2_a_missed_vole_costs_as_many_stakes_as_the_club_says():
    book = get_rulebook("ombre_intro", {"price_missed_vole": 5, "price_ombre": 2})
    assert settled(book, **LESSON, vole="failed").tokens == (-20, 10, 10)
    assert settled(book, **LESSON, outcome="lost").tokens == (-4, 2, 2)


def test_tables_are_of_two_five_and_three():
    sizes = {book: get_rulebook(book).players for book in ("ombre_two", "ombre_five", "ombre_intro")}
    assert sizes == {"ombre_two": (2,), "ombre_five": (5,), "ombre_intro": (3,)}
    assert all(size in SEATINGS for (size,) in sizes.values())


@pytest.mark.parametrize(
    ("book", "players", "fields", "said"),
    [
        ("ombre_two", 2, TWO | {"outcome": "won", "pool": 5}, ["the pool"]),
        ("ombre_two", 2, TWO | {"outcome": "remise", "pool": 5}, ["Ombre: remise"]),
        (
            "ombre_five",
            5,
            ASK | {"outcome": "remise", "pool": 15},
            ["Ask leave: remise", "Ask leave: remise"],
        ),
        ("ombre_intro", 3, LESSON | {"outcome": "lost"}, ["Ombre: lost", "Ombre: lost"]),
        ("ombre_intro", 3, LESSON | {"outcome": "won"}, ["Ombre: won", "Ombre: won"]),
    ],
)
def test_the_parts_say_what_was_paid_for(book, players, fields, said):
    assert [in_words(part.text, part.params) for part in settled(book, players, **fields).parts] == said


BIDS = get_rulebook("ombre_intro", {"bids_tricks": True})


@pytest.mark.parametrize(
    ("contract", "fell", "outcome", "stakes"),
    [
        ("five_tricks", "FH5 MH4 BH0", "won", 2),
        ("five_tricks", "FH4 MH3 BH2", "lost", -2),
        ("six_tricks", "FH5 MH4 BH0", "lost", -2),
        ("six_tricks", "FH6 MH3 BH0", "won", 2),
        ("six_tricks", "FH4 MH5 BH0", "kodille", -5),
        ("seven_tricks", "FH8 MH1 BH0", "won", 2),
        ("eight_tricks", "FH7 MH1 BH1", "lost", -2),
        ("nine_tricks", "FH9 MH0 BH0", "vole", 10),
        ("six_tricks", "FH9 MH0 BH0", "vole", 10),
    ],
)
def test_lesson_3_1_who_bids_a_number_of_tricks_must_win_as_many(contract, fell, outcome, stakes):
    bid = {"contract": contract, "declarer": "FH", "tricks": tricks(fell)}
    assert (settled(BIDS, **bid).outcome, tokens(BIDS, **bid)["FH"]) == (outcome, stakes)


def test_lesson_5_6_who_bid_more_than_five_leads_on_and_misses_no_vole():
    eight = {"tricks": tricks("FH8 MH1 BH0"), "first_five_by": "FH"}
    assert settled(BIDS, contract="six_tricks", declarer="FH", **eight).outcome == "won"
    assert settled(BIDS, contract="five_tricks", declarer="FH", **eight).outcome == "lost"
    assert codes(BIDS, contract="six_tricks", declarer="FH", tout="failed") == ["vole_not_failed"]
    dear = get_rulebook("ombre_intro", {"bids_tricks": True, "price_ombre": 3})
    assert tokens(dear, contract="nine_tricks", declarer="FH", outcome="lost")["FH"] == -6


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("FH five_tricks, MH six_tricks, BH pass, FH pass", "MH six_tricks"),
        ("FH six_tricks, MH five_tricks", "1 bid_too_low"),
        ("FH nine_tricks, MH nine_tricks", "1 bid_too_low"),
        ("FH ombre", "0 contract_not_agreed"),
    ],
)
def test_lesson_9_2_more_tricks_outbid_fewer(calls, expected):
    assert auctions.outcome("ombre_intro", calls, options={"bids_tricks": True}) == expected


def test_lesson_a_deal_with_a_bid_of_six_is_played_out():
    state = table("ombre_intro", options={"bids_tricks": True}, FH="SA S2 CA SK SQ SJ H7 H6 DK")
    state = after(
        state, "FH bid six_tricks, MH pass, BH pass, FH trump S, FH exchange, MH exchange, BH exchange"
    )
    while not state.over:
        state = state.after(Step(state.to_act, Act.PLAY, state.legal_cards()[0]))
    result = state.result()
    assert (result.led_sixth, result.tout) == (False, None)
    assert settled(BIDS, **result.to_json(SEATINGS[3])).outcome == "won"


LIKE_THREE = get_rulebook("ombre_two", {"as_for_three": True, "price_puesta": 5})


@pytest.mark.parametrize(
    ("fields", "outcome", "mine"),
    [
        ({"tricks": tricks("A5 B3")}, "won", 5 + 5),
        ({"tricks": tricks("A5 B0"), "played_out": False}, "won", 5 + 5 + 3),
        ({"tricks": tricks("A8 B0")}, "won", 5 + 5 + 10),
        ({"tricks": tricks("A7 B1"), "first_five_by": "A"}, "vole_failed", -30),
        ({"tricks": tricks("A4 B4")}, "remise", -5 - 10),
        ({"tricks": tricks("A4 B4"), "first_five_by": "B"}, None, None),
        ({"tricks": tricks("A3 B5")}, "kodille", -5 - 10),
        ({"tricks": tricks("A0 B8")}, "kodille", -5 - 10 - 3),
        ({"abandoned": True, "before_trick": 3}, "remise", -5 - 10),
        ({"abandoned": True, "takeover": "B", "tricks": tricks("A3 B5")}, "won", -5),
    ],
)
def test_two_3_1_with_the_bids_of_three_it_is_settled_as_for_three(fields, outcome, mine):
    entrada = {"contract": "entrada", "declarer": "A", "pool": 5} | fields
    if outcome is None:
        assert codes(LIKE_THREE, 2, **entrada) == ["first_five_by_disagrees"]
        return
    assert (settled(LIKE_THREE, 2, **entrada).outcome, tokens(LIKE_THREE, 2, **entrada)["A"]) == (
        outcome,
        mine,
    )


@pytest.mark.parametrize(
    ("options", "calls", "expected"),
    [
        ({}, "A ombre, B ombre", "1 bid_too_low"),
        ({}, "A entrada", "0 contract_not_agreed"),
        ({"as_for_three": True}, "A entrada, B vuelta, A vuelta, B pass", "A vuelta"),
        ({"as_for_three": True}, "A vuelta, B vuelta", "1 self_without_right"),
        ({"as_for_three": True}, "A entrada, B solo, A pass", "B solo"),
        ({"as_for_three": True}, "A pass, B pass", "washout A"),
    ],
)
def test_two_9_3_who_has_bid_lower_may_equal_where_it_is_bid_as_for_three(options, calls, expected):
    assert auctions.outcome("ombre_two", calls, options=options) == expected


def test_two_6_4_a_missed_vole_must_not_be_cheaper_than_a_solo():
    with pytest.raises(BadOption, match="missed vole"):
        get_rulebook("ombre_two", {"price_missed_vole": 14})
