"""Those who wish not to share a table are kept apart: strictly, or only where it costs no repeat."""

import pytest

from tournaments.draw.planner import plan, plan_next
from tournaments.draw.quality import quality
from tournaments.draw.tables import Apart


def couples(count, *, strict):
    """Players 0 and 1, 2 and 3, … wish to be apart."""
    return [Apart((2 * pair, 2 * pair + 1), strict=strict) for pair in range(count)]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("players", "rounds", "pairs"),
    [(12, 1, 6), (17, 3, 6), (20, 4, 10), (24, 4, 12), (27, 4, 13), (40, 5, 20), (100, 4, 50)],
)
def test_couples_never_share_a_table_and_no_pair_meets_twice(players, rounds, pairs, strict):
    figures = plan(players, rounds, seed=5, apart=couples(pairs, strict=strict)).quality
    assert (figures.wishes_broken, figures.repeats) == ((), 0)


def test_a_family_of_four_is_kept_apart_with_clubs_apart_too():
    clubs = [player % 5 for player in range(27)]
    figures = plan(27, 4, seed=5, groups=clubs, apart=[Apart((0, 1, 2, 3))]).quality
    assert (figures.wishes_broken, figures.repeats) == ((), 0)
    assert figures.club_mates == figures.club_mates_bound


def test_a_wish_gives_way_where_all_must_meet_so_that_no_pair_meets_twice():
    figures = plan(16, 5, seed=5, apart=[Apart((3, 9))]).quality
    assert figures.repeats == 0
    assert [(p, q, strict) for _round, p, q, strict in figures.wishes_broken] == [(3, 9, False)]


def test_a_strict_wish_does_not_give_way_even_if_pairs_must_meet_twice():
    figures = plan(16, 5, seed=5, apart=[Apart((3, 9), strict=True)]).quality
    assert figures.wishes_broken == ()
    assert figures.repeats > 0


def test_more_enemies_than_tables_cannot_all_be_kept_apart_and_the_draw_says_so():
    figures = plan(8, 1, seed=5, apart=[Apart((0, 1, 2), strict=True)]).quality
    ((round_number, p, q, strict),) = figures.wishes_broken
    assert (round_number, {p, q} < {0, 1, 2}, strict) == (1, True, True)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seats"), [(12, (3,)), (13, (3,)), (10, (2,)), (20, (5,))])
def test_wishes_are_kept_at_tables_of_one_size(players, seats):
    apart = [Apart((0, 1)), Apart((2, 3), strict=True)]
    assert plan(players, 2, seed=5, seats=seats, apart=apart).quality.wishes_broken == ()


def test_wishes_hold_for_rounds_drawn_after_others_left_and_came():
    played = plan(24, 5, seed=5).rounds[:2]
    apart = [Apart((0, 99), strict=True), Apart((4, 5, 6), strict=True), Apart((1, 2), strict=True)]
    drawn = plan_next([0, *range(2, 24), 99], 3, seed=6, history=played, apart=apart)
    assert [broken for broken in drawn.quality.wishes_broken if broken[0] > 2] == []
    assert drawn.quality.repeats == 0


def test_a_broken_wish_is_named_with_its_round_and_players():
    rounds = [((0, 1, 2, 3), (4, 5, 6, 7)), ((0, 4, 1, 5), (2, 3, 6, 7))]
    figures = quality(
        rounds, apart=[Apart((5, 1)), Apart((0, 2, 7), strict=True), Apart((1, 5), strict=True)]
    )
    assert figures.wishes_broken == ((1, 0, 2, True), (2, 1, 5, True), (2, 2, 7, True))
