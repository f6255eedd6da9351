"""Where boxes lie is in doubt where they may lie otherwise, and only there."""

import cv2
import numpy as np
import pytest

from scoring.rulebooks import get_rulebook
from tournaments.reporting.reader.align import SCALE, drawing_of, in_doubt, room_of
from tournaments.reporting.reader.boxes import groups_of
from tournaments.reporting.reader.layout import Layout, Row

LAYOUT = Layout(
    (1, 2, 3, 4), 1, groups_of(get_rulebook("union"), 4), tuple(Row(deal, 0) for deal in range(1, 41))
)


@pytest.fixture(scope="module")
def drawn():
    """The outlines with a little grain, as a photograph has it."""
    clean = drawing_of(LAYOUT)
    return clean + np.random.default_rng(3).normal(0, 0.02, clean.shape).astype(np.float32)


def rows_in_doubt(dark):
    rooms = in_doubt(dark, LAYOUT)
    return {
        place.row
        for place in LAYOUT.places()
        if any(left <= place.x <= right and top <= place.y <= bottom for left, top, right, bottom in rooms)
    }


def test_where_every_box_lies_in_its_place_nothing_is_in_doubt(drawn):
    assert rows_in_doubt(drawn) == set()


@pytest.mark.parametrize("down", [1, -1])
@pytest.mark.parametrize("columns", [slice(0, None), slice(0, 160), slice(330, None)])
def test_whatever_columns_are_a_row_off_are_in_doubt(drawn, down, columns):
    """Rows go on over the bands as they lie: where nine of ten fit, the tenth tells."""
    moved = drawn.copy()
    moved[:, columns] = np.roll(drawn, round(down * LAYOUT.row * SCALE), axis=0)[:, columns]
    assert rows_in_doubt(moved) == set(range(40))


def test_lines_that_are_blurred_to_two_are_no_boxes_that_lie_off(drawn):
    """A camera that moved: a line is found at either, as like at its place."""
    twice = cv2.GaussianBlur((np.roll(drawn, 2, axis=1) + np.roll(drawn, -2, axis=1)) / 2, (0, 0), 1.6)
    assert rows_in_doubt(twice) == set()


def test_boxes_that_lie_off_are_in_doubt(drawn):
    moved = drawn.copy()
    top = round((LAYOUT.top(10) - room_of(LAYOUT)[1]) * SCALE)
    moved[top : top + 200] = np.roll(drawn, 3, axis=1)[top : top + 200]
    assert set(range(10, 19)) <= rows_in_doubt(moved)
