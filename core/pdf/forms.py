"""Pages that differ in a few texts only, and the form that they share.

A form is laid out once, and its pages are written from it (`core.pdf.form_pages`). A template marks a text that is
alone at the end of its line as a slot:

    <span data-stamp="STYLE ROOM SIDE" style="font-size:9pt">text</span>

Slots of one STYLE have the same font and spacing; one that begins with "display" is of the display face. ROOM is in
millimetres, "-" where every text fits or is cut by its box. SIDE is "left", "right", or "after" for a text that follows
the slot before it. A size is no larger than that of the line around the slot. A square code (class "qr") is another on
each page. All else on the pages of a form is equal, down to the classes; lines of tables are in layers
(`core.pdf.text_tables.Lines`). What does not fit, and letters that our faces lack, are laid out by WeasyPrint entirely.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape, unescape
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from core.pdf.fonts import DISPLAY, TEXT, ems, has_one_glyph
from core.pdf.page import page_context

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from core.pdf.page import Page
    from core.pdf.text_tables import Lines

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
    return render_to_string(page.template, {**page_context(page, number, of), **layers})


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
