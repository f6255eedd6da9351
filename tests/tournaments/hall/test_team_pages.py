"""Teams in the hall and at the desk: places, matches, cross table, a team's page, line-ups and rulings."""

from __future__ import annotations

import html
import json
from datetime import date
from io import BytesIO

import pypdf
import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook

from tests.tournaments.seasons.test_season import make_teams, play, play_round
from tournaments import rounds
from tournaments.desk.evening.steps import Steps
from tournaments.models import Seat
from tournaments.paper.kinds import KINDS, Order
from tournaments.standings.players import standings
from tournaments.teams.standings import team_standings
from tournaments.teams.words import score, tokens


@pytest.fixture
def begun(club, by_alice):
    """Five teams, one with a reserve: one round played, one running, the rest to come."""
    tournament = make_teams(club, by_alice, teams=5, reserves=[1])
    first, second, *_more = tournament.rounds.order_by("number")
    rounds.set_dates(tournament, {1: date(2026, 9, 1)}, **by_alice)
    play_round(first, by_alice)
    rounds.close_round(first, **by_alice)
    rounds.start_round(second, **by_alice)
    tournament.refresh_from_db()
    return tournament


def page(name, tournament, *which):
    return reverse(name, args=[tournament.code, *which])


def shown(client, name, tournament, *which):
    answer = client.get(page(name, tournament, *which))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_hall_shows_places_matches_and_who_met_whom(client, begun):
    best = team_standings(begun).rows[0]
    for name, which in (
        ("standings", ()), ("hall_matches", ()), ("hall_cross_table", ()), ("hall_team", (best.number,)),
        ("hall", ()), ("projector", ()), ("hall_player", (best.players[0].number,)),
    ):  # fmt: skip
        assert best.name in shown(client, name, begun, *which), name
    assert "provisional" in shown(client, "standings", begun)
    assert "Spiller 22" in shown(client, "hall_team", begun, 1)
    assert "Anna Holm" in shown(client, "hall_players", begun)
    assert "1 September 2026" in shown(client, "hall_matches", begun)


def test_the_pages_of_teams_are_not_there_where_everybody_plays_alone(client, begun):
    type(begun).objects.filter(pk=begun.pk).update(format="individual")
    for name, which in (
        ("hall_matches", ()),
        ("hall_cross_table", ()),
        ("hall_team", (1,)),
        ("hall_players", ()),
    ):
        assert client.get(page(name, begun, *which)).status_code == 404


def test_the_standings_know_a_match_that_is_being_played(client, begun, by_alice):
    match = begun.rounds.get(number=2).matches.filter(away__isnull=False).first()
    play(match.tables.select_related("round__tournament", "match").first(), deals=2)
    begun.refresh_from_db()
    (result,) = [found for found in team_standings(begun).rounds[2] if found.number == match.number]
    assert result.in_play
    assert sum(result.points) == 2
    assert "being played" in shown(client, "hall_matches", begun)


# At the desk


def a_match(tournament, number=3):
    return tournament.rounds.get(number=number).matches.filter(away__isnull=False).first()


def at(name, match, *which):
    return reverse(name, args=[match.round.tournament.code, match.round.number, match.number, *which])


def typed(match, side, numbers):
    return {f"{side}-player_{place}": number for place, number in enumerate(numbers, 1)}


@pytest.mark.slow
def test_an_organiser_lines_a_substitute_up_from_the_team_that_has_a_bye(as_alice, begun):
    match = a_match(begun)
    bye = match.round.matches.get(away=None).home
    seats = [seat.entry.number for seat in rounds.seats_of(match, match.home)]
    stand_in = bye.members.order_by("number").first()
    assert stand_in.player.name in as_alice.get(at("desk_match", match)).content.decode()
    as_alice.post(at("desk_line_up", match), typed(match, "home", [stand_in.number, *seats[1:]]))
    assert [seat.entry.number for seat in rounds.seats_of(match, match.home)] == [stand_in.number, *seats[1:]]
    assert stand_in.player.name in begun.log.first().words


@pytest.mark.slow
def test_both_line_ups_of_a_page_are_stored_together_or_neither(as_alice, begun):
    match = a_match(begun)

    def seated():
        return [
            [seat.entry.number for seat in rounds.seats_of(match, team)] for team in (match.home, match.away)
        ]

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
def test_who_cannot_sit_there_is_said_at_the_seat(as_alice, begun, wrong):
    match = a_match(begun)
    seats = [seat.entry.number for seat in rounds.seats_of(match, match.home)]
    other = match.round.matches.filter(away__isnull=False).exclude(pk=match.pk).first()
    instead = {"twice": seats[1], "elsewhere": other.home.members.first().number, "nobody": ""}[wrong]
    answer = as_alice.post(at("desk_line_up", match), typed(match, "home", [instead, *seats[1:]]))
    assert b"field-error" in answer.content
    assert [seat.entry.number for seat in rounds.seats_of(match, match.home)] == seats


def test_a_line_up_stays_once_a_deal_is_reported(as_alice, begun):
    match = a_match(begun, 2)
    play(match.tables.select_related("round__tournament", "match").first(), deals=1)
    assert "The match has begun" in as_alice.get(at("desk_match", match)).content.decode()
    seats = [seat.entry.number for seat in rounds.seats_of(match, match.home)]
    as_alice.post(at("desk_line_up", match), typed(match, "home", seats[::-1]))
    assert [seat.entry.number for seat in rounds.seats_of(match, match.home)] == seats


@pytest.mark.slow
def test_a_match_on_another_day_lets_its_round_close_and_is_reported_until_it_is_ended(
    as_alice, begun, by_alice
):
    first, second = begun.rounds.get(number=2).matches.filter(away__isnull=False)
    as_alice.post(at("desk_postpone", first), {"day": "2026-12-24"})
    for table in second.tables.select_related("round__tournament", "match"):
        play(table)
    board = as_alice.get(page("desk_round", begun, 2)).content.decode()
    assert "on another day" in board
    assert "Close round 2" in as_alice.get(page("desk_tournament", begun)).content.decode()
    assert "24 December 2026; the round does not wait" in shown(as_alice, "desk_close_round", begun, 2)
    as_alice.post(page("desk_close_round", begun, 2))
    assert begun.rounds.get(number=2).is_closed
    assert at("desk_match", first) in shown(as_alice, "desk_tournament", begun)
    told = as_alice.get(page("desk_finish", begun), follow=True).content.decode()
    assert f"{first} is still to be played" in html.unescape(told)
    for table in first.tables.select_related("round__tournament", "match"):
        assert table.is_open
        assert as_alice.get(reverse("captain", args=[table.secret])).status_code == 200
        play(table)
    assert "say that the match has been played" in Steps(begun).next.said
    as_alice.post(at("desk_end_match", first))
    first.refresh_from_db()
    assert [table.is_open for table in first.tables.all()] == [False, False]
    assert as_alice.get(reverse("captain", args=[table.secret])).status_code == 410
    begun.refresh_from_db()
    assert not any(result.waits for result in team_standings(begun).rounds[2])
    as_alice.post(at("desk_resume_match", first))
    first.refresh_from_db()
    assert first.tables.first().is_open


def test_a_match_is_not_put_off_into_the_past(as_alice, begun, by_alice):
    rounds.set_dates(begun, {2: date(2026, 9, 8)}, **by_alice)
    match = a_match(begun, 2)
    refused = as_alice.post(at("desk_postpone", match), {"day": "2020-01-01"})
    assert "The round is played on 8 September 2026" in refused.content.decode()
    assert refused.context["postpone"].errors.keys() == {"day"}
    match.refresh_from_db()
    assert match.postponed_to is None


def test_a_postponed_match_is_not_ended_before_it_is_played(as_alice, begun):
    match = a_match(begun, 2)
    as_alice.post(at("desk_postpone", match), {"day": "2026-12-24"})
    answer = as_alice.post(at("desk_end_match", match), follow=True)
    assert "0 of 4 deals reported" in answer.content.decode()
    as_alice.post(at("desk_with_its_round", match))
    match.refresh_from_db()
    assert match.postponed_to is None


def test_a_match_is_decided_by_a_ruling_that_everybody_can_read(as_alice, client, begun, by_alice):
    match = a_match(begun, 2)
    refused = as_alice.post(at("desk_award", match), {"home": "2", "away": "0", "reason": ""})
    assert b"field-error" in refused.content
    as_alice.post(at("desk_award", match), {"home": "0", "away": "2", "reason": "did not turn up"})
    assert "did not turn up" in shown(client, "hall_matches", begun)
    assert str(match) in shown(client, "hall_tables", begun)
    assert match.away.name in shown(client, "hall_table", begun, 2, match.tables.first().number)
    match.refresh_from_db()
    assert [table.is_open for table in match.tables.all()] == [False, False]
    begun.refresh_from_db()
    rows = {row.number: row for row in team_standings(begun).rows}
    assert rows[match.away.number].points >= 2
    as_alice.post(at("desk_take_award_back", match))
    match.refresh_from_db()
    assert not match.is_awarded


def test_a_ruling_made_beforehand_counts_with_its_round(begun, by_alice):
    match = a_match(begun)
    rounds.award(match, {"home": 2, "away": 0}, reason="have told that they cannot come", **by_alice)
    begun.refresh_from_db()
    (result,) = [found for found in team_standings(begun).rounds[3] if found.number == match.number]
    assert (result.is_awarded, result.points) == (True, None)
    rounds.close_round(begun.rounds.get(number=2), force_reason="told later", **by_alice)
    rounds.start_round(begun.rounds.get(number=3), **by_alice)
    begun.refresh_from_db()
    (result,) = [found for found in team_standings(begun).rounds[3] if found.number == match.number]
    assert result.points == (2, 0)


def test_the_days_of_the_rounds_are_set_and_shown(as_alice, client, begun):
    as_alice.post(page("desk_days", begun), {"day_1": "2026-09-01", "day_2": "2026-09-08"})
    assert "8 September 2026" in shown(client, "hall_matches", begun)
    wrong = as_alice.post(page("desk_days", begun), {"day_1": "0026-09-01"})
    assert b"field-error" in wrong.content


def test_the_draw_leaves_the_days_as_they_were(begun, by_alice):
    rounds.set_dates(begun, {4: date(2026, 10, 1)}, **by_alice)
    rounds.draw(begun, seed=None, **by_alice)
    assert begun.rounds.get(number=4).date == date(2026, 10, 1)


@pytest.mark.parametrize(
    ("against", "wrong"),
    [({"team": "3"}, ""), ({"entry": "1"}, ""), ({}, "entry"), ({"entry": "1", "team": "3"}, "team")],
)
def test_a_ruling_is_against_a_player_or_a_team(as_alice, begun, against, wrong):
    picked = {"team": begun.teams.get(number=3).pk, "entry": begun.entries.get(number=1).pk}
    sent = {name: picked[name] for name in against} | {"tokens": "-2", "reason": "late", "seen": "0"}
    answer = as_alice.post(page("desk_penalties", begun), sent)
    if wrong:
        assert wrong in answer.context["form"].errors
        return
    begun.refresh_from_db()
    ruled = {row.number: row.penalties for row in team_standings(begun).rows}
    assert ruled == dict.fromkeys(range(1, 6), 0) | {3 if "team" in against else 1: -2}
    as_alice.post(
        reverse("desk_cancel_penalty", args=[begun.code, begun.penalties.get().pk]), {"reason": "no"}
    )
    begun.refresh_from_db()
    assert not team_standings(begun).has_penalties


def test_a_reserve_who_never_sat_is_not_ranked_among_those_who_played(client, begun):
    """Five teams of four: one has had a bye each time it could have played, or not."""
    reserve = begun.entries.get(reserve=True)
    sat = set(
        Seat.objects.filter(round__tournament=begun, round__number__lte=2).values_list("entry", flat=True)
    )
    assert {row.entry_id for row in standings(begun).rows} == sat
    assert reserve.pk not in sat


# By the team's own link


def test_a_teams_captain_lines_it_up_by_its_link(client, begun):
    match = a_match(begun)
    team, reserve = begun.teams.get(number=1), begun.entries.get(reserve=True)
    match = next(found for found in rounds.line_ups_to_come(team) if found.round.is_drawn)
    seats = [seat.entry.number for seat in rounds.seats_of(match, team)]
    address = reverse("team_line_up", args=[team.secret])
    assert reserve.player.name in client.get(address).content.decode()
    sent = {
        f"match{match.pk}-player_{place}": number
        for place, number in enumerate([reserve.number, *seats[1:]], 1)
    }
    client.post(address, sent)
    assert [seat.entry.number for seat in rounds.seats_of(match, team)] == [reserve.number, *seats[1:]]
    assert "the team’s own line-up" in begun.log.first().words
    assert begun.entries.get(reserve=True).status == "present"


def test_a_replaced_link_is_dead_and_says_nothing(as_alice, client, begun):
    team = begun.teams.get(number=1)
    sent = {"secret": team.secret}
    for _twice in range(2):
        as_alice.post(reverse("desk_team_link", args=[begun.code, 1]), sent)
    assert client.get(reverse("team_line_up", args=[team.secret])).status_code == 404
    assert begun.log.filter(text="{team} has a new link").count() == 1
    team.refresh_from_db()
    assert team.secret in as_alice.get(reverse("desk_team_link", args=[begun.code, 1])).content.decode()


# On paper


@pytest.mark.parametrize("kind", ["standings", "cross", "schedule", "players"])
def test_a_season_is_printed(begun, kind):
    order = Order(begun.rounds.get(number=1), "http://hall", timezone.now())
    assert KINDS[kind].suits(begun)
    pages = KINDS[kind].pages(order)
    text = "".join(render_to_string(page.template, dict(page.context)) for page in pages)
    team = begun.teams.get(number=2)
    assert (team.members.first().player.name if kind == "players" else team.name) in text
    type(begun).objects.filter(pk=begun.pk).update(format="individual")
    begun.refresh_from_db()
    assert KINDS[kind].suits(begun) == (kind == "standings")


def test_the_standings_and_matches_are_a_file(client, begun):
    rows = {row.number: row for row in team_standings(begun).rows}
    told = json.loads(client.get(page("hall_teams_file", begun, "json")).content)
    (division,) = told["divisions"]
    assert {team["number"]: team["points"] for team in division["teams"]} == {
        number: row.points for number, row in rows.items()
    }
    assert len(told["matches"]) == 5 * 3
    lines = client.get(page("hall_teams_file", begun, "csv")).content.decode("utf-8-sig").splitlines()
    assert len(lines) == 1 + 5
    book = load_workbook(BytesIO(client.get(page("hall_teams_file", begun, "xlsx")).content))
    assert [sheet.max_row for sheet in book] == [1 + 5, 1 + 5 * 3]
    assert client.get(page("hall_teams_file", begun, "doc")).status_code == 404


def test_the_schedule_is_had_to_print_without_signing_in(client, begun):
    answer = client.get(page("hall_teams_pdf", begun, "schedule"))
    assert answer.content.startswith(b"%PDF")
    assert client.get(page("hall_teams_pdf", begun, "money")).status_code == 404


@pytest.mark.slow
def test_the_schedule_on_paper_has_tokens_rulings_and_other_days(client, begun, by_alice):
    third, fourth = begun.rounds.filter(number__in=[3, 4]).order_by("number")
    postponed = third.matches.exclude(away=None).first()
    rounds.postpone(postponed, date(2026, 12, 5), **by_alice)
    ruled = fourth.matches.exclude(away=None).first()
    rounds.award(ruled, {"home": 2, "away": 0}, reason="kom ikke", **by_alice)
    found = pypdf.PdfReader(BytesIO(client.get(page("hall_teams_pdf", begun, "schedule")).content))
    text = " ".join(" ".join(one.extract_text() for one in found.pages).split())
    results = [result for result in team_standings(begun).rounds[1] if not result.is_bye]
    assert len(results) == 2
    assert all(f"{score(result)} {tokens(result)}" in text for result in results)
    assert "is played on 5 December 2026" in text
    assert "by ruling: kom ikke" in text
    assert [text.count(f"Round {number}") for number in range(1, 6)] == [1] * 5
