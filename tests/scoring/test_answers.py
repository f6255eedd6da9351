"""Cases of kinds and with faults that the files of cases do not have."""

import json

import pytest

from scoring.answers import answer_case

SEATED = {"compass": "N,E,S,W", "dealer": "S"}


WON = {"contract": "solo", "declarer": "FH", "outcome": "won"}
CASE = {"id": "1", "kind": "score", "rulebook": "rasle", "players": 3, "options": {}, "situation": WON}


def cards(text):
    return text.split()


def play(seat, card):
    return {"seat": seat, "card": card}


def answer(kind, situation, players=3):
    case = CASE | {"kind": kind, "situation": situation, "players": players}
    return json.loads(json.dumps(answer_case(case)))


@pytest.mark.parametrize(
    ("situation", "players", "expected"),
    [
        (SEATED, 4, {"FH": "E", "MH": "W", "BH": "S", "IDLE": "N", "trick1_leader": "E", "next_dealer": "E"}),
        ({"compass": ["N", "E", "S", "W"], "dealer": "W"}, 4, {"FH": "S", "IDLE": "E"}),
        ({"compass": "N, E, S, W", "dealer": "S"}, 4, {"FH": "E", "MH": "W", "BH": "S", "IDLE": "N"}),
        ({"seats_cw": "A,B,C", "dealer": "A"}, 3, {"FH": "C", "MH": "B", "BH": "A"}),
        ({"seats_ccw": "A,B,C", "dealer": "A"}, 3, {"FH": "B", "MH": "C", "BH": "A"}),
        ({"deals_in_round": 30}, 3, {"deals_dealt_by_each": 10, "sit_outs_each": 0}),
        ({"hands": 9, "players": 4}, 4, {"talon": 13}),
    ],
)
def test_seating(situation, players, expected):
    given = answer("seating", situation, players=players)
    assert {field: given[field] for field in expected} == expected


@pytest.mark.parametrize(
    ("situation", "expected"),
    [
        ({"suit": "trumps", "mode": "nolo"}, []),
        ({"suit": "H", "trump": "H"}, cards("SA H7 CA HA HK HQ HJ H2 H3 H4 H5 H6")),
        ({"suit": "S", "trump": "H", "mode": "trump"}, cards("SK SQ SJ S7 S6 S5 S4 S3 S2")),
    ],
)
def test_card_order(situation, expected):
    assert answer("card_order", situation) == {"high_to_low": expected}


@pytest.mark.parametrize(
    ("kind", "situation", "expected"),
    [
        ("definition", {"final_bid": "grand", "defined_as": "grand"}, False),
        ("definition", {"final_bid": "simple_game", "defined_as": "kaske"}, False),
        ("definition", {"final_bid": "tourne", "defined_as": "tourne"}, True),
        ("exchange", {"contract": "grand", "declarer": 5}, False),
        ("exchange", {"contract": "simple_game", "declarer": 5}, True),
    ],
)
def test_what_was_not_agreed_on_is_not_legal(kind, situation, expected):
    assert answer(kind, situation) == {"legal": expected}


def test_what_is_illegal_says_why():
    given = answer("score", {"contract": "solo", "declarer": "FH", "abandoned": True})
    assert given == {
        "illegal": True,
        "problems": [
            {
                "code": "abandoned_not_allowed",
                "field": "abandoned",
                "paragraph": "rasle §4.5",
                "text": "Solo cannot be given up.",
            }
        ],
    }


def test_a_score_says_its_extras():
    given = answer("score", {"contract": "solo", "declarer": "FH", "tricks": {"FH": 9, "MH": 0, "BH": 0}})
    assert given == {"outcome": "won", "extras": ["tout_won"], "tokens": {"FH": 6, "MH": -3, "BH": -3}}


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "weather"},
        {"kind": None},
        {"kind": ["score"]},
        {"situation": None},
        {"situation": []},
        {"rulebook": None},
        {"rulebook": "bridge"},
        {"options": ["kaske"]},
        {"options": []},
        {"options": ""},
        {"options": {"gambling": True}},
        {"players": 2},
        {"players": True},
        {"players": "3"},
        {"kind": "definition", "situation": {"final_bid": "solo", "defined_as": "bridge"}},
        {"kind": "definition", "situation": {"final_bid": ["solo"], "defined_as": "solo"}},
        {"kind": "exchange", "situation": {"contract": "solo", "declarer": "none"}},
        {"kind": "exchange", "situation": {"contract": "solo", "declarer": -1}},
        {"kind": "card_order", "situation": {"suit": "X", "mode": "nolo"}},
        {"kind": "card_order", "situation": {"suit": ["S"], "mode": "nolo"}},
        {"kind": "card_order", "situation": {"suit": "S", "mode": "bridge"}},
        {"kind": "card_order", "situation": {"suit": "S", "mode": {}}},
        {"kind": "card_order", "situation": {"suit": "S"}},
        {"kind": "seating", "situation": {}},
        {"kind": "seating", "situation": SEATED | {"compass": "N,N,S,W"}, "players": 4},
        {"kind": "legal_play", "situation": {"trump": "H", "trick_so_far": ["SA"], "hand": ["SA", "HK"]}},
        {"kind": "trick_winner", "situation": {"trump": "H", "plays": [play("FH", "SA"), play("FH", "HK")]}},
        {"kind": "trick_winner", "situation": {"trump": "H", "plays": [{"card": "SA"}]}},
        {"kind": "seating", "situation": SEATED},
        {"kind": "seating", "situation": SEATED | {"dealer": "X"}, "players": 4},
        {"kind": "seating", "situation": SEATED | {"dealer": ["S"]}, "players": 4},
        {"kind": "seating", "situation": {"compass": [1, 2, 3], "dealer": 1}},
        {"kind": "seating", "situation": {"deals_in_round": 41}},
        {"kind": "seating", "situation": {"hands": 8, "players": 2}},
        {"situation": {"contract": "solo", "declarer": "EAST"}},
    ],
    ids=str,
)
def test_a_case_that_asks_for_nothing_known_is_refused_in_words(fields):
    with pytest.raises((ValueError, LookupError)) as refused:
        answer_case(CASE | fields)
    assert str(refused.value)


@pytest.mark.parametrize("fields", [{}, {"players": None}, {"options": None}], ids=str)
def test_a_case_that_does_not_say_how_many_play_has_the_smallest_table(fields):
    remise = {"contract": "ombre", "declarer": "A", "tricks": {"A": 4, "B": 4}, "pool": 6}
    two = {"kind": "score", "rulebook": "ombre_two", "situation": remise}
    assert answer_case(two | fields)["outcome"] == "remise"
    three = {"kind": "score", "rulebook": "union", "situation": WON | {"trump": "H"}}
    assert set(answer_case(three | fields)["tokens"]) == {"FH", "MH", "BH"}


def test_cards_are_of_the_rulebooks_pack():
    hand = {"trump": "S", "trick_so_far": ["S3"], "hand": ["HK"]}
    case = CASE | {"kind": "legal_play", "rulebook": "ombre_two", "players": 2}
    packs = [answered(case | {"situation": hand | {"hand": [f"{suit}K"]}}) for suit in "HD"]
    assert packs.count(None) == 1


def answered(case):
    """The answer, None where the case is refused."""
    try:
        return answer_case(case)
    except ValueError:
        return None


def test_a_case_is_an_object():
    with pytest.raises(ValueError, match="object"):
        answer_case([])
