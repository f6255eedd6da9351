"""A calendar's lines are those that a library of iCalendar would write, whatever an evening is called."""

from __future__ import annotations

from datetime import date, time

import pytest
from django.urls import reverse
from icalendar import Calendar

from tournaments.models import Tournament

NAMES = ["Jul", "Komma, semikolon; \\ og “citat”", "å" * 100, "En meget lang aften " * 5]


@pytest.mark.parametrize("begins_at", [None, time(19, 30)])
def test_every_line_is_as_the_library_writes_it(client, club, begins_at):
    for name in NAMES:
        Tournament.objects.create(
            host=club, name=name[:120], place=name[:120], date=date(2026, 12, 31), begins_at=begins_at
        )
    written = client.get(reverse("hall_calendar", args=[club.slug])).content
    read = Calendar.from_ical(written)
    assert read.to_ical() == written
    assert [str(event["location"]) for event in read.walk("VEVENT")] == [name[:120] for name in NAMES]
    assert max(len(line) for line in written.split(b"\r\n")) <= 75


def test_the_last_day_there_is_takes_one_day_too(client, club):
    Tournament.objects.create(host=club, name="Jul", date=date.max)
    (event,) = Calendar.from_ical(client.get(reverse("hall_calendar", args=[club.slug])).content).walk(
        "VEVENT"
    )
    assert (event["dtstart"].dt, "dtend" in event) == (date.max, False)
