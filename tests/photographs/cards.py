"""Seat cards, ticked, as they are printed, or cut apart and laid on a table: what there is to be photographed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import cv2
import numpy as np

from tests.photographs.hands import SCALE, Ink
from tournaments.paper.door import ACROSS, LEFT, TOP
from tournaments.paper.ticked import code_path, marks_path
from tournaments.reporting.reader.layout import BOX, LINE
from tournaments.reporting.reader.results import BOXES, CODE_LEFT, CODE_SIDE, CODE_TOP, HIGH, MARKS, WIDE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.random import Generator

    from tests.photographs.hands import Hand
    from tournaments.reporting.reader.layout import Layout, SheetName

VOID = "void"
# On a cloth as large as a page lie so many; each is turned so far at most, in degrees, and lies so far off its place.
ON_CLOTH, CLOTH, TURNED, OFF = 6, 90.0, 14.0, 1.5


def card_at(nth: int) -> tuple[int, int, int, int]:
    """Left, top, width and height of a card on its page, in pixels."""
    left, top = LEFT + nth % ACROSS * WIDE, TOP + nth // ACROSS * HIGH
    return round(left * SCALE), round(top * SCALE), round(WIDE * SCALE), round(HIGH * SCALE)


def plain_card(name: SheetName, layout: Layout) -> np.ndarray:
    """What a photograph reads of a card, as it is printed, without the letters: no PDF is made for it."""
    card = np.full((round(HIGH * SCALE), round(WIDE * SCALE)), 255, np.uint8)
    _fill(card, marks_path(MARKS))
    _fill(card, code_path(f"HTTP://192.168.1.24:8000{name.path}", CODE_LEFT, CODE_TOP, CODE_SIDE))
    for x, y in (BOXES[group.key] for group in layout.groups):
        for half, grey in ((BOX / 2, 0), (BOX / 2 - LINE, 255)):
            _rectangle(card, x - half, y - half, x + half, y + half, grey)
    return card


def _fill(card: np.ndarray, drawn: str) -> None:
    """The black rectangles of a path."""
    for found in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)H", drawn):
        left, top, wide, high = map(float, found)
        _rectangle(card, left, top, left + wide, top + high, 0)


def _rectangle(card: np.ndarray, left: float, top: float, right: float, bottom: float, grey: int) -> None:
    edges = (round(edge * SCALE) for edge in (left, top, right, bottom))
    left_, top_, right_, bottom_ = edges
    card[top_:bottom_, left_:right_] = grey


def tick_card(card: np.ndarray, chosen: Mapping[str, str], hand: Hand, random: Generator) -> np.ndarray:
    """A card by itself, with what is ticked on it; see `ticked_cards`."""
    ink = Ink(card.shape, hand, random)
    _tick(ink, chosen, 0, 0)
    return ink.on(card.astype(np.float32)).astype(np.uint8)


def ticked_cards(
    page: np.ndarray, meant: Sequence[Mapping[str, str]], hand: Hand, random: Generator
) -> np.ndarray:
    """A page of cards, with what is ticked on each: group -> value; VOID for a tick that was cancelled by filling."""
    ink = Ink(page.shape, hand, random)
    for nth, chosen in enumerate(meant):
        left, top, _wide, _high = card_at(nth)
        _tick(ink, chosen, left / SCALE, top / SCALE)
    return ink.on(page.astype(np.float32))


def _tick(ink: Ink, chosen: Mapping[str, str], left: float, top: float) -> None:
    for key, value in chosen.items():
        x, y = left + BOXES[key][0], top + BOXES[key][1]
        ink.tick(x, y)
        if value == VOID:
            ink.fill(x, y)


def laid_out(page: np.ndarray, count: int, random: Generator) -> np.ndarray:
    """The first `count` cards of a page, six at most, cut apart and laid on a cloth, some upside down."""
    cloth = CLOTH + random.normal(0, 4, page.shape).astype(np.float32)
    for place, nth in enumerate(random.permutation(min(count, ON_CLOTH))):
        left, top, wide, high = card_at(nth)
        middle = np.array([52.0 + place % 2 * 104, 50.0 + place // 2 * 95]) + random.uniform(-OFF, OFF, 2)
        turn = random.uniform(-TURNED, TURNED) + 180 * random.integers(2)
        onto = cv2.getRotationMatrix2D((wide / 2, high / 2), turn, 1.0)
        onto[:, 2] += middle * SCALE - (wide / 2, high / 2)
        card = page[top : top + high, left : left + wide].astype(np.float32)
        size = (page.shape[1], page.shape[0])
        there = cv2.warpAffine(np.ones_like(card), onto, size)
        cloth = cloth * (1 - there) + cv2.warpAffine(card, onto, size) * there
    return cloth
