"""A season and its evenings."""

from __future__ import annotations

from datetime import date

import pytest

from tests.evenings import make_evening, play_evening
from tests.factories import made_once, make_player, player_name
from tournaments.models import Season

DAYS = [date(2026, 9, 3), date(2026, 10, 1), date(2026, 11, 5)]


@pytest.fixture
def players(club):
    return [make_player(player_name(index), club, index + 1) for index in range(8)]


@pytest.fixture
def season(club):
    return Season.objects.create(
        host=club,
        name="Efterår 2026",
        starts=date(2026, 9, 1),
        ends=date(2026, 12, 31),
        best_of=2,
        least_evenings=2,
    )


@pytest.fixture
def evening(club, alice, players, season):
    """One evening of the season, of four players."""
    return made_once(
        "evening of a season",
        [club, alice, season, *players],
        lambda: play_evening(make_evening(players[:4], club, alice, date=DAYS[0], season=season), alice),
    )
