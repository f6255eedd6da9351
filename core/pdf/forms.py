"""Pages that differ in a few texts only, and the form that they share.

A form is laid out once, and its pages are written from it (`core.pdf.form_pages`). A template marks a text that is
alone at the end of its line as a slot:

    <span data-stamp="STYLE ROOM SIDE" style="font-size:9pt">text</span>

Slots of one STYLE have the same font and spacing; one that begins with "display" is of the display face. ROOM is in
millimetres, "-" where every text fits or is cut by its box. SIDE is "left", "right", or "after" for a text that follows
the slot before it. A size is no larger than that of the line around the slot. A square code (class "qr") is another on
each page. All else on the pages of a form is equal, down to the classes; lines of tables are in layers
(`core.pdf.page.Lines`). What does not fit, and letters that our faces lack, are laid out by WeasyPrint entirely.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape, unescape
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from django.utils.safestring import mark_safe

from core.pdf.fonts import DISPLAY, TEXT, ems, has_one_glyph
from core.pdf.page import Cell, Line, Lines, render_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from core.pdf.page import Page


# Fewer pages are not worth a form, which takes as long to lay out as a page and a half.
FEWEST = 3
POINT = 25.4 / 72
# The text in each slot of a form that is laid out: it shows where the slot is.
PROBE = "0"
# A square code as `segno` draws it, which is another on each page of a form; and a picture that is read aloud.
_CODE = re.compile(r'(?<=<img class="qr" src=")data:image/svg\+xml;charset=utf-8,(?P<svg>[^"]*)')
_SEGNO = re.compile(r"<svg .* width='(\d+)' .*scale\((\d+)\)'.* stroke='#000' d='([Mmh\d. -]+)'/></svg>")
_PICTURE = re.compile(r'<img [^>]*alt="[^"]|<title>')
_SLOT = re.compile(
    r'<(?P<tag>[a-z0-9]+)(?P<with>[^>]*) data-stamp="(?P<how>[^"]*)"(?: style="font-size:(?P<size>[\d.]+)pt")?>'
    r"(?P<text>[^<]*)</(?P=tag)>"
)


class Slot(NamedTuple):
    """A text of a page; `size` in points, None for that of its style sheet."""

    style: str
    side: str
    size: float | None
    text: str


class Code(NamedTuple):
    """A square code: which of the page's pictures it is, how many modules it is wide, and its lines as SVG's path."""

    picture: int
    modules: float
    path: str


@dataclass(frozen=True)
class FormPage:
    """A page that is written from a form."""

    number: int
    page: Page
    slots: Sequence[Slot]
    codes: Sequence[Code]


@dataclass(frozen=True)
class Form:
    """Pages that differ in their slots and in the lines of their layers, each with the number of its side."""

    pages: Sequence[FormPage]

    @cached_property
    def letters(self) -> dict[str, str]:
        """All letters of the slots of each style."""
        found: dict[str, set[str]] = {}
        for page in self.pages:
            for slot in page.slots:
                found.setdefault(slot.style, set(PROBE)).update(slot.text)
        return {style: "".join(sorted(letters)) for style, letters in found.items()}

    @cached_property
    def layers(self) -> dict[str, list[str]]:
        """What is laid out of each layer: one line with every character, or each centred text once."""
        lines: dict[str, dict[str, None]] = {}
        centred = set()
        for page in self.pages:
            for part in layers_of(page.page):
                lines.setdefault(part.layer, {}).update(dict.fromkeys(filter(None, part.lines)))
                centred.update([part.layer] * part.is_centred)
        return {
            layer: (list(same) if layer in centred else ["".join(sorted(set().union(*same)))])
            if same
            else [PROBE]
            for layer, same in lines.items()
        }

    def texts(self) -> Iterator[tuple[Slot, str]]:
        """What is laid out in each of the first page's slots: the probe, and once a style all its letters."""
        met = set()
        for slot in self.pages[0].slots:
            yield slot, "" if slot.style in met else self.letters[slot.style]
            met.add(slot.style)

    def html(self, of: int) -> str:
        """The page to lay out."""
        texts = self.texts()
        # The largest, in which no slot is higher than its line.
        sizes = (_largest(same) for same in zip(*(page.slots for page in self.pages), strict=True))

        def fill(found: re.Match[str]) -> str:
            (_slot, letters), size = next(texts), next(sizes)
            case = f'<a style="position:absolute;white-space:pre">{escape(letters)}</a>' if letters else ""
            style = f' style="font-size:{size}pt"' if size else ""
            return f"<{found['tag']}{found['with']} data-stamp{style}><a>{PROBE}</a>{case}</{found['tag']}>"

        first = self.pages[0]
        html = _SLOT.sub(fill, _html(first.page, first.number, of, self.layers))
        return mark_safe(html)  # noqa: S308 - rendered, with our own elements


def layers_of(page: Page) -> Iterator[Lines]:
    """The parts of a page's tables whose lines are written from samples."""
    return (part for table in page.tables for part in table.layers)


def forms_of(numbered: Sequence[tuple[int, Page]], of: int) -> list[Form]:
    """The forms of these pages that are worth it; pages in none of them are laid out each."""
    found: dict[object, list[FormPage]] = {}
    for number, page in numbered:
        if page.has_slots and all(map(_has_known_letters, layers_of(page))):
            html = _html(page, number, of, {part.layer: [PROBE] for part in layers_of(page) if part.lines})
            slots = [_slot(each) for each in _SLOT.finditer(html)]
            codes = list(_codes(html))
            if None not in slots and len(codes) == len(_CODE.findall(html)):
                html = _CODE.sub("", html)
                alike = (
                    _SLOT.sub(_without_text, html),
                    page.styles,
                    repr(_shape(page)),
                )
                found.setdefault(alike, []).append(
                    FormPage(number, page, [slot for slot in slots if slot], codes)
                )
    return [Form(pages) for pages in found.values() if len(pages) >= FEWEST]


def _without_text(found: re.Match[str]) -> str:
    """A slot as it is on all pages of a form."""
    style, _room, side = found["how"].split()
    return f"<{found['tag']}{found['with']} {style} {side}>"


def _html(page: Page, number: int, of: int, layers: Mapping[str, Sequence[str]]) -> str:
    return render_page(page, number, of, **layers)


def _slot(found: re.Match[str]) -> Slot | None:
    """A slot; None where its text is for WeasyPrint."""
    style, room, side = found["how"].split()
    size, text = float(found["size"]) if found["size"] else None, unescape(found["text"])
    face = DISPLAY if style.startswith("display") else TEXT
    is_known = all(map(_is_in_both, text)) and text == " ".join(text.split())
    fits = room == "-" or (size is not None and ems(text, face) * size * POINT <= float(room))
    return Slot(style, side, size, text) if is_known and fits else None


def _largest(slots: Sequence[Slot]) -> float:
    """The size of the largest text; where there is none, the least that one would have had."""
    return max((slot.size or 0 for slot in slots if slot.text), default=min(slot.size or 0 for slot in slots))


def _codes(html: str) -> Iterator[Code]:
    for found in _CODE.finditer(html):
        drawn = _SEGNO.fullmatch(unquote(found["svg"]))
        if drawn:
            size, scale, path = drawn.groups()
            yield Code(len(_PICTURE.findall(html, 0, found.start())), float(size) / float(scale), path)


def _has_known_letters(part: Lines) -> bool:
    return all(map(has_one_glyph, set().union(*part.lines)))


def _is_in_both(character: str) -> bool:
    return has_one_glyph(character) and has_one_glyph(character, DISPLAY)


def _shape(page: Page) -> list[object]:
    """What the tables of pages of one form have in common."""
    return [
        (
            table.columns,
            table.named_by,
            [part for part in table.parts if part not in table.layers],
            [replace(layer, lines=()) for layer in table.layers],
        )
        for table in page.tables
    ]


# Lines of a table written with the glyphs of a sample, the only line of them that is laid out.
#
# WeasyPrint takes half a millisecond for a line of text, and a score sheet has 120 below each other. The text's face
# has neither kerning nor ligatures, so a character is the same glyph in every line: a sample with every character of
# the layer is laid out, and the lines are written with its glyphs at their heights. A layer with a character that
# neither the face nor `fonts.SIGNS` has is laid out by WeasyPrint entirely.

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
    if not part.layer or not letters or not all(map(has_one_glyph, letters)):
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
