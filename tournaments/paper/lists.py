"""Lists of a union and its championships as PDF: points lists, clubs by their best, who qualified."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from core.pdf.fonts import plain, wrap
from core.pdf.page import Page, chunks
from core.pdf.store import kept_file, refuse_many_cells
from tournaments.domain.terms import people
from tournaments.paper.page import packed, size_for, sizes_for
from tournaments.people.points_lists import points_column, total_points_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date, datetime

    from tournaments.models import PublishedList, Stage
    from tournaments.people.points_lists import ShownRow
    from tournaments.seasons.quotas import Person, QualifiedTable, ShownQuota


ROWS_A_PAGE, CELLS = 38, 6
# Width of a name and of a club in millimetres, and of a line of words in ems.
NAME, CLUB, LINE_EMS = 62.0, 52.0, 68.0
NAME_SIZES, CLUB_SIZES = (9.0, 6.0), (8.0, 5.5)
# Places that stand out by their ground, as in the final standings.
FIRST_PLACES = 3
# So many lines of words need the room of one row.
LINES_A_ROW = 1.5
TOO_LONG = gettext_noop("This list is too long to be made while you wait. Save it as a spreadsheet instead.")


def points_list_pdf(
    published: PublishedList,
    rows: Sequence[ShownRow],
    said: Sequence[str],
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The PDF, with the rule in words (`said`) at its end. Raises CannotMake."""
    refuse_many_cells(len(rows) * CELLS, TOO_LONG)
    occasion = {"host": plain(published.union.name), "date": published.day, "printed_at": printed_at}
    parts: list[list[ShownRow]] = [list(part) for part in chunks(rows, ROWS_A_PAGE)] or [[]]
    lines = iter(_lines(rows))
    rule = " ".join(said)
    if len(parts[-1]) + len(wrap(rule, LINE_EMS)) / LINES_A_ROW > ROWS_A_PAGE:
        parts.append([])
    pages = [
        Page(
            "paper/lists.html#points_list",
            name=_("Points list"),
            css="ranking season",
            context={
                "occasion": occasion,
                "lines": list(islice(lines, len(part))),
                "lead": lead_in_words(rows) if number == 1 else "",
                "said": rule if number == len(parts) else "",
            },
        )
        for number, part in enumerate(parts, start=1)
    ]
    return kept_file(pages, _("Points list"), printed_at=printed_at, asker=asker)


def lead_in_words(rows: Sequence[ShownRow]) -> str:
    """Who leads a points list, and by how much; "" for an empty one."""
    first = [row for row in rows if row.place == 1]
    if not first:
        return ""
    names, total = [plain(row.name) for row in first], total_points_text(first[0].points)
    behind = next((row.points for row in rows if row.place > 1), None)
    if len(first) > 1 or behind is None:
        said = ngettext(
            "%(names)s leads with %(total)s.", "%(names)s share the lead with %(total)s.", len(first)
        )
        return said % {"names": people(names), "total": total}
    said = _("%(name)s leads with %(total)s points, %(gap)s ahead of the next.")
    gap = total_points_text(first[0].points - behind)
    return said % {"name": names[0], "total": total, "gap": gap}


def _lines(rows: Sequence[ShownRow]) -> list[dict[str, Any]]:
    names, clubs = [plain(row.name) for row in rows], [plain(row.club.name) for row in rows]
    return [
        {
            "is_top": row.place <= FIRST_PLACES,
            "rank": f"{row.place}=" if row.shared else str(row.place),
            "name": name,
            "size": size,
            "club": club,
            "club_size": club_size,
            "points": points,
            "played": row.played,
            "before": row.before or "–",
        }
        for row, name, size, club, club_size, points in zip(
            rows,
            names,
            sizes_for(names, NAME, *NAME_SIZES),
            clubs,
            sizes_for(clubs, CLUB, *CLUB_SIZES),
            points_column([row.points for row in rows]),
            strict=True,
        )
    ]


CLUB_RANKING_ROWS_A_PAGE = 38
# Width of a club and of its players in millimetres.
CLUB_RANKING_CLUB, NAMES = 52.0, 96.0
CLUB_RANKING_CLUB_SIZES, CLUB_RANKING_NAME_SIZES = (9.0, 6.0), (8.0, 3.5)


def club_ranking_pdf(
    title: str,
    host: str,
    day: date,
    rows: Sequence[tuple[str, str, str, str]],
    said: str,
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The PDF of rows of place, club, players and total as texts. Raises CannotMake."""
    occasion = {"tournament": plain(title), "host": plain(host), "date": day, "printed_at": printed_at}
    lines = [
        {
            "place": place,
            "club": plain(club),
            "club_size": size_for(plain(club), CLUB_RANKING_CLUB, *CLUB_RANKING_CLUB_SIZES),
            "names": plain(names),
            "names_size": size_for(plain(names), NAMES, *CLUB_RANKING_NAME_SIZES),
            "total": total,
        }
        for place, club, names, total in rows
    ]
    pages = [
        Page(
            "paper/lists.html#club_ranking",
            name=_("Clubs by their best"),
            css="ranking season",
            context={"occasion": occasion, "lines": some, "said": said},
        )
        for some in list(chunks(lines, CLUB_RANKING_ROWS_A_PAGE)) or [[]]
    ]
    return kept_file(pages, title, printed_at=printed_at, asker=asker)


QUALIFIED_ROWS_A_PAGE = 33
# Millimetres: a page's height, a quota's heading, a row.
ROOM, HEADING, ROW = 240.0, 12.0, 6.0
# Width of a name and of a reason in millimetres.
QUALIFIED_NAME, WHY = 78.0, 90.0
QUALIFIED_NAME_SIZES, WHY_SIZES = (9.0, 6.0), (8.0, 5.0)


def qualified_pdf(stage: Stage, table: QualifiedTable, *, printed_at: datetime, asker: str = "") -> bytes:
    """The PDF: quota by quota who qualifies and why, who is next, and who does not take part. Raises CannotMake."""
    championship = stage.championship
    occasion = {
        "tournament": plain(f"{championship}: {stage}"),
        "host": plain(championship.host.name),
        "date": championship.date,
        "printed_at": printed_at,
    }
    parts = list(_parts(table))
    heights = [HEADING + ROW * (1 + len(part["lines"])) for part in parts]
    pages = [
        Page(
            "paper/lists.html#qualified",
            name=_("Who qualifies"),
            css="ranking season championship",
            context={"occasion": occasion, "parts": some},
        )
        for some in packed(parts, heights, ROOM) or [[]]
    ]
    return kept_file(pages, f"{championship}: {stage}", printed_at=printed_at, asker=asker)


def _parts(table: QualifiedTable) -> Iterator[dict[str, Any]]:
    """Tables that fit on a page each, with their headings."""
    number, open_yet = 0, _("the organiser decides")
    for shown in table.shown_quotas:
        lines = []
        for one in shown.going:
            number += 1
            lines.append(
                _qualified_line(
                    str(number), one, "; ".join(filter(None, [_why(shown, one), one.instead_of, one.state]))
                )
            )
        for tie in shown.ties:
            lines += [_qualified_line("=", one, f"{_why(shown, one)}; {open_yet}") for one in tie.people]
        for some in chunks(lines, QUALIFIED_ROWS_A_PAGE) or [[]]:
            yield {
                "heading": plain(shown.name),
                "places": _places(shown),
                "lines": list(some),
                "missing": shown.missing,
            }
        yield from _others(
            _("Next in line"), [_qualified_line("", one, _why(shown, one)) for one in shown.following]
        )
        yield from _others(_("Passed over"), [_qualified_line("", one, one.reason) for one in shown.passed])


def _places(shown: ShownQuota) -> str:
    """How many places the quota has, of each club or in all, as on the desk's page."""
    count = shown.quota.places
    text = ngettext("%(count)s place", "%(count)s places", count)
    if shown.quota.each_club:
        text = ngettext("%(count)s of each club", "%(count)s of each club", count)
    return text % {"count": count}


def _why(shown: ShownQuota, one: Person) -> str:
    """The place in the source, which the heading names, as text."""
    return _("place %(place)d") % {"place": one.place} if shown.source else _("chosen by hand")


def _others(heading: str, lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for some in chunks(lines, QUALIFIED_ROWS_A_PAGE):
        yield {"heading": heading, "lines": list(some), "missing": 0, "is_below": True}


def _qualified_line(number: str, one: Person, why: str) -> dict[str, Any]:
    name, reason = plain(", ".join(filter(None, [one.name, one.club]))), plain(why)
    return {
        "number": number,
        "name": name,
        "size": size_for(name, QUALIFIED_NAME, *QUALIFIED_NAME_SIZES),
        "why": reason,
        "why_size": size_for(reason, WHY, *WHY_SIZES),
    }
