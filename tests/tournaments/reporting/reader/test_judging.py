"""A line is judged by its boxes' odds beside one another: what is in doubt is asked, never guessed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.rulebooks import get_rulebook
from scoring.seats import Seating
from tournaments.reporting.reader import judge, learning
from tournaments.reporting.reader.boxes import Reporter, groups_of
from tournaments.reporting.reader.features import AROUND, Seen
from tournaments.reporting.reader.layout import Layout, Row
from tournaments.reporting.reader.weights import FULL, MARK, NOTHING, UnreadableWeights, read_weights, shipped

UNION = get_rulebook("union")
LAYOUT = Layout((1, 2, 3, 4), 1, groups_of(UNION, 4), (Row(1, 0),))
REPORTER = Reporter(LAYOUT, UNION, {1: Seating(4, 0)})
NOWHERE = ((0.0, 0.0),) * 4
SOLO = {"declarer 1": 12, "contract solo": 12, "trump H": 12, "result won": 12}


def judged(*rows, full=(), unsure=(), inked=(), leans=None, strays=False, line=0):
    """The line of these odds, by group and value, of several the one that is said; all other boxes are empty.

    What is `full`, `unsure`, `inked` and `leans` is so in every row.
    """
    layout = replace(LAYOUT, rows=tuple(Row(deal, 0) for deal, _odds in enumerate(rows, start=1)))
    boxes = [
        judge.Judged(
            place,
            rows[place.row].get(named, -12),
            named in full,
            0.8,
            named not in unsure,
            named in inked,
            (leans or {}).get(named, 0.0),
        )
        for place in layout.places()
        for group in [layout.groups[place.group]]
        for named in [f"{group.key} {group.values[place.nth]}"]
    ]
    lines = judge.lines_of(
        boxes, judge.Hand(1.0, strays=strays), layout, set(), lambda _place: NOWHERE, [NOWHERE] * len(rows)
    )
    return REPORTER.reported(replace(lines[line], deal=1), unplayed=True)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, ""),
        # Dirt beside a clear tick is none; a second tick is asked, and what may be one.
        ({"contract grand_tourne": -2}, ""),
        ({"contract grand_tourne": 1}, ""),
        ({"contract solo": 10, "contract grand_tourne": 1}, "unclear"),
        ({"contract grand_tourne": 5}, "several"),
        ({"contract grand_tourne": 12}, "several"),
        # One that is needed may be weak, where nothing else in its group is like one.
        ({"contract solo": 4}, ""),
        ({"contract solo": 4, "contract grand_tourne": -1}, "unclear"),
        ({"contract solo": -1}, "unclear"),
        # Whether it is a trump the rules know, a note nobody.
        ({"trump H": 2}, ""),
        ({"trump H": 2, "trump S": -3}, "unclear"),
        ({"alone note": -3}, "unclear"),
        ({"alone note": 12}, "note"),
        ({"alone passed": 12}, "several"),
        ({"trump H": -12}, "missing"),
        ({"declarer 1": -12}, "unclear"),
    ],
)
def test_what_is_not_far_likelier_than_all_else_is_asked(more, why):
    line = judged(SOLO | more)
    assert (line.certain, line.why) == (not why, why)
    if not why:
        assert line.line.chosen == {"declarer": "1", "contract": "solo", "trump": "H", "result": "won"}


def test_a_cancelled_box_is_none_and_one_whose_place_is_in_doubt_makes_its_line_asked():
    assert judged(SOLO, full={"declarer 0"}).certain
    assert judged({}, full={"declarer 0"}).why == "missing"
    assert judged(SOLO, unsure={"result kodille"}).why == "place"
    strayed = SOLO | {"result won": 7, "result bete": -1.6}
    assert judged(strayed).certain
    assert judged(strayed, inked={"result bete"}).why == "unclear"
    assert judged(SOLO | {"result won": 8}, inked={"result bete"}).why == "unclear"
    assert judged(SOLO, inked={"result bete"}).certain
    assert judged({}).is_empty


@pytest.mark.parametrize(
    ("leans", "odds", "strays", "certain"),
    [
        (1.3, 12, True, False),
        (1.3, 12, False, True),
        (1.3, 16, True, True),
        (1.0, 12, True, True),
        # There is no box of its group to the left.
        (-1.3, 12, True, True),
        (0.6, 4, True, False),
        (0.6, 4, False, True),
        (0.4, 4, True, True),
    ],
)
def test_a_tick_that_lies_aside_may_be_another_boxs_where_a_hand_strays(leans, odds, strays, certain):
    won = SOLO | {"result won": odds}
    line = judged(won, inked={"result won"}, leans={"result won": leans}, strays=strays)
    assert line.certain is certain


def test_a_deal_is_passed_out_by_less_where_a_later_one_was_played():
    """Of the last lines a dot may stand before a deal that is still to come."""
    passed = {"alone passed": 10.6}
    assert judged(passed).why == "unclear"
    assert judged(passed, {"alone passed": 20}).why == "unclear"
    assert judged(passed, {"alone passed": 20}, SOLO).certain
    assert judged({"alone passed": 15}).certain
    # Beside it a stain is dirt, whatever group it lies in; what is like a tick is asked.
    for stain in (-1, 2):
        assert judged(passed | {"trump H": stain}, SOLO).certain is (stain < 0)
        assert judged(SOLO | {"alone passed": stain}, SOLO).certain is (stain < 0)
    assert judged(passed | {"alone note": -1}, SOLO).certain
    assert judged(SOLO | {"alone note": -1}, SOLO).why == "unclear"


def test_the_very_next_deal_is_passed_out_by_less_than_one_after_a_gap():
    """Whoever passes a deal out ticks the line after the last: there a dot is no likelier than a tick is."""
    passed = {"alone passed": 10.6}
    assert judged(SOLO, passed, line=1).certain
    assert judged(SOLO, passed, passed, line=2).certain
    # A line that is asked is one that was played; an empty one is a gap.
    assert judged(SOLO, SOLO | {"result won": 3}, passed, line=2).certain
    for gap in ({}, {"alone passed": 5}):
        assert judged(SOLO, gap, passed, line=2).why == "unclear"
    assert judged(SOLO, {"alone passed": 8}, line=1).why == "unclear"
    assert judged(SOLO, passed, strays=True, line=1).why == "unclear"


def test_a_hand_whose_marks_are_all_alike_is_taken_at_its_word():
    """Of others a tick may be as unlike one as that stain, or lie as near to the next box."""
    steady, stain = [SOLO] * 6, SOLO | {"alone note": -2.5}
    assert judged(stain, *steady).certain
    for others in ([SOLO], [*steady, *[SOLO | {"result won": 5}] * 6]):
        assert judged(stain, *others).why == "unclear"
    assert judged(stain, *steady, strays=True).why == "unclear"
    assert judged(stain, *steady, leans={"trump H": 0.8}).why == "unclear"
    assert judged(SOLO | {"alone note": -1}, *steady).why == "unclear"
    passed = {"alone passed": 5}
    assert judged(passed, *steady).certain
    assert judged(passed, SOLO).why == "unclear"
    assert judged(passed, *steady, leans={"alone passed": 0.8}).why == "unclear"


def test_a_line_drawn_through_a_row_is_seen_whatever_is_ticked_there():
    layout = replace(LAYOUT, rows=(Row(1, 0), Row(2, 1), Row(3, 2)))
    boxes = list(layout.places())
    pictures = np.full((len(boxes), 2 * AROUND + 1, 2 * AROUND + 1), 10, np.uint8)
    for picture, place in zip(pictures, boxes, strict=True):
        if place.row == 1:
            picture[12:14] = 60
        elif place.column < 5:
            picture[10:18] = 255
    seen = Seen(boxes, [], pictures, 0.8, [])
    assert judge.struck(seen) == {1}
    assert judge.struck(replace(seen, pictures=np.full_like(pictures, 60))) == set()
    # Where every row has something like it, the picture is blurred.
    blurred = pictures.copy()
    blurred[:, 12:14] = 60
    assert judge.struck(replace(seen, pictures=blurred)) == set()


def test_ink_where_no_box_is_makes_its_line_asked_but_a_stain_is_none():
    boxes = list(LAYOUT.places())
    without = [place._replace(column=0) for place in boxes[:1]]
    pictures = np.full((len(boxes) + 1, 2 * AROUND + 1, 2 * AROUND + 1), 10, np.uint8)
    seen = Seen(boxes, without, pictures, 0.8, [])
    hand = judge.Hand(1.2)
    for dark, rows in ((10, set()), (70, set()), (150, {0})):
        pictures[-1] = dark
        assert judge.strays(seen, hand) == rows
    pictures[-1] = 70
    assert judge.strays(seen, judge.Hand(0.5)) == {0}


def test_weights_are_read_as_they_were_written_and_nothing_else_is():
    weights = shipped()
    again = read_weights(weights.to_bytes())
    assert [factors.shape for factors, _begins in again.layers] == [(741, 64), (64, 32), (32, 3)]
    assert all((one[0] == two[0]).all() for one, two in zip(weights.layers, again.layers, strict=True))
    for data in (b"", b"PK\x03\x04", weights.to_bytes()[:500]):
        with pytest.raises(UnreadableWeights):
            read_weights(data)


def test_what_is_learnt_from_some_boxes_holds_for_their_like(monkeypatch):
    monkeypatch.setattr(learning, "SLOW", 1)  # there are few steps
    random = np.random.default_rng(2)
    side, is_what = 2 * AROUND + 1, np.tile(np.array([NOTHING, MARK, FULL], np.uint8), 200)
    pictures = random.integers(0, 40, (600, side, side))
    pictures[is_what == MARK, 12:17] += 120
    pictures[is_what == FULL, 9:20] += 120
    numbers = random.normal(0, 1, (600, 12)).astype(np.float32)
    examples = learning.Examples(pictures.astype(np.uint8), numbers, is_what, np.ones(600, np.float32))
    fitted = learning.fitted(examples, rounds=20)
    inside = examples.pictures[:, 1:-1, 1:-1]
    assert (fitted.evaluate(fitted.inputs(inside, numbers)).argmax(axis=1) == is_what).all()
