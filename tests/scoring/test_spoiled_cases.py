"""Spoiled input of every kind: one line of JSON out for each line in, and no fault ever."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import rulebooks
from scoring.answers import _KINDS, answer_lines, differences
from scoring.results import _READERS

CASES = [
    json.loads(line)
    for path in sorted((Path(__file__).parent.parent / "conformance").glob("*.jsonl"))
    for line in path.read_text().splitlines()
]
BOOKS = [book.id for book in rulebooks()]
OPTIONS = sorted({spec.name for book in rulebooks() for spec in book.option_specs})
FIELDS = sorted({*_READERS, *(field for case in CASES for field in case["situation"])})


def words_in(value):
    """Every text and every key in a value."""
    if isinstance(value, str):
        return {value}
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return set().union(*map(words_in, inner))


WORDS = sorted(words_in([case["situation"] for case in CASES]))
ODD = [
    None, True, False, 0, 1, -1, 5, 9, 10, 2**63, 10**400, -0.0, float("inf"), float("nan"), "", "0", "\ud800",
    "\0", "é" * 70, "IDLE", "H3", "OPP", "none", "both", "DECLARER", [], {}, [[]], [None], ["FH", "FH"], {"": None},
    {"FH": True}, {"FH": 1, "0": 2}, ["SA", "SA"], [{"seat": "FH", "call": []}], [{"seat": {}, "card": "SA"}],
]  # fmt: skip
VALUES = st.recursive(
    st.sampled_from(ODD) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3),
    max_leaves=5,
)
PLACES = ("kind", "rulebook", "players", "options", "situation", "expected")


def places(value, so_far=()):
    """The way to every value in a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*so_far, key)
        yield from places(one, (*so_far, key))


def replaced(value, way, new):
    """The value with another one at the end of the way."""
    if not way:
        return new
    copy = value.copy()
    copy[way[0]] = replaced(value[way[0]], way[1:], new)
    return copy


@st.composite
def spoiled_cases(draw):
    """A case of any kind, by any rulebook, in which up to three values are something else."""
    case = draw(st.sampled_from(CASES))
    case = case | draw(
        st.fixed_dictionaries(
            {},
            optional={
                "kind": st.sampled_from(list(_KINDS)),
                "rulebook": st.sampled_from(BOOKS),
                "players": st.integers(2, 5),
                "options": st.dictionaries(
                    st.sampled_from(OPTIONS), st.sampled_from([*ODD, 2, 3]), max_size=2
                ),
            },
        )
    )
    for _time in range(draw(st.integers(0, 2))):
        way = draw(st.sampled_from([way for way in places(case) if way[0] in PLACES] or [("kind",)]))
        case = replaced(case, way, draw(VALUES))
    if isinstance(case["situation"], dict) and draw(st.booleans()):
        case["situation"] = case["situation"] | {draw(st.sampled_from(FIELDS)): draw(VALUES)}
    return case


def lines_of(case):
    return json.dumps(case).encode().replace(b"Infinity", b"1e999")


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


@pytest.mark.slow
@settings(max_examples=400)
@given(spoiled_cases())
def test_a_spoiled_case_is_answered_or_refused_in_one_line_of_json(case):
    (said,) = answer_lines([lines_of(case)])
    told = json.loads(said, parse_constant=refuse)
    assert "\n" not in said
    assert set(told) in ({"id", "answer"}, {"id", "error"})
    assert len(told.get("error", "in words")) > len("in word")


@given(spoiled_cases())
def test_a_spoiled_case_is_compared_all_the_same(case):
    (said,) = differences([lines_of(case)])
    assert said is None or said.startswith((case["id"], "line 1: not answered: NaN"))


@given(st.binary(max_size=200) | st.binary(max_size=20).map(lambda piece: b'{"id": "a", "kind": "' + piece))
def test_bytes_that_are_no_case_are_refused(line):
    (said,) = answer_lines([line])
    assert set(json.loads(said)) == {"id", "error"}


DEEP = '{"id": "a", "rulebook": "rasle", "players": 3, '
WINNER = (
    DEEP + '"kind": "trick_winner", "situation": {"trump": "C", "plays": [{"seat": SPOILED, "card": "HK"}]}}'
)
SCORE = DEEP + '"kind": "score", "situation": {"contract": SPOILED, "declarer": "FH"}}'
OPTION = DEEP + '"kind": "score", "situation": {}, "options": {"kaske": SPOILED}}'
EXPECTED = DEEP + '"kind": "score", "situation": {"all_passed": true}, "expected": {"outcome": SPOILED}}'


@pytest.mark.parametrize("depth", [2, 200, 900, 950, 1000, 20_000])
@pytest.mark.parametrize("case", [WINNER, SCORE, OPTION, EXPECTED])
@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"FH": ', "}")])
def test_a_value_may_be_nested_as_deeply_as_it_likes(case, depth, opened, closed):
    line = case.replace("SPOILED", opened * depth + "1" + closed * depth).encode()
    assert len(list(answer_lines([line]))) == len(list(differences([line]))) == 1


@pytest.mark.parametrize("seat", ["1e999", "null", "7", "[]", '{"FH": 1}'])
def test_the_winner_of_a_trick_is_a_seat_with_a_name(seat):
    (said,) = answer_lines([WINNER.replace("SPOILED", seat).encode()])
    assert json.loads(said) == {"id": "a", "error": "a seat is named by its code, like FH"}


def test_a_long_word_is_not_told_again_in_full():
    (said,) = answer_lines([OPTION.replace("kaske", "k" * 5000).encode()])
    assert len(said) < 1100


def test_who_equals_a_bid_and_names_nothing_names_no_contract():
    calls = [("FH", "simple_game", None), ("MH", "spade_game", None), ("FH", "self", "")]
    case = {
        "kind": "auction", "rulebook": "union", "players": 3,
        "situation": {"calls": [{"seat": seat, "call": call, "contract": named} for seat, call, named in calls]},
    }  # fmt: skip
    (said,) = answer_lines([json.dumps(case).encode()])
    assert json.loads(said)["answer"] == {
        "status": "illegal", "call_index": 2, "code": "contract_unknown", "paragraph": "union §3.1",
    }  # fmt: skip
