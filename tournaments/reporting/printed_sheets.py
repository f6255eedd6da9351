"""Printed sheets: which boxes they have, and the codes on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from scoring.words import BONUS_NAMES
from tournaments.domain.terms import SUIT_SIGNS, contract_name, patch_name
from tournaments.models import PrintedList, PrintedSheet
from tournaments.reporting.reader import boxes
from tournaments.reporting.reader.boxes import groups_of, without_box
from tournaments.reporting.reader.layout import Layout, Row, read_layout
from tournaments.reporting.reader.results import is_list

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from scoring.rulebook import Rulebook
    from tournaments.ledger.scoresheet import ScoreSheet, SheetLine
    from tournaments.models import Tournament
    from tournaments.reporting.reader.layout import SheetName


# Layouts of printed sheets with tick boxes: computed from the table, and stored with it.


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
    """A list's layout, for `reader.read`; None for a list that was not printed here.

    Raises UnknownLayout for an unknown format version.
    """
    kept = PrintedList.objects.filter(code=name.layout, tournament__code=name.tournament).first()
    return read_layout(kept.layout) if kept and is_list(name) else None


# Labels of the boxes of a sheet: on paper, and next to its picture.


def box_name(rulebook: Rulebook, key: str, value: str) -> str:
    """A box of a group that is not of players, in the reader's words."""
    if value in SUIT_SIGNS and key == boxes.TRUMP:
        return SUIT_SIGNS[value]
    if key == boxes.CONTRACT:
        return contract_name(value)
    if key == boxes.BID:
        return _("bid: %(bid)s") % {"bid": _(BONUS_NAMES[value])}
    own = {
        boxes.SANS: _("no trump"),
        boxes.PASSED: _("all passed"),
        boxes.NOTE: _("see note"),
        "tout_won": _("tout won"),
        "tout_failed": _("tout failed"),
    }
    name = own.get(value) or patch_name(rulebook, value)
    return name[:1].upper() + name[1:]
