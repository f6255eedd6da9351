"""Pages to one PDF file, and booklets to fold: two pages on each side of a sheet.

Laying out takes time and memory that grow with a document's length, so pages become documents of a few pages
that are joined at the end. The garbage collector runs between them, not through what was there before.

Only `core.pdf.files` imports this: it loads Pango, which a machine may lack (`OSError`).
"""

from __future__ import annotations

import gc
import logging
import threading
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import pikepdf
from django.template.loader import render_to_string
from django.utils.translation import get_language
from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher

from core.files import move_into_place
from core.pdf import fonts
from core.pdf.fonts import common_looks
from core.pdf.form_pages import FormFinisher
from core.pdf.forms import UnknownDrawingError, as_laid_out, forms_of, with_whole_lines
from core.pdf.page import Page, chunks, numbered_pages, render_pages
from core.pdf.structure import Finisher, append

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from weasyprint import Document

    from core.pdf.forms import Form


# Pages on a sheet: two on its front, two on its back.
PAGES_A_SHEET = 4


def fold_order(pages: int) -> list[tuple[int | None, int | None]]:
    """The left and the right page of each side, counted from 0, fronts and backs in turn; None is a blank page.

    All sheets lie in each other and are folded once: the first side has the last page on the left, the first on the
    right.
    """
    blank = -pages % PAGES_A_SHEET
    order: list[int | None] = [*range(pages), *[None] * blank]
    sides = []
    for side in range(len(order) // 2):
        outer, inner = order[-1 - side], order[side]
        sides.append((inner, outer) if side % 2 else (outer, inner))
    return sides


def impose(source: Path, target: Path) -> None:
    """Write the pages of one size of a tagged file as a booklet to fold, to be printed on both sides.

    Screen readers find the tags of the source, in the order of its pages. Links are left out.
    """
    with pikepdf.open(source) as file:
        pages = list(file.pages)
        _left, _bottom, width, height = (float(length) for length in pages[0].mediabox)
        forms = [_as_form(page) for page in pages]
        moved: dict[tuple[int, int], _Place] = {}
        for index, numbers in enumerate(fold_order(len(pages))):
            side = file.add_blank_page(page_size=(2 * width, height))
            side.obj.Tabs = pikepdf.Name.S
            for number, at in zip(numbers, (0.0, width), strict=True):
                if number is not None:
                    side.add_overlay(forms[number], pikepdf.Rectangle(at, 0, at + width, height))
                    moved[pages[number].obj.objgen] = _Place(index, side.obj, forms[number])
        _move_tags(file.Root.StructTreeRoot, None, moved)
        with file.open_outline() as outline:
            entries = [(entry.title, moved[_page_of(entry).objgen].side) for entry in outline.root]
        del file.pages[: len(pages)]
        with file.open_outline() as outline:
            outline.root[:] = [pikepdf.OutlineItem(title, side) for title, side in entries]
        # The reader's printer turns the sheets at the short edge.
        file.Root.ViewerPreferences.Duplex = pikepdf.Name.DuplexFlipShortEdge
        file.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate)


class _Place(NamedTuple):
    """A page's place in the booklet: the number of its side, from 0, the side, and the page's content as a form."""

    side: int
    page: pikepdf.Object
    form: pikepdf.Object


def _as_form(page: pikepdf.Page) -> pikepdf.Object:
    """A page's content as a form XObject, with the numbers of its marked content."""
    form = page.as_form_xobject()
    form.StructParents = page.obj.StructParents
    return form


def _page_of(entry: pikepdf.OutlineItem) -> Any:
    """The page that an entry of the table of contents leads to."""
    destination: Any = entry.destination
    return destination[0]


def _move_tags(element: Any, page: Any, moved: Mapping[tuple[int, int], _Place]) -> None:
    """Let an element and those below it refer to the content where it is now; `page` is that of the element above."""
    page = element.get("/Pg", page)
    kids = element.get("/K", [])
    found: list[Any] = []
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, int):
            place = moved[page.objgen]
            found.append(pikepdf.Dictionary(Type=pikepdf.Name.MCR, Pg=place.page, Stm=place.form, MCID=kid))
        elif "/S" in kid:
            _move_tags(kid, page, moved)
            found.append(kid)
    element.K = pikepdf.Array(found)
    if "/Pg" in element:
        element.Pg = moved[page.objgen].page


PAGES_A_DOCUMENT = 5
# Of pages that are written from forms: each form is laid out once in a document, and joining copies all tags of a part.
PAGES_OF_FORMS = 256
# The pages among them that are laid out each; with more, the document is made as several.
MOST_OTHERS = 20
# Tagged for screen readers; `core.pdf.structure` does the rest.
VARIANT = "pdf/ua-1"
# Fonts are shared by a process's threads, and are no good to two at once.
_in_turn = threading.Lock()

# It warns of each character that no font has, which happens with names.
logging.getLogger("weasyprint").setLevel(logging.ERROR)


def write(
    pages: Sequence[Page],
    title: str,
    target: Path,
    *,
    folded: bool = False,
    tell: Callable[[int], None] | None = None,
) -> None:
    """Write all pages to `target`, atomically; `tell` is a callback with the number of finished pages.

    `folded`: as a booklet, two pages on each side, in the order of folding.
    """
    tell = tell or _tell_nobody
    numbered, of = numbered_pages(pages)
    with TemporaryDirectory(dir=target.parent, prefix=".making-") as folder, _little_garbage_collection():
        parts: list[Path] = []
        for file, (last, page) in _files_of(numbered, of, title, tell):
            parts.append(Path(folder, f"{len(parts)}.pdf"))
            parts[-1].write_bytes(file)
            gc.collect()
            tell(last + page.sides - 1)
        whole = Path(folder, "whole.pdf")
        _join(parts, pages, title, whole)
        if folded:
            impose(whole, whole := Path(folder, "folded.pdf"))
        move_into_place(whole, target)


def fitting(variants: Sequence[Page], title: str) -> bytes:
    """A single page as a file: the first of its variants that fits on one; the last, where none does."""
    with _in_turn:
        document, page = _fitted(variants, title)
        return _tagged(document, Finisher(with_whole_lines(page).tables))


def that_fits(variants: Sequence[Page], title: str) -> Page:
    """The first of these variants that fits on one page; the last, where none does."""
    with _in_turn:
        return _fitted(variants, title)[1]


def _fitted(variants: Sequence[Page], title: str) -> tuple[Document, Page]:
    common, fonts, fetcher = _common()
    for page in variants:
        context = {"pages": render_pages([(1, page)], 1), "title": title, "language": get_language()}
        html = render_to_string("paper/document.html", context)
        document = HTML(string=html, url_fetcher=fetcher).render(stylesheets=[common], font_config=fonts)
        if len(document.pages) == 1:
            break
    return document, page


def _tell_nobody(_done: int) -> None:
    pass


def _files_of(
    numbered: Sequence[tuple[int, Page]], of: int, title: str, tell: Callable[[int], None]
) -> Iterator[tuple[bytes, tuple[int, Page]]]:
    """The files of some pages each, with the last of them."""
    for has_slots, run in groupby(numbered, lambda each: each[1].has_slots):
        for part, forms in _parts_of_forms(list(run), of) if has_slots else [(list(run), [])]:
            if forms:
                try:
                    yield _file_of_forms(forms, part, of, title, tell), part[-1]
                    continue
                except UnknownDrawingError:
                    pass
            for chunk in chunks(part, PAGES_A_DOCUMENT):
                yield _file_of_chunk(chunk, of, title), chunk[-1]


def _parts_of_forms(
    numbered: Sequence[tuple[int, Page]], of: int
) -> Iterator[tuple[Sequence[tuple[int, Page]], list[Form]]]:
    """Pages as parts of a file with their forms, few pages in each that no form has."""
    for part in chunks(numbered, PAGES_OF_FORMS):
        forms = forms_of(part, of)
        others = len(part) - sum(len(form.pages) for form in forms)
        if others <= MOST_OTHERS:
            yield part, forms
            continue
        for smaller in chunks(part, max(PAGES_A_DOCUMENT, len(part) * MOST_OTHERS // others)):
            yield smaller, forms_of(smaller, of)


def _file_of_forms(
    forms: Sequence[Form],
    numbered: Sequence[tuple[int, Page]],
    of: int,
    title: str,
    tell: Callable[[int], None],
) -> bytes:
    """The file of pages that are written from forms, among others that are not."""
    of_forms = {page.number for form in forms for page in form.pages}
    others = [(number, as_laid_out(page)) for number, page in numbered if number not in of_forms]
    pages = [*(form.html(of) for form in forms), *render_pages(others, of)]
    return _written(pages, [page for _number, page in numbered], title, FormFinisher(forms, numbered, tell))


def _file_of_chunk(numbered: Sequence[tuple[int, Page]], of: int, title: str) -> bytes:
    try:
        return _file_of(numbered, of, title)
    except UnknownDrawingError:
        return _file_of([(number, with_whole_lines(page)) for number, page in numbered], of, title)


def _file_of(numbered: Sequence[tuple[int, Page]], of: int, title: str) -> bytes:
    laid_out = render_pages([(number, as_laid_out(page)) for number, page in numbered], of)
    pages = [page for _number, page in numbered]
    return _written(laid_out, pages, title, Finisher([table for page in pages for table in page.tables]))


def _written(laid_out: Sequence[str], pages: Sequence[Page], title: str, finisher: Finisher) -> bytes:
    """The file of a document with this HTML, by the styles of these pages."""
    html = render_to_string(
        "paper/document.html", {"pages": laid_out, "title": title, "language": get_language()}
    )
    common, fonts, fetcher = _common()
    own = CSS(string="".join({page.styles for page in pages}), font_config=fonts)
    with _in_turn:
        document = HTML(string=html, url_fetcher=fetcher).render(
            stylesheets=[common, own], font_config=fonts, pdf_variant=VARIANT
        )
        return _tagged(document, finisher, is_whole=False)


def _tagged(document: Document, finisher: Finisher, *, is_whole: bool = True) -> bytes:
    """Write a laid-out document as a tagged PDF, in the order of reading: the one place where a PDF is written.

    A part of a file is not compressed: `_join` does that, in half the time.
    """
    file: bytes = document.write_pdf(finisher=finisher, pdf_variant=VARIANT, uncompressed_pdf=not is_whole)
    return file


@cache
def _common() -> tuple[CSS, FontConfiguration, URLFetcher]:
    """The common style sheet and the fonts, read once; and a fetcher that fetches nothing from anywhere."""
    font_config = FontConfiguration()
    rules = common_looks(fonts.address_on_disk)
    common = CSS(string=rules, font_config=font_config, url_fetcher=URLFetcher(allowed_protocols=["file"]))
    return common, font_config, URLFetcher(allowed_protocols=["data"])


@contextmanager
def _little_garbage_collection() -> Iterator[None]:
    """Collect garbage on explicit calls only, without the objects that exist now: they live on."""
    was_on, is_served = gc.isenabled(), _is_served()
    if not is_served:
        gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        if not is_served:
            gc.unfreeze()
        if was_on:
            gc.enable()


@cache
def _is_served() -> bool:
    """Whether the process left all that lives on out for good when it began to serve; counting that takes 15 ms."""
    return gc.get_freeze_count() > 0


def _join(parts: Sequence[Path], pages: Sequence[Page], title: str, target: Path) -> None:
    """One file with a table of contents, in the language and with the tags of its parts."""
    with pikepdf.open(parts[0]) as whole:
        for part in parts[1:]:
            with pikepdf.open(part) as document:
                append(whole, document)
        with whole.open_outline() as outline:
            outline.root.clear()
            before = ""
            for number, page in numbered_pages(pages)[0]:
                if page.name != before or number == 1:
                    outline.root.append(pikepdf.OutlineItem(page.name, number - 1))
                before = page.name
        whole.docinfo["/Title"] = title
        whole.docinfo["/Creator"] = "Spadille"
        whole.save(target, object_stream_mode=pikepdf.ObjectStreamMode.generate)
