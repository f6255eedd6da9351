"""Following suit, the matadors' privilege, and who wins: rules texts §2.4 and §10, the sources' own examples."""

import pytest

from scoring.cards import Kind, Ranking, card_order
from scoring.game.steps import legal_cards, trick_winner

CLUBS = card_order(Kind.TRUMP, "C", Ranking.SPANISH)
HEARTS = card_order(Kind.TRUMP, "H", Ranking.SPANISH)
NOLO = card_order(Kind.NOLO, None, Ranking.SPANISH)
GRAND = card_order(Kind.GRAND, None, Ranking.SPANISH)
CROCODILE = card_order(Kind.TRUMP, "S", Ranking.ACE_LOW)
SANS = card_order(Kind.GRAND, None, Ranking.ACE_LOW)


@pytest.mark.parametrize(
    ("order", "led", "hand", "legal"),
    [
        (CLUBS, None, "CA HK D3", "CA HK D3"),
        (CLUBS, "HQ", "HK H7 CA D3", "HK H7"),
        (CLUBS, "HQ", "CA SK D3", "CA SK D3"),
        (CLUBS, "SK", "SA S2 D3", "S2"),
        (CLUBS, "SK", "SA CA D3", "SA CA D3"),
        (HEARTS, "CK", "CA D3 S2", "CA D3 S2"),
        (NOLO, "SK", "SA D3", "SA"),
        (NOLO, "S5", "HK DK", "HK DK"),
        (GRAND, "CK", "CA C2 H3", "C2"),
        (CROCODILE, "SK", "SA HK", "SA"),
        (SANS, "CK", "CA HK", "CA"),
    ],
)
def test_10_2_who_has_the_suit_led_follows(order, led, hand, legal):
    assert legal_cards(order, led, tuple(hand.split())) == tuple(legal.split())


@pytest.mark.parametrize(
    ("order", "led", "hand", "legal"),
    [
        # manille led: spadille alone is free, basta alone is not, and other trumps must follow
        (CLUBS, "C2", "SA HK", "SA HK"),
        (CLUBS, "C2", "CA HK", "CA"),
        (CLUBS, "C2", "SA CK C4 HK", "SA CK C4"),
        # a low trump led forces no matador, wherever spadille falls
        (CLUBS, "C4", "CA HK", "CA HK"),
        (CLUBS, "CK", "SA C2 CA HK", "SA C2 CA HK"),
        # spadille led
        (CLUBS, "SA", "C2 HK D3", "C2"),
        (CLUBS, "SA", "C2 C5 HK", "C2 C5"),
        # basta led forces no higher matador
        (CLUBS, "CA", "SA C2 HK", "SA C2 HK"),
        # ponto is no matador
        (HEARTS, "H7", "HA D3", "HA"),
        (HEARTS, "H6", "HA D3", "HA"),
        # in grand there are two matadors
        (GRAND, "SA", "CA CK", "CA"),
        (GRAND, "CA", "SA CK", "SA CK"),
    ],
)
def test_2_4_a_matador_is_forced_by_a_higher_matador_led(order, led, hand, legal):
    assert legal_cards(order, led, tuple(hand.split())) == tuple(legal.split())


@pytest.mark.parametrize(
    ("led", "hand", "legal", "to_the_letter"),
    [
        ("C2", "SA CA HK", "SA CA", "SA CA HK"),
        ("SA", "C2 CA HK", "C2 CA", "C2 CA HK"),
        ("SA", "C2 HK", "C2", "C2"),
        ("C2", "SA HK", "SA HK", "SA HK"),
        ("SA", "C2 C5 HK", "C2 C5", "C2 C5"),
    ],
)
def test_2_4_literal_matador_privilege_protects_a_matador_by_another(led, hand, legal, to_the_letter):
    cards = tuple(hand.split())
    assert legal_cards(CLUBS, led, cards) == tuple(legal.split())
    assert legal_cards(CLUBS, led, cards, literal=True) == tuple(to_the_letter.split())


@pytest.mark.parametrize(
    ("order", "cards", "winner"),
    [
        (CLUBS, "HK HQ H7", "HK"),
        (CLUBS, "HQ H2 DK", "HQ"),
        (CLUBS, "D2 D7 DA", "DA"),
        (CLUBS, "DA DJ D2", "DJ"),
        (CLUBS, "C2 SA CK", "SA"),
        (CLUBS, "CA C2 CK", "C2"),
        (CLUBS, "HK C3 C4", "C4"),
        (HEARTS, "HA CA H7", "H7"),
        (HEARTS, "H2 H6 H3", "H2"),
        (HEARTS, "CK SA CQ", "SA"),
        (NOLO, "S2 SA HK", "S2"),
        (GRAND, "HK CA HQ", "CA"),
        (GRAND, "CA SA CK", "SA"),
        (CROCODILE, "SA S2 HK", "S2"),
        (CROCODILE, "HK SA H2", "SA"),
        (SANS, "HA H2 SK", "H2"),
    ],
)
def test_10_3_the_highest_trump_or_card_of_the_suit_led_wins(order, cards, winner):
    played = cards.split()
    assert played[trick_winner(order, played)] == winner


def test_check_sums_of_every_order():
    for order, trumps in ((CLUBS, 11), (HEARTS, 12), (NOLO, 0), (GRAND, 2), (CROCODILE, 10), (SANS, 0)):
        assert len(order.suit) == len(order.strength) == 40
        assert sum(suit == "trumps" for suit in order.suit.values()) == trumps
