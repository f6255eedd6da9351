"""A table's sheet as it was read from a photograph, and the page that shows it and is sent."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import SheetPicture
from tournaments.reporting.printed_sheets import keep, layout_of
from tournaments.reporting.reader.boxes import ALONE, PASSED
from tournaments.reporting.reader.layout import SheetName
from tournaments.reporting.reader.results import Box, Line, Reading, State
from tournaments.reporting.scans import stored

NOW = timezone.now()
SOLO = {"declarer": "1", "contract": "solo", "trump": "H", "result": "won"}
GAME = {"declarer": "2", "contract": "simple_game", "trump": "C", "result": "won"}
PASS = {ALONE: PASSED}


def ticks(layout, chosen, doubt):
    groups = {group.key: group.values for group in layout.groups}
    marked = [(key, value, State.TICK) for key, value in chosen.items()]
    marked += [(key, value, State.DOUBT) for key, value in doubt.items()]
    return tuple(
        Box(key, groups[key].index(value), state, 9.0, "faint" * (state is State.DOUBT), stored.NOWHERE)
        for key, value, state in marked
    )


def reading_of(table, lines, *, page=1, deals=None, fills=False):
    """A reading of the table's sheet: `lines` are (clear ticks, ticks in doubt), or the clear ones alone."""
    sheet = score_sheet(table)
    rows = [line for line in sheet.lines if deals is None or line.number in deals]
    layout = layout_of(sheet, page, rows)
    keep(sheet, layout, printed_at=NOW)
    told = [line if isinstance(line, tuple) else (line, {}) for line in lines]
    read = tuple(
        Line(
            row.number,
            bool(chosen) and not doubt,
            ticks(layout, chosen, doubt),
            chosen,
            "faint" * bool(doubt),
            stored.NOWHERE,
        )
        for row, (chosen, doubt) in zip(rows, told, strict=True)
    )
    name = SheetName(table.round.tournament.code, table.round.number, table.number, page, layout.code)
    return Reading(name, layout, read, 9.0, 0.0, fills=fills)


def picture_of(table, lines, *, name="1.jpg", **more):
    reading = reading_of(table, lines, **more)
    return SheetPicture.objects.create(
        tournament=table.round.tournament, table=table, file=name, sent_at=NOW, state="read",
        sheet=list(reading.sheet), reading=stored.to_json(reading) | {"asked": 0, "played": 0},
    )  # fmt: skip


def page_of(client, table, name="desk_paper_table"):
    return client.get(reverse(name, args=[table.round.tournament.code, table.round.number, table.number]))


def answers(page, **changed):
    """What the page is sent with: every line as it stands there, all looked through and said to be right."""
    context = page.context
    rows = [*context["asked"], *(row for _block, rows in context["blocks"] for row in rows)]
    sent = {
        "key": str(context["form"]["key"].value()),
        "seen": context["seen"],
        "pictures": context["picture_keys"],
    }
    sent |= {f"line-{row['line'].deal}": row["line"].typed.text for row in rows}
    sent |= {f"shown-{row['line'].deal}": row["one"].before for row in rows}
    sent |= {f"right-{row['line'].deal}": "on" for row in context["asked"]}
    sent |= {f"looked-{block.number}": "on" for block, _rows in context["blocks"]}
    return {name: value for name, value in (sent | changed).items() if value is not None}


def send(client, table, sent):
    place = [table.round.tournament.code, table.round.number, table.number]
    return client.post(reverse("desk_paper_table", args=place), sent)


def told(table):
    return {line.number: line.report.result for line in score_sheet(table).lines if line.reported}
