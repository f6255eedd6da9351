"""Lines of a table written with the glyphs of a sample, the only line of them that is laid out.

WeasyPrint takes half a millisecond for a line of text, and a score sheet has 120 below each other. The text's face has
neither kerning nor ligatures, so a character is the same glyph in every line: a sample with every character of the
layer is laid out, and the lines are written with its glyphs at their heights. A layer with a character that neither the
face nor `fonts.SIGNS` has is laid out by WeasyPrint entirely.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.pdf import fonts
from core.pdf.text_tables import Cell, Line, Lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.pdf.page import Page

# Pixels of CSS, in which WeasyPrint draws, to a millimetre.
PIXELS = 96 / 25.4
PIXELS_A_POINT = 96 / 72
_SHOWN = re.compile(rb"<([0-9a-f]*)>|(-?[0-9.]+)")
_PLACE = re.compile(rb"(.*) (\S+) Tm")
_ADDED = re.compile(r">([^<]*)<")
_GLYPH = 4  # hexadecimal digits


class UnknownDrawingError(Exception):
    """A sample is not drawn as one glyph a character: this version of WeasyPrint draws text in another way."""


def as_laid_out(page: Page) -> Page:
    """The page with samples in place of the lines that are written from them."""
    layers = {
        part.layer: samples_of(part)
        for table in page.tables
        for part in table.parts
        if isinstance(part, Lines) and part.layer
    }
    return replace(page, context={**page.context, **layers}) if layers else page


def with_whole_lines(page: Page) -> Page:
    """The page as it is laid out without samples."""
    tables = [
        replace(
            table,
            parts=[replace(part, layer="") if isinstance(part, Lines) else part for part in table.parts],
        )
        for table in page.tables
    ]
    return replace(page, tables=tables)


def samples_of(part: Lines) -> Sequence[str]:
    """The lines to lay out: one with every character, or each centred line once; all of them where that is no gain."""
    letters = set().union(*part.lines)
    if not part.layer or not letters or not all(map(fonts.has_one_glyph, letters)):
        return part.lines
    different = list(dict.fromkeys(filter(None, part.lines)))
    samples = different if part.is_centred else ["".join(sorted(letters))]
    return samples if len(samples) < len(part.lines) else part.lines


class Sample:
    """A line of text as WeasyPrint drew it, and other lines with its glyphs."""

    def __init__(self, text: str, operators: Sequence[Any]) -> None:
        """`operators` are those of the text's marked content. Raises UnknownDrawingError."""
        shown = [index for index, each in enumerate(operators) if _ends(each, b" Tf", b" TJ")]
        first, last = (shown[0], shown[-1]) if shown else (0, -1)
        glyphs: list[tuple[bytes, str]] = []
        font = b""
        for operator in operators[first : last + 1]:
            if _ends(operator, b" Tf"):
                font = operator
            elif _ends(operator, b" TJ"):
                glyphs += [(font, glyph) for glyph in _glyphs(operator)]
            else:
                raise UnknownDrawingError(operator)
        places = [each for each in map(_PLACE.fullmatch, filter(_is_bytes, operators[:first])) if each]
        if len(glyphs) != len(text) or len(places) != 1:
            raise UnknownDrawingError(text)
        self.letters = set(text)
        self._place = places[0]
        self._before, self._after = operators[:first], operators[last + 1 :]
        self._codes: dict[bytes, dict[str, str]] = defaultdict(dict)
        for letter, (font, glyph) in zip(text, glyphs, strict=True):
            self._codes[font][letter] = glyph
        runs = "|".join(f"[{re.escape(''.join(codes))}]+" for codes in self._codes.values())
        self._runs = re.compile(runs)

    @property
    def colours(self) -> bytes:
        """The operators before the text that hold for what is drawn after it, too."""
        return b"\n".join(
            each for each in self._before if _is_bytes(each) and each not in (b"BT", self._place[0])
        )

    def advance(self, text: str, widths: Mapping[bytes, Mapping[int, float]]) -> float:
        """The width of a text in thousandths of its size; `widths` has those of the glyphs of each font."""
        return sum(
            widths[font.split()[0]][int(code[:_GLYPH], 16)] - sum(map(float, _ADDED.findall(code)))
            for letter in text
            for font, codes in self._codes.items()
            if (code := codes.get(letter))
        )

    def write_in(self, place: Sample, text: str, size: float | None, number: int, moved: float) -> bytes:
        """A text in the place of another sample, `moved` pixels to the right; in points, or in the sample's size."""
        drawn = [_moved(place._place, moved) if each == place._place[0] else each for each in place._before]
        drawn.append(b"/Span <</MCID %d>> BDC" % number)
        font = b""
        for run in self._runs.findall(text):
            wanted = next(each for each, codes in self._codes.items() if run[0] in codes)
            if wanted != font:
                font = wanted
                drawn.append(b"%b %f Tf" % (font.split()[0], size * PIXELS_A_POINT) if size else font)
            codes = "".join(map(self._codes[font].__getitem__, run))
            drawn.append(f"[<{codes}>] TJ".encode())
        return b"\n".join([*drawn, b"EMC", *place._after])

    @property
    def size(self) -> float:
        """The size of the text in pixels."""
        return float(next(iter(self._codes)).split()[1])

    def write(self, line: str, first_number: int, lower: float) -> bytes:
        """A line `lower` millimetres below the sample, each cell in marked content; numbers count from the first."""
        place = b"%b %f Tm" % (self._place[1], float(self._place[2]) + lower * PIXELS)
        drawn = [place if each == self._place[0] else each for each in self._before]
        font, begins, cells = b"", 0, cells_of(line)
        for number, cell in enumerate(cells, start=first_number):
            end = len(line) if cell is cells[-1] else cell.end
            drawn.append(b"/Span <</MCID %d>> BDC" % number)
            for run in self._runs.findall(line, begins, end):
                wanted = next(each for each, codes in self._codes.items() if run[0] in codes)
                if wanted != font:
                    drawn.append(font := wanted)
                codes = "".join(map(self._codes[font].__getitem__, run))
                drawn.append(f"[<{codes}>] TJ".encode())
            drawn.append(b"EMC")
            begins = end
        return b"\n".join([*drawn, *self._after])


def cells_of(line: str) -> Sequence[Cell]:
    """The cells of a line; one, where it does not say."""
    return line.cells if isinstance(line, Line) and line.cells else (Cell(0, len(line)),)


def _glyphs(operator: bytes) -> list[str]:
    """The glyphs that an operator shows, each with what is added to its width, if anything."""
    glyphs: list[str] = []
    for digits, more in _SHOWN.findall(operator):
        glyphs += [digits[at : at + _GLYPH].decode() for at in range(0, len(digits), _GLYPH)]
        if more and float(more):
            glyphs[-1] += f">{more.decode()}<"
    return glyphs


def _moved(place: re.Match[bytes], moved: float) -> bytes:
    """The operator of a text's place, so many pixels to the right."""
    before, across = place[1].rsplit(b" ", 1)
    return b"%b %f %b Tm" % (before, float(across) + moved, place[2])


def _is_bytes(operator: Any) -> bool:
    return isinstance(operator, bytes)


def _ends(operator: Any, *endings: bytes) -> bool:
    return isinstance(operator, bytes) and operator.endswith(endings)
