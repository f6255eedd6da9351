"""The referee on tricks: which cards may be played, who wins, and how the cards rank."""

from __future__ import annotations

import pytest

from scoring import get_rulebook
from scoring.cards import Kind
from scoring.referee import Trick, UnreadableQuestion, answer_question, in_english, rule_on_trick
from tests.scoring.referee.reading import book_of, cases, read_out


def trick_of(situation, played, hand=(), hands=3):
    kind = Kind(situation.get("mode", "trump"))
    return Trick(
        kind, situation.get("trump") if kind is Kind.TRUMP else None, tuple(played), tuple(hand), hands
    )


@pytest.mark.parametrize("case", cases("legal_play"))
def test_legal_cards(case):
    book, asked = book_of(case), case["situation"]
    ruling = rule_on_trick(book, trick_of(asked, asked["trick_so_far"], asked["hand"]))
    read_out(ruling, book)
    assert ruling.problems == ()
    assert {choice.value for choice in ruling.choices if choice.allowed} == set(case["expected"]["legal"])
    assert all(choice.reason for choice in ruling.choices if not choice.allowed)
    assert ruling.explanations


@pytest.mark.parametrize("case", cases("trick_winner"))
def test_trick_winners(case):
    book, plays = book_of(case), case["situation"]["plays"]
    cards = [play["card"] for play in plays]
    ruling = rule_on_trick(book, trick_of(case["situation"], cards, hands=len(cards)))
    assert "wins the trick" in read_out(ruling, book)
    assert plays[ruling.best]["seat"] == case["expected"]["winner"]


@pytest.mark.parametrize(
    ("trick", "allowed", "said"),
    [
        ("c: C2 / SA HK", "SA HK", "{led} does not compel"),
        ("c: C2 / CA HK", "CA", "a lower matador must follow"),
        ("c: C2 / SA CK C4 HK", "SA CK C4", "need not be played as long as another trump is played"),
        ("c: C4 SA / CA HK", "CA HK", "does not compel ♣A"),
        ("h: C4 / CA HK S3", "CA HK S3", "A player with none of the suit led may play any card"),
        ("h: D4 / CA DK S3", "DK", "anyone who has the suit must follow"),
        ("nolo: CK / CA HK", "CA", "anyone who has the suit must follow"),
        ("grand: SA / CA HK", "CA", "a lower matador must follow"),
        ("s: / CA HK", "CA HK", "The player who leads may play any card"),
    ],
)
def test_matadors_may_be_held_back_unless_a_higher_one_was_led(trick, allowed, said):
    book = get_rulebook("rasle")
    ruling = answer_question(f"trick {trick}", book, 3)
    assert {choice.value for choice in ruling.choices if choice.allowed} == set(allowed.split())
    assert said.format(led="♣2") in read_out(ruling, book)


def test_read_literally_two_matadors_protect_each_other():
    book = get_rulebook("rasle", {"literal_matador_privilege": True})
    said = read_out(answer_question("trick c: C2 / SA CA HK", book, 3), book)
    assert "protect each other while there are two of them: ♠A, ♣A need not be played. (rasle §2.4)" in said
    assert "allowed: ♠A, ♣A, ♥K" in said


def test_where_there_are_no_matadors_trumps_are_followed_like_a_suit():
    book = get_rulebook("crocodile")
    said = read_out(answer_question("trick h: H4 / HA SA C2", book, 3), book)
    assert "Trumps were led, and anyone who has the suit must follow. (crocodile §10.2)" in said
    assert "not ♠A: ♠A does not follow trumps. (crocodile §10.2)" in said
    assert "Trumps, from high to low: ♥K, ♥Q, ♥J, ♥7, ♥6, ♥5, ♥4, ♥3, ♥2, ♥A. (crocodile §2.2)" in said


@pytest.mark.parametrize(
    ("trick", "ranks"),
    [
        (
            "c: HK",
            ["Trumps, from high to low: ♠A, ♣2, ♣A, ♣K", "Hearts, from high to low: ♥K, ♥Q, ♥J, ♥A, ♥2"],
        ),
        ("d: / HK", ["Trumps, from high to low: ♠A, ♦7, ♣A, ♦A, ♦K"]),
        ("nolo: SK", ["Spades, from high to low: ♠K, ♠Q, ♠J, ♠7, ♠6, ♠5, ♠4, ♠3, ♠2, ♠A. (rasle §2.1)"]),
        ("grand: SK", ["Trumps, from high to low: ♠A, ♣A. (rasle §3.7)", "Spades, from high to low: ♠K"]),
    ],
)
def test_the_referee_says_how_the_cards_rank(trick, ranks):
    book = get_rulebook("rasle")
    said = read_out(answer_question(f"trick {trick}", book, 3), book).splitlines()
    assert [line[: len(start)] for line, start in zip(said[-len(ranks) :], ranks, strict=True)] == ranks


@pytest.mark.parametrize(
    ("options", "players", "trick", "said"),
    [
        # In a joined nolo and in mort four play; who asks names the contract, or lays a fourth card.
        ({}, 4, "simple nolo: HK H2 H3", "♥K is winning"),
        ({}, 4, "simple nolo: HK H2 H3 H4", "♥K wins the trick"),
        ({}, 4, "nolo: HK H2 H3 H4", "♥K wins the trick"),
        ({}, 4, "nolo: HK H2 H3", "♥K wins the trick"),
        ({}, 3, "nolo: HK H2 H3 H4", "not allowed: There are 3 cards in a trick."),
        ({}, 4, "h: HK H2 H3 H4", "not allowed: There are 3 cards in a trick."),
        ({"mort": True}, 4, "h: HK H2 H3 H4", "♥K wins the trick"),
        ({"mort": True}, 4, "mort h: HK H2 H3", "♥K is winning"),
        ({"mort": True}, 4, "mort h: HK H2 H3 H4 H5", "not allowed: There are 4 cards in a trick."),
        ({"mort": True}, 3, "h: HK H2 H3 H4", "not allowed: There are 3 cards in a trick."),
        ({"mort": True, "mort_nolo": True}, 4, "mort nolo: HK H2 H3 / H4 SA", "allowed: ♥4"),
    ],
)
def test_four_cards_lie_where_four_play(options, players, trick, said):
    book = get_rulebook("rasle", options)
    assert said in read_out(answer_question(f"trick {trick}", book, players), book)


def test_nobody_joins_where_the_rules_know_no_joining():
    book = get_rulebook("union")
    assert "There are 3 cards in a trick." in read_out(
        answer_question("trick nolo: HK H2 H3 H4", book, 4), book
    )


@pytest.mark.parametrize("trick", ["mort: HK", "solo h: HK"])
def test_what_is_trumps_must_be_said(trick):
    with pytest.raises(UnreadableQuestion, match="what is trumps"):
        answer_question(f"trick {trick}", get_rulebook("rasle", {"mort": True}), 4)


@pytest.mark.parametrize(
    ("trick", "problem"),
    [
        (Trick(Kind.TRUMP, "H", ("HK", "HK")), "♥K is named twice."),
        (Trick(Kind.TRUMP, "H", ("HK",), ("HK",)), "♥K is named twice."),
        (Trick(Kind.TRUMP, "H", ("HK", "HQ", "HJ", "H2")), "There are 3 cards in a trick."),
        (Trick(Kind.NOLO, None, (), tuple(f"S{rank}" for rank in "KQJ765432A")), "A hand has 9 cards."),
    ],
)
def test_cards_that_cannot_be(trick, problem):
    book = get_rulebook("union")
    ruling = rule_on_trick(book, trick)
    assert list(in_english(ruling, book)) == [f"not allowed: {problem}"]
    assert not ruling.choices


def test_a_suit_that_is_not_in_the_pack():
    book = get_rulebook("ombre_two")
    missing = next(card for card in ("HK", "DK") if card not in book.pack.cards)
    ruling = rule_on_trick(book, Trick(Kind.TRUMP, "S", (missing,)))
    assert "is not in this pack" in read_out(ruling, book)
    ruling = rule_on_trick(book, Trick(Kind.TRUMP, missing[0], ("SA",)))
    assert "There are no" in read_out(ruling, book)
