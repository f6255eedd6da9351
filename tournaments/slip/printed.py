"""Sheets to be ticked as they are printed: their layouts, made from the table as it is and kept with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.models import PrintedList, PrintedSheet
from tournaments.slip.reading.boxes import groups_of, without_box
from tournaments.slip.reading.geometry import Layout, Row, read_layout
from tournaments.slip.reading.people import is_list

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tournaments.ledger.scoresheet import ScoreSheet, SheetLine
    from tournaments.models import Tournament
    from tournaments.slip.reading.geometry import SheetName


def layout_of(sheet: ScoreSheet, page: int, lines: Sequence[SheetLine]) -> Layout:
    """The layout of a page for some of a table's deals."""
    rulebook, players = sheet.rulebook, sheet.players
    return Layout(
        tuple(seat.number for seat in sheet.seats),
        page,
        groups_of(rulebook, players),
        tuple(Row(line.number, line.dealer, without_box(rulebook, players, line.sits_out)) for line in lines),
    )


def keep(sheet: ScoreSheet, layout: Layout, *, printed_at: datetime) -> None:
    """Keep what is printed, once, with the table."""
    PrintedSheet.objects.get_or_create(
        table=sheet.table,
        code=layout.code,
        defaults={"page": layout.page, "layout": layout.to_json(), "printed_at": printed_at},
    )


def keep_list(tournament: Tournament, layout: Layout, *, printed_at: datetime) -> None:
    """Keep a page of the list for the door, once."""
    PrintedList.objects.get_or_create(
        tournament=tournament,
        code=layout.code,
        defaults={"page": layout.page, "layout": layout.to_json(), "printed_at": printed_at},
    )


def printed_list(name: SheetName) -> Layout | None:
    """What `reader.read` asks for a list's layout; None for one that was not printed here.

    Raises UnknownLayout for one that is written in no known way.
    """
    kept = PrintedList.objects.filter(code=name.layout, tournament__code=name.tournament).first()
    return read_layout(kept.layout) if kept and is_list(name) else None
