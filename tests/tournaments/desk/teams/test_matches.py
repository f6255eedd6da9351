"""Matches of teams at the desk: line-ups, other days, rulings."""

from __future__ import annotations

import html
from datetime import date
from itertools import product

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.tournaments.seasons.test_season import play
from tournaments.desk.evening.navigation import Steps
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.line_ups import seats_of
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.rulings import award, set_dates
from tournaments.models import Round, Table
from tournaments.standings.teams import team_standings


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def shown(client, name, tournament, *which):
    answer = client.get(page(name, tournament, *which))
    assert answer.status_code == 200
    return answer.content.decode()


def a_match(tournament, number=3):
    return tournament.rounds.get(number=number).matches.filter(away__isnull=False).first()


def at(name, match, *which):
    return reverse(name, args=[match.round.tournament.code, match.round.number, match.number, *which])


def typed(match, side, numbers):
    return {f"{side}-player_{place}": number for place, number in enumerate(numbers, 1)}


@pytest.mark.slow
def test_an_organiser_lines_a_substitute_up_from_the_team_that_has_a_bye(as_alice, five_teams):
    match = a_match(five_teams)
    bye = match.round.matches.get(away=None).home
    seats = [seat.entry.number for seat in seats_of(match, match.home)]
    stand_in = bye.members.order_by("number").first()
    assert stand_in.player.name in as_alice.get(at("desk_match", match)).content.decode()
    as_alice.post(at("desk_line_up", match), typed(match, "home", [stand_in.number, *seats[1:]]))
    assert [seat.entry.number for seat in seats_of(match, match.home)] == [stand_in.number, *seats[1:]]
    assert stand_in.player.name in five_teams.log.first().words


@pytest.mark.slow
def test_both_line_ups_of_a_page_are_stored_together_or_neither(as_alice, five_teams):
    match = a_match(five_teams)

    def seated():
        return [[seat.entry.number for seat in seats_of(match, team)] for team in (match.home, match.away)]

    home, away = seated()
    spoiled = typed(match, "home", home[::-1]) | typed(match, "away", [away[0], away[0], *away[2:]])
    assert b"field-error" in as_alice.post(at("desk_line_up", match), spoiled).content
    assert seated() == [home, away]
    as_alice.post(
        at("desk_line_up", match), typed(match, "home", home[::-1]) | typed(match, "away", away[::-1])
    )
    assert seated() == [home[::-1], away[::-1]]


@pytest.mark.slow
@pytest.mark.parametrize("wrong", ["twice", "elsewhere", "nobody"])
def test_who_cannot_sit_there_is_said_at_the_seat(as_alice, five_teams, wrong):
    match = a_match(five_teams)
    seats = [seat.entry.number for seat in seats_of(match, match.home)]
    other = match.round.matches.filter(away__isnull=False).exclude(pk=match.pk).first()
    instead = {"twice": seats[1], "elsewhere": other.home.members.first().number, "nobody": ""}[wrong]
    answer = as_alice.post(at("desk_line_up", match), typed(match, "home", [instead, *seats[1:]]))
    assert b"field-error" in answer.content
    assert [seat.entry.number for seat in seats_of(match, match.home)] == seats


def test_a_line_up_stays_once_a_deal_is_reported(as_alice, five_teams):
    match = a_match(five_teams, 2)
    play(match.tables.select_related("round__tournament", "match").first(), deals=1)
    assert "The match has begun" in as_alice.get(at("desk_match", match)).content.decode()
    seats = [seat.entry.number for seat in seats_of(match, match.home)]
    as_alice.post(at("desk_line_up", match), typed(match, "home", seats[::-1]))
    assert [seat.entry.number for seat in seats_of(match, match.home)] == seats


@pytest.mark.slow
def test_a_match_on_another_day_lets_its_round_close_and_is_reported_until_it_is_ended(
    as_alice, five_teams, by_alice
):
    first, second = five_teams.rounds.get(number=2).matches.filter(away__isnull=False)
    as_alice.post(at("desk_postpone", first), {"day": "2026-12-24"})
    for table in second.tables.select_related("round__tournament", "match"):
        play(table)
    board = as_alice.get(page("desk_round", five_teams, 2)).content.decode()
    assert "on another day" in board
    assert "Close round 2" in as_alice.get(page("desk_tournament", five_teams)).content.decode()
    assert "24 December 2026; the round does not wait" in shown(as_alice, "desk_close_round", five_teams, 2)
    as_alice.post(page("desk_close_round", five_teams, 2))
    assert five_teams.rounds.get(number=2).is_closed
    assert at("desk_match", first) in shown(as_alice, "desk_tournament", five_teams)
    told = as_alice.get(page("desk_finish", five_teams), follow=True).content.decode()
    assert f"{first} is still to be played" in html.unescape(told)
    for table in first.tables.select_related("round__tournament", "match"):
        assert table.is_open
        assert as_alice.get(reverse("captain", args=[table.secret])).status_code == 200
        play(table)
    assert "mark the match as played" in Steps(five_teams).next.said
    as_alice.post(at("desk_end_match", first))
    first.refresh_from_db()
    assert [table.is_open for table in first.tables.all()] == [False, False]
    assert as_alice.get(reverse("captain", args=[table.secret])).status_code == 410
    five_teams.refresh_from_db()
    assert not any(result.waits for result in team_standings(five_teams).rounds[2])
    as_alice.post(at("desk_resume_match", first))
    first.refresh_from_db()
    assert first.tables.first().is_open


def test_a_match_is_not_put_off_into_the_past(as_alice, five_teams, by_alice):
    set_dates(five_teams, {2: date(2026, 9, 8)}, **by_alice)
    match = a_match(five_teams, 2)
    refused = as_alice.post(at("desk_postpone", match), {"day": "2020-01-01"})
    assert "The round is on 8 September 2026" in refused.content.decode()
    assert refused.context["postpone"].errors.keys() == {"day"}
    match.refresh_from_db()
    assert match.postponed_to is None


def test_a_postponed_match_is_not_ended_before_it_is_played(as_alice, five_teams):
    match = a_match(five_teams, 2)
    as_alice.post(at("desk_postpone", match), {"day": "2026-12-24"})
    answer = as_alice.post(at("desk_end_match", match), follow=True)
    assert "0 of 4 deals reported" in answer.content.decode()
    as_alice.post(at("desk_with_its_round", match))
    match.refresh_from_db()
    assert match.postponed_to is None


def test_a_match_is_decided_by_a_ruling_that_everybody_can_read(as_alice, client, five_teams, by_alice):
    match = a_match(five_teams, 2)
    refused = as_alice.post(at("desk_award", match), {"home": "2", "away": "0", "reason": ""})
    assert b"field-error" in refused.content
    as_alice.post(at("desk_award", match), {"home": "0", "away": "2", "reason": "did not turn up"})
    assert "did not turn up" in shown(client, "hall_matches", five_teams)
    assert str(match) in shown(client, "hall_tables", five_teams)
    assert match.away.name in shown(client, "hall_table", five_teams, 2, match.tables.first().number)
    match.refresh_from_db()
    assert [table.is_open for table in match.tables.all()] == [False, False]
    five_teams.refresh_from_db()
    rows = {row.number: row for row in team_standings(five_teams).rows}
    assert rows[match.away.number].points >= 2
    as_alice.post(at("desk_take_award_back", match))
    match.refresh_from_db()
    assert not match.is_awarded


def test_a_ruling_made_beforehand_counts_with_its_round(five_teams, by_alice):
    match = a_match(five_teams)
    award(match, {"home": 2, "away": 0}, reason="have told that they cannot come", **by_alice)
    five_teams.refresh_from_db()
    (result,) = [found for found in team_standings(five_teams).rounds[3] if found.number == match.number]
    assert (result.is_awarded, result.points) == (True, None)
    close_round(five_teams.rounds.get(number=2), force_reason="told later", **by_alice)
    start_round(five_teams.rounds.get(number=3), **by_alice)
    five_teams.refresh_from_db()
    (result,) = [found for found in team_standings(five_teams).rounds[3] if found.number == match.number]
    assert result.points == (2, 0)


def test_the_days_of_the_rounds_are_set_and_shown(as_alice, client, five_teams):
    as_alice.post(page("desk_days", five_teams), {"day_1": "2026-09-01", "day_2": "2026-09-08"})
    assert "8 September 2026" in shown(client, "hall_matches", five_teams)
    wrong = as_alice.post(page("desk_days", five_teams), {"day_1": "0026-09-01"})
    assert b"field-error" in wrong.content


def test_the_draw_leaves_the_days_as_they_were(five_teams, by_alice):
    set_dates(five_teams, {4: date(2026, 10, 1)}, **by_alice)
    draw(five_teams, seed=None, **by_alice)
    assert five_teams.rounds.get(number=4).date == date(2026, 10, 1)


@pytest.mark.parametrize(
    ("against", "wrong"),
    [({"team": "3"}, ""), ({"entry": "1"}, ""), ({}, "entry"), ({"entry": "1", "team": "3"}, "team")],
)
def test_a_ruling_is_against_a_player_or_a_team(as_alice, five_teams, against, wrong):
    picked = {"team": five_teams.teams.get(number=3).pk, "entry": five_teams.entries.get(number=1).pk}
    sent = {name: picked[name] for name in against} | {"tokens": "-2", "reason": "late", "seen": "0"}
    answer = as_alice.post(page("desk_penalties", five_teams), sent)
    if wrong:
        assert wrong in answer.context["form"].errors
        return
    five_teams.refresh_from_db()
    ruled = {row.number: row.penalties for row in team_standings(five_teams).rows}
    assert ruled == dict.fromkeys(range(1, 6), 0) | {3 if "team" in against else 1: -2}
    as_alice.post(
        reverse("desk_cancel_penalty", args=[five_teams.code, five_teams.penalties.get().pk]),
        {"reason": "no"},
    )
    five_teams.refresh_from_db()
    assert not team_standings(five_teams).has_penalties


def test_a_table_that_is_asked_for_as_open_is_one_that_says_so_itself(five_teams):
    match = a_match(five_teams)
    table = match.tables.first()
    five_teams.rounds.update(state=Round.State.CLOSED)
    agreed = []
    for state in Round.State:
        match.round.state = state
        match.round.save(update_fields=["state"])
        for postponed, ended, awarded in product(
            (None, date(2026, 12, 1)), (None, timezone.now()), (None, 0)
        ):
            match.postponed_to, match.ended_at, match.awarded_home, match.awarded_away = (
                postponed, ended, awarded, awarded,
            )  # fmt: skip
            match.save()
            is_open = Table.objects.get(pk=table.pk).is_open
            assert Table.open_ones().filter(pk=table.pk).exists() is is_open
            agreed.append(is_open)
    # Running: where it is not awarded. Closed: where it is postponed and not ended besides.
    assert (len(agreed), sum(agreed)) == (24, 5)
