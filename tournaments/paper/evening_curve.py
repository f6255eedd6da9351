"""A player's curve on paper: tokens deal by deal in black on white, games declared as dots and rings.

Where its points lie is known in per cent of the plot; here they become millimetres, so that strokes keep their width.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol

from django.utils.html import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

# Millimetres: the plot's width, hairlines, zero, the curve; a dot, a ring, and the ring around best and worst.
WIDTH = 162.0
HAIRLINE, ZERO, CURVE, DOT, RING, AROUND = 0.12, 0.35, 0.55, 0.7, 0.95, 2.1
GREY = "#999"


class Mark(Enum):
    """What stands on the curve: its radius, and what it is filled with."""

    WON = (DOT, "#000")
    LOST = (RING, "#fff")
    AROUND = (AROUND, "none")


class Marked(Protocol):
    """A deal on the curve; `at` in per cent, of a game of the player's own whether it was won."""

    @property
    def at(self) -> tuple[float, float]: ...
    @property
    def declared(self) -> bool: ...
    @property
    def won(self) -> bool: ...


class Level(Protocol):
    @property
    def at(self) -> float: ...


class Drawn(Protocol):
    """The plot under the curve, in per cent: its levels, where rounds end, and zero."""

    @property
    def levels(self) -> Sequence[Level]: ...
    @property
    def ends(self) -> Sequence[float]: ...
    @property
    def zero(self) -> float: ...


def picture(
    drawn: Drawn, deals: Sequence[Marked], around: Sequence[Marked], height: float, title: str
) -> str:
    """The curve as SVG, so many millimetres high; those `around` which a ring is drawn stand out."""

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return point[0] * WIDTH / 100, point[1] * height / 100

    levels = "".join(f"M0 {level.at * height / 100:.2f}H{WIDTH}" for level in drawn.levels)
    ends = "".join(f"M{end * WIDTH / 100:.2f} 0V{height:.2f}" for end in drawn.ends)
    curve = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in map(at, [(0.0, drawn.zero), *_points(deals)]))
    marks = "".join(
        _circle(at(deal.at), Mark.WON if deal.won else Mark.LOST) for deal in deals if deal.declared
    )
    rings = "".join(_circle(at(deal.at), Mark.AROUND) for deal in around)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{height:.2f}mm"'
        f' viewBox="0 0 {WIDTH} {height:.2f}" fill="none"><title>{escape(title)}</title>'
        f'<path d="{levels}" stroke="{GREY}" stroke-width="{HAIRLINE}"/>'
        f'<path d="{ends}M0 0" stroke="{GREY}" stroke-width="{HAIRLINE}" stroke-dasharray="1 1"/>'
        f'<path d="M0 {drawn.zero * height / 100:.2f}H{WIDTH}" stroke="#000" stroke-width="{ZERO}"/>'
        f'<path d="{curve}" stroke="#000" stroke-width="{CURVE}" stroke-linejoin="round"/>'
        f"{marks}{rings}</svg>"
    )


def mark(kind: Mark) -> str:
    """The mark alone, for what says what it is."""
    side = 2 * AROUND + ZERO
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}mm" height="{side}mm" viewBox="0 0 {side} {side}">'
        f"{_circle((side / 2, side / 2), kind)}</svg>"
    )


def _points(deals: Sequence[Marked]) -> list[tuple[float, float]]:
    return [deal.at for deal in deals]


def _circle(at: tuple[float, float], kind: Mark) -> str:
    radius, fill = kind.value
    return f'<circle cx="{at[0]:.2f}" cy="{at[1]:.2f}" r="{radius}" fill="{fill}" stroke="#000" stroke-width="{ZERO}"/>'
