"""The rows of a season's ladder, as pages write them: of many evenings and players there are thousands of cells."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.hall.live import player_pages

if TYPE_CHECKING:
    from tournaments.hall.seasons import Cell, Shown

register = template.Library()


@register.simple_tag
def ladder_row(line: Shown, *, behind: bool = False, clubs: bool = False) -> SafeString:
    """A player's `<tr>` in a season's ladder; `behind`, without a place."""
    row = line.row
    css = ' class="behind"' if behind else ""
    place = "–" if behind else f"{row.line.rank}{'=' if row.line.shared else ''}"
    page = player_pages("hall_player")(row.code, row.number)
    note = escape(_("does not count"))
    return mark_safe(  # noqa: S308 - what is written is escaped
        f'<tr{css}><td class="rank">{place}</td>'
        f'<th scope="row" class="name"><a href="{page}">{escape(row.name)}</a></th>'
        f'<td class="total">{escape(line.total)}</td>{"".join([_cell(cell, note) for cell in line.cells])}'
        f'<td class="minor">{row.line.played}</td><td class="minor">{row.line.deals}</td>'
        + (f'<td class="words minor">{escape(row.club)}</td></tr>' if clubs else "</tr>")
    )


@lru_cache(maxsize=4096)
def _cell(cell: Cell, note: str) -> str:
    if not cell.dropped:
        return f"<td>{escape(cell.text)}</td>"
    return f'<td><s class="dropped">{escape(cell.text)}</s><span class="visually-hidden"> {note}</span></td>'
