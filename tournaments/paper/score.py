"""Score sheets with their notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import segno
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from core.pdf.fonts import DISPLAY, cut, ems, wrap
from core.pdf.page import Page, chunks
from tournaments.changes.chain import short_head
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import reason_words, seated_in_words, signed
from tournaments.ledger.scoresheet import (
    COLUMNS,
    ScoreSheet,
    SeatLine,
    SheetLine,
    blank_sheet,
    score_sheet,
)
from tournaments.ledger.seating import penalties_at
from tournaments.paper.page import FILLED, POINT, Head, Occasion, heads, shares, size_for
from tournaments.paper.score_grid import CHARACTER, PAIR_AT, Grid, Row, stylesheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.models import Penalty, Report, Table


# What a line of a score sheet has no room for: corrections, penalties, pool, long remarks, in small print below.

# Notes on pages of their own, in lines so many em wide.
NOTE_EMS, NOTES_ALONE = 73.0, 66


@dataclass(frozen=True)
class Note:
    """A line of small print; `about` is a bold heading before its first line."""

    about: str
    text: str


def notes_of(sheet: ScoreSheet, penalties: Sequence[Penalty], room: float) -> Iterable[Note]:
    """Everything that a line of the sheet has no room for: its remark has `room` em."""
    table = sheet.table
    if not sheet.complete:
        count = _("%(done)d of %(deals)d deals reported.") % {
            "done": sheet.reported,
            "deals": table.deals,
        }
        yield Note(_("Not complete"), count)
    if table.ended_early_at:
        yield Note(_("Ended early"), table.ended_early_reason)
    for change in sheet.changes:
        yield Note(_("Changed"), change)
    for penalty in penalties:
        name = penalty.entry.shown_name if penalty.entry else ""
        who = f"{name} {signed(penalty.tokens)}"
        yield Note(
            who, _("%(reason)s (ruled by %(name)s)") % {"reason": penalty.reason, "name": penalty.ruled_by}
        )
    for gap in sheet.pool.gaps if sheet.pool else []:
        yield Note(_("Pool"), str(gap))
    for line in sheet.lines:
        said = [line.remark] if ems(line.remark) > room else []
        if line.report and (line.corrected or line.report.reason):
            said.append(_said_of(line.report, corrected=line.corrected))
        if said:
            yield Note(_("Deal %(number)d") % {"number": line.number}, "; ".join(said))


def _said_of(report: Report, *, corrected: bool) -> str:
    """The note on a corrected deal: account, time and reason."""
    at = date_format(localtime(report.recorded_at), "TIME_FORMAT")
    who = report.author or report.get_source_display()
    if report.result is None:
        text = _("undone at %(time)s (%(who)s)")
    elif corrected:
        text = _("corrected at %(time)s (%(who)s)")
    else:
        text = _("entered at %(time)s (%(who)s)")
    reason = reason_words(report.reason)
    said = text % {"time": at, "who": who}
    return f"{said}: {reason}" if reason else said


def in_lines(notes: Iterable[Note]) -> list[Note]:
    """Notes in lines of print."""
    return [
        Note(note.about if index == 0 else "", text)
        for note in notes
        for index, text in enumerate(wrap(note.text, NOTE_EMS - 1.1 * ems(note.about)))
    ]


# Score sheets of a table: blank, for the pencil, and filled, for the signatures.

MOST_DEALS = 40
LONGEST_NAME, LONGEST_MATCH = 80, 110
# Millimetres for a name in the list at the head, with and without the captain's QR code; its type in points.
LISTED, LISTED_ALONE, LISTED_SIZES = 53.0, 105.0, (11.0, 5.0)
# The largest where the lines are lower, by number of players.
LISTED_LARGEST = {5: 9.5}
# Millimetres for the name of the event and a match behind it, with and without the captain's QR code; its type.
EVENT, EVENT_ALONE, EVENT_SIZE = 134.0, 187.0, 12.0
# The same below the line for a signature, by number of players, and in a column's head next to the seat's letter.
SIGNED, SIGNED_SIZES = {2: 83.0, 3: 54.0, 4: 39.0, 5: 29.5}, (7.5, 4.5)
BESIDE_LETTER = 5.0
HEAD_LINES = ("only", "upper", "lower")
# Maximum overhang of a heading over its neighbours' lines, and its sizes.
OVERHANG, HEADING_SIZES = 0.9, (7.0, 5.0)
# Millimetres: what the lines of one page, its totals and its notes share; a line of totals, and one of notes.
ROOM, FOOT, NOTE = 219.0, 6.6, 3.4
# The lowest line of a deal, and the tallest on a sheet for the pencil and on a filled one.
LEAST, TALLEST_BLANK, TALLEST = 4.2, 20.0, 14.0


@dataclass(frozen=True)
class Sitter:
    """A seat with its player's name in the sizes that its places have room for, in points."""

    seat: SeatLine
    name: str
    listed: float
    signed: float
    head: Head
    # Millimetres for each of them.
    listed_room: float
    signed_room: float

    @property
    def letter(self) -> str:
        return self.seat.letter

    @property
    def agreed(self) -> str:
        """When the player confirmed the sheet on the phone; "" where not."""
        if self.seat.agreed_at is None:
            return ""
        at = date_format(localtime(self.seat.agreed_at), "TIME_FORMAT")
        return _("confirmed on the phone at %(time)s") % {"time": at}

    @property
    def agreed_size(self) -> float:
        return size_for(self.agreed, self.signed_room, *SIGNED_SIZES)

    @property
    def head_lines(self) -> list[tuple[str, str]]:
        """The name above the column in each place that it can have, with the place's CSS class; "" where it is not."""
        lines = self.head.lines
        return [*zip(HEAD_LINES, ("", *lines) if len(lines) > 1 else (*lines, "", ""), strict=True)]


def blank_pages(table: Table, occasion: Occasion, base_url: str) -> list[Page]:
    """A table's sheet to write on, with the captain's way in; `base_url` begins its address."""
    sheet = blank_sheet(table)
    link = base_url + reverse("captain", args=[table.secret])
    context = {
        "link": segno.make(link, error="m", micro=False).svg_data_uri(border=0, scale=2, nl=False),
        "code": table.code,
        "code_address": (base_url + reverse("captain_code")).partition("://")[2].rstrip("/"),
    }
    pages = []
    for part, is_last in _parts(table):
        labels = _labels(sheet) if is_last else [_("Carried forward")]
        grid = _grid(sheet, part, len(labels), ROOM, TALLEST_BLANK, with_check=sheet.pool is None)
        rows = [Row({"number": str(line.number)} | _who(line)) for line in _deals(sheet, part)]
        if grid.brought_forward:
            rows.insert(0, Row(label=_("Brought forward")))
        feet = [Row(label=label) for label in labels]
        pages.append(_page(sheet, occasion, grid, rows, feet, context | {"is_last": is_last}))
    return pages


def _labels(sheet: ScoreSheet) -> list[str]:
    """The labels of the sums below the deals."""
    if sheet.side_totals:  # a penalty does not count in a match, whose sides are added up in its place
        labels = [_("Total"), _("A + C, B + D")]
    else:
        labels = [_("Total"), _("Penalties"), _("To the standings")]
    return [*labels, _("Left in the pool")] if sheet.pool else labels


def filled_pages(table: Table, occasion: Occasion) -> list[Page]:
    """A table's sheet as reported until now: every deal, running totals, what was corrected, room to sign."""
    sheet = score_sheet(table, on_paper=True)
    penalties = penalties_at(table) if occasion.has_penalties else []
    remark = _grid(sheet, (0, 1), 1, ROOM, TALLEST).room("remark")
    notes = in_lines(notes_of(sheet, penalties, remark))
    feet_of_last = _feet(sheet, penalties)
    last, _is_last = _parts(table)[-1]
    lowest = LEAST * (last[1] + (last[0] > 0)) + FOOT * len(feet_of_last)
    below, alone = (notes, []) if lowest + NOTE * len(notes) <= ROOM else ([], chunks(notes, NOTES_ALONE))
    pages = []
    for part, is_last in _parts(table):
        feet = feet_of_last if is_last else [_carried(sheet, part[0] + part[1], _("Carried forward"))]
        room = ROOM - NOTE * len(below) * is_last
        grid = _grid(sheet, part, len(feet), room, TALLEST)
        rows = [_filled_row(line) for line in _deals(sheet, part)]
        if grid.brought_forward:
            rows.insert(0, _carried(sheet, part[0], _("Brought forward")))
        context = {
            "is_last": is_last,
            "is_filled": True,
            "has_notes": any(line.corrected for line in sheet.lines),
            "notes": below if is_last else [],
        }
        pages.append(_page(sheet, occasion, grid, rows, feet, context))
    return pages + [_notes_page(sheet, occasion, lines) for lines in alone]


def page_count(table: Table) -> int:
    """The number of pages of a table's sheet, without overflowing notes."""
    return len(shares(table.deals, MOST_DEALS))


def _parts(table: Table) -> list[tuple[tuple[int, int], bool]]:
    """Each page's (first deal from 0, deals), and whether it is the table's last."""
    parts = shares(table.deals, MOST_DEALS)
    return [(part, part is parts[-1]) for part in parts]


def _deals(sheet: ScoreSheet, part: tuple[int, int]) -> Sequence[SheetLine]:
    return sheet.lines[part[0] : part[0] + part[1]]


def _grid(
    sheet: ScoreSheet,
    part: tuple[int, int],
    feet: int,
    room: float,
    tallest: float,
    *,
    with_check: bool = False,
) -> Grid:
    """The grid of a page on which lines and totals share `room`: they grow until it is full, or `tallest`."""
    first, deals = part
    lines = _deals(sheet, part)
    return Grid(
        players=sheet.players,
        first=first + 1,
        dealers=tuple(line.dealer for line in lines),
        sits_out=tuple(line.sits_out for line in lines),
        row=min(tallest, (room - feet * FOOT) / (deals + (first > 0))),
        feet=feet,
        foot=FOOT,
        with_pool=sheet.pool is not None,
        with_folders=sheet.with_folders,
        with_check=with_check,
        with_dashes=with_check and is_idle(sheet),
    )


def is_idle(sheet: ScoreSheet) -> bool:
    """Whether there is never anything to write for who sits out."""
    rulebook = sheet.rulebook
    plays = any(contract.by_fourth or contract.fourth_joins for contract in rulebook.contracts)
    return not (plays or rulebook.house.idle_settles or sheet.table.round.tournament.hands_taken_over)


def headings(grid: Grid) -> list[tuple[str, str, float]]:
    """(key, heading, size in points) of each column before the players'. Words may be stacked, and may slightly
    overhang the neighbouring lines.
    """
    told = []
    for key, _left, width in grid.columns():
        heading = next(str(column.title) for column in COLUMNS if column.key == key)
        widest = max(heading.split(), key=ems) if key == "sits_out" else heading
        told.append((key, heading, size_for(widest, width + OVERHANG, *HEADING_SIZES)))
    return told


def _page(
    sheet: ScoreSheet,
    occasion: Occasion,
    grid: Grid,
    rows: list[Row],
    feet: list[Row],
    context: dict[str, Any],
) -> Page:
    here = (grid.first, grid.first + grid.deals - 1)
    layers = {
        "subheadings": grid.subheadings("+/−", _("total")),
        "light": grid.light(rows),
        "discs": grid.discs(rows),
        "heavy": grid.heavy(rows),
        "light_feet": grid.light(feet),
        "heavy_feet": grid.heavy(feet),
    }
    nought = grid.nought() if grid.with_check and context["is_last"] else None
    return Page(
        "paper/score.html#score",
        name=_("Table %(number)d") % {"number": sheet.table.number},
        css=f"score {grid.name}",
        styles=stylesheet(grid),
        context=context
        | layers
        | {
            "occasion": occasion,
            # Once deals are reported the table's own, which its players sign.
            "head": "" if "link" in context else short_head(sheet.table.last_hash),
            "table": sheet.table,
            "seats": _seats(sheet, LISTED if "link" in context else LISTED_ALONE),
            "seated": seated_in_words(sheet.rulebook),
            "match": cut(str(sheet.table.match), LONGEST_MATCH) if sheet.table.match else "",
            "match_room": match_room(occasion, EVENT if "link" in context else EVENT_ALONE),
            "taken_over": sheet.table.round.tournament.hands_taken_over,
            "counts_estuches": sheet.rulebook.house.counts_estuches and sheet.rulebook.pool,
            "deals_here": here if grid.deals < sheet.table.deals else None,
            "headings": headings(grid),
            "with_check": grid.with_check,
            "nought": nought,
        },
        tables=[grid.table(layers, nought)],
        has_slots=True,
    )


def match_room(occasion: Occasion, width: float, size: float = EVENT_SIZE) -> float:
    """Millimetres for a match behind the name of its event, which have this width; the name's type in points."""
    return round(FILLED * (width - size * POINT * ems(f"{occasion.tournament} ", DISPLAY)), 1)


def _seats(sheet: ScoreSheet, room: float) -> list[Sitter]:
    """The seats with names that paper can take, `room` millimetres for each in the list."""
    names = [cut(seat.name, LONGEST_NAME) for seat in sheet.seats]
    largest, least = LISTED_SIZES
    largest = LISTED_LARGEST.get(sheet.players, largest)
    column = sum(PAIR_AT[sheet.players]) * CHARACTER - BESIDE_LETTER
    return [
        Sitter(
            seat,
            name,
            size_for(name, room, largest, least),
            size_for(name, SIGNED[sheet.players], *SIGNED_SIZES),
            head,
            room,
            SIGNED[sheet.players],
        )
        for seat, name, head in zip(sheet.seats, names, heads(names, column), strict=True)
    ]


def _who(line: SheetLine) -> dict[str, str]:
    sits_out = SEAT_LETTERS[line.sits_out] if line.sits_out is not None else ""
    return {"folder": str(line.folder or ""), "dealer": SEAT_LETTERS[line.dealer], "sits_out": sits_out}


def _filled_row(line: SheetLine) -> Row:
    number = f"*{line.number}" if line.corrected else str(line.number)
    if not line.reported:
        return Row({"number": number} | _who(line))
    texts = {
        "declarer": SEAT_LETTERS[line.declarer] if line.declarer is not None else "",
        "pool": "" if line.pool is None else str(line.pool),
        "contract": line.contract,
        "trump": line.trump,
        "result": line.result,
        "remark": line.remark,
    }
    # Who sits out and neither pays nor gets has an empty cell, as on the blank sheet.
    idle = [position == line.sits_out and not tokens for position, tokens in enumerate(line.tokens)]
    return Row(
        {"number": number} | _who(line) | texts,
        tokens=["" if out else signed(tokens) for out, tokens in zip(idle, line.tokens, strict=True)],
        running=[signed(total) for total in line.running],
    )


def _carried(sheet: ScoreSheet, deals: int, label: str) -> Row:
    """The totals after some deals."""
    tokens = [line.tokens for line in sheet.lines[:deals] if line.reported]
    totals = [sum(amounts) for amounts in zip(*tokens, strict=True)] or [0] * sheet.players
    return Row(running=[signed(total) for total in totals], label=label)


def _feet(sheet: ScoreSheet, penalties: Sequence[Penalty]) -> list[Row]:
    """The totals at the table; where there are penalties, these too and what comes of both."""
    totals = _carried(sheet, len(sheet.lines), _("Total"))
    pool = (
        [Row({}, label=_("Left in the pool: %(tokens)d") % {"tokens": sheet.pool.remaining})]
        if sheet.pool
        else []
    )
    if sheet.side_totals:
        pool = [Row(label=_("A + C, B + D"), running=list(map(signed, sheet.side_totals))), *pool]
    seated = {seat.entry.pk for seat in sheet.seats}
    if not any(penalty.entry_id in seated for penalty in penalties):
        return [totals, *pool]  # who left has no column: theirs is among the notes
    ruled = [
        sum(penalty.tokens for penalty in penalties if penalty.entry_id == seat.entry.pk)
        for seat in sheet.seats
    ]
    together = [total + tokens for total, tokens in zip(sheet.totals, ruled, strict=True)]
    return [
        totals,
        Row(running=[signed(tokens) for tokens in ruled], label=_("Penalties")),
        Row(running=[signed(tokens) for tokens in together], label=_("Total with penalties")),
        *pool,
    ]


def _notes_page(sheet: ScoreSheet, occasion: Occasion, lines: Sequence[Note]) -> Page:
    table = sheet.table
    return Page(
        "paper/score.html#notes",
        name=_("Table %(number)d, notes") % {"number": table.number},
        css="score",
        context={"occasion": occasion, "table": table, "seats": _seats(sheet, LISTED_ALONE), "notes": lines},
    )
