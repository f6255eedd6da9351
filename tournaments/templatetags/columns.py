"""The head and the rows of standings, as pages write them: see `standings/columns.py`."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeVar

from django import template
from django.utils.safestring import SafeString, mark_safe

from tournaments.standings.columns import Column

register = template.Library()
Line = TypeVar("Line")
Whole = TypeVar("Whole")


@register.simple_tag
def headings(columns: Iterable[Column[Line, Whole]], whole: Whole, element: str = "") -> SafeString:
    """A `<th>` for each column, or another element."""
    name, start = element or "th", f"<{element}" if element else '<th scope="col"'
    return _joined(
        f"{start}{_classes(column.classes)}>{escape(str(column.heading))}{_note(column, whole)}</{name}>"
        for column in columns
    )


@register.simple_tag
def cells(
    columns: Iterable[Column[Line, Whole]], line: Line, element: str = "td", css: str = ""
) -> SafeString:
    """A `<td>`, or another element, for each column; all at once, since a thousand rows have ten thousand."""
    return _joined(
        f"<{element}{_classes(css, column.classes)}>{escape(column.written(line))}</{element}>"
        for column in columns
    )


def _classes(*names: str) -> str:
    classes = " ".join(filter(None, names))
    return f' class="{classes}"' if classes else ""


def _note(column: Column[Line, Whole], whole: Whole) -> str:
    note = column.note(whole)
    return f" <small>{escape(note)}</small>" if note else ""


def _joined(elements: Iterable[str]) -> SafeString:
    return mark_safe("".join(elements))  # noqa: S308 - what is written is escaped, and classes are our own
