"""How many tables of four and of three a number of players makes."""

import pytest

from tournaments.draw.planner import plan, plan_next
from tournaments.draw.quality import quality
from tournaments.draw.tables import DrawError, table_sizes


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (3, (3,)),
        (4, (4,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (8, (4, 4)),
        (9, (3, 3, 3)),
        (10, (4, 3, 3)),
        (11, (4, 4, 3)),
        (27, (4, 4, 4, 4, 4, 4, 3)),
        (64, (4,) * 16),
    ],
)
def test_tables_of_three_only_where_the_number_demands_them(players, sizes):
    assert table_sizes(players) == sizes


@pytest.mark.parametrize(
    ("players", "rounds", "code", "message"),
    [
        (5, 3, "five", "Five players cannot be seated at tables of three and four."),
        (2, 3, "too_few", "A draw needs at least three players; there are 2."),
        (0, 3, "too_few", "A draw needs at least three players; there are 0."),
        (8, 0, "no_rounds", "A draw needs at least one round."),
    ],
)
def test_what_cannot_be_drawn_is_said_in_words(players, rounds, code, message):
    with pytest.raises(DrawError) as caught:
        plan(players, rounds, seed=1)
    assert (caught.value.code, str(caught.value)) == (code, message)


def test_a_message_can_be_translated_before_it_is_filled_in():
    with pytest.raises(DrawError) as caught:
        plan(2, 1, seed=1)
    assert caught.value.text.format(**caught.value.params) == str(caught.value)
    assert caught.value.params == {"players": 2}


def test_nobody_is_present_twice():
    with pytest.raises(DrawError) as caught:
        plan_next([7, 4, 9, 4], 1, seed=1)
    assert (caught.value.code, caught.value.params) == ("twice", {"player": 4})


@pytest.mark.parametrize(
    "tables", [((0, 1),), ((0, 1, 2, 3, 4),), ((0, 1, 2), (2, 3, 4))], ids=["two", "five", "twice"]
)
def test_rounds_that_are_no_seating_are_refused(tables):
    for use in (lambda: quality([tables]), lambda: plan_next(range(8), 1, seed=1, history=[tables])):
        with pytest.raises(DrawError) as caught:
            use()
        assert (caught.value.code, caught.value.params) == ("history", {"round": 1})
