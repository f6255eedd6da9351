"""A season's ladder on paper: as many evenings side by side as a page has room for, then the next page."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

from django.utils.translation import gettext as _

from tournaments.in_words.seasons import days_of, season_in_words
from tournaments.sheets.jobs import NO_PANGO, CannotMake
from tournaments.sheets.pages import Page, chunks
from tournaments.sheets.text import plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tournaments.models import Award, Season
    from tournaments.seasons import Placed, SeasonTable

ROWS_A_PAGE = 34
# By how long the longest text of an evening is.
EVENINGS_A_PAGE = {6: 11, 9: 8}


class ShownCell(Protocol):
    """An evening's text in a line; dropped where it does not count."""

    @property
    def text(self) -> str: ...
    @property
    def dropped(self) -> bool: ...


class ShownLine(Protocol):
    """A player's line in words."""

    @property
    def row(self) -> Placed: ...
    @property
    def total(self) -> str: ...
    @property
    def cells(self) -> Sequence[ShownCell]: ...


def season_pdf(
    season: Season,
    table: SeasonTable,
    lines: Sequence[ShownLine],
    awards: Sequence[tuple[Award, str]],
    *,
    printed_at: datetime,
) -> bytes:
    """The file. Raises CannotMake."""
    try:
        from tournaments.sheets import pdf  # noqa: PLC0415 - loads the system's libraries, which may be missing
    except OSError as problem:
        raise CannotMake(NO_PANGO) from problem
    occasion = {
        "tournament": plain(season.name),
        "host": plain(season.host.name),
        "starts": season.starts,
        "ends": season.ends,
        "printed_at": printed_at,
    }
    longest = max((len(cell.text) + 2 * cell.dropped for line in lines for cell in line.cells), default=0)
    room = next((room for room in EVENINGS_A_PAGE if longest <= room), max(EVENINGS_A_PAGE))
    columns: Sequence[Sequence[int]] = chunks(range(len(table.evenings)), EVENINGS_A_PAGE[room]) or [range(0)]
    days = days_of([evening.date for evening in table.evenings])
    clubs = len({row.club for row in table.rows}) > 1
    parts = [(some, part) for some in columns for part in chunks(lines, ROWS_A_PAGE) or [[]]]
    pages = [
        Page(
            "sheets/_season.html",
            name=_("Ladder"),
            css=f"ranking season room-{room}",
            context={
                "occasion": occasion,
                "evenings": [days[index] for index in some],
                "lines": [_line(line, some, with_club=clubs) for line in part],
                "is_last": number == len(parts),
                "said": season_in_words(season),
                "awards": [(plain(award.title), plain(name), plain(award.words)) for award, name in awards],
                "provisional": table.provisional,
                "has_dropped": table.has_dropped,
            },
        )
        for number, (some, part) in enumerate(parts, start=1)
    ]
    with TemporaryDirectory() as folder:
        target = Path(folder, "ladder.pdf")
        pdf.write(pages, f"{_('Ladder')}, {season.name}", target)
        return target.read_bytes()


def _line(line: ShownLine, columns: Sequence[int], *, with_club: bool) -> dict[str, Any]:
    place = line.row.line
    rank = f"{place.rank}=" if place.shared else str(place.rank)
    return {
        "rank": rank if place.rank else "–",
        "name": plain(line.row.name),
        "club": plain(line.row.club) if with_club else "",
        "total": line.total,
        "played": place.played,
        "cells": [line.cells[index] for index in columns],
    }
