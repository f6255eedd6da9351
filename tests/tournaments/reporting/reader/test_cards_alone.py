"""Cards on a picture, without a database: which are read, and what is said of those that are not."""

from __future__ import annotations

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.photographs.cards import VOID, plain_card, tick_card
from tests.photographs.hands import HANDS
from tournaments.reporting import door_scan
from tournaments.reporting.reader.cards import CLOSE, MOST_ROWS, Cards, read_cards
from tournaments.reporting.reader.judge import Hand, Judged, fills_boxes, lines_of
from tournaments.reporting.reader.layout import SheetName, UnknownLayout, sheet_named
from tournaments.reporting.reader.results import (
    CODE_LEFT,
    CODE_SIDE,
    CODE_TOP,
    MARKS,
    Reading,
    card_layout,
    card_name,
    list_layout,
    people_ticked,
)

OURS, THEIRS = "GHFKDM", "QRSTVW"
WITH_FEE, WITHOUT = card_layout(fee=True), card_layout(fee=False)
BOTH, HERE, PAID, NEITHER = ("here", "paid"), ("here",), ("paid",), ()


def card(number, ticks=NEITHER, *, layout=WITH_FEE, tournament=OURS, hand="crosses"):
    """A card, ticked: `ticks` are boxes, or have for each how it was ticked."""
    blank = plain_card(card_name(tournament, number, layout), layout)
    chosen = ticks if isinstance(ticks, dict) else {key: key for key in ticks}
    return tick_card(blank, chosen, HANDS[hand], np.random.default_rng(number))


def laid(cards, across=2, pixels=10.0):
    """A picture of cards side by side on a grey cloth, at so many pixels a millimetre."""
    high, wide = cards[0].shape
    rows = -(-len(cards) // across)
    picture = np.full((40 + rows * (high + 40), 40 + across * (wide + 40)), 120, np.uint8)
    for nth, one in enumerate(cards):
        top, left = 40 + nth // across * (high + 40), 40 + nth % across * (wide + 40)
        picture[top : top + high, left : left + wide] = one
    if pixels != 10:
        picture = cv2.resize(picture, None, fx=pixels / 10, fy=pixels / 10, interpolation=cv2.INTER_AREA)
    return picture


def read(picture, **how):
    return read_cards(cv2.imencode(".png", picture)[1].tobytes(), known, **how)


def known(name):
    """As a program asks that knows what was printed here, with a fee and without."""
    layouts = {layout.code: layout for layout in (WITH_FEE, WITHOUT)}
    return layouts.get(name.layout) if name.tournament == OURS else None


def ticks_of(told):
    return [(one.number, one.here, one.paid) for one in sorted(told.people)]


def names(found):
    return sorted((name.tournament, name.table) for name in found)


def test_cards_printed_before_there_was_a_fee_are_read_beside_those_with_one():
    free = [card(1, HERE, layout=WITHOUT), card(2, layout=WITHOUT), card(3, layout=WITHOUT)]
    told = read(laid([*free, card(4, BOTH), card(5), card(6)]))
    assert ticks_of(told) == [
        (1, True, False),
        (2, False, False),
        (3, False, False),
        (4, True, True),
        (5, False, False),
        (6, False, False),
    ]
    assert (told.covered, told.small, told.unknown, told.others, told.unnamed) == ([], [], [], [], 0)


def test_a_box_that_is_filled_is_asked_and_counts_where_somebody_fills_what_they_mean():
    picture = laid([card(1, {"here": VOID}), card(2, HERE), card(3, BOTH), card(4)])
    assert ticks_of(read(picture)) == [(1, None, False), (2, True, False), (3, True, True), (4, False, False)]
    assert not read(picture).fills
    filled = laid([card(number, BOTH, hand="filler") for number in (1, 2, 3)] + [card(4)])
    asked = read(filled)
    assert asked.fills
    assert ticks_of(asked) == [(1, None, None), (2, None, None), (3, None, None), (4, False, False)]
    # Told that they mean it, none of them is taken for cancelled; those that are like no tick are asked still.
    told = ticks_of(read(filled, fills=True))
    assert told == [(1, None, None), (2, True, None), (3, None, True), (4, False, False)]


def test_more_cards_than_are_judged_as_one_list_are_read_all_the_same():
    chosen = [(BOTH, HERE, PAID, NEITHER)[number % 4] for number in range(MOST_ROWS + 4)]
    told = read(
        laid([card(number, ticks) for number, ticks in enumerate(chosen, start=1)], across=4, pixels=8)
    )
    assert ticks_of(told) == [
        (number, "here" in ticks, "paid" in ticks) for number, ticks in enumerate(chosen, start=1)
    ]


def test_a_card_that_lies_twice_tells_twice():
    told = read(laid([card(1, HERE), card(1, PAID), card(2)]))
    assert ticks_of(told) == [(1, False, True), (1, True, False), (2, False, False)]


def test_a_card_whose_code_cannot_be_read_is_counted_and_the_others_are_read():
    blotted = card(1, BOTH)
    top, left, side = (round(10 * edge) for edge in (CODE_TOP, CODE_LEFT, CODE_SIDE))
    blotted[top : top + side, left : left + side // 2] = 20
    told = read(laid([blotted, card(2, HERE)]))
    assert (told.unnamed, ticks_of(told)) == (1, [(2, True, False)])
    # So is one of which two marks are all that is seen.
    hidden = blotted.copy()
    hidden[round(10 * MARKS[2].top) - 20 :] = 120
    told = read(laid([hidden, card(2, HERE)]))
    assert (told.unnamed, ticks_of(told)) == (1, [(2, True, False)])
    # So is one that lies there alone, of which nothing else is known.
    alone = read(laid([blotted]))
    assert (alone.unnamed, alone.people) == (1, [])


def test_a_photograph_from_too_far_names_the_cards_that_are_too_small():
    told = read(laid([card(number, HERE) for number in range(1, 21)], across=4, pixels=CLOSE - 0.1))
    assert told.people == []
    assert names(told.small) == [(OURS, number) for number in range(1, 21)]


def test_what_was_not_printed_here_is_told_apart_from_another_evenings():
    strange = card_layout(fee=True)
    unprinted = plain_card(SheetName(OURS, 0, 7, 0, "0badc0de"), strange)
    told = read(laid([card(1, HERE), card(2, HERE, tournament=THEIRS), unprinted]))
    assert ticks_of(told) == [(1, True, False)]
    assert names(told.unknown) == [(OURS, 7), (THEIRS, 2)]


def test_a_card_of_a_layout_that_this_program_does_not_know_is_not_read():
    def unknown(_name):
        raise UnknownLayout(99)

    picture = cv2.imencode(".png", laid([card(1, HERE)]))[1].tobytes()
    told = read_cards(picture, unknown)
    assert (names(told.unknown), told.people) == ([(OURS, 1)], [])


@pytest.mark.parametrize("page", [1, 0])
def test_a_sheet_that_lies_beside_cards_is_told_of_and_by_itself_it_is_none(page):
    """Of a table, or the list for the door: its square code alone is seen from so far."""
    sheet = SheetName(OURS, page, page * 3, 1, "1234abcd")
    drawn = plain_card(sheet, WITH_FEE)
    top, left, side = (round(10 * edge) for edge in (CODE_TOP, CODE_LEFT, CODE_SIDE))
    paper = np.full_like(drawn, 255)
    paper[top : top + side, left : left + side] = drawn[top : top + side, left : left + side]
    told = read(laid([card(1, BOTH), card(2), paper]))
    assert ticks_of(told) == [(1, True, True), (2, False, False)]
    assert (told.others, told.unnamed) == ([sheet], 0)
    assert read(laid([paper])) is None


def test_no_card_is_in_an_empty_picture_and_in_what_is_no_picture():
    assert read(np.full((900, 1200), 200, np.uint8)) is None
    assert read_cards(b"no picture", known) is None


THE_LIST, A_TABLES = SheetName(OURS, 0, 0, 1, "1234abcd"), SheetName(OURS, 1, 3, 1, "1234abcd")
ONE, TWO, STRANGE = (
    card_name(whose, number, WITH_FEE) for whose, number in ((OURS, 1), (OURS, 2), (THEIRS, 1))
)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({}, []),
        ({"others": [THE_LIST]}, ["There is also a list in the picture: photograph it separately."]),
        (
            {"others": [A_TABLES, THE_LIST]},
            [
                "There is also a list in the picture: photograph it separately.",
                "There is also a table’s score sheet in the picture: it is read on the tables page.",
            ],
        ),
        ({"unknown": [STRANGE]}, ["There are cards from another evening in the picture: remove them."]),
        ({"unknown": [ONE, TWO]}, ["These cards were not printed here: Anna, Bo."]),
        ({"covered": [TWO, TWO]}, ["These cards are covered, bent or cut off: Bo."]),
        ({"small": [ONE]}, ["Go closer: the boxes of these cards are too small: Anna."]),
        (
            {"small": [card_name(OURS, 77, WITH_FEE)]},
            ["Go closer: the boxes of these cards are too small: 77."],
        ),
        (
            {"unnamed": 1},
            ["The QR code of 1 card cannot be read: go closer, or photograph fewer cards at a time."],
        ),
        (
            {"unnamed": 2},
            ["The QR codes of 2 cards cannot be read: go closer, or photograph fewer cards at a time."],
        ),
    ],
)
def test_what_is_said_of_cards_that_are_not_read(found, said):
    evening = door_scan._Evening(SimpleNamespace(code=OURS), {1: "Anna", 2: "Bo"}, known)
    assert list(door_scan._against_cards(Cards(**found), evening)) == said


@pytest.mark.parametrize("number", [1, 9999, 20000])
def test_a_card_is_named_however_many_players_there_are(number):
    name = card_name(OURS, number, WITH_FEE)
    assert sheet_named(f"HTTP://192.168.1.24:8000{name.path}") == name


@pytest.mark.parametrize(
    ("covered", "fills", "here", "asked_whether"),
    [(False, False, True, False), (True, False, None, True), (True, True, True, False)],
)
def test_a_box_without_paper_left_in_it_is_asked_however_like_a_tick_it_looks(
    covered, fills, here, asked_whether
):
    """Beside it nothing tells whether that is a tick or a cancelled one, and of few boxes the hand is not known."""
    layout, quad = list_layout(1, [5], fee=True), ((0.0, 0.0),) * 4
    odds = {"here": 16.0, "paid": -20.0}
    boxes = [
        Judged(
            place,
            odds[layout.groups[place.group].key],
            is_full=False,
            dark=1.4,
            is_sure=True,
            is_inked=True,
            is_covered=covered and place.group == 0,
        )
        for place in layout.places()
    ]
    hand = Hand(1.4, fills)
    lines = lines_of(boxes, hand, layout, set(), lambda _place: quad, [quad])
    reading = Reading(SheetName(OURS, 0, 5, 0, "1234abcd"), layout, tuple(lines), 1.4, 0.0)
    (person,) = people_ticked(reading)
    assert (person.here, person.paid) == (here, False)
    assert fills_boxes(lines, hand) is asked_whether
