from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.template.loader import render_to_string

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.pdf.text_tables import TextTable


@dataclass(frozen=True)
class Page:
    """One page. `name` is for the table of contents; `css` is its class, `styles` the rules it needs.

    `tables` are those that its <article> elements hold as lines of text, in their order.
    """

    template: str
    name: str
    context: Mapping[str, Any] = field(default_factory=dict)
    css: str = ""
    styles: str = ""
    tables: Sequence[TextTable] = ()


def render_pages(numbered: Sequence[tuple[int, Page]], of: int) -> list[str]:
    """Pages as HTML, each with its number."""
    return [
        render_to_string(page.template, {**page.context, "css": page.css, "number": number, "of": of})
        for number, page in numbered
    ]


def chunks(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
