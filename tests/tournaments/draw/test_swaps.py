"""Every swap of a player is priced as the swap itself would be."""

import pytest

from tournaments.draw.planner import plan
from tournaments.draw.quality import quality, swap_changes
from tournaments.draw.tables import Apart, replaced

CLUBS = [player % 4 for player in range(20)]
APART = [Apart((0, 5)), Apart((2, 9), strict=True)]


def exchanged(rounds, index, one, other):
    """The rounds with two players in each other's place in the round of this index."""
    names = {one: other, other: one}
    tables = tuple(
        replaced(table, (names.get(player, player) for player in table)) for table in rounds[index]
    )
    return [*rounds[:index], tables, *rounds[index + 1 :]]


def difference(before, after):
    return (
        after.repeats - before.repeats,
        len(after.wishes_broken) - len(before.wishes_broken),
        sum(after.club_mates) - sum(before.club_mates),
        after.seat_imbalance - before.seat_imbalance,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "seats"), [(16, (3, 4)), (18, (3, 4)), (12, (3,)), (13, (3,)), (10, (5,))]
)
def test_each_change_is_the_difference_between_before_and_after(players, seats):
    rounds = list(plan(players, 4, seed=3, seats=seats, groups=CLUBS, apart=APART).rounds)
    how = {"seats": seats, "apart": APART}
    before = quality(rounds, CLUBS, **how)
    seated = {player for table in rounds[2] for player in table}
    idle = sorted(set(range(players)) - seated)
    for player in (min(seated), *idle):
        changes = swap_changes(rounds, 2, player, CLUBS, byes=idle, **how)
        others = seated if player in idle else seated | set(idle)
        assert {change.other for change in changes} == others - {player}
        for change in changes:
            after = quality(exchanged(rounds, 2, player, change.other), CLUBS, **how)
            found = (change.repeats, change.wishes, change.club_mates, change.seat_imbalance)
            assert found == difference(before, after)
            table = next((table for table in rounds[2] if player in table), ())
            assert change.same_table == (change.other in table)


def test_the_best_swap_comes_first():
    rounds = [((0, 1, 2, 3), (4, 5, 6, 7)), ((0, 1, 4, 5), (2, 6, 3, 7))]
    changes = swap_changes(rounds, 1, 0)
    assert [change.repeats for change in changes] == sorted(change.repeats for change in changes)


def test_who_neither_plays_nor_has_a_bye_cannot_be_swapped():
    assert swap_changes([((0, 1, 2),)], 0, 3, seats=(3,)) == []
