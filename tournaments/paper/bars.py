"""Small drawings for paper, in one ink: bars side by side, and a line over the evenings. Numbers in, SVG out."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

if TYPE_CHECKING:
    from collections.abc import Sequence

INK, PALE = "#000", "#bbb"
# Millimetres left of a drawing for the numbers of its levels; the most levels, and the size of their letters.
MARGIN, MOST_LEVELS, LETTERS = 9.0, 5, 2.5
# Above the highest and below the lowest there is room for half a letter.
EDGE = 1.3
# Of its share of the width a bar takes so much.
FILLED = 0.8


def columns(values: Sequence[int], width: float, height: float) -> SafeString:
    """A column for each value, from 0 up; so many millimetres wide and high."""
    step = _step(max(values, default=0))
    top = step * max(1, -(-max(values, default=0) // step))
    each = (width - MARGIN) / max(len(values), 1)

    def y(value: float) -> float:
        return EDGE + (height - 2 * EDGE) * (1 - value / top)

    drawn = "".join(
        f"M{MARGIN + each * (index + (1 - FILLED) / 2):.2f} {y(0):.2f}h{each * FILLED:.2f}V{y(value):.2f}"
        f"h-{each * FILLED:.2f}z"
        for index, value in enumerate(values)
        if value
    )
    levels = [(y(level), str(level)) for level in range(0, top + 1, step)]
    return _picture(width, height, f'{_levels(levels, width)}<path d="{drawn}" fill="{INK}"/>', values)


def line(sums: Sequence[int], width: float, height: float) -> SafeString:
    """A line through sums, with nought as a line of its own."""
    low, high = min(0, *sums), max(0, *sums)
    high = max(high, low + 1)

    def y(value: float) -> float:
        return EDGE + (height - 2 * EDGE) * (high - value) / (high - low)

    each = width / max(len(sums) - 1, 1)
    points = " ".join(f"{index * each:.2f},{y(value):.2f}" for index, value in enumerate(sums))
    nought = f'<path d="M0 {y(0):.2f}H{width}" stroke="{PALE}" stroke-width=".4"/>'
    way = (
        f'<polyline points="{points}" fill="none" stroke="{INK}" stroke-width=".5" stroke-linejoin="round"/>'
    )
    return _picture(width, height, nought + way, sums)


def shares(part: int, whole: int, longest: int, width: float, height: float) -> SafeString:
    """A bar of so many, of which a part is filled; the longest takes all the width."""
    full = width * whole / max(longest, 1)
    filled = width * part / max(longest, 1)
    rest = f'<rect x=".1" y=".1" width="{max(full - 0.2, 0):.2f}" height="{height - 0.2}" fill="none"'
    return _picture(
        width,
        height,
        f'{rest} stroke="{INK}" stroke-width=".2"/><rect width="{filled:.2f}" height="{height}" fill="{INK}"/>',
        [],  # the table has its numbers
    )


def _levels(levels: Sequence[tuple[float, str]], width: float) -> str:
    return "".join(
        f'<path d="M{MARGIN} {at:.2f}H{width}" stroke="{PALE}" stroke-width=".15"/>'
        f'<text x="{MARGIN - 1.5}" y="{at + LETTERS / 3:.2f}" font-size="{LETTERS}" text-anchor="end">{said}</text>'
        for at, said in levels
    )


def _step(most: int) -> int:
    """Between two levels: 1, 2 or 5, or so many tens, or hundreds…"""
    steps = (int(digit * 10**power) for power in count() for digit in (1, 2, 5))
    return next(step for step in steps if most <= step * MOST_LEVELS)


def _picture(width: float, height: float, drawn: str, values: Sequence[int]) -> SafeString:
    """A drawing, with its values as the text that is read aloud; one without values is decoration."""
    told = ", ".join(map(str, values))
    title = f"<title>{told}</title>" if told else ""
    # Numbers alone are drawn.
    return mark_safe(  # noqa: S308
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"'
        f' viewBox="0 0 {width} {height}" font-family="Spadille Text">{title}{drawn}</svg>'
    )
