"""The auction of crocodile, renegado and the small games: rules texts §9, one row a sentence."""

import pytest

from tests.scoring.game.auctions import legal, outcome

KASKE = {"kaske": True}
ALONE = {"voltereta": False, "gascarola": False, "contrabola": False}


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("ELD pass, MID pass, DLR pass", "ELD casco"),
        ("ELD pass, MID pass, DLR solo", "DLR solo"),
        ("ELD pass, MID play, DLR pass", "MID play"),
        ("ELD play, MID grand, DLR pass, ELD tournee, MID solo, ELD pass", "MID solo"),
        ("ELD play, MID grand, DLR pass, ELD grand", "3 bid_too_low"),
        ("ELD grandissimo, MID solo", "1 bid_too_low"),
        ("ELD play, MID grand, DLR pass, ELD self", "3 self_without_right"),
        ("ELD pass, MID nolo, DLR nolo_ouvert, MID pass", "DLR nolo_ouvert"),
        ("ELD play, DLR pass", "1 call_out_of_turn"),
        ("ELD casco", "0 bid_not_now"),
        ("ELD pass, MID pass", "open DLR"),
        ("ELD pass, MID pass, DLR pass, ELD casco", "ELD casco"),
    ],
)
def test_crocodile_every_bid_outranks_and_eldest_takes_casco(calls, expected):
    assert outcome("crocodile", calls) == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("FH entrada, MH pass, BH vuelta, FH vuelta, BH pass", "FH vuelta"),
        ("FH entrada, MH pass, BH vuelta, FH self, BH pass", "FH vuelta"),
        ("FH entrada, MH pass, BH vuelta, FH self, BH solo, FH self, BH pass", "FH solo"),
        ("FH entrada, MH solo, BH pass, FH self, MH self", "4 self_without_right"),
        ("FH entrada, MH vuelta, BH pass, FH self, MH solo, FH self, MH pass", "FH solo"),
        ("FH pass, MH entrada, BH entrada", "2 self_without_right"),
        ("FH entrada, MH vuelta, BH pass, FH entrada", "3 bid_too_low"),
        ("FH pass, MH entrada, FH vuelta", "2 call_out_of_turn"),
        ("FH entrada, MH pass, BH pass", "FH entrada"),
        ("FH solo, MH self", "1 self_without_right"),
        ("FH entrada, MH vuelta, BH pass, FH self, MH self", "4 self_without_right"),
        ("FH entrada, MH vuelta, BH pass, FH solo, MH self, FH self", "5 self_without_right"),
        ("FH entrada, MH vuelta, BH pass, FH solo, MH self, FH pass", "MH solo"),
    ],
)
def test_renegado_who_has_bid_lower_may_equal_the_last_bid(calls, expected):
    assert outcome("renegado", calls) == expected


PASSED = "FH pass, MH pass, BH pass"


@pytest.mark.parametrize(
    ("calls", "players", "options", "holding", "expected"),
    [
        (f"{PASSED}, FH voltereta", 3, {}, None, "FH voltereta"),
        (f"{PASSED}, FH pass, MH gascarola", 3, {}, None, "MH gascarola"),
        (f"{PASSED}, FH pass, MH gascarola, BH pass", 3, {}, None, "MH gascarola"),
        (f"{PASSED}, FH pass, MH gascarola, BH gascarola", 3, {}, None, "5 auction_over"),
        (f"{PASSED}, FH pass, MH pass, BH contrabola", 3, {}, None, "BH contrabola"),
        (f"{PASSED}, FH voltereta", 3, {"voltereta": False}, None, "3 contract_not_agreed"),
        (f"{PASSED}, FH entrada", 3, {}, None, "3 bid_not_now"),
        (PASSED, 3, {}, None, "open FH"),
        (PASSED, 4, {}, None, "open FH"),
        (f"{PASSED}, {PASSED}", 3, {}, None, "washout FH"),
        (f"{PASSED}, {PASSED}", 4, {}, None, "IDLE mort"),
        (PASSED, 3, ALONE, None, "washout FH"),
        (PASSED, 4, ALONE, None, "IDLE mort"),
        (f"{PASSED}, IDLE mort", 4, ALONE, None, "IDLE mort"),
        (PASSED, 4, {**ALONE, "mort": False}, None, "washout FH"),
        (PASSED, 3, {**ALONE, "forced_spadille": True}, {"MH": "SA", "BH": "CA"}, "MH spadille_force"),
        (PASSED, 3, {**ALONE, "forced_spadille": True}, {"BH": "CA"}, "BH spadille_force"),
        (PASSED, 3, {"forced_spadille": True}, {"MH": "SA"}, "open FH"),
        (f"{PASSED}, {PASSED}", 3, {"forced_spadille": True}, {"MH": "SA"}, "MH spadille_force"),
        (PASSED, 3, {**ALONE, "forced_spadille": True}, {"TALON": "SA CA"}, "FH spadille_force"),
        (PASSED, 3, {**ALONE, "forced_spadille": True}, {"FH": "", "MH": "", "BH": ""}, "FH spadille_force"),
        # Nobody knows who holds spadille: he says so; and if nobody does, eldest plays.
        (PASSED, 3, {**ALONE, "forced_spadille": True}, None, "open FH"),
        (PASSED, 3, {**ALONE, "forced_spadille": True}, {"TALON": "SA"}, "open FH"),
        (
            f"{PASSED}, FH pass, MH spadille_force",
            3,
            {**ALONE, "forced_spadille": True},
            None,
            "MH spadille_force",
        ),
        (f"{PASSED}, FH entrada", 3, {**ALONE, "forced_spadille": True}, None, "3 bid_not_now"),
        (f"{PASSED}, {PASSED}", 3, {**ALONE, "forced_spadille": True}, None, "FH spadille_force"),
    ],
)
def test_renegado_when_all_pass(calls, players, options, holding, expected):
    assert outcome("renegado", calls, players=players, options=options, holding=holding) == expected


@pytest.mark.parametrize(
    ("rulebook", "calls", "expected"),
    [
        ("la_bete", "FH simple_game, MH tourne, FH self, MH pass, BH pass", "FH tourne"),
        ("la_bete", "FH pure_nolo, MH spade_solo", "1 bid_too_low"),
        ("ombre_two", "A pass, B ombre", "B ombre"),
        ("ombre_two", "A ombre, B pass", "A ombre"),
        ("ombre_two", "A pass, B pass", "washout A"),
        ("ombre_intro", "FH pass, MH ombre, BH pass", "MH ombre"),
        ("ombre_five", "FH pass, MH ask_leave, H3 pass, H4 pass, BH pass", "MH ask_leave"),
        ("ombre_five", "FH pass, MH pass, H3 pass, H4 pass, BH solo", "BH solo"),
        ("ombre_five", "FH solo", "0 bid_not_now"),
        ("ombre_five", "FH pass, MH pass, H3 pass, H4 pass, BH pass", "washout FH"),
    ],
)
def test_the_small_games(rulebook, calls, expected):
    assert outcome(rulebook, calls) == expected


def test_ombre_five_who_holds_all_kings_has_none_to_call():
    assert outcome("ombre_five", "FH ask_leave", holding={"FH": "SK HK DK CK"}) == "0 no_king_to_call"
    assert outcome("ombre_five", "FH ask_leave", holding={"FH": "SK HK DK"}) == "open MH"


def test_rasle_kaske_may_be_followed_by_passes_and_by_nothing_else():
    passed = f"{PASSED}, FH pass, MH kaske"
    assert outcome("rasle", f"{passed}, BH pass", options=KASKE) == "MH kaske"
    assert outcome("rasle", f"{passed}, FH pass", options=KASKE) == "5 auction_over"
    assert outcome("rasle", f"{passed}, MH pass", options=KASKE) == "5 auction_over"
    assert outcome("rasle", "FH pass, MH pass, BH solo, BH solo") == "3 auction_over"


def test_what_may_be_called_next():
    assert legal("crocodile", "ELD solo") == "pass grandissimo tournee_respect nolo nolo_ouvert"
    assert legal("renegado", "FH entrada, MH pass, BH vuelta") == "pass self:vuelta solo"
    assert legal("renegado", f"{PASSED}, FH pass") == "pass voltereta gascarola contrabola"
