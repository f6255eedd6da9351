"""The referee on calls: as the conformance cases have it, and with the paragraph that says so."""

from __future__ import annotations

import doctest

import pytest

import scoring.referee
from scoring import get_rulebook, rulebooks
from scoring.game import Act
from scoring.game.cases import _call, _holdings
from scoring.referee import (
    UnreadableQuestion,
    answer_question,
    call_of,
    calls_in_turn,
    known_spadille,
    rule_on_calls,
)
from scoring.seats import PLAYING, Role
from tests.scoring.referee.reading import book_of, cases, read_out


@pytest.mark.parametrize("case", cases("auction"))
def test_calls(case):
    book, players, expected = book_of(case), case["players"], case["expected"]
    calls = [_call(call, book) for call in case["situation"]["calls"]]
    ruling = rule_on_calls(book, players, calls, _holdings(case["situation"], book))
    text = read_out(ruling, book)
    if expected["status"] == "illegal":
        assert (ruling.allowed, len(ruling.made)) == (False, expected["call_index"])
        assert text.startswith("not allowed: ")
        return
    assert (ruling.allowed, ruling.refused, len(ruling.made)) == (True, None, len(calls))
    assert ruling.auction.status == expected["status"]
    assert bool(ruling.choices) is (expected["status"] == "open")
    assert {choice.value for choice in ruling.choices if choice.allowed} == set(ruling.auction.legal_calls())


def test_the_examples_in_the_documentation_are_right():
    assert doctest.testmod(scoring.referee).failed == 0


def test_what_nobody_bid_is_not_played_as_it_was_bid():
    book = get_rulebook("crocodile")
    said = read_out(answer_question("calls: pass, pass, pass", book, 3), book)
    assert said == "Everybody has passed: eldest plays Casco. (crocodile §4.1)"


def test_who_holds_spadille_must_bid_where_it_is_forced():
    book = get_rulebook("union", {"forced_spadille": True})
    steps = calls_in_turn(book, 3, [call_of("pass", book)], known_spadille(Role.FH))
    ruling = rule_on_calls(book, 3, steps, known_spadille(Role.FH))
    assert read_out(ruling, book).startswith("not allowed: The holder of spadille must bid")
    free = rule_on_calls(book, 3, steps, known_spadille(None, in_talon=True))
    assert free.allowed


def test_nobody_else_has_both_black_aces_where_one_holds_spadille():
    book = get_rulebook("rasle")
    calls = calls_in_turn(book, 3, [call_of("grand tourné", book)], known_spadille(Role.MH))
    assert not rule_on_calls(book, 3, calls, known_spadille(Role.MH)).allowed
    assert rule_on_calls(book, 3, calls, known_spadille(Role.FH)).allowed


def test_priority_is_said_where_it_counts():
    book = get_rulebook("rasle")
    said = read_out(answer_question("calls: solo, pass, nolo ouvert", book, 4), book)
    assert "Forehand has priority over backhand and need only equal. (rasle §9.3)" in said
    said = read_out(answer_question("calls: game, tourné, pass", book, 4), book)
    assert "Backhand must bid higher or pass. (rasle §9.2)" in said


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_where_all_pass_the_referee_says_what_becomes_of_the_deal(book):
    for players in book.players:
        calls = calls_in_turn(book, players, [call_of("pass", book)] * len(PLAYING[players]))
        ruling = rule_on_calls(book, players, calls)
        assert "Everybody has passed" in read_out(ruling, book)


def test_who_made_a_lower_bid_need_only_equal():
    book = get_rulebook("renegado")
    said = read_out(answer_question("calls: entrada, vuelta", book, 3), book)
    assert "need only equal" not in said
    said = read_out(answer_question("calls: entrada, vuelta, pass", book, 3), book)
    assert "Forehand made a lower bid and need only equal. (renegado §9.3)" in said


def test_when_all_have_passed_kaske_may_be_bid():
    book = get_rulebook("rasle", {"kaske": True})
    said = read_out(answer_question("calls: pass, pass, pass", book, 3), book)
    assert "bids that are only allowed then may now be made. (rasle §9.6)" in said
    assert "allowed: pass, Kaske" in said


def test_who_holds_spadille_says_so_where_nobody_knows_it():
    lower = dict.fromkeys(("voltereta", "gascarola", "contrabola", "mort"), False)
    book = get_rulebook("renegado", lower | {"forced_spadille": True})
    said = read_out(answer_question("calls: pass, pass, pass, pass", book, 3), book)
    assert "the holder of spadille, or else of basta, must say so and play. (renegado §9.6)" in said
    assert "allowed: pass, Spadille forcé" in said
    said = read_out(answer_question("calls: pass, pass, pass, pass, spadille force", book, 3), book)
    assert "Everybody has passed: middlehand plays Spadille forcé." in said


@pytest.mark.parametrize("words", ["self tourné", "selv tourne", "FH i forhånd tourné"])
def test_who_equals_may_say_what(words):
    book = get_rulebook("rasle")
    (_role, act, contract) = call_of(words, book)
    assert (act, contract) == (Act.SELF, "tourne")


def test_a_line_that_begins_with_no_known_word_is_no_question():
    with pytest.raises(UnreadableQuestion):
        answer_question("17 B solo h won", get_rulebook("union"), 4)


@pytest.mark.parametrize(
    ("options", "calls", "said"),
    [
        (
            {"mort": True, "mort_nolo": True},
            "pass, pass, pass, mort nolo",
            "the fourth player plays Mort nolo",
        ),
        ({"mort": True, "mort_nolo": True}, "pass, pass, pass, IDLE mort", "the fourth player plays Mort"),
        ({"mort": True}, "pass, pass, pass, mort nolo", "The auction is over"),
    ],
)
def test_who_plays_mort_may_say_at_once_that_it_is_a_nolo(options, calls, said):
    book = get_rulebook("rasle", options)
    assert said in read_out(answer_question(f"calls: {calls}", book, 4), book)
