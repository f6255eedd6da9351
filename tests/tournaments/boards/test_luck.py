"""A player's tokens as the field average of the cards held, and the rest with its interval."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from tournaments.boards.dealing import Part, compare
from tournaments.boards.luck import (
    LEAST_DEALS,
    Fit,
    Observation,
    margin_of_sum,
    residuals_by_player,
    split_tokens,
    student_quantile,
)


def split(parts):
    return {player: split_tokens(found) for player, found in residuals_by_player(compare(parts)).items()}


def estimate_play(rows, player):
    return Fit(rows).estimate(player)


def test_tokens_are_the_average_of_the_field_and_the_rest():
    """Forehand of folder 3 got 4, -2 and -3 at three tables, the dealer of folder 4 got 6 and 0."""
    parts = [Part(3, "FH", player, player, tokens) for player, tokens in ((1, 4), (2, -2), (3, -3))]
    parts += [Part(4, "BH", player, player, tokens) for player, tokens in ((1, 6), (2, 0))]
    found = split(parts)
    assert (found[1].cards, found[1].play, found[1].tokens) == (Fraction(-5, 2), Fraction(25, 2), 10)
    assert (found[3].deals, found[3].cards, found[3].play) == (1, 1, -4)
    assert found[1].margin is None
    assert not found[1].is_clear


def test_a_deal_that_nobody_else_played_is_in_neither_figure():
    parts = [Part(3, "FH", 1, 1, 4), Part(3, "FH", 2, 2, 0), Part(9, "FH", 1, 1, 100)]
    assert split(parts)[1].tokens == 4


# Quantiles as every table of them has them.
@pytest.mark.parametrize(
    ("degrees", "quantile"), [(7, 2.3646), (9, 2.2622), (19, 2.0930), (39, 2.0227), (119, 1.9801)]
)
def test_the_quantile_is_students(degrees, quantile):
    assert student_quantile(degrees) == pytest.approx(quantile, abs=1e-3)


def test_the_interval_of_a_sum_is_students():
    residuals = [3.0, -1.0, 4.0, -1.0, 5.0, -9.0, 2.0, -6.0]
    assert margin_of_sum(residuals) == pytest.approx(2.3646 * stdev(residuals) * sqrt(8), rel=1e-3)
    assert margin_of_sum(residuals[1:]) is None


def test_the_interval_of_an_evening_contains_the_true_play_in_19_of_20_evenings():
    random = Random(3)
    inside = 0
    for _evening in range(400):
        parts = [
            Part(folder, "FH", player, player, round(random.gauss(2.0 * (player == 0), 6.0) + folder % 7))
            for folder in range(40)
            for player in range(6)
        ]
        found = split(parts)[0]
        inside += abs(float(found.play) - 80) <= found.margin
    assert 0.92 < inside / 400 < 0.98


def test_two_players_on_the_same_cards_share_their_mean_difference():
    differences = [3, 5, -2, 4, 6, -1, 2, 7, 0, 6]
    rows = [
        row
        for cell, difference in enumerate(differences)
        for row in (Observation(cell, 1, 10 * cell + difference), Observation(cell, 2, 10 * cell))
    ]
    found = estimate_play(rows, 1)
    assert found.play == pytest.approx(fmean(differences) / 2)
    # The variance of an error is half of that of a difference.
    error = stdev(differences) / sqrt(2)
    assert found.margin == pytest.approx(2.2622 * error / sqrt(2 * len(differences)), rel=1e-3)
    assert (found.deals, found.players) == (10, 2)
    assert estimate_play(rows, 2).play == pytest.approx(-found.play)


def test_a_strong_field_is_allowed_for():
    """Player 1 meets only 2, who meets 3 in other deals: 2 is three better than 3, and 1 as good as 2."""
    random = Random(1)
    noise = [random.choice((-1, 1)) for _each in range(60)]
    rows = [
        Observation(cell, player, 5 + noise[cell] * (player == 1)) for cell in range(30) for player in (1, 2)
    ]
    rows += [
        Observation(cell, player, 3 * (player == 2) + noise[cell] * (player == 3))
        for cell in range(30, 60)
        for player in (2, 3)
    ]
    plays = [estimate_play(rows, player).play for player in (1, 2, 3)]
    assert sum(plays) == pytest.approx(0)
    assert plays[0] - plays[2] == pytest.approx(3, abs=0.5)
    residual = fmean([noise[cell] for cell in range(30)]) / 2
    assert residual == pytest.approx((plays[0] - plays[1]) / 2)


def test_the_interval_over_years_contains_the_true_play_in_19_of_20_runs():
    random = Random(5)
    strengths = [-2.0, -1.0, 0.0, 1.0, 2.0, 0.0]
    inside = 0
    for _run in range(150):
        rows = [
            Observation(cell, player, strengths[player] + 4 * (cell % 5) + random.gauss(0, 5))
            for cell in range(30)
            for player in random.sample(range(6), 3)
        ]
        found = estimate_play(rows, 4)
        inside += abs(found.play - 2.0) <= found.margin
    assert 0.9 < inside / 150 < 0.99


def test_nobody_is_estimated_who_never_shared_cards_or_has_few_deals():
    alone = [Observation(cell, 1, cell) for cell in range(20)]
    assert estimate_play(alone, 1) is None
    few = [Observation(cell, player, player) for cell in range(LEAST_DEALS - 1) for player in (1, 2)]
    assert estimate_play(few, 1) is None
    assert estimate_play([], 1) is None


def test_only_players_linked_by_common_cards_are_compared():
    rows = [Observation(cell, player, player + cell) for cell in range(10) for player in (1, 2)]
    apart = [Observation(cell, player, 100 * player) for cell in range(10, 20) for player in (3, 4)]
    fit = Fit([*rows, *apart])
    assert [fit.estimate(player).players for player in (1, 2, 3, 4)] == [2, 2, 2, 2]
    assert [fit.estimate(player).play for player in (1, 2, 3, 4)] == pytest.approx([-0.5, 0.5, -50, 50])


def test_a_thousand_deals_of_two_hundred_players_are_fitted():
    random = Random(9)
    rows = [
        Observation(cell, player, player % 5 + random.gauss(0, 4))
        for cell in range(1500)
        for player in random.sample(range(200), 6)
    ]
    fit = Fit(rows)
    for player in (3, 9, 104):
        found = fit.estimate(player)
        assert abs(found.play - (player % 5 - 2)) < 2 * found.margin < 4
        assert found.players == 200
