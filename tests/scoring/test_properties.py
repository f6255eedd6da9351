"""What holds for every report, sensible or not, under every set of options."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import get_rulebook
from scoring.problems import CATALOGUE
from scoring.results import DealResult, UnreadableResult, read_result
from scoring.seats import Seating
from scoring.settlement import IllegalResult, problems, settle
from tests.scoring.reports import option_sets
from tests.scoring.strategies import deal_results

BOOKS = [get_rulebook(name, options) for name in ("union", "rasle") for options in option_sets(name)]


@st.composite
def cases(draw):
    """A report, its table and the rules."""
    players = draw(st.sampled_from([3, 4]))
    seating = Seating(players, draw(st.integers(0, players - 1)))
    return draw(deal_results(players)), seating, draw(st.sampled_from(BOOKS))


@given(cases())
def test_a_report_is_either_refused_with_problems_or_settled_to_nought(case):
    result, seating, book = case
    wrong = [problem for problem in problems(result, seating, book) if not problem.is_warning]
    if wrong:
        with pytest.raises(IllegalResult) as refused:
            settle(result, seating, book)
        assert list(refused.value.problems) == wrong
        return
    settled = settle(result, seating, book)
    assert settled.outcome in ("won", "bete", "kodille")
    assert sum(settled.tokens) == 0


@given(cases())
def test_the_parts_add_up_to_the_tokens(case):
    result, seating, book = case
    try:
        settled = settle(result, seating, book)
    except IllegalResult:
        return
    tokens = [0] * seating.players
    for part in settled.parts:
        assert part.tokens > 0
        assert part.payer != part.payee
        tokens[part.payer] -= part.tokens
        tokens[part.payee] += part.tokens
    assert tuple(tokens) == settled.tokens
    assert json.loads(json.dumps(settled.to_json()))["tokens"] == tokens


@given(cases())
def test_what_is_written_as_json_is_read_back(case):
    result, seating, _book = case
    written = json.dumps(result.to_json(seating))
    assert read_result(json.loads(written), seating) == result
    assert written == json.dumps(read_result(json.loads(written), seating).to_json(seating))


@given(cases(), st.integers(1, 3))
def test_tokens_go_round_with_the_seats(case, turn):
    result, seating, book = case
    turned = Seating(seating.players, (seating.dealer + turn) % seating.players)
    try:
        here, there = settle(result, seating, book).tokens, settle(result, turned, book).tokens
    except IllegalResult:
        return
    assert [there[turned.position_of(role)] for role in seating.roles] == list(here)


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(NESTED | st.dictionaries(st.sampled_from(DealResult._fields), NESTED))
def test_anything_that_json_can_say_is_read_or_unreadable(data):
    seating = Seating(4, 0)
    try:
        result = read_result(data, seating)
    except UnreadableResult as error:
        unreadable = error
    else:
        assert {problem.code for problem in problems(result, seating, BOOKS[0])} <= set(CATALOGUE)
        return
    assert unreadable.text.format(**unreadable.params) == str(unreadable)
