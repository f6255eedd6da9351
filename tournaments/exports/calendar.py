"""A club's evenings as an iCalendar file (RFC 5545), in the reader's language.

Subscribed calendars poll it, with all evenings ever: so events are serialized line by line, exactly as `icalendar`
would, without an object per property, and sent meanwhile. An event's UID is permanent, and its SEQUENCE rises with each
change (`IsAnnounced`); a cancelled one has STATUS:CANCELLED.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db.models import Count, Max, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime, make_aware
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from core.canonical_json import AsStored, as_text, json_of, moment
from tournaments.changes.versions import print_of_versions
from tournaments.lifecycle.fixtures import match_days
from tournaments.models.base import called_off_in_words, read_from_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import time

    from django.db.models import QuerySet

    from clubs.models import Club
    from tournaments.lifecycle.fixtures import MatchDay
    from tournaments.models import Tournament


CONTENT_TYPE = "text/calendar; charset=utf-8"
END = "END:VCALENDAR\r\n"
# Raw timestamps and JSON columns: to parse those of ten thousand evenings takes longer than to serialize the events.
TOLD: tuple[Any, ...] = (
    "pk", "code", "name", "host__name", "date", "begins_at", AsStored("created_at"), "place", "told_changes",
    AsStored("told_at"), AsStored("called_off_at"), "called_off_reason", as_text("entering"),
)  # fmt: skip
WHEN = len("2026-12-31T19:00:00")
LONGEST_LINE = 75  # octets; longer lines are folded
CODE = "CODE"  # placeholder for a tournament's code in URLs
AT_ONCE = 200  # events of a piece of the file
# How often who subscribes should ask again.
AGAIN, AGAIN_IN_WORDS = timedelta(hours=4), "PT4H"
# Years covered by the time zone's transitions, starting with the first evening.
LEAST_YEAR, MOST_YEARS = 1970, 100


class _Told(NamedTuple):
    """An evening's columns named in `TOLD`."""

    pk: int
    code: str
    name: str
    host: str
    day: date
    begins_at: time | None
    created_at: datetime | str
    place: str
    changes: int
    changed_at: datetime | str | None
    called_off_at: datetime | str | None
    called_off_reason: str
    entering: str

    @property
    def changed(self) -> str:
        """The time of the last change, in UTC by ISO 8601: of two the later one is the greater text."""
        return moment(self.changed_at or self.created_at) or ""


def last_change(tournaments: QuerySet[Tournament]) -> tuple[datetime | None, tuple[object, ...]]:
    """When what calendars show of these evenings last changed, and a fingerprint of it, apart from hosts' names.

    Versions rise in a restore, too; changes for calendars alone do not raise them.
    """
    told = tournaments.order_by().aggregate(
        Count("pk"),
        Sum("told_changes"),
        changed=Max(Coalesce("told_at", "created_at")),
        versions=print_of_versions(),
    )
    return told["changed"], tuple(told.values())


def calendar_of(
    club: Club,
    tournaments: QuerySet[Tournament],
    base_url: str,
    *,
    visited: QuerySet[Tournament] | None = None,
) -> Iterator[bytes]:
    """The file, in pieces. `base_url` is the prefix of the evenings' URLs.

    Of the `visited` leagues, which others hold, it has the days on which the club's teams play.

    Events begin at the evening's time, else they are all-day; a league has an event for each match day, and for each
    match on a day of its own.
    """
    from icalendar import Calendar  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    calendar = Calendar()
    calendar.add("prodid", "-//Spadille//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", club.name)
    calendar.add("refresh-interval", AGAIN, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", AGAIN_IN_WORDS)
    frame = calendar.to_ical().decode()
    page = base_url.rstrip("/") + reverse("hall", args=[CODE])
    enter = base_url.rstrip("/") + reverse("hall_enter", args=[CODE])
    told = [_Told(*row) for row in tournaments.values_list(*TOLD)]
    several = dict(match_days(tournaments))
    if visited is not None:
        told += [_Told(*row) for row in visited.values_list(*TOLD)]
        several |= match_days(visited, club=club)
    of_each = [(uid, event) for one in told for uid, event in _events_of(one, several.get(one.pk))]
    years = [event.day.year for _uid, event in of_each if event.begins_at]
    zone = _zone(max(min(years), LEAST_YEAR), min(max(years), min(years) + MOST_YEARS)) if years else ""
    return _pieces(frame.removesuffix(END) + zone, of_each, page, enter, get_language())


def _pieces(
    head: str, events: Sequence[tuple[str, _Told]], page: str, enter: str, language: str | None
) -> Iterator[bytes]:
    yield head.encode()
    for first in range(0, len(events), AT_ONCE):
        with override(language):  # another thread may make the next piece
            part = [
                _event(event, uid, page.replace(CODE, event.code), enter.replace(CODE, event.code))
                for uid, event in events[first : first + AT_ONCE]
            ]
        yield "".join(part).encode()
    yield END.encode()


def _events_of(told: _Told, days: Sequence[MatchDay] | None) -> Iterator[tuple[str, _Told]]:
    """Events with their UIDs: one per match day and per match on a day of its own, or one for the evening.

    The first match day has the tournament's UID, which calendars may know from before the days were set.
    """
    if days is None:
        yield told.code, told
    # Entries are for the league, once: later events do not mention them.
    first = True
    for one in days or ():
        if one.rounds:
            uid = told.code if 1 in one.rounds else f"{told.code}-{one.rounds[0]}"
            numbers = ", ".join(map(str, one.rounds))
            said = ngettext("%(name)s, round %(numbers)s", "%(name)s, rounds %(numbers)s", len(one.rounds))
            name = said % {"name": told.name, "numbers": numbers}
            yield uid, told._replace(day=one.day, name=name, entering=told.entering if first else "{}")
            first = False
        for match in one.matches:
            uid = f"{told.code}-{match.round}-{match.number}"
            yield (
                uid,
                told._replace(
                    name=f"{told.name}: {match.name}",
                    day=match.day,
                    begins_at=match.begins_at,
                    place=match.place or told.place,
                    entering=told.entering if first else "{}",
                ),
            )
            first = False


def _event(told: _Told, uid: str, page: str, enter: str) -> str:
    if told.begins_at:
        when = f"DTSTART;TZID={settings.TIME_ZONE}:{_plain(told.day)}T{_plain(told.begins_at)}"
    else:
        # A file from elsewhere may name the last day that there is: without its end an event takes one day too.
        end = f"\r\nDTEND;VALUE=DATE:{_plain(told.day + timedelta(days=1))}" if told.day < date.max else ""
        when = f"DTSTART;VALUE=DATE:{_plain(told.day)}{end}"
    changed = f"{_plain(told.changed)}Z"
    more = _more(told, enter)
    lines = (
        "BEGIN:VEVENT",
        _line("SUMMARY", f"{told.name} ({told.host})"),
        when,
        f"DTSTAMP:{changed}",
        f"UID:{uid}@spadille",
        f"SEQUENCE:{told.changes}",
        *([_line("DESCRIPTION", more)] if more else ()),
        f"LAST-MODIFIED:{changed}",
        *([_line("LOCATION", told.place)] if told.place else ()),
        "STATUS:CANCELLED" if told.called_off_at else "STATUS:CONFIRMED",
        _folded(f"URL:{page}"),
        "END:VEVENT\r\n",
    )
    return "\r\n".join(lines)


def _more(told: _Told, enter: str) -> str:
    """The reason of a cancellation; else the deadline of online entries, their limit, and the link."""
    if told.called_off_at:
        said = [_("This tournament has been called off."), called_off_in_words(told.called_off_reason)]
        return "\n".join(filter(None, said))
    entering = json_of(told.entering)
    if not entering or not (allowed := read_from_home(entering)).is_on:
        return ""
    closes = date_format(localtime(make_aware(allowed.closes(told.day))), "DATETIME_FORMAT")
    return "\n".join([*entering_text(closes, allowed.places), enter])


def entering_text(closes: str, places: int) -> list[str]:
    """The deadline of online entries, and the number of places, as text."""
    said = [_("Entry is open until %(closes)s.") % {"closes": closes}]
    if places:
        text = ngettext("There is room for %(count)d player.", "There is room for %(count)d players.", places)
        said.append(text % {"count": places})
    return said


@lru_cache(maxsize=64)
def _zone(first: int, last: int) -> str:
    """The VTIMEZONE with the changes of daylight saving time in these years."""
    from icalendar import Timezone  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    ends = date(min(last, date.max.year - 1) + 1, 1, 1)
    zone = Timezone.from_tzid(settings.TIME_ZONE, first_date=date(first, 1, 1), last_date=ends)
    return str(zone.to_ical().decode())


def _plain(when: date | time | str) -> str:
    """A day, an hour or both without the signs between: 20261231, 190000, 20261231T190000."""
    said = when if isinstance(when, str) else when.isoformat()
    return said[:WHEN].replace("-", "").replace(":", "")


@lru_cache(maxsize=1000)
def _line(name: str, value: str) -> str:
    from icalendar import vText  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    return _folded(f"{name}:{vText(value).to_ical().decode()}")


def _folded(line: str) -> str:
    if len(line.encode()) < LONGEST_LINE:
        return line
    from icalendar.parser import Contentline  # noqa: PLC0415 - large, and seldom needed: not while the program starts

    return str(Contentline(line).to_ical().decode())
