# ruff: noqa: E501 - a row is read on one line
"""Every problem that a report can have: its code and its field, told of what a person can type."""

import pytest

from scoring import get_rulebook
from scoring.answers import in_words
from scoring.problems import REPORT_PROBLEMS
from scoring.rulebook import exchange_problems
from scoring.settlement import IllegalResult, problems, settle
from tests.scoring.reports import SEATINGS, report, tricks

GAME = {"contract": "simple_game", "declarer": "FH"}
SOLO = {"contract": "solo", "declarer": "FH"}
NOLO = {"contract": "simple_nolo", "declarer": "FH"}
PURE = {"contract": "pure_nolo", "declarer": "FH"}
ON = True
PLAY = {"contract": "play", "declarer": "ELD"}
NO_ESTUCHES = {"count_estuches": False}
ENTRADA = {"contract": "entrada", "declarer": "FH", "pool": 5}
VUELTA = {"contract": "vuelta", "declarer": "FH", "pool": 5}
VOLTERETA = {"contract": "voltereta", "declarer": "FH", "pool": 5}
ASK = {"contract": "ask_leave", "declarer": "FH", "pool": 15}

# (rulebook, its options, players at the table, the report, the problems)
ROWS = [
    # 3.5, 3.6, 4.1: wash-outs
    ("rasle", {"forced_spadille": ON}, 3, {"all_passed": True}, "washout_must_bid"),
    ("rasle", {"mort": ON}, 4, {"all_passed": True}, "washout_mort"),
    ("union", {}, 3, {"all_passed": True, "declarer": "FH"}, "washout_with_more"),
    # 3.1, 3.2: contract and declarer
    ("union", {}, 3, {}, "contract_missing"),
    ("union", {}, 3, {"contract": "", "declarer": "FH"}, "contract_missing"),
    ("union", {}, 3, {"contract": "grand", "declarer": "FH"}, "contract_unknown"),
    ("rasle", {}, 3, {"contract": "grand", "declarer": "FH"}, "contract_not_agreed"),
    ("rasle", {"mort": ON}, 3, {"contract": "mort", "declarer": "IDLE"}, "contract_needs_four"),
    ("union", {}, 3, {"contract": "solo", "outcome": "won"}, "declarer_missing"),
    ("union", {}, 4, {"contract": "solo", "declarer": "IDLE"}, "declarer_sits_out"),
    ("rasle", {"mort": ON}, 4, {"contract": "mort", "declarer": "FH"}, "declarer_not_fourth"),
    # 3.3, 3.4: trump
    ("union", {}, 3, PURE | {"trump": "H", "outcome": "won"}, "trump_none"),
    ("rasle", {"grand": ON}, 3, {"contract": "grand", "declarer": "FH", "trump": "S", "outcome": "won"}, "trump_none"),
    ("union", {}, 3, {"contract": "spade_solo", "declarer": "FH", "trump": "H", "outcome": "won"}, "trump_must_be_spades"),
    ("union", {}, 3, {"contract": "spade_solo", "declarer": "FH", "trump": "S", "outcome": "won"}, ""),
    ("union", {}, 3, SOLO | {"trump": "S", "outcome": "won"}, "solo_in_spades"),
    ("union", {}, 3, GAME | {"trump": "S", "outcome": "won"}, ""),
    # 5.1: tricks
    ("union", {}, 3, GAME | {"tricks": {"FH": 10}}, "tricks_out_of_range"),
    ("union", {}, 3, GAME | {"tricks": {"FH": 5, "MH": -1, "BH": 5}}, "tricks_out_of_range"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH5 MH3 BH2")}, "tricks_sum"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH5 MH2 BH1")}, "tricks_sum"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH5 MH2 BH1"), "played_out": True}, "tricks_sum"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH5 MH2 BH1"), "played_out": False}, ""),
    ("union", {}, 3, GAME | {"tricks": tricks("FH5 MH4 BH1"), "played_out": False}, "tricks_sum"),
    ("union", {}, 4, GAME | {"tricks": tricks("FH5 MH2 BH1 IDLE1")}, "tricks_of_nobody"),
    ("union", {}, 4, GAME | {"tricks": tricks("FH5 MH3 BH1 IDLE0")}, ""),
    ("union", {}, 3, GAME | {"tricks": {"FH": 2, "MH": 5, "IDLE": 2}}, "tricks_of_nobody"),
    # 5.2: what decides
    ("union", {}, 3, GAME | {"tricks": {"FH": 4}}, "tricks_undecided"),
    ("union", {}, 3, GAME | {"tricks": {"FH": 4, "MH": 2}}, ""),
    ("union", {}, 3, GAME | {"tricks": {"FH": 2}}, ""),
    ("union", {}, 3, GAME | {"tricks": {"MH": 5}}, ""),
    ("union", {}, 3, GAME | {"tricks": {"MH": 4}}, "tricks_undecided"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH4 MH2 BH1"), "played_out": False}, "tricks_undecided"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH4 MH2 BH1"), "played_out": False, "outcome": "bete"}, ""),
    ("union", {}, 3, GAME | {"tricks": tricks("FH4 MH2 BH1"), "played_out": False, "outcome": "kodille"}, "outcome_disagrees"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH4 MH3 BH2"), "outcome": "bete"}, "outcome_disagrees"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH3 MH3 BH2"), "played_out": False, "outcome": "won"}, ""),
    ("union", {}, 3, GAME | {"tricks": tricks("FH3 MH3 BH2"), "played_out": False, "outcome": "bete"}, ""),
    ("union", {}, 3, GAME | {"tricks": tricks("FH3 MH3 BH2"), "played_out": False, "outcome": "kodille"}, ""),
    ("union", {}, 3, GAME | {"tout": "won", "outcome": "bete"}, "rare_tout outcome_disagrees"),
    ("union", {}, 3, GAME | {"abandoned": True, "outcome": "won"}, "outcome_disagrees"),
    ("union", {}, 3, GAME | {"abandoned": True, "outcome": "bete"}, ""),
    ("union", {}, 3, PURE | {"tricks": {"FH": 1}, "outcome": "won"}, "outcome_disagrees"),
    ("union", {}, 3, PURE | {"tricks": {"MH": 5, "BH": 4}, "outcome": "bete"}, "outcome_disagrees"),
    ("union", {}, 3, GAME, "outcome_missing"),
    ("union", {}, 3, PURE, "outcome_missing"),
    ("union", {}, 3, PURE | {"tricks": {"MH": 5}}, "tricks_undecided"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH5 MH0 BH0"), "played_out": False, "claimed_after": 6}, "claimed_after_disagrees"),
    ("union", {}, 3, GAME | {"outcome": "won", "claimed_after": 10}, "claimed_after_disagrees"),
    ("union", {}, 3, GAME | {"outcome": "won", "claimed_after": 6}, ""),
    # 6.3: tricks that cost
    ("rasle", {}, 3, NOLO | {"outcome": "kodille"}, "tricks_needed"),
    ("rasle", {}, 3, NOLO | {"outcome": "kodille", "tricks": {"FH": 3}}, ""),
    ("rasle", {}, 3, NOLO | {"outcome": "bete"}, ""),
    ("union", {}, 3, NOLO | {"outcome": "kodille"}, ""),
    # 5.6: tout
    ("union", {}, 3, PURE | {"tout": "won", "outcome": "won"}, "tout_in_nolo"),
    ("union", {}, 3, GAME | {"tout": "won", "tricks": tricks("FH8 MH1 BH0")}, "tout_needs_nine"),
    ("union", {}, 3, GAME | {"tout": "won", "tricks": {"MH": 1}}, "tout_needs_nine"),
    ("union", {}, 3, GAME | {"tout": "failed", "tricks": tricks("FH9 MH0 BH0")}, "tout_was_won"),
    ("union", {}, 3, GAME | {"tout": "won", "first_five_by": "MH"}, "tout_without_first_five"),
    ("union", {}, 3, GAME | {"outcome": "won", "led_sixth": True}, "tout_undecided"),
    ("union", {}, 3, GAME | {"outcome": "won", "tout": "failed"}, "rare_tout"),
    ("union", {}, 3, GAME | {"outcome": "bete", "led_sixth": True, "first_five_by": "MH"}, ""),
    # 5.4 and 5.8: tricks to come
    ("rasle", {}, 3, NOLO | {"tricks": tricks("FH2 MH1 BH0"), "played_out": False}, "tricks_to_come"),
    ("rasle", {}, 3, NOLO | {"tricks": tricks("FH2 MH1 BH6")}, ""),
    ("crocodile", {}, 3, {"contract": "play", "declarer": "ELD", "tricks": tricks("ELD4 MID2 DLR2"), "played_out": False}, "bonus_open"),
    # 5.7: the first five tricks
    ("union", {}, 3, GAME | {"tricks": tricks("FH4 MH3 BH2"), "first_five_by": "FH"}, "first_five_by_disagrees"),
    ("union", {}, 4, GAME | {"outcome": "won", "first_five_by": "IDLE"}, "first_five_by_disagrees"),
    ("union", {}, 3, GAME | {"outcome": "won", "first_five_by": "FH"}, ""),
    ("union", {}, 3, GAME | {"outcome": "won", "five_first": "won"}, "five_first_not_agreed"),
    ("rasle", {"first_five_bonus": ON}, 3, PURE | {"outcome": "won", "five_first": "won"}, "five_first_in_nolo"),
    ("rasle", {"first_five_bonus": ON}, 3, GAME | {"tricks": {"FH": 4, "MH": 4, "BH": 1}, "five_first": "won"}, "five_first_needs_five"),
    ("rasle", {"first_five_bonus": ON}, 3, GAME | {"tricks": {"MH": 5}, "five_first": "won"}, "five_first_disagrees"),
    ("rasle", {"first_five_bonus": ON}, 3, GAME | {"first_five_by": "MH", "five_first": "won"}, "five_first_disagrees"),
    ("rasle", {"first_five_bonus": ON}, 3, GAME | {"outcome": "won", "first_five_by": "FH", "five_first": "failed"}, "five_first_disagrees"),
    ("rasle", {"first_five_bonus": ON}, 3, GAME | {"tout": "won", "five_first": "failed"}, "rare_tout five_first_disagrees"),
    # 4.5: giving up
    ("union", {}, 3, SOLO | {"abandoned": True}, "abandoned_not_allowed"),
    ("union", {}, 3, GAME | {"abandoned": True, "declarer_has_played": True}, "abandoned_too_late"),
    ("union", {}, 3, GAME | {"abandoned": True, "tricks": tricks("FH0 MH5 BH4")}, "abandoned_with_more"),
    ("union", {}, 3, GAME | {"abandoned": True, "played_out": True}, "abandoned_with_more"),
    ("rasle", {}, 3, GAME | {"abandoned": True, "foul": "FH"}, "abandoned_with_more"),
    # 4.4: fouls
    ("union", {}, 3, GAME | {"foul": "FH"}, "foul_not_priced"),
    ("rasle", {}, 4, GAME | {"foul": "IDLE"}, "foul_by_nobody"),
    ("rasle", {"mort": ON}, 4, {"contract": "mort", "declarer": "IDLE", "foul": "IDLE"}, ""),
    ("rasle", {}, 3, GAME | {"foul": "MH", "tricks": tricks("FH5 MH3 BH1")}, "foul_with_more"),
    ("rasle", {}, 4, NOLO | {"foul": "FH", "joined": ["IDLE"], "tricks": {"IDLE": 1}}, "foul_with_more"),
    ("rasle", {}, 4, NOLO | {"foul": "FH", "joined": ["IDLE"]}, "foul_with_more"),
    ("rasle", {}, 4, NOLO | {"foul": "IDLE", "joined": ["IDLE"]}, ""),
    ("rasle", {}, 4, NOLO | {"foul": "IDLE"}, ""),
    ("rasle", {}, 4, NOLO | {"foul": "IDLE", "joined": ["IDLE"], "idle_abandoned": True}, "foul_by_nobody foul_with_more"),
    ("rasle", {}, 4, NOLO | {"foul": "IDLE", "joined": ["IDLE"], "tricks": {"FH": 0, "IDLE": 1}}, "foul_with_more"),
    ("rasle", {}, 3, GAME | {"foul": "FH", "outcome": "won"}, "outcome_disagrees"),
    # 7: joining
    ("rasle", {}, 4, NOLO | {"tricks": {"FH": 0}}, "fourth_must_join"),
    ("rasle", {}, 3, NOLO | {"tricks": {"FH": 0}}, ""),
    ("union", {}, 4, NOLO | {"tricks": {"FH": 0}}, ""),
    ("union", {}, 4, NOLO | {"tricks": tricks("FH0 IDLE1"), "joined": ["IDLE"]}, "joined_not_here"),
    ("rasle", {}, 4, PURE | {"tricks": tricks("FH0 IDLE1"), "joined": ["IDLE"]}, "joined_not_here"),
    ("rasle", {}, 3, NOLO | {"tricks": tricks("FH0 MH1"), "joined": ["MH"]}, "joined_not_here"),
    ("rasle", {"joint_simple_nolo": ON}, 3, NOLO | {"tricks": tricks("FH0"), "joined": ["IDLE"]}, "joined_not_here"),
    ("rasle", {}, 4, NOLO | {"tricks": tricks("FH0 IDLE1 MH2"), "joined": ["IDLE", "MH"]}, "joined_not_agreed"),
    ("rasle", {}, 4, NOLO | {"tricks": tricks("FH0 IDLE1"), "joined": ["FH", "IDLE"]}, "joined_by_declarer"),
    ("rasle", {}, 4, NOLO | {"tricks": tricks("FH0"), "joined": ["IDLE"]}, "joined_tricks_needed"),
    ("rasle", {}, 4, NOLO | {"tricks": tricks("FH1 MH3 BH2"), "joined": ["IDLE"]}, ""),
    ("rasle", {}, 4, NOLO | {"tricks": tricks("FH5 IDLE5"), "joined": ["IDLE"]}, "tricks_sum"),
    ("rasle", {}, 4, PURE | {"tricks": tricks("FH0"), "idle_abandoned": True}, "idle_abandoned_not_joined"),
    (
        "rasle", {}, 4, NOLO | {"tricks": tricks("FH0 IDLE1"), "joined": ["IDLE"], "idle_abandoned": True},
        "tricks_of_nobody idle_abandoned_with_tricks",
    ),
    ("rasle", {}, 4, NOLO | {"tricks": tricks("FH0 IDLE0"), "joined": ["IDLE"], "idle_abandoned": True}, ""),
    # 3.8, 4.6: agreements
    ("rasle", {}, 3, NOLO | {"outcome": "won", "exchange_repeated": True}, "repeat_not_agreed"),
    ("rasle", {"repeat_exchange": ON}, 3, GAME | {"outcome": "won", "exchange_repeated": True}, "repeat_not_agreed"),
    ("rasle", {}, 3, {"contract": "grand_tourne", "declarer": "FH", "outcome": "won", "aces": True}, "aces_not_agreed"),
    ("rasle", {"aces_bonus": 1}, 3, GAME | {"outcome": "won", "aces": True}, "aces_not_agreed"),
    # 6.6: nine matadors
    ("rasle", {}, 3, GAME | {"outcome": "won", "nine_matadors": "FH"}, "matadors_not_agreed"),
    ("rasle", {"nine_matadors": ON}, 3, PURE | {"outcome": "won", "nine_matadors": "FH"}, "matadors_not_agreed"),
    ("rasle", {"nine_matadors": ON}, 4, GAME | {"outcome": "won", "nine_matadors": "IDLE"}, "matadors_of_nobody"),
    ("rasle", {"nine_matadors": ON}, 4, GAME | {"outcome": "won", "nine_matadors": "BH"}, "rare_matadors"),
    # crocodile
    ("crocodile", {}, 3, {"all_passed": True}, "washout_forced"),
    ("crocodile", {}, 3, {"contract": "casco", "declarer": "MID", "outcome": "won"}, "declarer_not_forehand"),
    ("crocodile", {}, 3, {"contract": "casco", "declarer": "IDLE", "outcome": "won"}, "declarer_sits_out"),
    ("crocodile", {"casco_may_be_conceded": False}, 3, {"contract": "casco", "declarer": "ELD", "conceded": True}, "abandoned_not_allowed"),
    ("crocodile", {}, 3, PLAY | {"outcome": "won", "tout": "won"}, "tout_not_here"),
    ("ombre_two", {}, 2, {"contract": "ombre", "declarer": "A", "outcome": "won", "pool": 5, "tout": "won"}, "tout_not_here"),
    ("ombre_five", {}, 5, ASK | {"outcome": "won", "partner": "H4", "vole": "won"}, "tout_not_here"),
    ("crocodile", {}, 3, PLAY | {"outcome": "won", "bonus_bid": "talking_ouvert"}, "bonus_not_here"),
    ("crocodile", {}, 3, {"contract": "nolo", "declarer": "ELD", "outcome": "won", "bonus_bid": "talking_ouvert"}, "bonus_not_here"),
    ("crocodile", {}, 3, {"contract": "nolo_ouvert", "declarer": "ELD", "outcome": "won", "bonus_bid": "tout"}, "rare_contract bonus_not_here"),
    ("union", {}, 3, GAME | {"outcome": "won", "bonus_bid": "tout"}, "bonus_not_here"),
    ("crocodile", {}, 3, PLAY | {"outcome": "won", "first_five_by": "ELD", "bonus_bid": ["tout", "primeras"]}, "bonus_only_one"),
    ("crocodile", {"several_bonus_bids": ON}, 3, PLAY | {"tricks": {"ELD": 9}, "bonus_bid": ["tout", "primeras"]}, "rare_tricks"),
    ("crocodile", {}, 3, PLAY | {"outcome": "won", "bonus_bid": "cuatro"}, "bonus_undecided"),
    ("crocodile", {}, 3, PLAY | {"outcome": "won", "bonus_bid": "tout"}, "bonus_undecided"),
    ("crocodile", {}, 3, PLAY | {"outcome": "simple_remis", "bonus_bid": "cuatro"}, ""),
    ("crocodile", {}, 3, PLAY | {"outcome": "won", "bonus_bid": "primeras"}, ""),
    ("crocodile", {}, 3, PLAY | {"tricks": {"ELD": 5, "MID": 3, "DLR": 1}, "outcome": "contraprimeras"}, "outcome_disagrees"),
    ("crocodile", {}, 3, PLAY | {"tricks": {"ELD": 5, "MID": 3, "DLR": 1}, "first_five_by": "OPP"}, "first_five_by_disagrees"),
    ("crocodile", {}, 3, PLAY | {"tricks": {"ELD": 4, "MID": 3, "DLR": 2}, "first_five_by": "ELD"}, "first_five_by_disagrees"),
    ("crocodile", {}, 3, PLAY | {"outcome": "bete"}, "outcome_disagrees"),
    ("crocodile", {}, 3, {"contract": "nolo", "declarer": "ELD", "tricks": {"ELD": 4}}, "tricks_undecided"),
    ("crocodile", {}, 3, {"contract": "nolo", "declarer": "ELD", "tricks": {"ELD": 4}, "played_out": False}, "tricks_undecided"),
    ("crocodile", {}, 3, PLAY | {"outcome": "won", "won_by": ["MID"]}, "winner_not_here"),
    ("crocodile", {}, 3, {"contract": "nolo", "declarer": "ELD", "tricks": {"ELD": 4, "MID": 2, "DLR": 1}, "played_out": False}, "tricks_undecided"),
    ("crocodile", {}, 3, {"contract": "nolo", "declarer": "ELD", "tricks": {"ELD": 4, "MID": 4, "DLR": 0}, "played_out": False}, "tricks_undecided"),
    ("crocodile", {}, 3, {"contract": "nolo", "declarer": "ELD", "tricks": {"MID": 5}}, "tricks_undecided"),
    ("crocodile", {}, 3, {"contract": "nolo", "declarer": "ELD"}, "outcome_missing"),
    # the pool
    ("renegado", NO_ESTUCHES, 3, {"all_passed": True, "pool": 5}, ""),
    ("renegado", NO_ESTUCHES, 4, {"all_passed": True, "pool": 5}, "washout_mort"),
    ("renegado", {"forced_spadille": ON}, 3, {"all_passed": True, "pool": 5}, "washout_forced"),
    ("union", {}, 3, {"all_passed": True, "pool": 5}, "washout_with_more"),
    ("union", {}, 3, GAME | {"outcome": "won", "pool": 5}, "pool_not_here"),
    ("renegado", NO_ESTUCHES, 3, {"contract": "entrada", "declarer": "FH", "outcome": "won"}, "pool_missing"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "won", "pool": -1}, "pool_range"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "won", "pool": 1_000_000}, "pool_range"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "won", "pool": 999_999}, ""),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "won", "pool": 4}, "pool_odd"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "won", "pool": 5}, ""),
    ("ombre_five", {}, 5, {"contract": "solo", "declarer": "BH", "outcome": "won", "pool": 14}, "pool_odd"),
    ("ombre_five", {}, 5, {"contract": "solo", "declarer": "BH", "outcome": "won", "pool": 15}, ""),
    *(("ombre_five", {}, 5, {"contract": "solo", "declarer": seat, "outcome": "won", "pool": 15}, "declarer_not_last")
      for seat in ("FH", "MH", "H3", "H4")),
    # estuches
    ("renegado", {}, 3, ENTRADA | {"outcome": "won"}, "estuches_missing"),
    ("renegado", {}, 3, ENTRADA | {"outcome": "won", "estuches": 0}, "estuches_range"),
    ("renegado", {}, 3, ENTRADA | {"outcome": "won", "estuches": 13}, "estuches_range"),
    ("renegado", {}, 3, ENTRADA | {"outcome": "won", "estuches": 12}, ""),
    ("renegado", {}, 3, ENTRADA | {"outcome": "won", "estuches": 12, "trump": "D"}, ""),
    ("renegado", {}, 3, ENTRADA | {"outcome": "won", "estuches": 12, "trump": "S"}, "estuches_range"),
    ("renegado", {}, 3, ENTRADA | {"outcome": "won", "estuches": 11, "trump": "S"}, ""),
    ("renegado", {}, 3, ENTRADA | {"contract": "vuelta", "outcome": "won", "estuches": 12, "turned": "CA"}, "estuches_range"),
    ("renegado", {}, 3, ENTRADA | {"contract": "contrabola", "outcome": "won", "estuches": 11, "trump": "C"}, "estuches_range"),
    ("renegado", {}, 3, ENTRADA | {"contract": "contrabola", "outcome": "won", "estuches": 11, "trump": "H"}, ""),
    ("renegado", {"price_estuche": 0}, 3, ENTRADA | {"outcome": "won"}, ""),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "won", "estuches": 2}, "estuches_not_agreed"),
    ("union", {}, 3, GAME | {"outcome": "won", "estuches": 2}, "estuches_not_agreed"),
    # the card turned
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "won", "turned": "HK"}, "turned_not_here"),
    ("renegado", NO_ESTUCHES, 3, VUELTA | {"outcome": "won", "turned": "HK", "trump": "H"}, ""),
    ("renegado", NO_ESTUCHES, 3, VUELTA | {"outcome": "won", "turned": "HK", "trump": "S"}, "turned_disagrees"),
    ("union", {}, 3, {"contract": "tourne", "declarer": "FH", "outcome": "won", "turned": "CA", "trump": "C"}, ""),
    # the vole
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"vole": "failed", "tricks": tricks("FH4 MH4 BH1")}, "vole_needs_first_five"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"vole": "failed", "tricks": tricks("MH5 BH0"), "played_out": False}, "vole_needs_first_five"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"vole": "failed", "first_five_by": "OPP"}, "vole_needs_first_five"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"vole": "failed", "tricks": tricks("FH5 MH4 BH0")}, "rare_tout"),
    ("renegado", NO_ESTUCHES, 3, {"contract": "contrabola", "declarer": "FH", "pool": 5, "vole": "won"}, "tout_in_nolo"),
    ("ombre_intro", {"bids_tricks": True}, 3, {"contract": "six_tricks", "declarer": "FH", "vole": "failed"}, "vole_not_failed"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"first_five_by": "FH"}, ""),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"first_five_by": "FH", "outcome": "bete"}, "outcome_disagrees"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA, "outcome_missing"),
    # surrender
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"surrendered": True, "before_trick": 5}, "abandoned_too_late"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"surrendered": True, "before_trick": 0}, "abandoned_too_late"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"surrendered": True, "before_trick": 1}, ""),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"surrendered": True, "declarer_has_played": True}, ""),
    ("union", {}, 3, GAME | {"abandoned": True, "before_trick": 2}, "abandoned_too_late"),
    ("renegado", NO_ESTUCHES, 3, {"contract": "solo", "declarer": "FH", "pool": 5, "surrendered": True}, "abandoned_not_allowed"),
    ("renegado", NO_ESTUCHES, 3, {"contract": "contrabola", "declarer": "FH", "pool": 5, "surrendered": True}, "abandoned_not_allowed"),
    ("renegado", NO_ESTUCHES, 3, VUELTA | {"surrendered": True, "accepted_by": "MH"}, "surrender_not_accepted"),
    ("renegado", NO_ESTUCHES, 3, VUELTA | {"surrendered": True, "accepted_by": ["BH", "MH"]}, ""),
    ("renegado", NO_ESTUCHES, 3, VUELTA | {"surrendered": True}, ""),
    ("renegado", NO_ESTUCHES, 3, VOLTERETA | {"surrendered": True, "turned": "SA", "accepted_by": "MH"}, "surrender_not_accepted"),
    ("renegado", NO_ESTUCHES, 3, VOLTERETA | {"surrendered": True, "turned": "HK", "accepted_by": "MH"}, ""),
    ("renegado", NO_ESTUCHES, 3, VOLTERETA | {"surrendered": True, "turned": "SA", "takeover": "MH", "outcome": "won"}, "takeover_not_here"),
    ("renegado", NO_ESTUCHES, 3, VUELTA | {"surrendered": True, "takeover": "MH", "outcome": "won"}, "takeover_not_here"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"surrendered": True, "takeover": "FH", "outcome": "won"}, "takeover_by_nobody"),
    ("renegado", NO_ESTUCHES, 4, ENTRADA | {"surrendered": True, "takeover": "IDLE"}, "takeover_by_nobody"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"takeover": "MH", "outcome": "won"}, "surrender_missing"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"accepted_by": "MH", "outcome": "won"}, "surrender_missing"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"before_trick": 2, "outcome": "won"}, "surrender_missing"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"surrendered": True, "takeover": "MH", "tricks": tricks("FH2 MH5 BH2")}, ""),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"surrendered": True, "takeover": "MH"}, "outcome_missing"),
    # who won a kodille
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "kodille"}, "winner_missing"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "kodille", "won_by": "MH"}, ""),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "kodille", "won_by": "FH"}, "winner_disagrees"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"tricks": tricks("FH3 MH4 BH2"), "won_by": "BH"}, "winner_disagrees"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"tricks": tricks("FH3 MH4 BH2"), "won_by": "MH"}, ""),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"tricks": {"FH": 2}}, "winner_missing"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"tricks": {"MH": 5}}, ""),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"tricks": tricks("FH0 MH4 BH2"), "played_out": False}, "winner_missing"),
    ("renegado", NO_ESTUCHES, 3, ENTRADA | {"outcome": "won", "won_by": "MH"}, "winner_not_here"),
    ("renegado", NO_ESTUCHES, 4, {"contract": "mort", "declarer": "IDLE", "pool": 5, "tricks": tricks("IDLE1 FH3")}, "winner_missing"),
    ("union", {}, 3, GAME | {"outcome": "kodille", "won_by": "MH"}, "winner_not_here"),
    ("ombre_two", {}, 2, {"contract": "ombre", "declarer": "A", "outcome": "kodille", "pool": 5}, ""),
    # two and five at the table
    ("ombre_two", {}, 2, {"contract": "ombre", "declarer": "A", "outcome": "won", "pool": 5, "trump": "D"}, "trump_not_in_pack"),
    ("ombre_two", {"suit_out": "hearts"}, 2, {"contract": "ombre", "declarer": "A", "outcome": "won", "pool": 5, "trump": "D"}, ""),
    ("ombre_two", {}, 2, {"contract": "ombre", "declarer": "MH", "outcome": "won", "pool": 5}, "declarer_sits_out"),
    ("ombre_two", {}, 2, {"contract": "ombre", "declarer": "A", "tricks": {"A": 9}, "pool": 5}, "tricks_out_of_range"),
    ("ombre_two", {}, 2, {"contract": "ombre", "declarer": "A", "tricks": {"A": 5, "B": 4}, "pool": 5}, "tricks_sum"),
    ("ombre_two", {}, 2, {"contract": "ombre", "declarer": "A", "tricks": {"A": 7}, "pool": 5}, "rare_tricks"),
    ("ombre_two", {}, 2, {"contract": "ombre", "declarer": "A", "tricks": {"A": 6}, "pool": 5}, ""),
    ("ombre_five", {}, 5, ASK | {"outcome": "won"}, "partner_missing"),
    ("ombre_five", {}, 5, ASK | {"outcome": "won", "partner": "FH"}, "partner_by_nobody"),
    ("ombre_five", {}, 5, ASK | {"outcome": "won", "partner": "H4"}, ""),
    ("ombre_five", {}, 5, ASK | {"outcome": "won", "partner": "H4", "contract": "solo", "declarer": "BH"}, "partner_not_here"),
    ("ombre_five", {}, 5, ASK | {"tricks": {"FH": 3}, "partner": "H4"}, "tricks_undecided"),
    ("ombre_five", {}, 5, ASK | {"tricks": {"BH": 5}, "contract": "solo", "declarer": "BH"}, ""),
    ("ombre_five", {}, 5, ASK | {"partner": "H4"}, "outcome_missing"),
    ("ombre_five", {}, 5, ASK | {"partner": "H4", "tricks": {"H4": 3}}, "tricks_undecided"),
    ("ombre_intro", {}, 3, {"contract": "ombre", "declarer": "FH", "outcome": "vole", "tricks": {"FH": 5}}, "outcome_disagrees"),
    ("ombre_intro", {}, 3, {"contract": "ombre", "declarer": "FH"}, "outcome_missing"),
    ("ombre_five", {}, 5, ASK | {"outcome": "remise", "tricks": {"FH": 3, "H4": 2}, "partner": "H4"}, "outcome_disagrees"),
    ("ombre_intro", {}, 3, {"contract": "ombre", "declarer": "FH", "outcome": "kodille"}, "winner_missing"),
    ("ombre_intro", {}, 3, {"contract": "ombre", "declarer": "FH", "outcome": "bete"}, "outcome_disagrees"),
    # asked back
    ("union", {}, 3, {"contract": "nolo_ouvert", "declarer": "FH", "outcome": "won"}, "rare_contract"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH0 MH8 BH1")}, "rare_tricks"),
    ("union", {}, 3, GAME | {"tricks": tricks("FH9 MH0 BH0"), "tout": "won"}, "rare_tout"),
]  # fmt: skip
EXCHANGES = {
    "exchange_count": (10, (0, 0)),
    "exchange_talon": (9, (5, 0)),
    "exchange_by_defenders": (1, (1, 0)),
}


def row_id(row):
    return row[-1] or "fine"


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_a_report_has_these_problems(row):
    rulebook, options, players, fields, expected = row
    book, seating, result = (
        get_rulebook(rulebook, options),
        SEATINGS[players],
        report(players, book=rulebook, **fields),
    )
    found = problems(result, seating, book)
    assert [problem.code for problem in found] == expected.split()
    for problem in found:
        row = REPORT_PROBLEMS[problem.code]
        assert (problem.field, problem.paragraph) == (row.field, f"{rulebook} §{row.paragraph}")
        assert "{" not in in_words(problem.text, problem.params)
    wrong = tuple(problem for problem in found if not problem.is_warning)
    if wrong:
        with pytest.raises(IllegalResult) as refused:
            settle(result, seating, book)
        assert refused.value.problems == wrong
    else:
        settled = settle(result, seating, book)
        assert not book.zero_sum or sum(settled.tokens) + settled.pool == 0


@pytest.mark.parametrize("code", EXCHANGES)
def test_an_exchange_has_these_problems(code):
    contract = "simple_nolo" if code == "exchange_by_defenders" else "simple_game"
    declarer, defenders = EXCHANGES[code]
    limits = get_rulebook("union").by_id[contract].exchange
    (found,) = exchange_problems(limits, "union", declarer, defenders)
    assert found.code == code
    assert "{" not in in_words(found.text, found.params)


def test_every_problem_there_is_has_a_row():
    told = {code for *_rest, codes in ROWS for code in codes.split()} | set(EXCHANGES)
    assert told == set(REPORT_PROBLEMS)
