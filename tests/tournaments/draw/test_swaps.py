"""Every swap of a player is priced as the swap itself would be."""

import pytest

from tournaments.draw.planner import plan
from tournaments.draw.quality import swap_changes, swap_cost
from tournaments.draw.tables import Apart

CLUBS = [player % 4 for player in range(20)]
APART = [Apart((0, 5)), Apart((2, 9), strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seats"), [(16, (3, 4)), (18, (3, 4)), (12, (3,)), (10, (5,))])
def test_each_change_is_the_difference_between_before_and_after(players, seats):
    rounds = plan(players, 4, seed=3, seats=seats, groups=CLUBS, apart=APART).rounds
    changes = swap_changes(rounds, 2, 0, CLUBS, seats=seats, apart=APART)
    table = next(table for table in rounds[2] if 0 in table)
    assert {change.other for change in changes} == {
        player for other in rounds[2] for player in other if other != table
    }
    for change in changes:
        before, after = swap_cost(rounds, 2, 0, change.other, CLUBS, seats=seats, apart=APART)
        assert (change.repeats, change.wishes, change.club_mates, change.seat_imbalance) == (
            after.repeats - before.repeats,
            len(after.wishes_broken) - len(before.wishes_broken),
            sum(after.club_mates) - sum(before.club_mates),
            after.seat_imbalance - before.seat_imbalance,
        )


def test_the_best_swap_comes_first():
    rounds = [((0, 1, 2, 3), (4, 5, 6, 7)), ((0, 1, 4, 5), (2, 6, 3, 7))]
    changes = swap_changes(rounds, 1, 0)
    assert [change.repeats for change in changes] == sorted(change.repeats for change in changes)


def test_who_has_a_bye_cannot_be_swapped():
    assert swap_changes([((0, 1, 2),)], 0, 3, seats=(3,)) == []
