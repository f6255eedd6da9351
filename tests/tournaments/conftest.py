"""What tests in several rooms begin with."""

from __future__ import annotations

from datetime import date

import pytest

from tests.factories import made_once
from tests.tournaments.seasons.test_season import make_teams, play_round
from tournaments import rounds


@pytest.fixture
def five_teams(club, by_alice):
    """Five teams, one with a reserve: one round played, one running, the rest to come."""
    return made_once("five teams", [club, by_alice["account"]], lambda: _five_teams(club, by_alice))


def _five_teams(club, by):
    tournament = make_teams(club, by, teams=5, reserves=[1], date=date(2026, 9, 1))
    first, second, *_more = tournament.rounds.order_by("number")
    rounds.set_dates(tournament, {1: date(2026, 9, 1)}, **by)
    play_round(first, by)
    rounds.close_round(first, **by)
    rounds.start_round(second, **by)
    return tournament
