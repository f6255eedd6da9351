"""Adjust a club's colour for contrast: same hue, lightness lowered until ivory letters on it can be read.

Contrast and luminance are those of WCAG 2.2; a colour is "#rrggbb".
"""

from __future__ import annotations

import colorsys
import re

IVORY, FELT = "#fdf8ea", "#14432f"
ENOUGH = 7.0
STEPS = 256
STRAIGHT = 0.04045  # sRGB: up to here a part's light grows as its number does
COLOUR = re.compile(r"#[0-9a-f]{6}")


def safe_colour(chosen: str) -> str:
    """The lightest colour of the same hue on which ivory has a contrast of 7:1; raises ValueError for no colour."""
    wanted = chosen.strip().lower()
    if not COLOUR.fullmatch(wanted):
        raise ValueError(chosen)
    hue, lightness, saturation = colorsys.rgb_to_hls(*_parts(wanted))
    for step in range(STEPS, -1, -1):
        darker = _to_hex(colorsys.hls_to_rgb(hue, lightness * step / STEPS, saturation))
        if contrast(IVORY, darker) >= ENOUGH:
            return darker
    raise AssertionError("black is dark enough")


def contrast(one: str, other: str) -> float:
    brighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _to_hex(parts: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def _luminance(colour: str) -> float:
    red, green, blue = (
        part / 12.92 if part <= STRAIGHT else ((part + 0.055) / 1.055) ** 2.4 for part in _parts(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
