# ruff: noqa: E501 - a row is read on one line
"""Situations as JSON: what the files of cases do not have, and what cannot be answered."""

import json

import pytest

from scoring.answers import answer_case


def answer(kind, situation, rulebook="rasle", players=3, options=None):
    case = {
        "kind": kind,
        "rulebook": rulebook,
        "players": players,
        "options": options,
        "situation": situation,
    }
    return json.loads(json.dumps(answer_case(case)))


@pytest.mark.parametrize(
    ("kind", "situation", "rulebook", "players", "expected"),
    [
        ("seating", {"seats_cw": "A,B,C", "dealer": "A"}, "crocodile", 3, {"ELD": "B", "MID": "C", "DLR": "A"}),
        ("seating", {"seats_ccw": "A,B,C", "dealer": "A"}, "crocodile", 3, {"ELD": "C", "MID": "B", "DLR": "A"}),
        ("seating", {"deals": 36}, "crocodile", 3, {"legal_game_length": True}),
        ("seating", {"deals": 35}, "crocodile", 3, {"legal_game_length": False}),
        ("seating", {"deals": 0}, "crocodile", 3, {"legal_game_length": False}),
        ("seating", {"hands": 8, "players": 2}, "ombre_two", 2, {"talon": 14}),
        ("seating", {"hands": 8}, "ombre_five", 5, {"talon": 0}),
        ("matador_count", {"trump": "S", "ombre_trumps": ["SA", "S2", "CA"]}, "rasle", 3, {"count": 3, "type": "none"}),
        ("matador_count", {"trump": "S", "ombre_trumps": []}, "rasle", 3, {"count": 0, "type": "none"}),
        ("estuches", {"trump": "S", "ombre_trumps": []}, "renegado", 3, {"count": 11, "type": "without"}),
        ("card_order", {"suit": "trumps", "mode": "grand"}, "crocodile", 3, {"high_to_low": []}),
        ("card_order", {"suit": "D", "mode": "nolo"}, "ombre_two", 2, {"high_to_low": []}),
        ("legal_play", {"trump": "C", "hand": ["SA", "HK"]}, "union", 3, {"legal": ["SA", "HK"]}),
        ("exchange", {"contract": "ombre", "declarer": 8, "defender1": 6}, "ombre_two", 2, {"legal": True}),
        ("exchange", {"contract": "ombre", "declarer": 8, "defender1": 7}, "ombre_two", 2, {"legal": False}),
        ("exchange", {"contract": "casco", "declarer": 13, "defender1": 9, "defender2": 4}, "crocodile", 3, {"legal": True}),
        ("exchange", {"contract": "casco", "declarer": 13, "defender1": 9, "defender2": 5}, "crocodile", 3, {"legal": False}),
        ("exchange", {"contract": "entrada", "declarer": 0, "defender1": 9}, "renegado", 3, {"legal": False}),
        ("exchange", {"contract": "mort", "declarer": 13}, "renegado", 4, {"legal": True}),
        ("exchange", {"contract": "pure_nolo"}, "union", 3, {"legal": True}),
        ("exchange", {"contract": "solo"}, "union", 3, {"legal": True}),
        ("exchange", {"contract": "mort", "declarer": 13, "defender3": 1}, "renegado", 4, {"legal": False}),
        ("definition", {"final_bid": "simple_game", "defined_as": "grand_tourne", "hand": "SA CA"}, "union", 3, {"legal": True}),
        ("definition", {"final_bid": "simple_game", "defined_as": "grand_tourne", "hand": ["SA", "HK"]}, "union", 3, {"legal": False}),
        ("definition", {"final_bid": "solo", "defined_as": "grand_tourne", "hand": ["SA", "CA"]}, "union", 3, {"legal": False}),
        ("auction", {"calls": []}, "union", 3, {"status": "open", "to_call": "FH"}),
    ],
)  # fmt: skip
def test_answers(kind, situation, rulebook, players, expected):
    given = answer(kind, situation, rulebook, players)
    assert {field: given.get(field) for field in expected} == expected


def test_what_is_illegal_says_the_paragraph():
    assert answer("exchange", {"contract": "solo", "declarer": 1}) == {
        "legal": False,
        "code": "exchange_count",
        "paragraph": "rasle §4.3",
    }
    refused = answer("auction", {"calls": [{"seat": "MH", "call": "pass"}]})
    assert refused == {
        "status": "illegal",
        "call_index": 0,
        "code": "call_out_of_turn",
        "paragraph": "rasle §9.1",
    }


@pytest.mark.parametrize(
    ("kind", "situation"),
    [
        ("auction", {}),
        ("auction", {"calls": "pass"}),
        ("auction", {"calls": ["pass"]}),
        ("auction", {"calls": [{"seat": "X", "call": "pass"}]}),
        ("auction", {"calls": [{"call": "pass"}]}),
        ("auction", {"calls": [{"seat": "FH"}]}),
        ("auction", {"calls": [{"seat": "FH", "call": "self", "contract": 1}]}),
        ("auction", {"calls": [], "holding": "SA"}),
        ("auction", {"calls": [], "holding": {"FH": 1}}),
        ("auction", {"calls": [], "holding": {"X": "SA"}}),
        ("legal_play", {"hand": ["SA"]}),
        ("legal_play", {"hand": ["S1"], "trump": "S"}),
        ("legal_play", {"hand": "SA", "trump": "S"}),
        ("legal_play", {"hand": ["SA", "SA"], "trump": "S"}),
        ("legal_play", {"hand": ["SA"], "mode": "bridge"}),
        ("trick_winner", {"plays": [], "trump": "S"}),
        ("trick_winner", {"plays": ["SA"], "trump": "S"}),
        ("trick_winner", {"plays": [{"seat": "FH"}], "trump": "S"}),
        ("estuches", {"trump": "X", "ombre_trumps": []}),
        ("seating", {"hands": 9, "players": 7}),
    ],
    ids=str,
)
def test_what_cannot_be_answered_is_said_in_words(kind, situation):
    with pytest.raises(ValueError, match=r"[a-z]+ [a-z]+"):
        answer(kind, situation)
