"""A calendar's lines are those that a library of iCalendar would write, whatever an evening is called."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

import pytest
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from clubs.models import Club
from tests.tournaments.seasons.test_season import make_teams
from tournaments.exports.calendar import last_change
from tournaments.hall import feeds
from tournaments.lifecycle.ending import call_off, take_up_again
from tournaments.lifecycle.rulings import award, postpone, set_dates
from tournaments.models import Tournament
from tournaments.models.base import SAMPLE_REMOVED, FromHome

NAMES = ["Jul", "Komma, semikolon; \\ og “citat”", "å" * 100, "En meget lang aften " * 5]


@pytest.mark.parametrize("begins_at", [None, time(19, 30)])
def test_every_line_is_as_the_library_writes_it(client, club, begins_at):
    for name in NAMES:
        Tournament.objects.create(
            host=club, name=name[:120], place=name[:120], date=date(2026, 12, 31), begins_at=begins_at
        )
    written = client.get(reverse("hall_calendar", args=[club.slug])).getvalue()
    read = Calendar.from_ical(written)
    assert read.to_ical() == written
    assert [str(event["location"]) for event in read.walk("VEVENT")] == [name[:120] for name in NAMES]
    assert max(len(line) for line in written.split(b"\r\n")) <= 75


def test_the_last_day_there_is_takes_one_day_too(client, club):
    Tournament.objects.create(host=club, name="Jul", date=date.max)
    (event,) = events(client, club)
    assert (event["dtstart"].dt, "dtend" in event) == (date.max, False)


def events(client, club):
    return Calendar.from_ical(
        client.get(reverse("hall_calendar", args=[club.slug]), {"l": "en"}).getvalue()
    ).walk("VEVENT")


def changed(tournament, **fields):
    for name, value in fields.items():
        setattr(tournament, name, value)
    tournament.save(update_fields=list(fields))


def announced_again(tournament):
    Tournament.objects.filter(pk=tournament.pk).update(place="Skolen")


# What is done to an evening, and by how much its SEQUENCE goes up by that.
DONE = {
    "another day": (1, lambda evening: changed(evening, date=date(2098, 12, 24))),
    "another name": (1, lambda evening: changed(evening, name="Juleaften")),
    "another hour": (1, lambda evening: changed(evening, begins_at=time(19))),
    "another place, of many at once": (1, announced_again),
    "see entries from home": (
        1,
        lambda evening: changed(evening, entering=FromHome(is_on=True, places=24).to_json()),
    ),
    "the same again": (0, lambda evening: evening.save()),
    "what no calendar tells": (0, lambda evening: changed(evening, stake=25, state="running")),
    "another fee": (1, lambda evening: changed(evening, entry_fee=5000)),
    "another name of its host": (1, lambda evening: changed(evening.host, name="Kroens spillere")),
    "another look of its host": (0, lambda evening: changed(evening.host, shows_rating=False)),
    "a report": (0, lambda evening: Tournament.objects.filter(pk=evening.pk).update(version=99)),
}


def test_an_event_is_the_same_whatever_becomes_of_it_and_says_that_it_changed(client, club, by_alice):
    evening = Tournament.objects.create(host=club, name="Jul", date=date(2099, 12, 24))
    told = events(client, club)
    for _raised, do in DONE.values():
        evening.refresh_from_db()
        do(evening)
        told += events(client, club)
    call_off(evening, reason="for få", **by_alice)
    told += events(client, club)
    take_up_again(evening, **by_alice)
    told += events(client, club)
    by = [int(after["sequence"]) - int(before["sequence"]) for before, after in pairwise(told)]
    assert by == [*(raised for raised, _do in DONE.values()), 1, 1]
    assert {str(event["uid"]) for event in told} == {f"{evening.code}@spadille"}
    assert [str(event["status"]) for event in told[-2:]] == ["CANCELLED", "CONFIRMED"]
    assert str(told[-2]["description"]) == "This tournament has been called off.\nfor få"
    assert "Entry is open until 23 December 2098 18:00." in str(told[5]["description"])
    assert "There is room for 24 players." in str(told[5]["description"])
    stamps = [event["last-modified"].dt for event in told]
    assert stamps == sorted(stamps)


def test_who_has_it_is_told_that_nothing_changed(client, club):
    evening = Tournament.objects.create(host=club, name="Jul", date=date(2099, 12, 24))
    address = reverse("hall_calendar", args=[club.slug])
    first = client.get(address)
    known = {"If-None-Match": first.headers["ETag"]}
    assert (first.status_code, client.get(address, headers=known).status_code) == (200, 304)
    assert client.get(address, {"l": "da"}).headers["ETag"] == first.headers["ETag"]
    changed(evening, place="Kroen")
    assert client.get(address, headers=known).status_code == 200
    assert "Set-Cookie" not in first.headers


def test_nothing_is_made_for_who_has_it_and_each_change_is_told(client, club, monkeypatch):
    evening = Tournament.objects.create(host=club, name="Jul", date=date(2099, 12, 24))
    address = reverse("hall_calendar", args=[club.slug])
    known = {"If-None-Match": client.get(address).headers["ETag"]}
    with monkeypatch.context() as patched:
        patched.setattr(feeds, "calendar_of", None)
        assert client.get(address, headers=known).status_code == 304
    changes = (
        lambda: Club.objects.filter(pk=club.pk).update(name="Et nyt navn"),
        lambda: Tournament.objects.filter(pk=evening.pk).update(version=1_000_001),  # as a restore does
        lambda: changed(evening, place="Kroen"),
        lambda: Tournament.objects.filter(pk=evening.pk).delete(),
    )
    for change in changes:
        change()
        answer = client.get(address, headers=known)
        assert answer.status_code == 200
        known = {"If-None-Match": answer.headers["ETag"]}


@pytest.mark.parametrize(
    ("days", "reason", "is_told"), [(-59, "sne", True), (-61, "sne", False), (9, SAMPLE_REMOVED, False)]
)
def test_what_was_called_off_says_so_for_a_while(client, club, days, reason, is_told):
    day = timezone.localdate() + timedelta(days=days)
    off = {"called_off_at": timezone.now(), "called_off_reason": reason}
    Tournament.objects.create(host=club, name="Jul", date=day, **off)
    assert [str(event["status"]) for event in events(client, club)] == ["CANCELLED"] * is_told


def test_the_file_is_as_new_as_what_changed_last_in_it(client, club):
    for part in (0, 500_000):
        evening = Tournament.objects.create(host=club, name="Jul", date=date(2099, 12, 24))
        told_at = datetime(2026, 12, 1, 12, 0, 59, part, tzinfo=UTC)
        Tournament.objects.filter(pk=evening.pk).update(told_at=told_at)
    evenings = Tournament.objects.filter(host=club).order_by("pk")
    changed_at, _fingerprint = last_change(evenings)
    assert changed_at == told_at


# A league: an event for each match day.


def told_days(client, club):
    return [
        (
            str(event["uid"]).removesuffix("@spadille").partition("-")[2],
            event["dtstart"].dt,
            str(event["summary"]),
        )
        for event in events(client, club)
    ]


@pytest.fixture
def league(club, by_alice):
    made = make_teams(club, by_alice, teams=3, name="Liga", date=date(2099, 9, 1))
    set_dates(made, {2: date(2099, 9, 8), 3: date(2099, 9, 15)}, **by_alice)
    return made


def test_a_league_has_an_event_for_each_match_day(client, club, league):
    assert told_days(client, club) == [
        ("", date(2099, 9, 1), "Liga, round 1 (Stilling)"),
        ("2", date(2099, 9, 8), "Liga, round 2 (Stilling)"),
        ("3", date(2099, 9, 15), "Liga, round 3 (Stilling)"),
    ]
    one = client.get(reverse("hall_evening_calendar", args=[league.code]))
    assert len(Calendar.from_ical(one.getvalue()).walk("VEVENT")) == 3


def test_rounds_on_one_day_are_one_event_and_a_postponed_match_has_its_own(client, club, league, by_alice):
    set_dates(league, {3: date(2099, 9, 8)}, **by_alice)
    match = league.rounds.get(number=1).matches.get(away__isnull=False)
    before = int(events(client, club)[0]["sequence"])
    postpone(match, date(2099, 9, 20), **by_alice)
    assert told_days(client, club) == [
        ("", date(2099, 9, 1), "Liga, round 1 (Stilling)"),
        ("2", date(2099, 9, 8), "Liga, rounds 2, 3 (Stilling)"),
        (f"1-{match.number}", date(2099, 9, 20), f"Liga: {match} (Stilling)"),
    ]
    assert {int(event["sequence"]) for event in events(client, club)} == {before + 1}
    award(match, {"home": 2, "away": 0}, reason="did not turn up", **by_alice)
    assert len(events(client, club)) == 2
    assert int(events(client, club)[0]["sequence"]) == before + 2


def test_where_no_day_is_set_there_is_one_event_with_the_plain_name(client, club, by_alice):
    make_teams(club, by_alice, teams=3, name="Aften", date=date(2099, 9, 1))
    assert told_days(client, club) == [("", date(2099, 9, 1), "Aften (Stilling)")]


def test_one_enters_a_league_until_its_first_day(client, club, league):
    changed(league, entering=FromHome(is_on=True, places=24).to_json())
    said = [str(event.get("description", "")) for event in events(client, club)]
    assert ["Entry is open" in one for one in said] == [True, False, False]
