"""How people tick: fourteen hands, drawn on a page at ten pixels a millimetre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator

SCALE = 10
FINE = 4  # bits of a pixel's fraction
Point = tuple[float, float]


@dataclass(frozen=True)
class Hand:
    """`shapes` are drawn in turn; lengths in millimetres; `dark` is how much of the paper's light ink takes."""

    name: str
    shapes: tuple[str, ...]
    pen: float = 0.45
    dark: float = 0.85
    size: float = 1.0
    off: float = 0.25
    grain: float = 0.0
    shake: float = 0.04


HANDS = {
    hand.name: hand
    for hand in (
        Hand("ticks", ("tick",)),
        Hand("crosses", ("cross",)),
        Hand("strokes", ("stroke",)),
        Hand("red", ("tick",), dark=0.5),
        Hand("pencil", ("tick", "cross"), dark=0.55, grain=0.35),
        Hand("felt", ("tick", "cross"), pen=1.3, dark=0.9),
        Hand("sloppy", ("tick", "cross", "stroke"), size=1.5, off=0.7),
        Hand("faint", ("tick", "stroke"), pen=0.4, dark=0.28, grain=0.4),
        Hand("small", ("tick", "cross"), size=0.55),
        Hand("mixed", ("tick", "cross", "stroke", "dot", "ring")),
        Hand("filler", ("fill",), pen=0.5),
        # Three more: a thin pen that trembles, a dash through the box, a scribble that does not fill it.
        Hand("trembling", ("cross", "tick"), pen=0.3, dark=0.75, shake=0.16, off=0.4),
        Hand("dashes", ("dash",), size=1.2),
        Hand("scribbles", ("scribble",), pen=0.4),
    )
}


class Ink:
    """Ink on a page: how much of the paper's light it takes, drawn by a hand."""

    def __init__(self, shape: tuple[int, int], hand: Hand, random: Generator) -> None:
        self.layer = np.zeros(shape, np.uint8)
        self.hand = hand
        self.random = random

    def on(self, page: np.ndarray) -> np.ndarray:
        """The page with the ink on it."""
        ink = self.layer.astype(np.float32) / 255
        if self.hand.grain:
            grain = cv2.GaussianBlur(self.random.normal(0, 1, ink.shape).astype(np.float32), (0, 0), 1.0)
            ink = ink * np.clip(1 - self.hand.grain + 2.4 * self.hand.grain * grain, 0, 1)
        return page * (1 - ink)

    def line(self, points: list[Point], *, pen: float = 0, dark: float = 0) -> None:
        """A stroke through points, not quite as straight as it was meant."""
        random, hand = self.random, self.hand
        way = np.array(points)
        steps = np.linspace(0, len(way) - 1, 5 * len(way))
        way = np.stack([np.interp(steps, range(len(way)), way[:, axis]) for axis in (0, 1)], axis=1)
        way += np.cumsum(random.normal(0, hand.shake * 0.35, way.shape), axis=0) + random.normal(
            0, hand.shake * 0.2, way.shape
        )
        pixels = np.round(way * SCALE * 2**FINE).astype(np.int32)
        wide = max(1, round((pen or hand.pen) * SCALE * random.uniform(0.85, 1.15)))
        light = round(255 * (dark or hand.dark) * random.uniform(0.88, 1.1))
        drawn = np.zeros_like(self._around(pixels, wide))
        top, left = self.at
        cv2.polylines(
            drawn,
            [pixels - np.array([left, top]) * 2**FINE],
            isClosed=False,
            color=min(light, 255),
            thickness=wide,
            lineType=cv2.LINE_AA,
            shift=FINE,
        )
        window = self._around(pixels, wide)
        np.maximum(window, drawn, out=window)

    def _around(self, pixels: np.ndarray, wide: int) -> np.ndarray:
        """The piece of the layer that a stroke is drawn on."""
        least, most = pixels.min(axis=0) // 2**FINE - wide - 2, pixels.max(axis=0) // 2**FINE + wide + 3
        left, top = max(int(least[0]), 0), max(int(least[1]), 0)
        self.at = top, left
        return self.layer[top : max(int(most[1]), top + 1), left : max(int(most[0]), left + 1)]

    def tick(self, x: float, y: float) -> None:
        """Tick a box in this hand's way."""
        hand, random = self.hand, self.random
        x, y = x + random.normal(0, hand.off), y + random.normal(0, hand.off)
        half = 1.5 * hand.size * random.uniform(0.8, 1.2)
        getattr(self, f"_{random.choice(hand.shapes)}")(x, y, half)

    def _tick(self, x: float, y: float, half: float) -> None:
        side = -1 if self.random.random() < 0.05 else 1
        self.line(
            [(x - 0.8 * half * side, y), (x - 0.2 * half * side, y + 0.8 * half), (x + half * side, y - half)]
        )

    def _cross(self, x: float, y: float, half: float) -> None:
        self.line([(x - half, y - half), (x + half, y + half)])
        self.line([(x + half, y - half), (x - half, y + half)])

    def _stroke(self, x: float, y: float, half: float) -> None:
        self.line([(x + 0.7 * half, y - half), (x - 0.7 * half, y + half)])

    def _dash(self, x: float, y: float, half: float) -> None:
        self.line([(x - half, y + 0.15 * half), (x + half, y - 0.15 * half)])

    def _dot(self, x: float, y: float, _half: float) -> None:
        self.line([(x, y), (x + 0.15, y + 0.1)], pen=self.random.uniform(0.7, 1.2))

    def _ring(self, x: float, y: float, _half: float) -> None:
        turn = np.linspace(0, 6.6, 14)
        wide = self.random.uniform(1.6, 2.4)
        self.line([(x + wide * np.cos(at), y + wide * np.sin(at)) for at in turn])

    def _scribble(self, x: float, y: float, half: float) -> None:
        at = np.linspace(-0.8, 0.8, 7)
        self.line([(x + (0.8 if n % 2 else -0.8) * half, y + half * down) for n, down in enumerate(at)])

    def _fill(self, x: float, y: float, _half: float) -> None:
        self.fill(x, y)

    def fill(self, x: float, y: float) -> None:
        """Fill a box, which cancels it where the sheet is followed."""
        pen = max(self.hand.pen, 0.45)
        down = np.arange(-1.45, 1.46, pen * 0.7)
        points = [(x + (1.5 if n % 2 else -1.5), y + at) for n, at in enumerate(down)]
        self.line(points, pen=pen * 1.25, dark=max(self.hand.dark, 0.5))
        self.line([(ax, ay + 0.1) for ax, ay in points], pen=pen * 1.25, dark=max(self.hand.dark, 0.5))

    def rubbed_out(self, x: float, y: float) -> None:
        self.line([(x - 1, y), (x - 0.2, y + 1), (x + 1.3, y - 1.2)], dark=self.random.uniform(0.05, 0.16))

    def stray_dot(self, x: float, y: float) -> None:
        wide = self.random.uniform(0.25, 0.7)
        self.line([(x, y), (x + 0.1, y)], pen=wide, dark=self.random.uniform(0.4, 0.9))

    def number(self, x: float, y: float, said: str) -> None:
        """Digits that stand on `y`."""
        at = (round(x * SCALE), round(y * SCALE))
        face = cv2.FONT_HERSHEY_SIMPLEX
        cv2.putText(self.layer, said, at, face, 1.0, round(255 * self.hand.dark), 3, cv2.LINE_AA)
