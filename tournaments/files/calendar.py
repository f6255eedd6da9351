"""A club's evenings as an iCalendar file (RFC 5545)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar, Event

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clubs.models import Club
    from tournaments.models import Tournament

CONTENT_TYPE = "text/calendar; charset=utf-8"


def calendar_of(club: Club, tournaments: Iterable[Tournament], base_url: str) -> bytes:
    """From the hour at which each begins, else the whole day; `base_url` begins the addresses of their pages."""
    calendar = Calendar()
    calendar.add("prodid", "-//Spadille//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", club.name)
    for tournament in tournaments:
        event = Event()
        event.add("uid", f"{tournament.code}@spadille")
        event.add("summary", f"{tournament.name} ({tournament.host})")
        if tournament.begins_at:
            event.add("dtstart", timezone.make_aware(datetime.combine(tournament.date, tournament.begins_at)))
        else:
            event.add("dtstart", tournament.date)
            event.add("dtend", tournament.date + timedelta(days=1))
        event.add("dtstamp", tournament.created_at)
        if tournament.place:
            event.add("location", tournament.place)
        event.add("url", base_url.rstrip("/") + reverse("hall", args=[tournament.code]))
        calendar.add_component(event)
    return bytes(calendar.to_ical())
