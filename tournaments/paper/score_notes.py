"""What a line of a score sheet has no room for: corrections, penalties, pool, long remarks, in small print below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from core.pdf.fonts import ems, wrap
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import reason_words, signed
from tournaments.ledger.scoresheet import ScoreSheet, SheetLine, result_texts
from tournaments.ledger.seating import seating_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.models import Penalty, Report

# Notes on pages of their own, in lines so many em wide.
NOTE_EMS, NOTES_ALONE = 73.0, 66


@dataclass(frozen=True)
class Note:
    """A line of small print; `about` is said once, in bold, before its first line."""

    about: str
    text: str


def cells_of(sheet: ScoreSheet, line: SheetLine) -> dict[str, str]:
    """A line's cells with seats named by letter: short, and safe from whatever a name is made of."""
    report = line.report
    if report is None or report.result is None:
        return {}
    seating = seating_at(sheet.table, sheet.players, line.number, report.result.get("declarer"))
    return result_texts(
        sheet.rulebook, report.result, report.outcome, SEAT_LETTERS, seating=seating, on_paper=True
    )


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
        remark = cells_of(sheet, line).get("remark", "")
        said = [remark] if ems(remark) > room else []
        if line.report and (line.corrected or line.report.reason):
            said.append(_said_of(line.report, corrected=line.corrected))
        if said:
            yield Note(_("Deal %(number)d") % {"number": line.number}, "; ".join(said))


def _said_of(report: Report, *, corrected: bool) -> str:
    """Who corrected a deal, when and why."""
    at = date_format(localtime(report.recorded_at), "TIME_FORMAT")
    who = report.author or report.get_source_display()
    if report.result is None:
        text = _("taken back at %(time)s (%(who)s)")
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
