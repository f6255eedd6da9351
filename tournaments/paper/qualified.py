"""The PDF of the qualified players of a stage of a championship."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.pdf.fonts import plain
from core.pdf.page import Page, chunks
from core.pdf.store import kept_file
from tournaments.paper.page import packed, size_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tournaments.models import Stage
    from tournaments.seasons.quotas import Person, QualifiedTable, ShownQuota

ROWS_A_PAGE = 33
# Millimetres: a page's height, a quota's heading, a row.
ROOM, HEADING, ROW = 240.0, 12.0, 6.0
# Width of a name and of a reason in millimetres.
NAME, WHY = 78.0, 90.0
NAME_SIZES, WHY_SIZES = (9.0, 6.0), (8.0, 5.0)


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
            "paper/_qualified.html",
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
                _line(
                    str(number), one, "; ".join(filter(None, [_why(shown, one), one.instead_of, one.state]))
                )
            )
        for tie in shown.ties:
            lines += [_line("=", one, f"{_why(shown, one)}; {open_yet}") for one in tie.people]
        for some in chunks(lines, ROWS_A_PAGE) or [[]]:
            yield {
                "heading": plain(shown.name),
                "places": _places(shown),
                "lines": list(some),
                "missing": shown.missing,
            }
        yield from _others(_("Next in line"), [_line("", one, _why(shown, one)) for one in shown.following])
        yield from _others(_("Passed over"), [_line("", one, one.reason) for one in shown.passed])


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
    for some in chunks(lines, ROWS_A_PAGE):
        yield {"heading": heading, "lines": list(some), "missing": 0, "is_below": True}


def _line(number: str, one: Person, why: str) -> dict[str, Any]:
    name, reason = plain(", ".join(filter(None, [one.name, one.club]))), plain(why)
    return {
        "number": number,
        "name": name,
        "size": size_for(name, NAME, *NAME_SIZES),
        "why": reason,
        "why_size": size_for(reason, WHY, *WHY_SIZES),
    }
