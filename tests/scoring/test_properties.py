"""What holds for every report, sensible or not, under every set of options."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import get_rulebook, rulebooks
from scoring.answers import in_words
from scoring.problems import REPORT_PROBLEMS
from scoring.results import DealResult, UnreadableResult, read_result
from scoring.seats import NOBODY, PLAYING, POOL, Seating
from scoring.settlement import IllegalResult, first_pool, pool_after, problems, settle, settle_at_table
from tests.scoring.reports import option_sets
from tests.scoring.strategies import OUTCOMES, deal_results, sensible_results

# Of some thousand reports: rows elsewhere go through every line.
pytestmark = pytest.mark.slow

BOOKS = [get_rulebook(book.id, options) for book in rulebooks() for options in option_sets(book.id)]


@st.composite
def cases(draw):
    """A report, its table and the rules."""
    book = draw(st.sampled_from(BOOKS))
    players = draw(st.sampled_from(book.players))
    seating = Seating(players, draw(st.integers(0, players - 1)))
    contracts = sorted(book.known_contracts)
    result = draw(sensible_results(book, players) | deal_results(players, contracts) | deal_results(players))
    return result, seating, book


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
    assert settled.outcome in OUTCOMES
    assert not book.zero_sum or sum(settled.tokens) + settled.pool == 0
    if not book.zero_sum:
        others = {role for role in seating.roles if role is not result.declarer}
        assert {settled.tokens[seating.position_of(role)] for role in others} == {0}


@given(cases())
def test_a_deal_whose_tricks_all_fall_is_refused_for_nothing_but_what_was_said_beside_them(case):
    result, seating, book = case
    declarer, contract = result.declarer, book.by_id.get(result.contract)
    hands = PLAYING[seating.players]
    if contract is None or contract.by_fourth or contract.fourth_joins or declarer not in hands:
        return
    who = contract.declarers_at(seating.players)[0]  # a solo for five is the last player's alone
    others = [role for role in hands if role is not who]
    plain = DealResult(
        contract=contract.id,
        declarer=who,
        tricks=tuple((role, book.house.tricks if role is others[-1] else 0) for role in hands),
        pool=7 if book.pool else None,
        estuches=1 if book.house.counts_estuches and book.house.estuche_price else None,
        partner=others[0] if contract.with_partner else None,
    )
    assert all(problem.is_warning for problem in problems(plain, seating, book))


@given(cases())
def test_at_the_table_the_ante_is_paid_too_and_the_pool_goes_on_to_the_next_deal(case):
    result, seating, book = case
    try:
        settled, at_table = settle(result, seating, book), settle_at_table(result, seating, book)
    except IllegalResult:
        return
    if book.pool is None:
        assert at_table == settled
        assert first_pool(book, seating.players) is pool_after(result, seating, book) is None
        return
    antes = book.pool.each_deal(seating.players)
    assert sum(at_table.tokens) + at_table.pool == 0
    assert at_table.pool == settled.pool + antes
    assert sum(part.tokens for part in at_table.parts if part.code == "ante") == antes
    assert first_pool(book, seating.players) == antes
    assert pool_after(result, seating, book) == result.pool + settled.pool + antes
    assert result.pool + settled.pool >= 0


@given(cases())
def test_the_parts_add_up_to_the_tokens(case):
    result, seating, book = case
    try:
        settled = settle(result, seating, book)
    except IllegalResult:
        return
    accounts = dict.fromkeys([*range(seating.players), POOL, NOBODY], 0)
    for part in settled.parts:
        assert part.tokens > 0
        assert part.payer != part.payee
        assert "{" not in in_words(part.text, part.params)
        accounts[part.payer] -= part.tokens
        accounts[part.payee] += part.tokens
    tokens = [accounts[position] for position in range(seating.players)]
    assert (tuple(tokens), accounts[POOL]) == (settled.tokens, settled.pool)
    assert not book.zero_sum or accounts[NOBODY] == 0
    written = json.loads(json.dumps(settled.to_json()))
    assert (written["tokens"], written["pool"]) == (tokens, settled.pool)


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
        assert {problem.code for problem in problems(result, seating, BOOKS[0])} <= set(REPORT_PROBLEMS)
        return
    assert unreadable.text.format(**unreadable.params) == str(unreadable)
