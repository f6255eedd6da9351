"""The two faces on paper, which are the hall's, and how wide each of their letters is.

Letters that they lack (other alphabets, suits) are taken from DejaVu, which every machine that makes PDFs has.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = settings.BASE_DIR / "static" / "fonts"
TEXT, DISPLAY = "text", "display"
# Figures, plus and minus are all as wide as this, in em, and a space is a third of it: so numbers stand below numbers.
FIGURE, SPACE = 0.6, 0.2
# The spaces that the text's face has, the widest first, in em: each letter of a page costs time.
SPACES = {
    "\N{EM SPACE}": 1.0,
    "\N{FIGURE SPACE}": FIGURE,
    " ": SPACE,
    "\N{THIN SPACE}": 0.1,
    "\N{HAIR SPACE}": 0.02,
}
TABULAR = "0123456789+\N{MINUS SIGN}"
# DejaVu's signs, as wide as they are; its other letters, by what is usual, and those that take two places.
SIGNS = dict.fromkeys("♠♥♦♣♡♢", 0.896) | {"▸": 0.502, "●": 0.873, "▲": 0.769, "▼": 0.769, "✓": 0.838}
_CAPITAL, _OTHER, _WIDE = 0.72, 0.62, 1.0


def address_on_disk(name: str) -> str:
    return f"{(FOLDER / name).as_uri()}.woff2"


def stylesheet(address: Callable[[str], str]) -> str:
    """The rules that make the faces known; `address` says where one is."""
    return "".join(
        f'@font-face{{font-family:"Spadille {name.title()}";src:url("{address(name)}");font-weight:400 700}}'
        for name in (TEXT, DISPLAY)
    )


@cache
def _widths(face: str) -> dict[str, float]:
    """The width of each letter of a face, in em; the text's of its usual weight."""
    from fontTools.ttLib import TTFont  # noqa: PLC0415 - takes as long as a page, and most processes print none

    with TTFont(FOLDER / f"{face}.woff2", lazy=True) as font:
        advances, em = font["hmtx"].metrics, font["head"].unitsPerEm
        widths = {chr(code): advances[glyph][0] / em for code, glyph in font.getBestCmap().items()}
    return widths | dict.fromkeys(TABULAR, FIGURE) if face == TEXT else widths


def ems(text: str, face: str = TEXT) -> float:
    """How wide a text is, in the size of its type."""
    widths = _widths(face)
    return sum(widths.get(character) or _ems_of(character) for character in text)


def _ems_of(character: str) -> float:
    """About how wide a letter is that the faces lack."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if character in SIGNS:
        return SIGNS[character]
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    return _CAPITAL if character.isupper() else _OTHER
