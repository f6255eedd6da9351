"""A league whose teams visit each other: each match has a day, an hour and a place, and is started alone."""

from __future__ import annotations

import html
import json
from datetime import date, datetime, time, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from core.errors import NotPossible
from tests.factories import decide_as_it_stands, make_club
from tests.tournaments.seasons.test_season import make_teams, play
from tournaments.desk.evening.navigation import Steps
from tournaments.entries.teams import withdraw_team
from tournaments.exports.calendar import calendar_of
from tournaments.exports.tournament_file import export_tournament
from tournaments.exports.verify.recount import differences
from tournaments.hall.feeds import pieces_of
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import why_not_finish
from tournaments.lifecycle.fixtures import next_days, of_teams
from tournaments.lifecycle.home_matches import (
    give_own_days,
    start_match,
    take_match_start_back,
)
from tournaments.lifecycle.playing import reopen_round, start_round
from tournaments.lifecycle.rulings import award, end_match, play_with_its_round, postpone, set_dates
from tournaments.models import Match, Table, Tournament
from tournaments.seasons.year import dates_of, due_in
from tournaments.standings.teams import team_standings

TODAY = timezone.localdate


@pytest.fixture
def league(club, by_alice):
    """Four teams at home: round 1 today, a week between rounds, each match on a day of its own."""
    tournament = make_teams(club, by_alice, teams=4, date=TODAY(), begins_at=time(19))
    days = {number: TODAY() + timedelta(weeks=number - 1) for number in (1, 2, 3)}
    set_dates(tournament, days, **by_alice)
    give_own_days(tournament, **by_alice)
    tournament.teams.filter(number=1).update(place="Skovby Forsamlingshus")
    decide_as_it_stands(tournament)
    tournament.refresh_from_db()
    return tournament


def a_match(tournament, round_number, number=1):
    found = Match.objects.select_related("round__tournament", "home", "away")
    return found.get(round__tournament=tournament, round__number=round_number, number=number)


def open_tables_of(match):
    tables = match.tables.select_related("round__tournament", "match").order_by("number")
    return [table.number for table in tables if table.is_open]


def play_match(match, by):
    for table in match.tables.select_related("round__tournament", "match"):
        play(table)
    return end_match(match, **by)


def test_a_match_is_started_alone_and_the_others_of_its_round_wait(league, by_alice, client):
    first, second = a_match(league, 1, 1), a_match(league, 1, 2)
    start_match(first, **by_alice)
    league.refresh_from_db()
    assert (league.is_running, league.rules_frozen) == (True, True)
    assert (open_tables_of(first), open_tables_of(second)) == ([1, 2], [])
    assert set(Table.open_ones().values_list("match", flat=True)) == {first.pk}
    # The phone at the other match's table is told that play has not begun, not that it is over.
    waiting = second.tables.select_related("round__tournament", "match").first()
    state = client.get(reverse("captain_state", args=[waiting.secret])).json()
    assert state["table"]["started"] is False
    play_match(first, by_alice)
    table = team_standings(league)
    assert [(result.counts, result.waits) for result in table.rounds[1]] == [(True, False), (False, True)]
    assert str(second) in why_not_finish(league)
    assert league.rounds.get(number=1).closed_at is None
    start_match(second, **by_alice)
    play_match(second, by_alice)
    assert league.rounds.get(number=1).closed_at is not None
    league.refresh_from_db()
    assert not list(differences(league))


def test_a_later_match_can_be_played_before_the_rounds_in_between(league, by_alice):
    early = a_match(league, 3)
    start_match(early, **by_alice)
    assert [round_.state for round_ in league.rounds.order_by("number")] == ["closed"] * 3
    assert open_tables_of(a_match(league, 1)) == []
    play_match(early, by_alice)
    assert team_standings(league).rounds[3][0].counts


def test_a_round_of_such_matches_is_not_started_or_reopened_as_a_whole(league, by_alice):
    with pytest.raises(NotPossible, match="played one by one"):
        start_round(league.rounds.get(number=1), **by_alice)
    start_match(a_match(league, 1), **by_alice)
    with pytest.raises(NotPossible, match="played one by one"):
        reopen_round(league.rounds.get(number=1), reason="fejl", **by_alice)
    with pytest.raises(NotPossible, match="played one by one"):
        play_with_its_round(a_match(league, 1, 2), **by_alice)


def test_a_match_whose_round_has_matches_without_a_day_is_not_started(league, by_alice):
    Match.objects.filter(pk=a_match(league, 1, 2).pk).update(day=None)
    with pytest.raises(NotPossible, match="Give every match of round 1 its own day first"):
        start_match(a_match(league, 1), **by_alice)
    league.refresh_from_db()
    assert not league.is_running


def test_rounds_without_a_date_give_their_matches_none(league, by_alice):
    Match.objects.filter(round__tournament=league).update(day=None)
    set_dates(league, {2: None}, **by_alice)
    with pytest.raises(NotPossible, match="Round 2 has no date yet"):
        give_own_days(league, **by_alice)


def test_a_captain_starts_the_match_on_its_day_and_both_links_say_the_same(league, client):
    match, coming = a_match(league, 1), a_match(league, 2)
    page = reverse("team_line_up", args=[match.home.secret])
    shown = client.get(page).content.decode()
    start = reverse("team_start_match", args=[match.home.secret, 1, match.number])
    assert start in shown
    other = coming.number if match.home_id in {coming.home_id, coming.away_id} else 2
    too_early = reverse("team_start_match", args=[match.home.secret, 2, other])
    answer = client.post(too_early, follow=True).content.decode()
    assert "can be started on that day" in answer
    for _twice in range(2):
        client.post(start)
    assert league.log.filter(text__startswith="Round {round}: {match} started").count() == 1
    assert open_tables_of(match) == [1, 2]
    for team in (match.home, match.away):
        own = client.get(reverse("team_line_up", args=[team.secret])).content.decode()
        assert all(reverse("captain", args=[table.secret]) in own for table in match.tables.all())


def test_a_captain_starts_no_match_of_others(league, client):
    match, others = a_match(league, 1, 1), a_match(league, 1, 2)
    address = reverse("team_start_match", args=[match.home.secret, 1, others.number])
    assert client.post(address).status_code == 404
    assert client.get(reverse("team_start_match", args=[match.home.secret, 1, 1])).status_code == 405
    assert client.post(reverse("team_start_match", args=["x" * 22, 1, 1])).status_code == 404


def test_a_withdrawn_teams_match_is_decided_and_not_started(league, by_alice):
    match = a_match(league, 1)
    start_match(a_match(league, 1, 2), **by_alice)
    withdraw_team(match.home, reason="syge", **by_alice)
    with pytest.raises(NotPossible, match="has withdrawn: the desk decides"):
        start_match(match, **by_alice)
    award(match, {"home": 0, "away": 2}, reason="udeblevet", **by_alice)
    with pytest.raises(NotPossible, match="not waiting to be started"):
        start_match(match, **by_alice)


def test_nobody_plays_in_two_matches_at_once(league, by_alice):
    first, later = a_match(league, 1), a_match(league, 2)
    start_match(first, **by_alice)
    with pytest.raises(NotPossible, match="is sitting in another match"):
        start_match(later, **by_alice)


def test_a_start_is_undone_while_nothing_is_reported(as_alice, league, by_alice):
    match = a_match(league, 1)
    which = [league.code, 1, match.number]
    as_alice.post(reverse("desk_start_match", args=which))
    assert "Undo the start" in as_alice.get(reverse("desk_match", args=which)).content.decode()
    as_alice.post(reverse("desk_match_start_back", args=which))
    assert open_tables_of(match) == []
    start_match(a_match(league, 1), **by_alice)
    play(match.tables.select_related("round__tournament", "match").first(), deals=1)
    with pytest.raises(NotPossible, match="Deals have been reported"):
        take_match_start_back(a_match(league, 1), **by_alice)


def events(club):
    data = b"".join(calendar_of(club, Tournament.objects.filter(host=club), "http://x/"))
    return {str(event["uid"]): event for event in Calendar.from_ical(data).walk("VEVENT")}


def test_calendars_have_an_event_for_each_match_with_its_hour_and_place(club, league, by_alice):
    found = events(club)
    assert len(found) == 6
    match = next(one for one in Match.objects.filter(round__tournament=league) if one.home.number == 1)
    uid = f"{league.code}-{match.round.number}-{match.number}@spadille"
    start = timezone.localtime(found[uid]["dtstart"].dt)
    assert (start.date(), start.time()) == (match.day, time(19))
    assert str(found[uid]["location"]) == "Skovby Forsamlingshus"
    moved = match.day + timedelta(days=3)
    postpone(match, moved, begins_at=time(18, 30), place="Kroen", **by_alice)
    after = events(club)[uid]
    assert timezone.localtime(after["dtstart"].dt) == timezone.make_aware(
        datetime.combine(moved, time(18, 30))
    )
    assert str(after["location"]) == "Kroen"
    assert int(after["sequence"]) > int(found[uid]["sequence"])


def test_feeds_and_the_hall_tell_of_the_next_matches(club, league, client, by_alice):
    match = a_match(league, 2)
    postpone(match, match.day, place="Kroen", **by_alice)
    pieces = {piece.about: piece for piece in pieces_of(club)}
    piece = pieces[f"match {league.code} 2 {match.number}"]
    assert piece.title.startswith(str(match))
    assert piece.lines[1].endswith("19:00, Kroen")
    front = html.unescape(client.get(reverse("hall", args=[league.code])).content.decode())
    assert "The next matches" in front
    assert str(match) in front
    matches = client.get(reverse("hall_matches", args=[league.code])).content.decode()
    assert "19:00, Kroen" in matches


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (0, 1),  # what was played today is over: the next one is tomorrow
        (1, None),  # a match is played today
        (2, 7),
        (22, None),  # nobody knows what is still to come
    ],
)
def test_a_league_is_being_played_on_the_days_of_its_matches_alone(league, by_alice, after, expected):
    for number in (1, 2):
        start_match(a_match(league, 1, number), **by_alice)
        play_match(a_match(league, 1, number), by_alice)
    postpone(a_match(league, 2), TODAY() + timedelta(days=1), **by_alice)
    league.refresh_from_db()
    found = next_days([league], TODAY() + timedelta(days=after))
    assert found == ({} if expected is None else {league.pk: TODAY() + timedelta(days=expected)})


def test_the_desk_names_the_match_that_is_due_and_not_a_whole_season(league, by_alice):
    assert Steps(league).next.button == "See the matches"
    start_match(a_match(league, 3), **by_alice)
    steps = Steps(Tournament.objects.get(pk=league.pk))
    keys = [step.key for step in steps.all if step.key.startswith("match-")]
    due = [a_match(league, 1, number).pk for number in (1, 2)]
    assert sorted(keys) == sorted(f"match-{pk}" for pk in [*due, a_match(league, 3).pk])


def test_a_new_draw_leaves_days_and_places_to_the_matches_that_stay(league, by_alice):
    match = a_match(league, 2)
    postpone(match, match.day + timedelta(days=1), begins_at=time(20), place="Kroen", **by_alice)
    draw(league, seed=7, **by_alice)
    again = a_match(league, 2)
    assert again.pk != match.pk
    assert (again.day, again.own_day, again.begins_at, again.place) == (
        match.day,
        match.day + timedelta(days=1),
        time(20),
        "Kroen",
    )


def test_a_transfer_takes_days_hours_and_places_along(league, by_alice):
    match = a_match(league, 2)
    postpone(match, match.day, begins_at=time(20), place="Kroen", **by_alice)
    told = json.loads(export_tournament(league))
    (found,) = [
        one
        for round_ in told["rounds"]
        if round_["number"] == 2
        for one in round_["matches"]
        if one["number"] == match.number
    ]
    assert (found["day"], found["begins_at"], found["place"]) == (str(match.day), "20:00:00", "Kroen")


def test_only_who_organises_gives_days_and_starts_at_the_desk(client, as_charlie, league):
    for visitor in (client, as_charlie):
        for name, which in (("desk_own_days", []), ("desk_start_match", [1, 1])):
            answer = visitor.post(reverse(name, args=[league.code, *which]))
            assert answer.status_code in (302, 403, 404)
    assert not a_match(league, 1).started_at


def test_days_are_typed_at_the_desk_with_hour_and_place(as_alice, league):
    match = a_match(league, 2)
    which = [league.code, 2, match.number]
    sent = {"day": "2027-01-05", "begins_at": "18:30", "place": "Kroen"}
    as_alice.post(reverse("desk_postpone", args=which), sent)
    match = a_match(league, 2)
    assert (match.own_day, match.begins_at, match.place) == (date(2027, 1, 5), time(18, 30), "Kroen")
    page = as_alice.get(reverse("desk_match", args=which)).content.decode()
    assert "5 January 2027, 18:30, Kroen" in page
    refused = as_alice.post(reverse("desk_postpone", args=which), sent | {"begins_at": "27:99"})
    assert refused.context["postpone"].errors.keys() == {"begins_at"}


def test_a_match_has_the_clock_of_a_round_from_its_start(league, by_alice, client):
    Tournament.objects.filter(pk=league.pk).update(round_minutes=90)
    match = start_match(a_match(league, 1), **by_alice)
    assert a_match(league, 1).clock.minutes == 90
    own = client.get(reverse("team_line_up", args=[match.home.secret])).content.decode()
    assert "data-clock" in own
    play_match(match, by_alice)
    own = client.get(reverse("team_line_up", args=[match.home.secret])).content.decode()
    assert "data-clock" not in own


def shown(client, name, tournament, *which):
    return html.unescape(client.get(reverse(name, args=[tournament.code, *which])).content.decode())


@pytest.mark.parametrize("view", ["", "?view=list"])
def test_the_board_shows_what_is_played_and_what_waits_for_its_day(as_alice, league, by_alice, view):
    """No table is done before its match has been played, and its round is not closed."""
    start_match(a_match(league, 1, 1), **by_alice)
    board = html.unescape(as_alice.get(reverse("desk_round", args=[league.code, 1]) + view).content.decode())
    assert ("2 play<" in board, "2 on another day" in board) == (True, True)
    assert "✓ done" not in board
    assert "2 done" not in board
    assert "is not waiting for it" not in board
    assert '<span class="badge">match by match</span>' in board
    assert reverse("desk_reopen_round", args=[league.code, 1]) not in board
    play_match(a_match(league, 1, 1), by_alice)
    board = shown(as_alice, "desk_round", league, 1)
    assert ("2 done" in board, "2 on another day" in board) == (True, True)
    start_match(a_match(league, 1, 2), **by_alice)
    play_match(a_match(league, 1, 2), by_alice)
    assert '<span class="badge">closed</span>' in shown(as_alice, "desk_round", league, 1)


def test_a_match_that_has_started_is_being_played_on_every_page(as_alice, league, by_alice):
    """A match without a deal, as well: it is the step that the overview and the strip show."""
    match = start_match(a_match(league, 1, 1), **by_alice)
    step = Steps(league).next
    assert (step.key, step.said) == (f"match-{match.pk}", "being played")
    page = shown(as_alice, "desk_match", league, 1, 1)
    assert "being played" in page
    assert "will be played on" not in page
    assert f"{match}" in shown(as_alice, "desk_tournament", league)
    (result,) = [one for one in team_standings(league).rounds[1] if one.number == match.number]
    assert (result.in_play, result.counts) == (True, False)


@pytest.fixture
def visitors(club, league):
    """A club whose team plays in the league of another: team 2."""
    viby = make_club("Viby")
    league.teams.filter(number=2).update(club=viby)
    return viby


def test_a_club_lists_the_matches_of_its_teams_in_leagues_of_others(client, league, visitors):
    """The calendar, the feed and the page, at home and away, with hall and clock; and no match of other teams."""
    own = Match.objects.filter(round__tournament=league).filter(of_teams(visitors))
    uids = {f"{league.code}-{match.round.number}-{match.number}@spadille" for match in own}
    assert len(uids) == 3
    data = client.get(reverse("hall_calendar", args=[visitors.slug])).getvalue()
    events = {str(event["uid"]): event for event in Calendar.from_ical(data).walk("VEVENT")}
    assert events.keys() == uids
    away = next(match for match in own if match.home.number == 1 or match.away.number == 1)
    if away.home.number == 1:
        event = events[f"{league.code}-{away.round.number}-{away.number}@spadille"]
        assert str(event["location"]) == "Skovby Forsamlingshus"
    assert all(event["dtstart"].dt.hour == 19 for event in events.values())
    pieces = [piece for piece in pieces_of(visitors) if piece.about.startswith("match ")]
    assert len(pieces) == 3
    feed = client.get(reverse("hall_feed", args=[visitors.slug])).content.decode()
    page = html.unescape(client.get(reverse("hall_club", args=[visitors.slug])).content.decode())
    for match in own:
        assert str(match) in html.unescape(feed)
        assert str(match) in page
    in_year = {one.text for one in dates_of(visitors, TODAY().year) + dates_of(visitors, TODAY().year + 1)}
    assert in_year >= {f"{league.name}: {match}" for match in own}
    assert len(in_year) == 3
    assert "19:00" in page
    assert "No evening has been announced" not in page


def test_a_feed_follows_a_match_that_another_club_moves(client, league, visitors, by_alice):
    where = reverse("hall_feed", args=[visitors.slug])
    match = next(m for m in Match.objects.filter(of_teams(visitors)).select_related("round__tournament"))
    assert "Kroen" not in client.get(where).content.decode()
    postpone(match, match.day, place="Kroen", **by_alice)
    assert "Kroen" in client.get(where).content.decode()


def test_a_league_whose_matches_of_a_club_are_all_decided_has_no_day_there(client, league, visitors):
    Match.objects.filter(of_teams(visitors)).update(awarded_home=2)
    data = client.get(reverse("hall_calendar", args=[visitors.slug])).getvalue()
    assert Calendar.from_ical(data).walk("VEVENT") == []
    assert [one.text for one in dates_of(visitors, TODAY().year)] == []


def test_a_calendar_that_somebody_has_is_sent_again_in_another_time_zone(client, league, visitors, settings):
    where = reverse("hall_calendar", args=[visitors.slug])
    known = {"If-None-Match": client.get(where).headers["ETag"]}
    assert client.get(where, headers=known).status_code == 304
    settings.TIME_ZONE = "Europe/Helsinki"
    assert client.get(where, headers=known).status_code == 200


def test_the_next_organiser_finds_the_rounds_of_a_league_elsewhere(club, visitors, league):
    Match.objects.filter(round__tournament=league).update(day=None, begins_at=None)
    round_ = league.rounds.get(number=2)
    round_.date = TODAY() + timedelta(days=9)
    round_.save()
    assert round_.date in [one.day for one in due_in(visitors, timezone.now())]
