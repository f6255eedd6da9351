"""Each family of games has rules values of its own; none is l'hombre by default."""

from __future__ import annotations

from dataclasses import fields

import pytest

from scoring import get_rulebook, rulebooks
from scoring.family_rules import (
    CrocodileRules,
    FiveRules,
    HouseRules,
    IntroRules,
    LHombreRules,
    RenegadoRules,
    TwoRules,
    WinnersRules,
)
from scoring.offers import _RESULTS
from scoring.prices import _ACCOUNTS
from scoring.report_case import FAMILIES

GAMES = {
    "union": LHombreRules,
    "rasle": LHombreRules,
    "la_bete": LHombreRules,
    "pot": LHombreRules,
    "crocodile": CrocodileRules,
    "renegado": RenegadoRules,
    "ombre_two": TwoRules,
    "ombre_five": FiveRules,
    "ombre_intro": IntroRules,
}

QUESTIONS = (
    "has_tout",
    "has_vole",
    "has_winners",
    "opponents_share_five",
    "is_plain",
    "kodille_is_extra",
    "five_tricks_win",
)


OF_SOME = [name for name, value in vars(HouseRules).items() if isinstance(value, property)]


@pytest.mark.parametrize("name", OF_SOME)
def test_what_only_some_games_have_is_off_in_the_others(name):
    without = [book for book in rulebooks() if name not in {field.name for field in fields(book.house)}]
    assert without
    assert not any(getattr(book.house, name) for book in without)


def test_every_rulebook_has_the_values_of_its_game():
    assert {book.id: type(book.house) for book in rulebooks()} == GAMES
    assert type(get_rulebook("ombre_two", {"as_for_three": True}).house) is RenegadoRules


@pytest.mark.parametrize("rows", [FAMILIES, _ACCOUNTS, _RESULTS], ids=["outcomes", "accounts", "offers"])
def test_every_game_has_a_row_of_its_own_wherever_games_differ(rows):
    assert set(rows) == set(GAMES.values())


@pytest.mark.parametrize("family", sorted({*GAMES.values()}, key=lambda one: one.__name__))
def test_a_game_says_itself_what_it_has(family):
    for question in QUESTIONS:
        assert isinstance(getattr(family, question), bool)
        assert not hasattr(HouseRules, question)


def test_what_only_some_games_have_is_a_field_there_and_nothing_elsewhere():
    common = {field.name for field in fields(HouseRules)}
    own = {family: {field.name for field in fields(family)} - common for family in GAMES.values()}
    assert own[CrocodileRules] & own[LHombreRules] == set()
    assert own[RenegadoRules] & own[TwoRules] == {
        "codille_shared", "counts_estuches", "estuche_price", "estuches_by_suit", "loss_price"
    }  # fmt: skip
    crocodile = get_rulebook("crocodile").house
    assert not crocodile.fouls
    assert not crocodile.first_five_bonus
    assert not crocodile.to_pool
    assert (crocodile.aces_bonus, crocodile.estuche_price) == (0, 0)
    assert get_rulebook("rasle").house.fouls


def test_a_price_that_a_game_must_have_is_no_default():
    with pytest.raises(TypeError, match="several_bonus_bids"):
        CrocodileRules(
            contraprimeras_together=True,
            contraprimeras_always=True,
            silent_bonuses_add=True,
            failed_tout_keeps_primeras=False,
            talking_price=10,
        )
    with pytest.raises(TypeError, match="estuche_price"):
        TwoRules(counts_estuches=True, loss_price=1)


def test_one_games_values_are_not_taken_for_anothers():
    house = get_rulebook("renegado").house
    assert RenegadoRules.narrow(house) is WinnersRules.narrow(house) is house
    with pytest.raises(TypeError, match="RenegadoRules are not LHombreRules"):
        LHombreRules.narrow(house)
