"""A line of a read table as its page shows it: in words, with its pieces of the paper and what is marked on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from tournaments.domain.formats import SEAT_LETTERS
from tournaments.ledger.scoresheet import result_sentence
from tournaments.slip.box_names import box_name
from tournaments.slip.photographed.pieces import SCALE, WIDTH, across, size_of
from tournaments.slip.photographed.words import WHY_ASKED
from tournaments.slip.reading.boxes import DECLARER, ESTUCHES, PARTNER
from tournaments.slip.reading.geometry import BOX, EDGE
from tournaments.slip.reading.results import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoring.rulebook import Rulebook
    from tournaments.ledger.scoresheet import ScoreSheet
    from tournaments.models import SheetPicture
    from tournaments.slip.photographed.checking import Checked
    from tournaments.slip.photographed.merging import Seen
    from tournaments.slip.reading.geometry import Group, Layout
    from tournaments.slip.reading.results import Box

# What is written beside the boxes says something of a line that is asked for this.
BESIDE = ("note", "stray", "rare")
# Pixels of the piece: below it its boxes are named, in rows so high and letters about so wide; the frame around a box.
NAMES, LETTER = 28, 13
MARKED = round(BOX * SCALE) + 8
# Millimetres that are shown beside the last box.
MARGIN = 3.0


def row_of(sheet: ScoreSheet, one: Checked, pieces_at: Callable[[SheetPicture], str]) -> dict[str, Any]:
    line, merged = one.line, one.merged
    seats, nothing = sheet.seats, ("",) * sheet.players
    stands = ""
    if merged.differs:
        report = next(there.report for there in sheet.lines if there.number == line.deal)
        stands = result_sentence(sheet.rulebook, report, sheet.names) if report else ""
    why = WHY_ASKED.get(merged.why, WHY_ASKED["unclear"])
    return {
        "line": line,
        "one": one,
        "merged": merged,
        "folder": sheet.table.folder_of(line.deal),
        "dealer": seats[line.dealer],
        "sits_out": None if line.sits_out is None else seats[line.sits_out],
        "amounts": list(zip(seats, line.tokens or nothing, line.running or nothing, strict=True)),
        "why": _(why) if merged.why else "",
        "stands": stands,
        # Totals are compared where people write them: after ten deals, and at the foot.
        "totals": line.deal % 10 == 0 or line.deal == len(sheet.lines) or bool(line.typed.paper),
        "pieces": [_piece(sheet.rulebook, seen, pieces_at) for seen in merged.on],
    }


def _piece(rulebook: Rulebook, seen: Seen, pieces_at: Callable[[SheetPicture], str]) -> dict[str, Any]:
    layout = seen.read.reading.layout
    size = size_of(layout)
    is_wide = seen.line.why in BESIDE
    width = WIDTH if is_wide else min(WIDTH, round((layout.right + MARGIN - EDGE) * SCALE))
    marks = _marks(rulebook, layout, seen, size.height, width)
    rows = 1 + max((mark["row"] for mark in marks), default=0)
    return {
        "address": pieces_at(seen.read.picture),
        "is_there": seen.read.picture.is_there,
        "is_wide": is_wide,
        "top": seen.row * size.height,
        "width": width,
        "height": size.height,
        "whole": size.height + NAMES * rows + 4,
        "all_width": size.width,
        "all_height": size.of_all,
        "marks": marks,
    }


def _marks(rulebook: Rulebook, layout: Layout, seen: Seen, height: int, width: int) -> list[dict[str, Any]]:
    """The frames around boxes that are ticked, or may be, with their names below: in as many rows as they need."""
    ends: list[float] = []
    marks = []
    for box in seen.line.line.boxes:
        if box.state not in (State.TICK, State.DOUBT):
            continue
        column = _column(layout, box)
        in_doubt = box.state is State.DOUBT
        name = _name(rulebook, layout.groups[layout.columns[column][0]], box.index) + "?" * in_doubt
        middle, half = across(layout, column), len(name) * LETTER / 2 + 4
        at = min(max(middle, half), width - half)
        row = next((row for row, end in enumerate(ends) if end <= at - half), len(ends))
        ends[row : row + 1] = [at + half]
        marks.append(
            {
                "left": round(middle - MARKED / 2),
                "top": round((height - MARKED) / 2),
                "side": MARKED,
                "at": round(at),
                "foot": height + NAMES * (row + 1) - 6,
                "row": row,
                "name": name,
                "in_doubt": in_doubt,
            }
        )
    return marks


def _column(layout: Layout, box: Box) -> int:
    return next(
        column
        for column, (group, index, _x) in enumerate(layout.columns)
        if layout.groups[group].key == box.group and index == box.index
    )


def _name(rulebook: Rulebook, group: Group, index: int) -> str:
    value = group.values[index]
    if group.key in (DECLARER, PARTNER):
        return SEAT_LETTERS[int(value)]
    return value if group.key == ESTUCHES else box_name(rulebook, group.key, value)
