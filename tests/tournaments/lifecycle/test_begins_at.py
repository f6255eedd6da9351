"""The hour at which a tournament begins: typed at the set-up, told in the hall, at the desk and in the calendar."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from icalendar import Calendar

from tests.factories import make_tournament
from tests.pages import values_on

DAY = date(2096, 11, 21)


@pytest.fixture
def coming(club):
    return make_tournament(0, club=club, drawn=False, date=DAY)


def set_hour(client, tournament, typed):
    page = reverse("tournament_setup", args=[tournament.code])
    answer = client.post(page, values_on(client.get(page)) | {"begins_at": typed})
    tournament.refresh_from_db()
    return answer


@pytest.mark.parametrize(
    ("typed", "hour"),
    [
        ("19:00", time(19)),
        ("18.30", time(18, 30)),
        ("19", time(19)),
        ("19:00:00", time(19)),
        ("", None),
    ],
)
def test_an_hour_is_taken_however_it_is_typed(as_alice, coming, typed, hour):
    assert set_hour(as_alice, coming, typed).status_code == 302
    assert coming.begins_at == hour


def test_what_is_no_hour_is_refused_at_its_field(as_alice, coming):
    answer = set_hour(as_alice, coming, "25:00")
    assert answer.context["form"].errors == {"begins_at": ["Type a time like 19:00."]}
    assert coming.begins_at is None


def test_the_hour_is_told_wherever_the_day_is(as_alice, client, club, coming):
    set_hour(as_alice, coming, "19:00")
    addresses = [coming.get_absolute_url(), reverse("home"), reverse("hall_club", args=[club.slug])]
    pages = [client.get(address) for address in addresses]
    pages += [as_alice.get(reverse("desk")), as_alice.get(reverse("desk_tournament", args=[coming.code]))]
    assert ["21 November 2096, at 19:00" in page.content.decode() for page in pages] == [True] * len(pages)


def test_a_calendar_has_the_hour_or_the_whole_day(as_alice, client, club, coming, settings):
    def event():
        (event,) = Calendar.from_ical(client.get(reverse("hall_calendar", args=[club.slug])).getvalue()).walk(
            "VEVENT"
        )
        return event

    whole_day = event()
    assert (whole_day.decoded("dtstart"), whole_day.decoded("dtend")) == (DAY, DAY + timedelta(days=1))
    set_hour(as_alice, coming, "19:00")
    at_seven = event()
    assert at_seven.decoded("dtstart") == datetime(2096, 11, 21, 19, tzinfo=ZoneInfo(settings.TIME_ZONE))
    assert "dtend" not in at_seven
