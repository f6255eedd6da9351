from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.pdf.text_tables import TextTable


@dataclass(frozen=True)
class Page:
    """One page. `name` is for the table of contents; `css` is its class, `styles` the rules it needs.

    `tables` are those that its <article> elements hold as lines of text, in their order; `sides` is how many sides of
    paper it takes.
    """

    template: str
    name: str
    context: Mapping[str, Any] = field(default_factory=dict)
    css: str = ""
    styles: str = ""
    tables: Sequence[TextTable] = ()
    sides: int = 1


def numbered_pages(pages: Sequence[Page]) -> tuple[list[tuple[int, Page]], int]:
    """Each page with the number of its first side, and how many sides there are in all."""
    firsts = [*accumulate((page.sides for page in pages), initial=1)]
    return list(zip(firsts, pages, strict=False)), firsts[-1] - 1


def page_context(page: Page, number: int, of: int) -> dict[str, Any]:
    """The context of a page's template: `last_side` is the number of its last side."""
    numbers = {"number": number, "last_side": number + page.sides - 1, "of": of}
    return {**page.context, "css": page.css, **numbers}


def render_pages(numbered: Sequence[tuple[int, Page]], of: int) -> list[str]:
    """Pages as HTML, each with its number."""
    return [render_to_string(page.template, page_context(page, number, of)) for number, page in numbered]


def chunks(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
