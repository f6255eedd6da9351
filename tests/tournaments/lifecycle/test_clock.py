"""A round's clock: counted from stored moments, paused, lengthened, and who is behind by it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import first_round, first_table, make_tournament, report
from tournaments.ledger.queries import board
from tournaments.lifecycle import playing
from tournaments.lifecycle.playing import close_round, paces, reopen_round, start_round, take_start_back
from tournaments.models import LogEntry, Round, Tournament
from tournaments.models.base import Clock, check_pauses

START = datetime(2026, 11, 21, 18, 0, tzinfo=UTC)


def at(minutes):
    return START + timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("pauses", "now", "left", "ends"),
    [
        ([], 20, 70, 90),
        ([], 95, -5, 90),
        ([(at(10), at(15))], 20, 75, 95),
        ([(at(10), None)], 40, 80, None),
        ([(at(10), at(15)), (at(30), None)], 60, 65, None),
        ([(at(10), at(15))], 12, 80, 95),  # asked about a moment within the pause
    ],
)
def test_what_is_left_is_the_minutes_given_less_those_played(pauses, now, left, ends):
    counted = Clock(START, 90, pauses)
    assert counted.time_left(at(now)) == timedelta(minutes=left)
    assert counted.ends_at == (None if ends is None else at(ends))


@pytest.mark.parametrize(
    "stored",
    [
        None,
        [["now", None]],
        [["2026-11-21T18:00:00", None]],
        [["2026-11-21T18:00:00+00:00"]],
        [["2026-11-21T18:00:00+00:00", "2026-11-21T17:00:00+00:00"]],
        [["2026-11-21T18:00:00+00:00", None], ["2026-11-21T19:00:00+00:00", None]],
    ],
)
def test_pauses_of_a_file_that_cannot_be_are_refused(stored):
    with pytest.raises(ValidationError, match="The pauses of a clock"):
        check_pauses(stored)


@pytest.fixture
def round_(club):
    return first_round(make_tournament(8, 2, club=club, deals_per_round=40))


def by(alice, minutes):
    return {"account": alice, "now": at(minutes)}


@pytest.mark.databases
def test_it_is_started_paused_goes_on_and_is_lengthened(round_, alice):
    playing.start_clock(round_, minutes=90, **by(alice, 0))
    playing.pause_clock(round_, **by(alice, 30))
    playing.go_on_with_clock(round_, **by(alice, 40))
    playing.lengthen_clock(round_, minutes=5, seen=90, **by(alice, 50))
    with pytest.raises(NotPossible):  # the second of two clicks
        playing.lengthen_clock(round_, minutes=5, seen=90, **by(alice, 50))
    stored = Round.objects.get(pk=round_.pk).clock
    assert (stored.ends_at, stored.time_left(at(50))) == (at(105), timedelta(minutes=55))
    assert [line.words for line in LogEntry.objects.order_by("-pk")[:4]] == [
        "Changed the clock of round 1 by +5 minutes",
        "Resumed the clock of round 1",
        "Paused the clock of round 1",
        "Started the clock of round 1: 90 minutes",
    ]


def test_the_next_round_begins_with_a_clock_of_the_same_length_and_one_taken_back_has_none(round_, alice):
    playing.start_clock(round_, minutes=90, **by(alice, 0))
    close_round(round_, force_reason="late", **by(alice, 91))
    second = start_round(round_.tournament.rounds.get(number=2), **by(alice, 100))
    assert second.clock.ends_at == at(190)
    assert take_start_back(second, **by(alice, 101)).clock is None
    assert reopen_round(round_, reason="a sheet", **by(alice, 102)).clock is None
    playing.start_clock(round_, minutes=10, **by(alice, 103))
    playing.take_clock_away(round_, **by(alice, 104))
    assert Tournament.objects.get(pk=round_.tournament_id).round_minutes == 0


@pytest.mark.parametrize(("deals", "minutes"), [(40, 120), (12, 40), (1, 5), (240, 600)])
def test_how_long_a_round_is_usually_played_is_said_by_its_deals(deals, minutes):
    assert playing.usual_minutes(Tournament(deals_per_round=deals)) == minutes
    assert playing.usual_minutes(Tournament(deals_per_round=deals, round_minutes=77)) == 77


@pytest.mark.parametrize(
    ("typed", "wrong", "given"),
    [
        ({"minutes": "35"}, [], 0),
        ({"minutes": "soon"}, [], 0),
        ({"with_clock": "on", "minutes": "35"}, [], 35),
        ({"with_clock": "on", "minutes": "601"}, ["minutes"], None),
        ({"with_clock": "on", "minutes": ""}, ["minutes"], None),
    ],
)
def test_a_round_is_started_with_its_clock_for_who_wants_that(as_alice, club, typed, wrong, given):
    tournament = make_tournament(4, 2, club=club, deals_per_round=12, started=False)
    page = reverse("desk_start_round", args=[tournament.code, 1])
    assert as_alice.get(page).context["form"].initial == {"with_clock": False, "minutes": 40}
    answer = as_alice.post(page, typed)
    assert list(answer.context["form"].errors if answer.context else []) == wrong
    begun = tournament.rounds.get(number=1)
    assert begun.is_running is (given is not None)
    assert (begun.clock.minutes if begun.clock else None) == (given or None)
    if given:
        assert tournament.log.first().words == "Started round 1 with a clock of 35 minutes"
        assert as_alice.get(reverse("desk_start_round", args=[tournament.code, 2])).context[
            "form"
        ].initial == {
            "with_clock": True,
            "minutes": 35,
        }


@pytest.mark.parametrize(
    "step",
    [playing.pause_clock, playing.go_on_with_clock, playing.take_clock_away],
    ids=lambda step: step.__name__,
)
def test_where_there_is_no_clock_none_is_paused(round_, alice, step):
    with pytest.raises(NotPossible, match="Round 1 has no clock"):
        step(round_, **by(alice, 0))


@pytest.mark.parametrize(("minutes", "behind"), [(200, False), (190, True)])
def test_behind_is_who_would_need_longer_than_the_clock_gives(round_, alice, minutes, behind):
    playing.start_clock(round_, minutes=minutes, **by(alice, 0))
    playing.pause_clock(round_, **by(alice, 20))
    playing.go_on_with_clock(round_, **by(alice, 30))
    for deal, minute in [(1, 5), (2, 10), (3, 15), (4, 30)]:
        report(first_table(round_.tournament), deal, now=at(minute))
    fresh = Round.objects.get(pk=round_.pk)
    pace = paces(fresh, board(fresh))
    table = first_table(round_.tournament).pk
    assert pace[table].an_hour == 12  # 4 deals in 20 minutes: the pause does not count
    assert pace[table].is_behind is behind
    assert {each.an_hour for pk, each in pace.items() if pk != table} == {None}


def test_the_desk_starts_pauses_and_lengthens_it_and_says_what_was_typed_wrong(as_alice, as_helper, round_):
    code = round_.tournament.code
    page, lengthen = reverse("desk_clock", args=[code]), reverse("desk_clock_lengthen", args=[code])
    for typed in ("", "0", "601", "an hour"):
        assert list(as_alice.post(page, {"minutes": typed}).context["form"].errors) == ["minutes"]
    assert as_helper.post(page, {"minutes": "90"}).status_code == 302
    as_helper.post(reverse("desk_clock_step", args=[code, "pause"]))
    assert "Continue" in as_alice.get(page).content.decode()
    assert as_alice.post(reverse("desk_clock_step", args=[code, "stop"])).status_code == 404
    as_alice.post(lengthen, {"minutes": "5", "seen": "90"})
    as_alice.post(lengthen, {"minutes": "5", "seen": "90"})
    as_alice.post(lengthen, {"minutes": "7", "seen": "95"})
    as_alice.post(lengthen, {})
    assert Round.objects.get(pk=round_.pk).clock_minutes == 95
    assert "now" in as_alice.get(reverse("hall_time")).json()


def test_who_has_not_seen_that_the_clock_runs_does_not_start_it_anew(round_, as_alice):
    page = reverse("desk_clock", args=[round_.tournament.code])
    opened = as_alice.get(page).context["seen"]
    as_alice.post(page, {"minutes": 60, "seen": opened})
    runs = Round.objects.get(pk=round_.pk).clock
    as_alice.post(page, {"minutes": 90, "seen": opened})
    assert Round.objects.get(pk=round_.pk).clock == runs
    as_alice.post(page, {"minutes": 90, "seen": as_alice.get(page).context["seen"]})
    assert Round.objects.get(pk=round_.pk).clock.minutes == 90
