"""Giving up before and during play, and who takes over: rules texts §4.5 and §7.3."""

from scoring.game import Phase
from scoring.seats import Role
from scoring.settlement import problems
from tests.scoring.game.deals import LOW_HEARTS, after, entrada, next_steps, refused, solo, table


def test_4_5_the_declarer_gives_up_before_his_first_card():
    state = table("union", FH=LOW_HEARTS)
    state = after(state, "FH pass, MH bid simple_game, BH pass, MH define simple_nolo")
    state = after(state, f"MH exchange {state.hands[Role.MH][0]}")
    assert refused(state, "FH give_up") == "give_up_not_allowed"
    state = after(state, "FH H7")
    assert "give_up" in next_steps(state).split()
    given = after(state, "MH give_up")
    assert (given.over, given.result().abandoned, given.result().tricks) == (True, True, ())
    played = after(state, f"MH {state.legal_cards()[0]}")
    while played.to_act is not Role.MH or played.trick == state.trick:
        played = after(played, f"{played.to_act} {played.legal_cards()[0]}")
    assert refused(played, "MH give_up") == "give_up_too_late"
    assert refused(solo(), "FH give_up") == "give_up_not_allowed"


def test_4_5_who_has_announced_a_tout_plays_on():
    state = after(
        table("union", FH=LOW_HEARTS),
        "FH bid simple_game, MH pass, BH pass, FH define simple_game, FH trump H",
    )
    while state.to_play is None:
        state = after(state, f"{state.to_act} exchange {state.hands[state.to_act][0]}")
    announced = after(state, "FH announce tout")
    assert "give_up" in next_steps(state).split()
    assert refused(announced, "FH give_up") == "give_up_too_late"


def test_4_5_a_nolo_that_is_given_up_is_joined_by_nobody():
    state = joined(options={"simple_nolo_may_be_abandoned": True})
    result = after(state, "FH give_up").result()
    assert (result.abandoned, result.joined, problems(result, state.table.seating, state.rulebook)) == (
        True,
        (),
        (),
    )


def joined(**others):
    state = after(
        table("rasle", 4, FH=LOW_HEARTS, **others), "FH bid simple_nolo, MH pass, BH pass, FH exchange"
    )
    return after(state, f"IDLE lay_off {' '.join(state.hands[Role.IDLE][:4])}")


def test_7_3_the_declarer_does_not_give_up_a_nolo_that_the_fourth_player_joined():
    assert refused(joined(), "FH give_up") == "give_up_not_allowed"


def test_renegado_a_mort_may_be_given_up_until_the_fourth_trick():
    options = {"voltereta": False, "gascarola": False, "contrabola": False}
    state = after(table("renegado", 4, options), "FH pass, MH pass, BH pass")
    state = after(state, f"IDLE lay_off {' '.join(state.hands[Role.IDLE][:4])}, IDLE trump H")
    while len(state.tricks) < 1 or state.to_act is not Role.IDLE:
        state = after(state, f"{state.to_act} {state.legal_cards()[0]}")
    taken = after(state, "IDLE give_up, MH no, BH no, FH take_over")
    assert (taken.declarer, taken.to_act, taken.playing) == (Role.FH, Role.IDLE, state.playing)


def test_7_3_the_fourth_player_gives_up_the_hand_he_joined_with():
    state = after(joined(), "FH H7")
    assert state.to_act is Role.IDLE
    given = after(state, "IDLE give_up")
    assert (given.over, given.to_act) == (False, Role.MH)
    while not given.over:
        given = after(given, f"{given.to_act} {given.legal_cards()[0]}")
    result = given.result()
    assert (result.idle_abandoned, result.joined) == (True, (Role.IDLE,))
    assert [role for role, _count in result.tricks] == [Role.FH, Role.MH, Role.BH]
    played = after(state, f"IDLE {state.legal_cards()[0]}")
    while played.to_act is not Role.IDLE:
        played = after(played, f"{played.to_act} {played.legal_cards()[0]}")
    assert refused(played, "IDLE give_up") == "give_up_too_late"


def test_renegado_an_opponent_takes_over_an_entrada_that_is_given_up():
    state = after(entrada(), "FH give_up")
    assert (state.phase, state.to_act, next_steps(state)) == (Phase.PLAY, Role.MH, "take_over no")
    assert state.legal_cards() == ()
    assert refused(state, "MH H2") == "step_not_now"
    taken = after(state, "MH no, BH take_over")
    assert (taken.declarer, taken.to_act) == (Role.BH, Role.FH)
    while not taken.over:
        cards = taken.legal_cards()
        assert "give_up" not in next_steps(taken).split()
        taken = after(taken, f"{taken.to_act} {cards[0]}")
    result = taken.result(pool=5)
    assert (result.declarer, result.takeover, result.before_trick, result.abandoned) == (
        Role.FH,
        Role.BH,
        1,
        True,
    )
    lost = after(state, "MH no, BH no").result(pool=5)
    assert (lost.abandoned, lost.before_trick, lost.takeover, lost.pool) == (True, 1, None, 5)


def test_renegado_both_must_accept_the_surrender_of_a_vuelta():
    state = table("renegado", FH=LOW_HEARTS, talon="S3")
    state = after(state, "FH bid vuelta, MH pass, BH pass, FH exchange, MH no, MH exchange, BH exchange")
    state = after(state, "FH give_up")
    assert next_steps(state) == "accept no"
    accepted = after(state, "MH accept, BH accept").result(pool=5)
    assert (accepted.abandoned, accepted.accepted_by) == (True, (Role.MH, Role.BH))
    refusal = after(state, "MH accept, BH no")
    assert (refusal.over, refusal.to_act, refusal.accepted) == (False, Role.FH, ())
    assert refused(refusal, "FH give_up") == "give_up_too_late"


def test_renegado_until_the_fourth_trick_and_not_in_solo():
    state = entrada()
    while len(state.tricks) < 4:
        state = after(state, f"{state.to_act} {state.legal_cards()[0]}")
        if state.to_act is Role.FH:
            code = "" if len(state.tricks) < 4 else "give_up_too_late"
            assert refused(state, "FH give_up") == code
    alone = after(
        table("renegado"), "FH bid solo, MH pass, BH pass, FH trump S, MH no, MH exchange, BH exchange"
    )
    assert refused(alone, "FH give_up") == "give_up_not_allowed"
