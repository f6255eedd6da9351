"""Sheets as one page of HTML, laid out as paper, where this machine cannot make PDFs: the browser prints it.

It includes all styles but the two faces. Called by `core.pdf.files` alone, like the PDF renderer.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import mark_safe
from django.utils.translation import get_language

from core.files import write_atomically
from core.pdf.fonts import common_looks
from core.pdf.page import numbered_pages, render_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.pdf.page import Page


def write(
    pages: Sequence[Page],
    title: str,
    target: Path,
    *,
    folded: bool = False,
    tell: Callable[[int], None] | None = None,
) -> None:
    """Write all pages to `target`, atomically; `tell` is a callback with the number of finished pages.

    `folded` changes nothing: browsers print pages in the order of reading, and fold booklets by themselves.
    """
    del folded
    write_atomically(target, _document(pages, title))
    if tell:
        tell(sum(page.sides for page in pages))


def fitting(variants: Sequence[Page], title: str) -> bytes:
    """A single sheet: of its variants the middle one, since only the browser will see which fits."""
    return _document([that_fits(variants, title)], title)


def that_fits(variants: Sequence[Page], title: str) -> Page:
    """The middle one of these variants: only the browser will see which fits on one page."""
    del title
    return variants[len(variants) // 2]


def _document(pages: Sequence[Page], title: str) -> bytes:
    looks = common_looks(lambda name: static(f"fonts/{name}.woff2"))
    looks += "".join(dict.fromkeys(page.styles for page in pages))
    context = {
        "pages": render_pages(*numbered_pages(pages)),
        "title": title,
        "language": get_language(),
        "looks": mark_safe(looks),  # noqa: S308 - our own rules, and numbers
    }
    return render_to_string("paper/for_browsers.html", context).encode()
