"""The one door to a PDF: pages go in, a file comes out, or why there is none in words.

The renderer (`core.pdf.render`) needs system libraries, which a machine may lack: it is imported here,
where a file is made, and nowhere else. Without them the file is a page that the browser prints.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from django.utils.translation import gettext_noop

from core.errors import JobError
from core.pdf import render_html

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from core.pdf.page import Page

MISSING = {
    "linux": gettext_noop(
        "The system’s library for PDFs is missing. As root: apt-get install libpango-1.0-0 "
        "libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core"
    ),
    "darwin": gettext_noop("The system’s library for PDFs is missing. In a terminal: brew install pango"),
    "win32": gettext_noop(
        "The PDF library Pango is missing. WeasyPrint’s documentation, under “Installation”, "
        "explains how to install it on Windows."
    ),
}
NO_PANGO = MISSING.get(sys.platform, MISSING["linux"])
NO_ROOM = gettext_noop("The file could not be written. Is the disk full?")


class CannotMake(JobError):
    """The file cannot be made; a text marked with gettext_noop, stored and translated when shown."""


def write_pdf(
    pages: Sequence[Page],
    title: str,
    target: Path,
    *,
    folded: bool = False,
    tell: Callable[[int], None] | None = None,
) -> None:
    """Write all pages to `target`, atomically; `tell` is called with the pages finished. Raises CannotMake."""
    engine = _engine()
    try:
        engine.write(pages, title, target, folded=folded, tell=tell)
    except OSError as problem:
        raise CannotMake(NO_ROOM) from problem


def pdf_of(pages: Sequence[Page], title: str) -> bytes:
    """The file of all pages, in the user's language, not stored. Raises CannotMake."""
    with TemporaryDirectory() as folder:
        target = Path(folder, "whole.pdf")
        write_pdf(pages, title, target)
        return target.read_bytes()


def pdf_of_one(variants: Sequence[Page], title: str) -> bytes:
    """The file of the first variant that fits on one page; of the last if none does. Raises CannotMake."""
    data: bytes = _engine().fitting(variants, title)
    return data


def page_that_fits(variants: Sequence[Page], title: str) -> Page:
    """The first variant that fits on one page, to be one of several; the last, where none does."""
    page: Page = _engine().that_fits(variants, title)
    return page


def load() -> None:
    """Import the renderer, so that forked processes have it. Raises CannotMake."""
    _pdfs()


def ending() -> str:
    """The suffix of printed files here: "pdf", or "html" for the browser to print."""
    return "html" if _engine() is render_html else "pdf"


def _engine() -> ModuleType:
    try:
        return _pdfs()
    except CannotMake:
        return render_html


def _pdfs() -> ModuleType:
    try:
        from core.pdf import render  # noqa: PLC0415 - loads the system's libraries, which may be missing
    except OSError as problem:
        raise CannotMake(NO_PANGO) from problem
    return render
