"""A club's pages on paper: the year on one A4 page, and the page for the next organiser."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.utils.dates import MONTHS
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from core.pdf.fonts import plain, wrap
from core.pdf.page import Page
from core.pdf.store import kept_file
from tournaments.paper.page import POINT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from clubs.models import Club
    from tournaments.seasons.year import Due, YearDate


# Points, the largest that has room for everything; smaller ones are not legible for everybody.
SIZES = (11.0, 10.0, 9.0, 8.5, 8.0, 7.5, 7.0)
# Millimetres: the height of a column, its width, and what of it the day takes by point of size.
HEIGHT, WIDTH, DAY = 232.0, 84.0, 1.5
COLUMNS = 2
# Height of a line, and of a month's heading in lines.
LEADING, MONTH = 1.3, 1.8
STYLES = """
.year .columns { display: flex; gap: 5mm; }
.year .column { width: 84mm; }
.year h2 { margin: 0; border-bottom: .3mm solid #000; font-weight: bold; }
.year p { margin: 0; }
.year .on { display: flex; }
.year .day { white-space: nowrap; }
.year .more { margin-top: 1mm; font-size: 8pt; }
"""

Lines = list[dict[str, Any]]


def year_pdf(
    club: Club, year: int, dates: Sequence[YearDate], holidays: dict[date, tuple[str, str]], *,
    printed_at: datetime, asker: str = "",
) -> bytes:  # fmt: skip
    """The PDF: one page in the largest size that has room for all dates, or more in the smallest. Raises CannotMake."""
    occasion = {"host": plain(club.name), "printed_at": printed_at}
    size, columns = _set(dates, holidays)
    pages = [columns[start : start + COLUMNS] for start in range(0, len(columns), COLUMNS)] or [[]]
    made = [
        Page(
            "paper/year.html#year",
            name=str(year),
            css="ranking year",
            styles=STYLES,
            context={
                "occasion": occasion,
                "year": year,
                "columns": some,
                "size": size,
                "day_width": DAY * size,
                "leading": size * LEADING,
                "month_leading": size * LEADING * MONTH,
                "page": number,
                "continues": number < len(pages),
            },
        )
        for number, some in enumerate(pages, start=1)
    ]
    return kept_file(made, f"{club.name} {year}", printed_at=printed_at, asker=asker)


def _set(dates: Sequence[YearDate], holidays: dict[date, tuple[str, str]]) -> tuple[float, list[Lines]]:
    """The size in points, and the columns of lines in it."""
    columns: list[Lines] = []
    for size in SIZES:
        columns = _columns(_lines(dates, holidays, size), size)
        if len(columns) <= COLUMNS:
            break
    return size, columns


def _lines(dates: Sequence[YearDate], holidays: dict[date, tuple[str, str]], size: float) -> list[Lines]:
    """The lines of each date, with a month's heading above its first."""
    room = (WIDTH - DAY * size) / (size * POINT)
    found: list[Lines] = []
    for (_year, month), some in groupby(dates, key=lambda one: (one.day.year, one.day.month)):
        heading: Lines = [{"month": str(capfirst(MONTHS[month]))}]
        for day, there in groupby(some, key=lambda one: one.day):
            said = date_format(day, "D j")
            if day in holidays:
                name, countries = holidays[day]
                found.append([*heading, {"day": said, "text": f"{name} ({countries})", "is_holiday": True}])
                heading, said = [], ""
            for one in there:
                club = one.club if one.is_of_club else ""
                text = plain(" · ".join(filter(None, [one.text, club])))
                lines = [
                    {"day": said if first == 0 else "", "text": line}
                    for first, line in enumerate(wrap(text, room))
                ]
                found.append([*heading, *lines])
                heading, said = [], ""
    return found


def _columns(parts: Sequence[Lines], size: float) -> list[Lines]:
    """The lines in columns, those of one date together."""
    room = HEIGHT / (size * POINT * LEADING)
    columns: list[Lines] = []
    used = room
    for part in parts:
        height = sum(MONTH if "month" in line else 1 for line in part)
        if used + height > room:
            columns.append([])
            used = 0.0
        columns[-1] += part
        used += height
    return columns


HAND_OVER_STYLES = """
.hand-over h2 { font-size: 11pt; margin: 5mm 0 1.5mm; }
.hand-over > p, .hand-over td { font-size: 9.5pt; line-height: 1.35; overflow-wrap: anywhere; }
.hand-over > p { margin: 0 0 1mm; }
.hand-over table { border-collapse: collapse; width: 100%; }
.hand-over td { border-bottom: .12mm solid #000; padding: .8mm 1.2mm .8mm 0; text-align: left; }
.hand-over th { font-size: 8pt; text-align: left; border-bottom: .3mm solid #000; padding: 0; }
.hand-over .day { width: 34mm; white-space: nowrap; }
"""


# Ems in a line of text, and of what is due; millimetres of a line, of a heading, of a row of one line, of a page.
LINE_EMS, WHAT_EMS = 52.0, 41.0
LINE, HEADING, ROW, ROOM = 4.6, 11.0, 6.2, 235.0


def hand_over_pdf(
    club: Club,
    due: Sequence[Due],
    people: Mapping[str, Sequence[str]],
    notes: Sequence[tuple[str, str]],
    backup: Mapping[str, Any],
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The PDF: one page, or more where the notes need some of their own. Raises CannotMake.

    `people` are names by their role, `notes` titles with what was typed. Of what is `due` as much as the first page has
    room for is listed, with the number of the others.
    """
    title = _("Hand-over to the next organiser")
    occasion = {"host": plain(club.name), "printed_at": printed_at}
    said = [(role, plain(", ".join(names))) for role, names in people.items()]
    written = [
        (heading, [plain(line) for line in text.splitlines()]) for heading, text in notes if text.strip()
    ]
    # Two headings, the titles of the columns, and how many more there are.
    used = 2 * HEADING + 2 * ROW + sum(_hand_over_lines(f"{role}: {names}") for role, names in said) * LINE
    rows: list[tuple[date, str]] = []
    for one in due:
        used += ROW + (len(wrap(one.text, WHAT_EMS)) - 1) * LINE
        if used > ROOM and rows:
            break
        rows.append((one.day, plain(one.text)))
    parts: list[dict[str, Any]] = [
        {"shows_due": True, "due": rows, "more_due": len(due) - len(rows), "people": said, "notes": []}
    ]
    heights = [HEADING + sum(_hand_over_lines(line) for line in lines) * LINE for _heading, lines in written]
    heights.append(HEADING + (1 + _hand_over_lines(backup["journal"])) * LINE)
    fits = used + sum(heights) <= ROOM
    for place, height in enumerate(heights):
        if used + height > ROOM or (place == 0 and not fits):
            parts.append({"notes": []})
            used = 0.0
        used += height
        parts[-1]["notes"] += written[place : place + 1]
    parts[-1] |= {"shows_backup": True, **backup}
    pages = [
        Page(
            "paper/year.html#hand_over",
            name=title,
            css="ranking hand-over",
            styles=HAND_OVER_STYLES,
            context={"occasion": occasion, **part},
        )
        for part in parts
    ]
    return kept_file(pages, title, printed_at=printed_at, asker=asker)


def _hand_over_lines(text: str) -> int:
    return len(wrap(text, LINE_EMS))
