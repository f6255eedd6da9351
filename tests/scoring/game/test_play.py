"""Card play, announcements and stopping, and what is reported in the end: rules texts §5 and §10."""

import pytest

from scoring.game import Act, Phase, Step
from scoring.game.steps import known
from scoring.seats import Role
from scoring.settlement import settle
from tests.scoring.game.deals import (
    FIVE,
    LOW_HEARTS,
    TOP,
    after,
    entrada,
    follow,
    led,
    next_steps,
    refused,
    solo,
    table,
)


def test_10_1_forehand_leads_and_the_winner_of_a_trick_leads_to_the_next():
    state = table("union", FH=LOW_HEARTS, MH="HK", BH="DK")
    state = after(state, "FH pass, MH pass, BH bid pure_nolo")
    assert (state.phase, state.to_act, state.legal_cards()) == (
        Phase.PLAY,
        Role.FH,
        tuple(LOW_HEARTS.split()),
    )
    assert refused(state, "MH HK") == "card_out_of_turn"
    assert refused(state, "FH HK") == "card_not_held"
    state = after(state, "FH H7, MH HK")
    state = after(state, f"BH {state.legal_cards()[0]}")
    assert (state.to_act, state.winners) == (Role.MH, (Role.MH,))


def test_10_1_in_the_first_lesson_the_declarer_leads():
    state = table("ombre_intro", FH=TOP)
    state = after(state, "FH pass, MH bid ombre, BH pass, MH trump H, MH exchange, BH exchange, FH exchange")
    assert state.to_act is Role.MH


def test_10_2_and_2_4_what_must_be_followed():
    state = solo("SK SQ SJ S7 S6 S5 S4 S3 H2", MH="S2 CA HK", BH="SA HQ")
    hearts = after(state, "FH H2")
    assert (refused(hearts, "MH S2"), refused(hearts, "MH HK")) == ("must_follow", "")
    spades = after(state, "FH SK")
    assert set(spades.legal_cards()) == set(spades.hands[Role.MH])
    forced = solo("SA SQ SJ S7 S6 S5 S4 S3 H2", MH="S2 HK", BH="CA HQ")
    assert refused(after(forced, "FH SA"), "MH HK") == "must_follow_trump"


def test_10_2_without_matadors_a_revoke_in_trumps_is_one_like_any_other():
    state = table("crocodile", ELD="HK HQ SK", MID="H2 SA", DLR="H3 S2")
    state = after(state, "ELD bid solo, MID pass, DLR pass, ELD define solo, ELD trump H, ELD no")
    state = after(state, "MID no, MID exchange, DLR exchange")
    refusal = after(state, "ELD HK").problem_of(Step(Role.MH, Act.PLAY, "SA"))
    assert (refusal.code, refusal.paragraph) == ("must_follow", "crocodile §10.2")


@pytest.mark.parametrize(("literal", "code"), [(False, "must_follow_trump"), (True, "")])
def test_2_4_the_letter_of_the_privilege(literal, code):
    options = {"literal_matador_privilege": literal}
    state = solo("S2 SK SQ SJ S7 S6 S5 S4 S3", options=options, MH="SA CA HK")
    assert refused(after(state, "FH S2"), "MH HK") == code


def test_5_1_nine_tricks_and_the_deal_is_over():
    state = led(solo(), TOP)
    assert (state.phase, state.to_act, state.legal_cards()) == (Phase.OVER, None, ())
    assert list(state.legal_steps()) == []
    assert refused(state, "FH SA") == "deal_over"
    result = state.result()
    assert dict(result.tricks) == {Role.FH: 9, Role.MH: 0, Role.BH: 0}
    assert (result.tout, result.first_five_by, result.led_sixth, result.played_out) == (
        "won",
        Role.FH,
        True,
        True,
    )


def test_5_6_leading_to_the_sixth_trick_tries_for_tout():
    state = led(solo(FIVE), "SA S2 CA SK SQ")
    assert next_steps(state) == "play announce stop"
    stopped = after(state, "FH stop").result()
    assert (stopped.tout, stopped.claimed_after, stopped.played_out) == (None, 5, False)
    tried = after(state, "FH H4")
    assert refused(tried, "FH stop") == "stop_undecided"
    while not tried.over:
        tried = after(tried, f"{tried.to_act} {tried.legal_cards()[0]}")
    assert tried.result().tout == "failed"
    assert tried.result().led_sixth is True


def test_5_6_a_tout_is_announced_before_the_lead_to_the_sixth_trick():
    state = solo(FIVE)
    announced = after(state, "FH announce tout")
    assert refused(announced, "FH announce tout") == "announced_not_allowed"
    assert "stop" not in next_steps(led(announced, "SA S2 CA SK SQ")).split()
    lost = after(announced, "FH H4")
    assert lost.announced == ("tout",)
    assert refused(solo(), "FH announce first_five") == "announced_not_allowed"
    assert refused(solo(), "FH announce kings") == "announced_not_allowed"
    nolo = after(table("rasle", FH=LOW_HEARTS), "FH bid pure_nolo, MH pass, BH pass")
    assert refused(nolo, "FH announce tout") == "announced_not_allowed"


def test_5_6_an_announced_tout_is_lost_with_the_first_trick_lost():
    state = after(solo("SK SQ SJ S7 S6 S5 S4 S3 H2", MH="SA", BH="S2 CA"), "FH announce tout")
    state = after(state, "FH H2")
    while not state.over:
        cards = state.legal_cards()
        state = after(state, f"{state.to_act} {max(cards, key=lambda card: card in ('SA', 'S2', 'CA'))}")
    assert state.result().tout == "failed"


def test_5_7_the_first_five_tricks_are_announced_before_the_first_card():
    options = {"first_five_bonus": True}
    state = after(solo(FIVE, options=options), "FH announce first_five")
    state = led(state, "SA S2 CA SK")
    assert refused(state, "FH announce first_five") == "announced_not_allowed"
    assert refused(state, "FH stop") == "stop_undecided"
    won = after(follow(state, "SQ"), "FH stop")
    assert won.result().five_first == "won"
    lost = after(solo(FIVE, options=options), "FH announce first_five, FH H4")
    while not lost.over:
        cards = lost.legal_cards()
        lost = after(lost, f"{lost.to_act} {cards[-1]}")
    assert lost.result().five_first == "failed"


def test_5_2_play_stops_when_the_outcome_is_clear():
    state = solo(FIVE)
    assert refused(state, "FH stop") == "stop_undecided"
    assert refused(led(state, "SA S2 CA"), "FH stop") == "stop_undecided"
    assert refused(after(state, "FH SA"), "FH stop") == "stop_undecided"
    nolo = table("union", FH="HK HQ SK SQ SJ S7 S6 S5 S4", MH="H2 H3", BH="H4 H5")
    nolo = after(nolo, "FH bid pure_nolo, MH pass, BH pass, FH HK, MH H2, BH H4")
    assert refused(nolo, "FH stop") == "stop_undecided"
    nolo = after(nolo, "FH HQ, MH H3, BH H5, FH stop")
    assert (nolo.over, dict(nolo.result().tricks)[Role.FH]) == (True, 2)


def test_5_2_a_game_may_stop_at_any_trick_after_it_is_lost():
    state = solo("H2 H3 H4 S3 S4 S5 C3 C4 C5", MH=TOP.replace("S5", "HK"), BH="H5 H6 H7")
    state = after(state, "FH H2, MH HK, BH H5")
    for card in "SA S2 CA SK SQ".split():
        assert refused(state, "FH stop") == ("" if len(state.tricks) >= 5 else "stop_undecided")
        assert refused(state, "MH stop") == refused(state, "BH stop") == "stop_not_declarer"
        state = after(state, f"MH {card}")
        while state.trick:
            state = after(state, f"{state.to_act} {state.legal_cards()[0]}")
    assert state.to_act is Role.MH
    assert "stop" in next_steps(state).split()
    assert after(state, "FH stop").result().claimed_after == 6


def test_5_2_a_nolo_without_a_trick_is_not_won_before_the_end():
    state = table("union", FH="SA S2 S3 S4 S5 S6 S7 H7 H6", MH="HK DK", BH="H5 H4")
    state = after(state, "FH bid pure_nolo, MH pass, BH pass, FH H7, MH HK, BH H5")
    assert refused(state, "FH stop") == "stop_undecided"


def test_renegado_a_contrabola_is_lost_with_one_trick():
    state = table("renegado", FH="SA S2 CA SK SQ SJ S7 S6 S5")
    state = after(state, "FH pass, MH pass, BH pass, FH bid contrabola, FH trump S")
    assert refused(state, "FH stop") == "stop_undecided"
    stopped = after(follow(state, "SA"), "FH stop")
    assert stopped.result(5).outcome is None
    assert settle(stopped.result(5), stopped.table.seating, stopped.rulebook).outcome == "bete"


def test_crocodile_is_played_to_the_end():
    state = table("crocodile", ELD="SK SQ SJ S7 S6 S5 S4 S3 S2")
    state = after(state, "ELD bid solo, MID pass, DLR pass, ELD define solo, ELD trump S, ELD no, MID no")
    state = after(state, "MID exchange, DLR exchange")
    while not state.over:
        assert "stop" not in next_steps(state).split()
        state = after(state, f"{state.rulebook.seat_name(state.to_act)} {state.legal_cards()[0]}")
    assert (state.result().first_five_by, state.result().tout) == (Role.FH, None)


def test_5_6_and_5_7_what_may_be_announced():
    def announced(state):
        return [step.value for step in state.legal_steps() if step.act is Act.ANNOUNCE]

    assert announced(solo()) == ["tout"]
    assert announced(solo(options={"first_five_bonus": True})) == ["tout", "first_five"]
    assert announced(after(solo(), "FH SA")) == []


def test_renegado_a_voltereta_with_spadille_counts_as_vuelta():
    state = table("renegado", talon="SA")
    state = after(
        state, "FH pass, MH pass, BH pass, FH bid voltereta, FH exchange, MH no, MH exchange, BH exchange"
    )
    assert next_steps(after(state, "FH give_up")) == "accept no"
    assert after(state, "FH give_up, MH accept, BH accept").result(5).turned == "SA"


def test_renegado_opponents_win_the_first_five_together():
    state = entrada()
    while not state.over:
        state = after(state, f"{state.to_act} {state.legal_cards()[-1]}")
    result = state.result(pool=5)
    first = set(state.winners[:5])
    expected = first.pop() if len(first) == 1 else "OPP" if Role.FH not in first else None
    assert result.first_five_by == expected
    assert result.estuches == 11


def test_3_8_three_or_four_aces_are_reported_where_they_earn_something():
    options = {"grand_tourne_holdings": "two_aces", "aces_bonus": 2}
    for hand, aces in (("SA HA DA", True), ("SA HA", False)):
        state = after(table("rasle", 3, options, FH=hand, MH="CA"), "FH bid grand_tourne, MH pass, BH pass")
        state = after(state, "FH exchange, MH exchange, BH exchange, FH give_up")
        assert state.result().aces is aces


@pytest.mark.parametrize(
    ("options", "trump", "holder"),
    [({"nine_matadors": True}, "S", Role.MH), ({"nine_matadors": True}, "C", None), ({}, "S", None)],
)
def test_6_6_who_began_with_nine_matadors_is_reported_where_it_is_noted(options, trump, holder):
    state = after(table("rasle", 3, options, MH=TOP), "FH pass, MH bid simple_game, BH pass")
    state = after(state, f"MH define simple_game, MH trump {trump}, MH exchange, BH exchange, FH exchange")
    if state.to_act is Role.FH:
        state = after(state, f"FH {state.legal_cards()[0]}")
    while state.to_act is not Role.MH:
        state = after(state, f"{state.to_act} {state.legal_cards()[0]}")
    result = after(state, "MH give_up").result()
    assert result.nine_matadors is holder


def test_5_1_ombre_for_five_reports_the_partner():
    state = table("ombre_five", 5, H3="DK", FH="SK")
    state = after(state, "FH bid ask_leave, MH pass, H3 pass, H4 pass, BH pass, FH trump H, FH king DK")
    while not state.over:
        state = after(state, f"{state.to_act} {state.legal_cards()[0]}")
    assert state.result(15).partner is Role.H3


def test_10_4_the_open_hand_is_seen():
    union = after(table("union", MH=LOW_HEARTS), "FH pass, MH bid nolo_ouvert, BH pass")
    assert union.view(Role.FH).open_hand == tuple(LOW_HEARTS.split())
    rasle = after(table("rasle", MH=LOW_HEARTS), "FH pass, MH bid nolo_ouvert, BH pass")
    assert rasle.view(Role.FH).open_hand == ()
    rasle = after(rasle, f"FH {rasle.legal_cards()[0]}")
    card = rasle.legal_cards()[0]
    assert set(after(rasle, f"MH {card}").view(Role.FH).open_hand) == set(LOW_HEARTS.split()) - {card}
    assert solo().view(Role.MH).open_hand == ()


def test_what_a_player_knows():
    start = table("union", FH=TOP, talon="H3")
    assert start.view(Role.FH).hand == tuple(TOP.split())
    assert (start.view(Role.FH).open_hand, start.view(Role.FH).talon, start.view(Role.IDLE).hand) == (
        (),
        13,
        (),
    )
    state = after(start, "FH bid simple_game, MH pass, BH pass, FH define tourne")
    assert state.view(Role.MH).face_up == ("H3",)
    state = after(state, "FH exchange S5 S6, MH exchange, BH exchange, FH SA")
    view = state.view(Role.MH)
    assert (view.exchanged, view.talon, view.played) == (
        {Role.FH: 2, Role.MH: 0, Role.BH: 0},
        11,
        (((Role.FH, "SA"),),),
    )
    assert (view.discarded, state.view(Role.FH).discarded) == ((), ("S5", "S6"))


def test_a_deal_that_is_not_over_has_no_result():
    with pytest.raises(ValueError, match="not over"):
        table("union").result()


def test_after_the_auction_there_is_nothing_to_call():
    assert solo().legal_calls() == ()
    assert table("union").legal_calls()[0] == Step(Role.FH, Act.PASS)
    assert table("union").legal_cards() == ()
    assert (table("union").phase, table("union").ask) == (Phase.AUCTION, None)
    with pytest.raises(LookupError):
        known(table("union").contract)


def test_what_cannot_be_done_in_play():
    assert refused(solo(), "FH exchange") == "play_not_now"
    assert refused(table("union"), "FH exchange") == "call_unknown"
