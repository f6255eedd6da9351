"""Pages to one PDF file.

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
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pikepdf
from django.template.loader import render_to_string
from django.utils.translation import get_language
from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher

from core.files import move_into_place
from core.pdf import fonts
from core.pdf.fonts import common_looks
from core.pdf.impose import impose
from core.pdf.page import Page, chunks, numbered_pages, render_pages
from core.pdf.stamping import UnknownDrawingError, as_laid_out, with_whole_lines
from core.pdf.structure import Finisher, append

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from weasyprint import Document

PAGES_A_DOCUMENT = 5
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
    numbered, of = numbered_pages(pages)
    with TemporaryDirectory(dir=target.parent, prefix=".making-") as folder, _little_garbage_collection():
        parts: list[Path] = []
        for chunk in chunks(numbered, PAGES_A_DOCUMENT):
            parts.append(Path(folder, f"{len(parts)}.pdf"))
            _write_part(chunk, of, title, parts[-1])
            gc.collect()
            if tell:
                last, page = chunk[-1]
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
        return _tagged(document, [with_whole_lines(page)])


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


def _write_part(numbered: Sequence[tuple[int, Page]], of: int, title: str, target: Path) -> None:
    try:
        file = _file_of(numbered, of, title)
    except UnknownDrawingError:
        file = _file_of([(number, with_whole_lines(page)) for number, page in numbered], of, title)
    target.write_bytes(file)


def _file_of(numbered: Sequence[tuple[int, Page]], of: int, title: str) -> bytes:
    laid_out = [(number, as_laid_out(page)) for number, page in numbered]
    context = {"pages": render_pages(laid_out, of), "title": title, "language": get_language()}
    html = render_to_string("paper/document.html", context)
    common, fonts, fetcher = _common()
    own = CSS(string="".join({page.styles for _number, page in numbered}), font_config=fonts)
    with _in_turn:
        document = HTML(string=html, url_fetcher=fetcher).render(
            stylesheets=[common, own], font_config=fonts, pdf_variant=VARIANT
        )
        return _tagged(document, [page for _number, page in numbered])


def _tagged(document: Document, pages: Sequence[Page]) -> bytes:
    """Write a laid-out document as a tagged PDF, in the order of reading: the one place where a PDF is written."""
    finisher = Finisher([table for page in pages for table in page.tables])
    file: bytes = document.write_pdf(finisher=finisher, pdf_variant=VARIANT)
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
