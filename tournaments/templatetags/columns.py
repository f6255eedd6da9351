"""The head and the rows of standings, as pages write them: see `standings/columns.py`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Protocol, TypeVar

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.standings.columns import DOWN, MISSING, UP, Column, On
from tournaments.standings.rows import Row
from tournaments.words.terms import MINUS

if TYPE_CHECKING:
    from tournaments.hall.standings import Line as PlayerLine

register = template.Library()
Line = TypeVar("Line")
Whole = TypeVar("Whole")
MEDALS = (1, 2, 3)  # gold, silver and bronze
TONES = {MINUS: "minus", UP: "up", DOWN: "down"}


class Placed(Protocol):
    """A player's or a team's line in standings."""

    @property
    def rank(self) -> int: ...

    @property
    def shared(self) -> bool: ...

    @property
    def played(self) -> bool | int | list[int]: ...


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
    return _joined(_cell(element, css, column.classes, column.written(line)) for column in columns)


@register.simple_tag
def player_row(columns: Iterable[Column[Row, Whole]], line: PlayerLine) -> SafeString:
    """A player's `<tr>`; in Python, since a page of a thousand players is drawn anew for every deal."""
    css = "line-below" if line.last_to_go_on else ""
    goes_on = withdrawn = ""  # words are looked up for those of whom they are said
    if line.goes_on:
        said = escape(_("goes on"))
        goes_on = f' <small class="goes-on">✓ {said}</small>'
    if line.row.withdrawn:
        said = escape(_("withdrawn"))
        withdrawn = f" <small>{said}</small>"
    return mark_safe(  # noqa: S308 - what is written is escaped
        f'<tr{_classes(css)}{next_said(line.next)}><td class="rank">{place(line.row, line.place)}</td>'
        '<th scope="row" class="name">'
        f'<a href="{line.address}">{escape(line.row.name)}</a>{goes_on}{withdrawn}{under_name(columns, line.row)}</th>'
        f"{cells(columns, line.row)}</tr>"
    )


@register.simple_tag
def under_name(columns: Iterable[Column[Line, Whole]], line: Line) -> SafeString:
    """What a phone has no columns for, as a second line below the name."""
    said = (_said(column, column.written(line)) for column in columns if On.UNDER_NAME in column.on)
    text = " · ".join(filter(None, said))
    return mark_safe(f'<small class="under">{text}</small>' if text else "")  # noqa: S308 - escaped


@register.simple_tag
def next_said(said: str) -> SafeString:
    """Where the row's player or team sits next, as an attribute that `static/js/mine.js` reads."""
    return mark_safe(f' data-next="{escape(said)}"' if said else "")  # noqa: S308 - escaped


@register.simple_tag
def place(row: Placed, said: str = "") -> SafeString:
    """A place as it is written; the first three on a disc, once somebody there has played."""
    written = said or f"{row.rank}{'=' if row.shared else ''}"
    if row.rank not in MEDALS or not row.played:
        return mark_safe(escape(written))  # noqa: S308 - escaped
    return mark_safe(f'<span class="place p{row.rank}">{escape(written)}</span>')  # noqa: S308 - escaped


@lru_cache(maxsize=4096)
def _cell(element: str, css: str, classes: str, text: str) -> str:
    """One cell; a thousand rows say the same numbers again and again. What is below zero is so by its colour too."""
    return f"<{element}{_classes(css, classes, TONES.get(text[:1], ''))}>{escape(text)}</{element}>"


def _said(column: Column[Line, Whole], text: str) -> str:
    """A cell with its heading, in one piece; words say of themselves what they are."""
    if text in ("", MISSING):
        return ""
    return (
        escape(text)
        if column.css == "words"
        else escape(f"{column.short or column.heading}\N{NO-BREAK SPACE}{text}")
    )


def _classes(*names: str) -> str:
    classes = " ".join(filter(None, names))
    return f' class="{classes}"' if classes else ""


def _note(column: Column[Line, Whole], whole: Whole) -> str:
    note = column.note(whole)
    return f" <small>{escape(note)}</small>" if note else ""


def _joined(elements: Iterable[str]) -> SafeString:
    return mark_safe("".join(elements))  # noqa: S308 - what is written is escaped, and classes are our own
