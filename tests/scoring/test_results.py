import pytest

from scoring import get_rulebook
from scoring.results import DealResult, UnreadableResult, read_result
from scoring.seats import Role, Seating

FH, MH, BH, IDLE, *_FIVE = Role
# Position 1 is forehand, 2 sits out, 3 is middlehand.
TABLE = Seating(4, 0)


@pytest.mark.parametrize("declarer", [1, "1", "FH"])
def test_seats_are_positions_or_roles(declarer):
    assert read_result({"declarer": declarer}, TABLE).declarer is FH


@pytest.mark.parametrize(
    ("data", "result"),
    [
        ({}, DealResult()),
        ({"all_passed": True}, DealResult(all_passed=True)),
        ({"trump": None, "tricks": None}, DealResult()),
        ({"tricks": {"3": 2, "FH": 5}}, DealResult(tricks=((FH, 5), (MH, 2)))),
        ({"joined": [2, "MH"]}, DealResult(joined=(MH, IDLE))),
        ({"joined": []}, DealResult()),
        ({"tout": "failed", "tout_announced": "early", "tout_implicit": False}, DealResult(tout="failed")),
        ({"vole": "won"}, DealResult(tout="won")),
        ({"vole": "won", "tout": None}, DealResult(tout="won")),
        ({"conceded": True}, DealResult(abandoned=True)),
        ({"surrendered": True, "takeover": "none"}, DealResult(abandoned=True)),
        ({"takeover": 3}, DealResult(takeover=MH)),
        ({"accepted_by": "both"}, DealResult()),
        ({"accepted_by": "MH"}, DealResult(accepted_by=(MH,))),
        ({"accepted_by": ["BH", 3]}, DealResult(accepted_by=(MH, BH))),
        ({"won_by": 1}, DealResult(won_by=(FH,))),
        ({"first_five_by": "OPP"}, DealResult(first_five_by="OPP")),
        ({"bonus_bid": "tout"}, DealResult(bonus_bid=("tout",))),
        ({"bonus_bid": ["tout", "cuatro", "tout"]}, DealResult(bonus_bid=("cuatro", "tout"))),
        ({"turned": "H7", "pool": 5, "estuches": 3}, DealResult(turned="H7", pool=5, estuches=3)),
    ],
)
def test_a_result_is_read(data, result):
    assert read_result(data, TABLE) == result


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], ""),
        (None, ""),
        ("17 B solo h won", ""),
        ({"card": 1}, "card"),
        ({"x" * 500: 1}, "x" * 40),
        ({"contract": 3}, "contract"),
        ({"contract": "x" * 61}, "contract"),
        ({"declarer": 4}, "declarer"),
        ({"declarer": -1}, "declarer"),
        ({"declarer": True}, "declarer"),
        ({"declarer": 1.0}, "declarer"),
        ({"declarer": "4"}, "declarer"),
        ({"declarer": "DECLARER"}, "declarer"),
        ({"declarer": ["FH"]}, "declarer"),
        ({"foul": "٣"}, "foul"),
        ({"trump": "X"}, "trump"),
        ({"trump": "h"}, "trump"),
        ({"outcome": "washout"}, "outcome"),
        ({"outcome": ["won"]}, "outcome"),
        ({"all_passed": 1}, "all_passed"),
        ({"abandoned": "true"}, "abandoned"),
        ({"tricks": [5, 3, 1]}, "tricks"),
        ({"tricks": {"FH": "5"}}, "tricks"),
        ({"tricks": {"FH": 5.0}}, "tricks"),
        ({"tricks": {"FH": True}}, "tricks"),
        ({"tricks": {"9": 5}}, "tricks"),
        ({"tricks": {"FH": 5, "1": 5}}, "tricks"),
        ({"joined": "IDLE"}, "joined"),
        ({"joined": ["IDLE", 2]}, "joined"),
        ({"joined": [None]}, "joined"),
        ({"claimed_after": "5"}, "claimed_after"),
        ({"tout": True}, "tout"),
        ({"vole": True}, "vole"),
        ({"vole": "won", "tout": "won"}, "vole"),
        ({"conceded": True, "abandoned": True}, "conceded"),
        ({"bonus_bid": "grand"}, "bonus_bid"),
        ({"bonus_bid": ["tout", 1]}, "bonus_bid"),
        ({"turned": "H8"}, "turned"),
        ({"pool": "5"}, "pool"),
        ({"won_by": ["FH", 1]}, "won_by"),
        ({"first_five_by": "ALL"}, "first_five_by"),
        ({"declarer": "ELD"}, "declarer"),
    ],
)
def test_what_is_no_result_is_unreadable_at_its_field(data, field):
    with pytest.raises(UnreadableResult) as unreadable:
        read_result(data, TABLE)
    assert unreadable.value.field == field
    assert unreadable.value.text.format(**unreadable.value.params) == str(unreadable.value)


def test_json_is_canonical():
    result = DealResult(
        contract="simple_nolo",
        declarer=MH,
        tricks=((FH, 0), (MH, 1), (IDLE, 2)),
        joined=(FH, IDLE),
        played_out=False,
    )
    written = result.to_json(TABLE)
    assert written == {
        "contract": "simple_nolo",
        "declarer": 3,
        "joined": [1, 2],
        "played_out": False,
        "tricks": {"1": 0, "2": 2, "3": 1},
    }
    assert list(written) == sorted(written)
    assert list(written["tricks"]) == ["1", "2", "3"]


def test_a_fourth_player_at_a_table_of_three_keeps_the_roles_name():
    seating = Seating(3, 0)
    result = DealResult(declarer=IDLE, tricks=((IDLE, 9),))
    assert result.to_json(seating) == {"declarer": "IDLE", "tricks": {"IDLE": 9}}
    assert read_result(result.to_json(seating), seating) == result


def test_a_rulebooks_own_codes_of_seats_are_read_beside_the_usual_ones():
    names = get_rulebook("crocodile").roles_by_name
    table = Seating(3, 0)
    assert read_result({"declarer": "ELD"}, table, names).declarer is FH
    assert read_result({"declarer": "FH"}, table, names).declarer is FH
    assert read_result({"tricks": {"DLR": 4, "MID": 5}}, table, names).tricks == ((MH, 5), (BH, 4))


def test_what_the_older_games_tell_is_written_by_position_too():
    result = DealResult(
        first_five_by="OPP",
        won_by=(MH, BH),
        accepted_by=(BH,),
        takeover=MH,
        partner=FH,
        bonus_bid=("tout",),
        pool=0,
    )
    assert result.to_json(TABLE) == {
        "accepted_by": [0], "bonus_bid": "tout", "first_five_by": "OPP", "partner": 1, "pool": 0, "takeover": 3,
        "won_by": [0, 3],
    }  # fmt: skip
    assert DealResult(bonus_bid=("cuatro", "tout")).to_json(TABLE) == {"bonus_bid": ["cuatro", "tout"]}
