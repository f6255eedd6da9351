"""Captains move a match by their teams' links: up to three days and a reason; the other team chooses or refuses."""

from __future__ import annotations

import html
from datetime import datetime, time, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from clubs.models import Letter
from core.errors import NotPossible
from tests.tournaments.lifecycle.test_home_matches import TODAY, a_match, league
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.home_matches import (
    CLOSES_BEFORE,
    accept_day,
    closes_at,
    move_place,
    open_proposal,
    propose_days,
    refuse_days,
    start_match,
    withdraw_proposal,
)
from tournaments.lifecycle.rulings import award, postpone
from tournaments.models import Postponement
from tournaments.models.leagues import ProposedDay, check_days, read_days

__all__ = ["league"]


def days(*ahead, at=None):
    return [ProposedDay(TODAY() + timedelta(days=day), at) for day in ahead]


@pytest.fixture
def match(league):
    return a_match(league, 2)


def ask(match, team=None, proposed=None, reason="to er syge"):
    return propose_days(
        match, team or match.home, proposed or days(9, 10, 11), reason=reason, now=timezone.now()
    )


def test_the_other_team_chooses_one_of_the_days_and_everybody_sees_it(match, by_alice):
    asked = ask(match, proposed=[*days(9), *days(10, at=time(18))])
    accept_day(asked, match.away, asked.proposed[1], now=timezone.now())
    moved = a_match(match.round.tournament, 2)
    assert (moved.own_day, moved.begins_at) == (TODAY() + timedelta(days=10), time(18))
    assert not list(differences(moved.round.tournament))
    asked.refresh_from_db()
    assert (asked.state, asked.chosen) == ("accepted", moved.own_day)
    assert open_proposal(match) is None
    assert [line.text for line in match.round.tournament.log.all()[:2]] == [
        "Round {round}: {match} is played on {day}",
        "Round {round}: {team} asks to play {match} on another day: {reason}",
    ]


def test_a_refused_match_stays_on_its_day_and_may_be_asked_about_again(match):
    asked = ask(match)
    refuse_days(asked, match.away, answer="ingen af dem", now=timezone.now())
    assert a_match(match.round.tournament, 2).own_day == match.day
    assert ask(match, proposed=days(12)).is_open


def test_of_two_who_propose_at_once_the_second_is_shown_the_firsts_days(match):
    first = ask(match)
    with pytest.raises(NotPossible, match="has proposed other days in the meantime"):
        ask(match, match.away, days(12))
    assert list(match.postponements.all()) == [first]
    # And should both reach the database, it keeps one.
    with pytest.raises(IntegrityError), transaction.atomic():
        Postponement.objects.create(
            match=match, team=match.away, days=[["2027-01-01", ""]], reason="x", asked_at=timezone.now()
        )


def test_asking_twice_is_asking_once_and_asking_otherwise_replaces_the_first(match):
    first = ask(match)
    assert ask(match) == first
    second = ask(match, proposed=days(13))
    first.refresh_from_db()
    assert (first.state, open_proposal(match)) == ("withdrawn", second)


@pytest.mark.parametrize("step", [accept_day, refuse_days])
def test_an_answer_to_what_is_answered_or_withdrawn_changes_nothing(match, step):
    asked = ask(match)
    withdraw_proposal(asked, match.home, now=timezone.now())
    given = {"day": asked.proposed[0]} if step is accept_day else {}
    with pytest.raises(NotPossible, match="answered or withdrawn in the meantime"):
        step(asked, match.away, now=timezone.now(), **given)
    assert a_match(match.round.tournament, 2).own_day == match.day


def test_a_team_does_not_answer_its_own_proposal_nor_that_of_others(match, league):
    asked = ask(match)
    stranger = league.teams.exclude(pk__in=[match.home_id, match.away_id]).first()
    for team in (match.home, stranger):
        with pytest.raises(NotPossible, match="The other team answers"):
            accept_day(asked, team, asked.proposed[0], now=timezone.now())
    withdraw_proposal(asked, match.away, now=timezone.now())
    assert open_proposal(match) == asked


def test_both_are_closed_a_day_before_the_match(match):
    closes = closes_at(match)
    assert closes == timezone.make_aware(datetime.combine(match.day, time(19))) - CLOSES_BEFORE
    asked = propose_days(match, match.home, days(9), reason="syg", now=closes - timedelta(seconds=1))
    late = {
        "propose": lambda: propose_days(match, match.home, days(12), reason="syg", now=closes),
        "accept": lambda: accept_day(asked, match.away, asked.proposed[0], now=closes),
        "refuse": lambda: refuse_days(asked, match.away, now=closes),
        "place": lambda: move_place(match, match.home, "Kroen", now=closes),
    }
    for step in late.values():
        with pytest.raises(NotPossible, match="less than 24 hours"):
            step()


@pytest.mark.parametrize(
    ("proposed", "field", "why"),
    [
        (days(0), "day_1", "after today"),
        (days(-3), "day_1", "after today"),
        (days(400), "day_1", "Check the year"),
        (days(7), "day_1", "already on that day"),
        (days(9, 9), "day_2", "proposed twice"),
        (days(9, 14), "day_2", "has another match on that day"),
    ],
)
def test_a_day_that_cannot_be_is_refused_at_its_field(match, proposed, field, why):
    with pytest.raises(NotPossible, match=why) as refused:
        ask(match, proposed=proposed)
    assert refused.value.field == field
    assert not match.postponements.exists()


@pytest.mark.parametrize("reason", ["", "   ", "x" * 300])
def test_a_proposal_says_why(match, reason):
    with pytest.raises(NotPossible) as refused:
        ask(match, reason=reason)
    assert refused.value.field == "reason"


def test_a_new_place_needs_no_yes_and_is_the_home_teams_to_say(match):
    move_place(match, match.home, "  Kroen ", now=timezone.now())
    assert a_match(match.round.tournament, 2).where == "Kroen"
    assert not match.postponements.exists()
    with pytest.raises(NotPossible, match="The home team says"):
        move_place(match, match.away, "Hos os", now=timezone.now())


def test_a_day_that_another_match_has_taken_meanwhile_is_not_chosen(match, league, by_alice):
    asked = ask(match, proposed=days(9))
    other = next(
        one
        for one in (a_match(league, 3, 1), a_match(league, 3, 2))
        if match.away_id in (one.home_id, one.away_id)
    )
    postpone(other, TODAY() + timedelta(days=9), **by_alice)
    with pytest.raises(NotPossible, match="has another match on that day"):
        accept_day(asked, match.away, asked.proposed[0], now=timezone.now())


@pytest.mark.parametrize("decision", ["moved", "ruled", "started"])
def test_what_the_desk_decides_overtakes_a_proposal(match, by_alice, decision):
    asked = ask(match)
    if decision == "moved":
        postpone(match, TODAY() + timedelta(days=20), **by_alice)
    elif decision == "ruled":
        award(match, {"home": 2, "away": 0}, reason="trukket", **by_alice)
    else:
        for number in (1, 2):
            postpone(a_match(match.round.tournament, 1, number), TODAY(), **by_alice)
        start_match(match, **by_alice)
    with pytest.raises(NotPossible):
        accept_day(asked, match.away, asked.proposed[0], now=timezone.now())
    asked.refresh_from_db()
    assert asked.state == ("open" if decision == "started" else "overtaken")


def at(team, match):
    return reverse("team_match_day", args=[team.secret, match.round.number, match.number])


def typed(*proposed):
    return {f"day_{place}": str(day.day) for place, day in enumerate(proposed, 1)} | {"do": "propose"}


def test_the_whole_way_by_the_links(client, match, as_alice):
    home, away = at(match.home, match), at(match.away, match)
    assert home in client.get(reverse("team_line_up", args=[match.home.secret])).content.decode()
    client.post(home, typed(*days(9, 10)) | {"reason": "to er syge", "hour_1": "18:30"})
    assert (
        "another day is proposed"
        in client.get(reverse("team_line_up", args=[match.away.secret])).content.decode()
    )
    shown = html.unescape(client.get(away).content.decode())
    assert "to er syge" in shown
    assert 'value="propose"' not in shown
    (asked,) = match.postponements.all()
    which = [match.round.tournament.code, match.round.number, match.number]
    assert "to er syge" in as_alice.get(reverse("desk_match", args=which)).content.decode()
    wrong = client.post(away, {"do": "accept", "proposal": asked.pk, "day": "7"})
    assert b"field-error" in wrong.content
    for _twice in range(2):
        client.post(away, {"do": "accept", "proposal": asked.pk, "day": "0"})
    moved = a_match(match.round.tournament, 2)
    assert (moved.own_day, moved.begins_at) == (TODAY() + timedelta(days=9), time(18, 30))


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"do": "nothing"},
        {"do": "accept"},
        {"do": "accept", "proposal": "٣"},
        {"do": "accept", "proposal": "9" * 40, "day": "0"},
        {"do": "refuse", "proposal": "-1"},
        {"do": "withdraw", "proposal": "x"},
    ],
)
def test_whatever_is_sent_is_no_error_and_moves_nothing(client, match, sent):
    asked = ask(match)
    assert client.post(at(match.away, match), sent).status_code in (200, 302)
    asked.refresh_from_db()
    assert asked.is_open


def test_a_gap_between_the_days_and_a_place_of_guests_are_refused(client, match):
    gap = {"do": "propose", "day_2": str(TODAY() + timedelta(days=9)), "reason": "syg"}
    assert b"field-error" in client.post(at(match.home, match), gap).content
    client.post(at(match.away, match), {"do": "place", "home-place": "Hos os"})
    assert a_match(match.round.tournament, 2).place == ""
    client.post(at(match.home, match), {"do": "place", "home-place": "Kroen"})
    assert a_match(match.round.tournament, 2).place == "Kroen"


def test_a_link_opens_no_match_of_others_and_an_unknown_one_none(client, league, match):
    other = a_match(league, 2, 2)
    assert client.get(at(match.home, other)).status_code == 404
    assert client.get(reverse("team_match_day", args=["x" * 22, 2, 1])).status_code == 404


def test_a_link_says_the_team_in_the_log_whoever_is_signed_in(as_alice, match):
    as_alice.post(at(match.home, match), typed(*days(9)) | {"reason": "syg"})
    line = match.round.tournament.log.first()
    assert line.author == ""


def test_both_teams_are_written_to_who_want_letters(post_office, match, league):
    for team in (match.home, match.away):
        player = team.members.first().player
        player.email = f"hold{team.number}@example.org"
        player.save()
        player.agreements.create(topic="evening", agreed_at=timezone.now())
    asked = ask(match, proposed=days(9))
    accept_day(asked, match.away, asked.proposed[0], now=timezone.now())
    told = [
        (letter.facts["what"], letter.to) for letter in Letter.objects.filter(kind="match_day").order_by("pk")
    ]
    home, away = f"hold{match.home.number}@example.org", f"hold{match.away.number}@example.org"
    assert told == [("proposed", away), ("moved", home), ("moved", away)]


@pytest.mark.parametrize(
    "stored", [None, [], [["x", ""]], [["2026-11-03"]], [["2026-11-03", 7]], [["2026-11-03", ""]] * 4]
)
def test_days_in_another_form_are_not_read(stored):
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
        read_days(stored)
    with pytest.raises(Exception, match="unknown format"):
        check_days(stored)
