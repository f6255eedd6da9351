from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.pdf.text_tables import TextTable

# A slot (`core.pdf.forms`) without a text, with the element of its line.
_EMPTY_SLOT = re.compile(
    r'(<span class="own-line[^>]*>)?<([a-z0-9]+)[^>]* data-stamp="[^>]*></\2>(?(1)</span>)'
)


@dataclass(frozen=True)
class Page:
    """One page. `name` is for the table of contents; `css` is its class, `styles` the rules it needs.

    `tables` are those that its <article> elements hold as lines of text, in their order; `sides` is how many sides of
    paper it takes. With `has_slots` it is written from a form where there are more like it (`core.pdf.forms`).
    """

    template: str
    name: str
    context: Mapping[str, Any] = field(default_factory=dict)
    css: str = ""
    styles: str = ""
    tables: Sequence[TextTable] = ()
    sides: int = 1
    has_slots: bool = False


def numbered_pages(pages: Sequence[Page]) -> tuple[list[tuple[int, Page]], int]:
    """Each page with the number of its first side, and how many sides there are in all."""
    firsts = [*accumulate((page.sides for page in pages), initial=1)]
    return list(zip(firsts, pages, strict=False)), firsts[-1] - 1


def page_context(page: Page, number: int, of: int) -> dict[str, Any]:
    """The context of a page's template: `last_side` is the number of its last side."""
    numbers = {"number": number, "last_side": number + page.sides - 1, "of": of}
    return {**page.context, "css": page.css, **numbers}


def render_pages(numbered: Sequence[tuple[int, Page]], of: int) -> list[str]:
    """Pages as HTML, each with its number; without the elements of slots that have no text."""
    rendered = (render_to_string(page.template, page_context(page, number, of)) for number, page in numbered)
    return [mark_safe(_EMPTY_SLOT.sub("", html)) for html in rendered]  # noqa: S308 - rendered, less some elements


def chunks(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
