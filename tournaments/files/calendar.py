"""A club's evenings as an iCalendar file (RFC 5545).

Subscribed calendars ask for it again and again, with all evenings there have been: so events are written line by line,
each as `icalendar` would write it, without its objects for every property.
"""

from __future__ import annotations

from datetime import UTC, date, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse

if TYPE_CHECKING:
    from datetime import datetime, time

    from django.db.models import QuerySet

    from clubs.models import Club
    from tournaments.models import Tournament

CONTENT_TYPE = "text/calendar; charset=utf-8"
END = "END:VCALENDAR\r\n"
TOLD = ("code", "name", "host__name", "date", "begins_at", "created_at", "place")
WHEN = len("2026-12-31T19:00:00")
LONGEST_LINE = 75  # octets; what is longer goes on in the next
CODE = "CODE"  # stands for a tournament's in the address of its page


def calendar_of(club: Club, tournaments: QuerySet[Tournament], base_url: str) -> bytes:
    """From the hour at which each begins, else the whole day; `base_url` begins the addresses of their pages."""
    from icalendar import Calendar  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    calendar = Calendar()
    calendar.add("prodid", "-//Spadille//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", club.name)
    frame = calendar.to_ical().decode()
    page = base_url.rstrip("/") + reverse("hall", args=[CODE])
    events = [
        _event(code, f"{name} ({host})", day, begins_at, made, place, page.replace(CODE, code))
        for code, name, host, day, begins_at, made, place in tournaments.values_list(*TOLD)
    ]
    return "".join([frame.removesuffix(END), *events, END]).encode()


def _event(
    code: str, summary: str, day: date, begins_at: time | None, made: datetime, place: str, page: str
) -> str:
    if begins_at:
        when = f"DTSTART;TZID={settings.TIME_ZONE}:{_plain(day)}T{_plain(begins_at)}"
    else:
        # A file from elsewhere may name the last day that there is: without its end an event takes one day too.
        end = f"\r\nDTEND;VALUE=DATE:{_plain(day + timedelta(days=1))}" if day < date.max else ""
        when = f"DTSTART;VALUE=DATE:{_plain(day)}{end}"
    lines = (
        "BEGIN:VEVENT",
        _line("SUMMARY", summary),
        when,
        f"DTSTAMP:{_plain(made.astimezone(UTC).replace(tzinfo=None))}Z",
        f"UID:{code}@spadille",
        *([_line("LOCATION", place)] if place else ()),
        _folded(f"URL:{page}"),
        "END:VEVENT\r\n",
    )
    return "\r\n".join(lines)


def _plain(when: date | time) -> str:
    """A day, an hour or both without the signs between: 20261231, 190000, 20261231T190000."""
    return when.isoformat()[:WHEN].replace("-", "").replace(":", "")


@lru_cache(maxsize=1000)
def _line(name: str, value: str) -> str:
    from icalendar import vText  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    return _folded(f"{name}:{vText(value).to_ical().decode()}")


def _folded(line: str) -> str:
    if len(line.encode()) < LONGEST_LINE:
        return line
    from icalendar.parser import Contentline  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    return str(Contentline(line).to_ical().decode())  # type: ignore[no-untyped-call]
