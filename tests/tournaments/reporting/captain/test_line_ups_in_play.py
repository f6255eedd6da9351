"""A match that has begun still says who sits where: at the desk, and on the team's own page."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone

from tests.pages import words_at
from tests.tournaments.seasons.test_season import make_teams, play
from tournaments.lifecycle.line_ups import seats_of
from tournaments.lifecycle.playing import start_round


def test_the_desk_and_the_teams_page_say_who_sits_where_in_a_match_that_has_begun(
    as_alice, client, club, alice
):
    tournament = make_teams(club, {"account": alice, "now": timezone.now()}, teams=2)
    round_ = start_round(tournament.rounds.get(number=1), account=alice, now=timezone.now())
    table = round_.tables.select_related("round__tournament", "match").get(number=1)
    home = table.match.home
    own_page = reverse("team_line_up", args=[home.secret])
    assert "The match has begun" not in words_at(client, own_page)
    play(table, deals=1)
    seats = seats_of(table.match, home)
    expected = [
        f"Table {number}, seat {letter} : {seat.entry.shown_name}"
        for seat, (number, letter) in zip(seats, [(1, "A"), (1, "C"), (2, "B"), (2, "D")], strict=True)
    ]
    desk = words_at(as_alice, reverse("desk_match", args=[tournament.code, 1, 1]))
    own = words_at(client, own_page)
    for line in expected:
        words = line.replace(" :", ":")
        assert (words in desk, words in own) == (True, True)
    assert "The match has begun" in own


def test_the_halls_matches_lead_to_their_tables(client, club, alice):
    tournament = make_teams(club, {"account": alice, "now": timezone.now()}, teams=2)
    page = client.get(reverse("hall_matches", args=[tournament.code])).content.decode()
    for number in (1, 2):
        address = reverse("hall_table", args=[tournament.code, 1, number])
        assert f'<a href="{address}">Table {number}</a>' in page
        assert client.get(address).status_code == 200
