"""Texts measured and cut as a monospaced line needs them: in cells, of which a wide character takes two."""

from __future__ import annotations

import unicodedata

ELLIPSIS = "…"
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
    """How many cells of a monospaced line a text takes."""
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


def fill(text: str, width: int, align: str = "<") -> str:
    """A text in exactly `width` cells, aligned left ("<"), right (">") or in the middle ("^")."""
    text = cut(text, width)
    spare = width - cells(text)
    left = {"<": 0, ">": spare, "^": spare // 2}[align]
    return " " * left + text + " " * (spare - left)


def wrap(text: str, width: int) -> list[str]:
    """A text in lines of at most `width` cells, broken between words, inside one only where it must be."""
    lines = [""]
    for word in plain(text).split():
        rest = word
        if lines[-1] and cells(f"{lines[-1]} {rest}") <= width:
            lines[-1] += f" {rest}"
            continue
        if lines[-1]:
            lines.append("")
        while cells(rest) > width:
            taken = next(index for index in range(len(rest), 0, -1) if cells(rest[:index]) <= width)
            lines[-1] = rest[:taken]
            lines.append("")
            rest = rest[taken:]
        lines[-1] = rest
    return lines
