import pytest

from scoring.cards import SUITS, TALON, Kind, suit_order, trump_order

TRUMPS = {
    "S": "SA S2 CA SK SQ SJ S7 S6 S5 S4 S3",
    "H": "SA H7 CA HA HK HQ HJ H2 H3 H4 H5 H6",
    "D": "SA D7 CA DA DK DQ DJ D2 D3 D4 D5 D6",
    "C": "SA C2 CA CK CQ CJ C7 C6 C5 C4 C3",
}


@pytest.mark.parametrize("trump", SUITS)
def test_2_2_trumps_from_spadille_down(trump):
    assert " ".join(trump_order(Kind.TRUMP, trump)) == TRUMPS[trump]
    assert suit_order(trump, Kind.TRUMP, trump) == trump_order(Kind.TRUMP, trump)


@pytest.mark.parametrize(
    ("suit", "kind", "trump", "order"),
    [
        ("S", Kind.NOLO, None, "SK SQ SJ S7 S6 S5 S4 S3 S2 SA"),
        ("C", Kind.NOLO, None, "CK CQ CJ C7 C6 C5 C4 C3 C2 CA"),
        ("H", Kind.NOLO, None, "HK HQ HJ HA H2 H3 H4 H5 H6 H7"),
        ("S", Kind.TRUMP, "H", "SK SQ SJ S7 S6 S5 S4 S3 S2"),
        ("D", Kind.TRUMP, "H", "DK DQ DJ DA D2 D3 D4 D5 D6 D7"),
        ("C", Kind.GRAND, None, "CK CQ CJ C7 C6 C5 C4 C3 C2"),
        ("D", Kind.GRAND, None, "DK DQ DJ DA D2 D3 D4 D5 D6 D7"),
    ],
)
def test_2_1_and_2_3_suits_that_are_not_trumps(suit, kind, trump, order):
    assert " ".join(suit_order(suit, kind, trump)) == order


def test_grand_has_the_black_aces_as_trumps_and_nolos_none():
    assert trump_order(Kind.GRAND) == ("SA", "CA")
    assert trump_order(Kind.NOLO) == ()


@pytest.mark.parametrize(
    ("kind", "trump"), [(Kind.NOLO, None), (Kind.GRAND, None), *((Kind.TRUMP, suit) for suit in SUITS)]
)
def test_every_card_has_one_place(kind, trump):
    plain = [card for suit in SUITS if suit != trump for card in suit_order(suit, kind, trump)]
    assert len({*plain, *trump_order(kind, trump)}) == len(plain) + len(trump_order(kind, trump)) == 40


def test_thirteen_cards_are_left_for_the_talon():
    assert TALON == 13


def test_what_is_no_suit_is_refused():
    with pytest.raises(ValueError, match="no suit"):
        suit_order("X", Kind.NOLO)
    with pytest.raises(ValueError, match="no suit"):
        trump_order(Kind.TRUMP, "X")
