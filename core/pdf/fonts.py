"""Fonts and text on paper: measure, cut, wrap and align; the common style sheet.

The two fonts are those of the web pages. Letters that they lack (other alphabets, suits) come from DejaVu, which every
machine that makes PDFs has.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from core.pdf.page import Cell, Line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


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
    """The @font-face rules; `address` returns a face's URL."""
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
    """The width of a text, in em of its type."""
    widths = _widths(face)
    return sum(widths.get(character) or _ems_of(character) for character in text)


@cache
def has_one_glyph(character: str, face: str = TEXT) -> bool:
    """Whether a character is one glyph of the same width in every text: one of a face, or a sign."""
    return character in _widths(face) or character in SIGNS


def _ems_of(character: str) -> float:
    """About how wide a letter is that the faces lack."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if character in SIGNS:
        return SIGNS[character]
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    return _CAPITAL if character.isupper() else _OTHER


ELLIPSIS = "…"
HAIR = min(SPACES.values())
# Between two columns of a line, in em; and the share of a column's spare width before its text.
BETWEEN, ALIGNED = 0.6, {"<": 0.0, "^": 0.5, ">": 1.0}
SIDES = {"<": "left", "^": "center", ">": "right"}
# Emoji and rare scripts begin after this: no font of ours has them.
LAST_PRINTED, BOX = "\uffff", "\N{WHITE SQUARE}"
MARKS, UNSEEN = ("Mn", "Me"), ("Cc", "Cf", "Cs", "Co", "Cn")
VARIATIONS = [chr(code) for code in range(0xFE00, 0xFE10)]
# A base letter with more accents than any language has is a prank that climbs into the line above.
MOST_MARKS = 2


def plain(text: str) -> str:
    """A text on one line that the fonts can print.

    Without line breaks and control characters, among them those that turn the direction of writing; emoji, however
    many pieces one is made of, become a box.
    """
    kept = ""
    marks = 0
    for character in unicodedata.normalize("NFC", " ".join(text.split())):
        category = unicodedata.category(character)
        marks = marks + 1 if category in MARKS else 0
        if marks > MOST_MARKS or category in UNSEEN or character in VARIATIONS:
            continue
        if character > LAST_PRINTED:
            kept = kept.removesuffix(BOX) + BOX
        else:
            kept += character
    return kept


def cells(text: str) -> int:
    """The number of cells of a monospaced line that a text takes."""
    return sum(_cells_of(character) for character in text)


def _cells_of(character: str) -> int:
    if unicodedata.category(character) in (*MARKS, "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, width: int) -> str:
    """A text that takes at most `width` cells; what is left out shows as "…"."""
    text = plain(text)
    if cells(text) <= width:
        return text
    kept = ""
    for character in text:
        if cells(kept + character) > width - 1:
            break
        kept += character
    return kept.rstrip() + ELLIPSIS if width > 0 else ""


def cut_to(text: str, room: float) -> str:
    """A text that is at most `room` em wide; what is left out shows as "…"."""
    text = plain(text)
    if ems(text) <= room:
        return text
    while text and ems(text + ELLIPSIS) > room:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


@lru_cache(maxsize=4096)
def spaces(width: float) -> str:
    """Spaces that fill `width` em to a hair's breadth, as few as can be."""
    found, left = "", max(0, round(width / HAIR))
    for space, wide in SPACES.items():
        count, left = divmod(left, round(wide / HAIR))
        found += space * count
    return found


def to_the_right(text: str, figures: int) -> str:
    """A text at the right of so many figures' width: numbers stand exactly below numbers."""
    return spaces(figures * FIGURE - ems(text)) + text


def wrap(text: str, room: float) -> list[str]:
    """A text in lines at most `room` em wide, broken between words, inside one only where it must be."""
    lines = [""]
    for word in plain(text).split():
        rest = word
        if lines[-1] and ems(f"{lines[-1]} {rest}") <= room:
            lines[-1] += f" {rest}"
            continue
        if lines[-1]:
            lines.append("")
        while len(rest) > 1 and ems(rest) > room:
            taken = next((index for index in range(len(rest), 1, -1) if ems(rest[:index]) <= room), 1)
            lines[-1] = rest[:taken]
            lines.append("")
            rest = rest[taken:]
        lines[-1] = rest
    return lines


def titles_of(cells: Sequence[tuple[str, float, str]]) -> list[tuple[str, float, str]]:
    """The titles above such columns, for `paper/parts.html#titles`: bold letters are wider than `ems` measures."""
    return [(text, round(width, 2), SIDES[align]) for text, width, align in cells]


def in_columns(cells: Sequence[tuple[str, float, str]]) -> Line:
    """A line of (text, width in em, align) side by side, aligned "<", "^" or ">"; what is too wide is cut."""
    line, at, ends = "", 0.0, []
    for column, (text, width, align) in enumerate(cells):
        shown = cut_to(text, width - BETWEEN)
        if shown:
            begins = at + (width - BETWEEN - ems(shown)) * ALIGNED[align]
            line += spaces(begins - ems(line)) + shown
            ends.append(Cell(column, len(line)))
        at += width
    return Line(line, ends)


@cache
def rules() -> str:
    """The style sheets of `settings.PRINT_STYLE_SHEETS` joined, without the faces; read once."""
    return "".join(Path(path).read_text("utf-8") for path in settings.PRINT_STYLE_SHEETS)


def common_looks(address_of: Callable[[str], str]) -> str:
    """The style sheets with the @font-face rules, whose URLs `address_of` returns."""
    return stylesheet(address_of) + rules()
