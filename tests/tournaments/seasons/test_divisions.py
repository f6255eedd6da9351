"""Teams move by their places; who declines is replaced by the next; a club has at most so many in a division."""

from __future__ import annotations

import pytest

from tournaments.seasons.next_season import Move, next_divisions

RANKED = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11]]
CLUBS = dict.fromkeys(range(1, 12))


def divisions(**how):
    return next_divisions(RANKED, CLUBS | how.pop("clubs", {}), promoted=1, relegated=1, **how)


def test_the_best_go_up_and_the_last_go_down():
    found = divisions()
    assert found.divisions == [[1, 2, 3, 5], [4, 6, 7, 9], [8, 10, 11]]
    assert {team: found.moves[team] for team in (4, 5, 8, 9, 1)} == {
        4: Move.DOWN, 5: Move.UP, 8: Move.DOWN, 9: Move.UP, 1: Move.STAYS,
    }  # fmt: skip


def test_who_declines_is_replaced_by_the_next():
    found = divisions(declined={5})
    assert found.divisions == [[1, 2, 3, 6], [4, 5, 7, 9], [8, 10, 11]]
    assert (found.moves[5], found.moves[6]) == (Move.STAYS, Move.UP_INSTEAD)


def test_where_all_below_decline_the_best_of_the_relegated_stays():
    found = divisions(declined={5, 6, 7})
    assert found.divisions[0] == [1, 2, 3, 4]
    assert found.moves[4] is Move.SAVED


def test_who_stays_away_saves_one_from_going_down():
    found = divisions(away={2})
    assert found.divisions == [[1, 3, 4, 5], [6, 7, 9], [8, 10, 11]]
    assert found.moves[4] is Move.STAYS


def test_more_who_stay_away_than_go_down_are_replaced_from_below():
    found = divisions(away={1, 2})
    assert found.divisions[0] == [3, 4, 5, 6]
    assert (found.moves[5], found.moves[6]) == (Move.UP, Move.UP_INSTEAD)


def test_nobody_goes_up_where_the_club_has_its_teams():
    found = divisions(clubs={1: 7, 2: 7, 5: 7}, most_of_club=2)
    assert found.divisions[0] == [1, 2, 3, 6]
    assert found.crowded == []


def test_a_club_that_has_too_many_by_going_down_is_named():
    found = divisions(clubs={4: 7, 6: 7, 7: 7}, most_of_club=2)
    assert found.crowded == [(7, 2)]


def test_one_who_goes_down_leaves_room_for_the_clubs_next():
    found = divisions(clubs={4: 7, 5: 7}, most_of_club=1)
    assert found.divisions[0] == [1, 2, 3, 5]


@pytest.mark.parametrize("ranked", [[[1, 2, 3]], [[1], [2], [3]], [[1, 2], []], []])
@pytest.mark.parametrize("away", [set(), {1}, {1, 2, 3}])
def test_nobody_is_lost_or_doubled_in_small_divisions(ranked, away):
    found = next_divisions(ranked, {}, promoted=2, relegated=2, away=away)
    kept = sorted(team for division in found.divisions for team in division)
    assert kept == sorted(team for division in ranked for team in division if team not in away)
    assert set(found.moves) == set(kept)
    assert all(found.divisions)
