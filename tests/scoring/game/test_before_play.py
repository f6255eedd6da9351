"""Definition and exchange, step by step: rules texts §3 and §4."""

import pytest

from scoring.game import Act, Ask, Phase, Step
from scoring.seats import Role
from tests.scoring.game.deals import after, next_steps, refused, table

ALONE = "FH bid {}, MH pass, BH pass"
CASCO = "ELD pass, MID pass, DLR pass"
PASSED = "FH pass, MH pass, BH pass"
# A hand without matadors but manille in spades.
SPADES = "SK SQ SJ S7 S6 S5 S4 S3 S2"


def won(rulebook, contract, options=None, players=3, **cards):
    """The state when forehand has bid this contract and the others have passed."""
    return after(table(rulebook, players, options, **cards), ALONE.format(contract))


def named(state):
    """What may be named now."""
    return [step.value for step in state.legal_steps()]


@pytest.mark.parametrize(
    ("rulebook", "bid", "hand", "playable"),
    [
        ("union", "simple_game", SPADES, "simple_game spade_game tourne simple_nolo"),
        ("union", "simple_game", "SA CA", "simple_game spade_game tourne simple_nolo grand_tourne"),
        ("union", "solo", SPADES, "solo spade_solo"),
        ("rasle", "simple_game", "SA CA", "simple_game spade_game tourne simple_nolo"),
        ("crocodile", "solo", SPADES, "solo tournee_respect nolo nolo_ouvert"),
    ],
)
def test_4_2_what_the_winner_of_the_auction_may_play(rulebook, bid, hand, playable):
    seats = ("ELD", "MID", "DLR") if rulebook == "crocodile" else ("FH", "MH", "BH")
    state = table(rulebook, **{seats[0]: hand})
    state = after(state, f"{seats[0]} bid {bid}, {seats[1]} pass, {seats[2]} pass")
    assert (state.phase, state.ask) == (Phase.DEFINITION, Ask.DEFINE)
    assert named(state) == playable.split()


def test_4_2_another_contract_is_refused():
    assert refused(won("union", "simple_game"), "FH define solo") == "definition_not_allowed"
    assert refused(won("union", "simple_game"), "MH define tourne") == "step_out_of_turn"
    assert refused(won("union", "simple_game"), "FH trump H") == "step_not_now"


def test_3_8_a_respekt_is_not_played_without_both_black_aces():
    game = won("union", "simple_game", FH="SA HK", MH="CA")
    refusal = game.problem_of(Step(Role.FH, Act.DEFINE, "grand_tourne"))
    assert (refusal.code, refusal.paragraph) == ("definition_needs_cards", "union §3.8")


def test_3_3_the_declarer_names_trumps_or_they_are_turned_or_spades():
    game = after(won("union", "simple_game"), "FH define simple_game")
    assert named(game) == ["S", "H", "D", "C"]
    assert refused(game, "FH trump X") == "trump_not_allowed"
    assert after(game, "FH trump D").trump == "D"
    turned = after(won("union", "simple_game", talon="CA"), "FH define tourne")
    assert (turned.trump, turned.turned) == ("C", "CA")
    assert after(won("union", "simple_game"), "FH define spade_game").trump == "S"
    assert won("union", "pure_nolo").phase is Phase.PLAY


def test_3_3_casco_is_played_in_a_suit_or_sans():
    state = after(table("crocodile", ELD=SPADES), CASCO)
    state = after(state, "ELD exchange SK SQ SJ S7 S6 S5 S4 S3")
    assert (state.limits(), state.ask) == ((5, 5), Ask.LAY_OFF)
    laid_off = state.hands[Role.FH][1:6]
    state = after(state, f"ELD lay_off {' '.join(laid_off)}")
    assert named(state) == ["S", "H", "D", "C", "sans"]
    sans = after(state, "ELD trump sans, ELD no")
    assert sans.trump is None
    # The others exchange with what eldest threw away, of which five cards lie open.
    assert sans.talon == ("SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "S3", *laid_off)
    assert sans.view(Role.MH).face_up == laid_off
    assert sans.view(Role.MH).exchanged == {Role.FH: 13}
    assert after(state, "ELD trump H, ELD no").trump == "H"


@pytest.mark.parametrize(
    ("contract", "options", "limits"),
    [
        ("union simple_game", {}, (1, 9)),
        ("union tourne", {}, (2, 9)),
        ("union simple_nolo", {}, (1, 9)),
        ("rasle simple_game", {}, (0, 9)),
        ("rasle grand", {"grand": True}, (5, 9)),
    ],
)
def test_4_3_how_many_cards_the_declarer_exchanges(contract, options, limits):
    rulebook, played = contract.split()
    state = won(rulebook, "grand" if played == "grand" else "simple_game", options)
    if played != "grand":
        state = after(state, f"FH define {played}")
    if played == "simple_game":
        state = after(state, "FH trump H")
    assert (state.to_act, state.ask, state.limits()) == (Role.FH, Ask.EXCHANGE, limits)


def test_4_3_declarer_then_the_defenders_in_order_of_play():
    state = after(table("union", 3, MH=SPADES), "FH pass, MH bid simple_game, BH pass, MH define simple_game")
    state = after(state, "MH trump S, MH exchange SK SQ SJ S7 S6 S5")
    assert (state.to_act, state.limits()) == (Role.BH, (0, 7))
    drawn = state.hands[Role.MH][3:]
    assert drawn == state.table.talon[:6]
    six = " ".join(state.hands[Role.BH][:6])
    state = after(state, f"BH exchange {six}")
    assert (state.to_act, state.limits()) == (Role.FH, (0, 1))
    two = " ".join(state.hands[Role.FH][:2])
    assert refused(state, f"FH exchange {two}") == "cards_number"
    assert after(state, "FH exchange").phase is Phase.PLAY


def test_4_3_nobody_is_asked_when_the_talon_is_empty():
    state = after(won("rasle", "simple_game", FH=SPADES), "FH define simple_game, FH trump S")
    state = after(state, f"FH exchange {SPADES}")
    state = after(state, f"MH exchange {' '.join(state.hands[Role.MH][:4])}")
    assert state.phase is Phase.PLAY


def test_4_3_solos_are_not_exchanged_by_the_declarer_and_nolos_by_nobody():
    solo = after(won("union", "solo"), "FH define spade_solo")
    assert (solo.to_act, solo.limits()) == (Role.MH, (0, 9))
    assert won("union", "pure_nolo").phase is Phase.PLAY
    nolo = after(won("union", "simple_game", FH=SPADES), "FH define simple_nolo, FH exchange SK")
    assert nolo.phase is Phase.PLAY


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("FH exchange", "cards_number"),
        ("FH exchange HK", "cards_not_held"),
        ("FH exchange SK SK", "cards_not_held"),
        ("FH trump S", "step_not_now"),
        ("MH exchange", "step_out_of_turn"),
        ("FH exchange SK", ""),
    ],
)
def test_4_3_what_is_wrong_with_an_exchange(step, code):
    state = after(won("union", "simple_game", FH=SPADES), "FH define spade_game")
    assert refused(state, step) == code


def test_4_3_cards_are_discarded_as_a_set_of_cards():
    state = after(won("union", "simple_game", FH=SPADES), "FH define spade_game")
    assert state.problem_of(Step(Role.FH, Act.EXCHANGE, "SK")).code == "step_not_now"


def test_3_5_kaske_takes_eight_and_keeps_one_or_takes_nine():
    passed = f"{PASSED}, FH bid kaske"
    state = after(table("rasle", 3, {"kaske": True}, FH=SPADES), passed)
    assert (len(state.hands[Role.FH]), len(state.talon), state.limits()) == (17, 5, (8, 9))
    keeps = after(state, "FH exchange SK SQ SJ S7 S6 S5 S4 S3")
    assert keeps.hands[Role.FH] == ("S2", *state.table.talon[:8])
    assert (keeps.ask, len(keeps.talon)) == (Ask.TRUMP, 5)
    nine = after(state, f"FH exchange {SPADES}")
    assert nine.hands[Role.FH] == state.table.talon[:9]
    assert (after(nine, "FH trump H").limits(), len(nine.talon)) == ((0, 4), 4)
    seen = state.hands[Role.FH][-1]
    assert refused(state, f"FH exchange {seen} SQ SJ S7 S6 S5 S4 S3") == "cards_not_own"
    assert refused(state, "FH exchange SK") == "cards_number"


def test_3_6_mort_takes_the_talon_and_lays_off_four():
    state = after(table("rasle", 4, {"mort": True}), PASSED)
    assert (state.to_act, state.ask, state.limits()) == (Role.IDLE, Ask.LAY_OFF, (4, 4))
    state = after(state, f"IDLE lay_off {' '.join(state.hands[Role.IDLE][:4])}, IDLE trump H")
    assert (state.phase, state.to_act, len(state.hands[Role.IDLE])) == (Phase.PLAY, Role.FH, 9)
    nolo = after(table("rasle", 4, {"mort": True, "mort_nolo": True}), PASSED)
    assert named(nolo) == ["mort", "mort_nolo"]
    nolo = after(nolo, "IDLE define mort_nolo")
    assert nolo.ask is Ask.LAY_OFF
    assert refused(nolo, "IDLE exchange") == "step_not_now"


def test_4_6_the_declarer_of_a_simple_nolo_may_exchange_twice():
    state = won("rasle", "simple_game", {"repeat_exchange": True}, FH=SPADES)
    state = after(state, "FH define simple_nolo, FH exchange SK SQ")
    assert (state.to_act, state.ask, state.limits()) == (Role.FH, Ask.REPEAT, (0, 9))
    assert after(state, "FH exchange").repeated is False
    again = after(state, "FH exchange SJ")
    assert (again.repeated, again.view(Role.FH).discarded) == (True, ("SK", "SQ", "SJ"))


def test_7_1_the_fourth_player_takes_what_is_left_and_lays_off_four():
    state = after(won("rasle", "simple_game", players=4, FH=SPADES), "FH define simple_nolo")
    state = after(state, "FH exchange SK SQ")
    assert (state.to_act, state.ask, state.limits()) == (Role.IDLE, Ask.LAY_OFF, (4, 4))
    assert state.hands[Role.IDLE] == (*state.table.talon[2:], "SK", "SQ")
    state = after(state, f"IDLE lay_off {' '.join(state.hands[Role.IDLE][:4])}")
    assert (state.phase, state.joined) == (Phase.PLAY, (Role.IDLE,))


def test_7_4_defenders_may_join_and_exchange():
    state = won("rasle", "simple_game", {"joint_simple_nolo": True}, FH=SPADES)
    state = after(state, "FH define simple_nolo, FH exchange SK")
    assert next_steps(state) == "join no"
    joined = after(state, "MH join")
    assert (joined.to_act, joined.limits()) == (Role.MH, (0, 9))
    joined = after(joined, f"MH exchange {joined.hands[Role.MH][0]}, BH no")
    assert (joined.phase, joined.joined) == (Phase.PLAY, (Role.MH,))
    assert after(state, "MH no, BH no").joined == ()
    everybody = won(
        "rasle", "simple_game", {"joint_simple_nolo": True, "nolo_defenders_exchange": True}, FH=SPADES
    )
    everybody = after(everybody, "FH define simple_nolo, FH exchange SK, MH join, MH exchange, BH no")
    assert (everybody.to_act, everybody.ask) == (Role.BH, Ask.EXCHANGE)


def test_crocodile_the_first_opponent_may_offer_the_second_to_exchange_first():
    state = after(table("crocodile", ELD=SPADES), "ELD bid play, MID pass, DLR pass, ELD define play")
    state = after(state, "ELD trump S, ELD no, ELD exchange SK")
    assert next_steps(state) == "offer no"
    own = after(state, "MID no")
    assert (own.to_act, own.ask) == (Role.MH, Ask.EXCHANGE)
    offered = after(state, "MID offer")
    assert (offered.to_act, next_steps(offered)) == (Role.BH, "accept no")
    assert after(offered, "DLR accept").to_act is Role.BH
    assert after(offered, "DLR accept, DLR exchange").to_act is Role.MH
    assert after(offered, "DLR no").to_act is Role.MH


def test_crocodile_bonus_bids_follow_the_contract():
    solo = after(table("crocodile"), "ELD bid solo, MID pass, DLR pass, ELD define solo, ELD trump H")
    assert named(solo) == ["cuatro", "primeras", "tout", None]
    assert refused(solo, "ELD promise talking_ouvert") == "promise_not_allowed"
    assert after(solo, "ELD promise tout").promised == ("tout",)
    assert after(solo, "ELD no").promised == ()
    several = table("crocodile", options={"several_bonus_bids": True})
    several = after(
        several, "ELD bid solo, MID pass, DLR pass, ELD define solo, ELD trump H, ELD promise tout"
    )
    assert named(several) == ["cuatro", "primeras", None]
    assert after(several, "ELD promise cuatro, ELD promise primeras").promised == (
        "tout",
        "cuatro",
        "primeras",
    )
    ouvert = after(table("crocodile"), "ELD bid nolo_ouvert, MID pass, DLR pass")
    assert named(ouvert) == ["talking_ouvert", None]


def test_renegado_the_first_opponent_takes_eight_at_most():
    state = after(table("renegado"), "FH bid solo, MH pass, BH pass, FH trump H, MH no")
    assert state.limits() == (0, 8)
    assert after(state, f"MH exchange {state.hands[Role.MH][0]}").limits() == (0, 9)


def test_renegado_contrabola_needs_a_trump_in_hand():
    hearts = "HK HQ HJ HA H2 H3 H4 H5 H6"
    state = after(table("renegado", FH=hearts), f"{PASSED}, FH bid contrabola")
    assert named(state) == ["H"]
    assert after(state, "FH trump H").phase is Phase.PLAY


def test_renegado_spadille_force_names_trumps_after_the_exchange():
    options = {"voltereta": False, "gascarola": False, "contrabola": False, "forced_spadille": True}
    state = after(table("renegado", 3, options, MH="SA"), PASSED)
    assert (state.to_act, state.ask, state.limits()) == (Role.MH, Ask.EXCHANGE, (0, 8))
    assert after(state, "MH exchange").ask is Ask.TRUMP


def test_ombre_two_has_no_diamonds():
    state = after(table("ombre_two", 2), "A bid ombre, B pass")
    assert named(state) == ["S", "H", "C"]
    state = after(state, "A trump S")
    assert (len(state.talon), state.limits()) == (14, (0, 8))


def test_ombre_five_calls_a_king_that_another_holds():
    passed = "FH bid ask_leave, MH pass, H3 pass, H4 pass, BH pass, FH trump H"
    state = after(table("ombre_five", 5, FH="SK HK", MH="DK"), passed)
    assert named(state) == ["DK", "CK"]
    assert refused(state, "FH king SK") == "king_not_allowed"
    state = after(state, "FH king DK")
    assert (state.phase, state.king) == (Phase.PLAY, "DK")


def test_what_one_is_not_asked_for_has_no_number_of_cards():
    assert table("union").limits() == (0, 0)
    assert won("union", "simple_game").limits() == (0, 0)
