"""Boards where pairs or teams meet: a match's tables play the same cards, and the hall says who belongs together."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.evenings import close_round, play_folders
from tests.factories import first_round, make_tournament, tables_of
from tests.pages import words_at
from tournaments.boards.results import ranking_of_teams
from tournaments.entries.teams import put_together
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import start_round
from tournaments.models import Tournament


def started(club, account, format_):
    """Eight players on boards, their first round begun."""
    now = timezone.now()
    tournament = make_tournament(
        8, club=club, account=account, drawn=False, format=format_, boards=True, deals_per_round=8
    )
    put_together(tournament, account=account, now=now)
    draw(tournament, seed=3, account=account, now=now)
    start_round(first_round(tournament), account=account, now=now)
    return tournament


def test_both_tables_of_a_match_play_the_same_folders_and_a_teams_score_is_its_players(club, alice):
    tournament = started(club, alice, "teams")
    here, there = tables_of(tournament)
    assert here.match == there.match
    assert here.folders == there.folders == list(range(1, 9))
    for table in (here, there):
        play_folders(table)
    home, away = ranking_of_teams(tournament, [first_round(tournament)])
    a_and_c = [
        sum(table.seats.filter(position__in=(0, 2)).values_list("tokens", flat=True))
        for table in (here, there)
    ]
    # With the same cards at two tables, what one team made of A and C at the first, the others made at the second.
    gained = 2 * (a_and_c[0] - a_and_c[1])
    assert {row.number: row.score.difference for row in (home, away)} == {
        here.match.home.number: gained,
        here.match.away.number: -gained,
    }
    assert (home.score.deals, away.score.deals) == (16, 16)


@pytest.mark.parametrize(
    ("format_", "said"), [("pairs", "Anna Holm with Bo Krogh"), ("teams", "Anna Holm Team 1")]
)
def test_a_folders_page_says_who_belongs_together(client, club, alice, format_, said):
    tournament = started(club, alice, format_)
    for table in tables_of(tournament):
        play_folders(table)
    close_round(tournament, alice)
    page = reverse("hall_folder", args=[tournament.code, 1, 1])
    assert said in words_at(client, page)
    assert Tournament.objects.get().rounds.get(number=1).is_closed
