"""What tests in several rooms begin with."""

from __future__ import annotations

from datetime import date

import pytest

from tests.tournaments.seasons.test_season import make_teams, play_round
from tournaments import rounds


@pytest.fixture
def five_teams(club, by_alice):
    """Five teams, one with a reserve: one round played, one running, the rest to come."""
    tournament = make_teams(club, by_alice, teams=5, reserves=[1])
    first, second, *_more = tournament.rounds.order_by("number")
    rounds.set_dates(tournament, {1: date(2026, 9, 1)}, **by_alice)
    play_round(first, by_alice)
    rounds.close_round(first, **by_alice)
    rounds.start_round(second, **by_alice)
    tournament.refresh_from_db()
    return tournament
