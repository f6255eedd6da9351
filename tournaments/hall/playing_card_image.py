"""A playing card as pixels: the drawing of `tournaments/domain/card_drawing.py`, for pictures that are shared."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw

from tournaments.domain.card_drawing import ACE, COURT, INDEX, MATADORS, MIDDLE, PIP, PIPS, PLACES
from tournaments.domain.terms import rank_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PIL import ImageFont

    Font = Callable[[str, int, int], ImageFont.FreeTypeFont]

# The colours of static/css/cards.css and base.css, in the light room.
FACE, BLACK, RED, EDGE, GOLD, FRAME = "#fffdf7", "#1c241f", "#9c1420", "#81775f", "#e6c263", "#8d7a3f"
ACROSS, DOWN, ROUND = 100, 140, 7.5
# Drawn so many times as large, and made smaller.
FINE = 4
STEPS = 12  # of a curve
PATH = re.compile(r"[MCHchz]|-?\d+(?:\.\d+)?")
Point = tuple[float, float]


def playing_card_image(card: str, width: int, font: Font) -> Image.Image:
    """The card with clear corners, so many pixels wide; `font` gives a face by name, size and weight."""
    scale = width * FINE / ACROSS
    size = round(ACROSS * scale), round(DOWN * scale)
    image = Image.new("RGBA", size)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle(
        (0, 0, size[0] - 1, size[1] - 1), ROUND * scale, fill=FACE, outline=EDGE, width=round(1.5 * scale)
    )
    if card in MATADORS:
        box = (3 * scale, 3 * scale, 97 * scale, 137 * scale)
        draw.rounded_rectangle(box, 5.5 * scale, outline=GOLD, width=round(3 * scale))
    letter = rank_words(card[1])
    half = Image.new("RGBA", size)
    _draw_half(half, card, letter, scale, font)
    if card[1] in COURT:
        frame = (27 * scale, 26 * scale, 73 * scale, 114 * scale)
        draw.rectangle(frame, outline=FRAME, width=round(1.2 * scale))
        draw.line([(27 * scale, 80 * scale), (73 * scale, 60 * scale)], fill=FRAME, width=round(1.2 * scale))
    elif card[1] == "A":
        _draw_pip(draw, card[0], (MIDDLE, DOWN / 2), ACE, scale)
    else:
        for place in PLACES[card[1]]:
            _draw_pip(draw, card[0], place, PIP, scale, turned=place[1] > DOWN / 2)
    for side in (half, half.rotate(180)):
        image.alpha_composite(side)
    return image.resize((width, round(width * DOWN / ACROSS)), Image.Resampling.LANCZOS)


def _draw_half(image: Image.Image, card: str, letter: str, scale: float, font: Font) -> None:
    """The drawing at both ends of the card: its index, and half of a court card."""
    draw, suit, colour = ImageDraw.Draw(image), card[0], _colour(card[0])
    is_wide = len(letter) > 1
    index = font("display", round((19 if is_wide else 27) * scale), 600)
    draw.text((14 * scale, 28 * scale), letter, fill=colour, font=index, anchor="ms")
    _draw_pip(draw, suit, (14, 42), INDEX, scale)
    if card[1] in COURT:
        large = font("display", round((27 if is_wide else 37) * scale), 600)
        draw.text((54 * scale, 62 * scale), letter, fill=colour, font=large, anchor="ms")
        _draw_pip(draw, suit, (36, 36), 13, scale)


def _draw_pip(
    draw: ImageDraw.ImageDraw, suit: str, at: Point, size: float, scale: float, *, turned: bool = False
) -> None:
    """A pip with its centre at this place."""
    (left, top, width, height), path = PIPS[suit]
    by = size / max(width, height) * (-1 if turned else 1)
    points = [
        ((at[0] + (x - left - width / 2) * by) * scale, (at[1] + (y - top - height / 2) * by) * scale)
        for x, y in _outline(path)
    ]
    draw.polygon(points, fill=_colour(suit))


def _colour(suit: str) -> str:
    return RED if suit in "HD" else BLACK


@lru_cache
def _outline(path: str) -> list[Point]:
    """The corners of a path of M, C, H, c, h and z, with curves as short lines."""
    return list(_corners(PATH.findall(path)))


def _corners(parts: list[str]) -> Iterator[Point]:
    numbers = iter(parts)
    command, here = "", (0.0, 0.0)
    for part in numbers:
        if part.isalpha():
            command = part
            if part == "z":
                return
            part = next(numbers)  # noqa: PLW2901 - the command's first number
        if command in "Hh":
            here = (float(part) + (here[0] if command == "h" else 0), here[1])
            yield here
            continue
        count = 1 if command == "M" else 5
        values = [float(part), *(float(next(numbers)) for _nth in range(count))]
        base = here if command == "c" else (0.0, 0.0)
        points = [(base[0] + x, base[1] + y) for x, y in zip(values[::2], values[1::2], strict=True)]
        if command == "M":
            here = points[0]
            yield here
            continue
        for step in range(1, STEPS + 1):
            yield _on_curve((here, *points), step / STEPS)
        here = points[-1]


def _on_curve(points: tuple[Point, ...], t: float) -> Point:
    """The point of a cubic curve with this start, these handles and this end."""
    weights = (1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3
    x, y = (sum(w * point[axis] for w, point in zip(weights, points, strict=True)) for axis in (0, 1))
    return x, y
