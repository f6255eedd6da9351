"""A running round, and a club's own rules."""

from __future__ import annotations

import pytest

from tests.factories import make_tournament
from tournaments.draw import even_threes, groundwork, swiss
from tournaments.models import ClubRules


@pytest.fixture
def hasty_draws(monkeypatch):
    """A fiftieth of the search for the best draw: for tests that ask whether seats are whole, not how good they are."""
    for module, name in (
        (groundwork, "SWAPS"),
        (groundwork, "SMALL_FIELD_SWAPS"),
        (groundwork, "EVENING_SWAPS"),
        (even_threes, "SWAPS"),
        (swiss, "SWAPS"),
    ):
        monkeypatch.setattr(module, name, getattr(module, name) // 50)


@pytest.fixture
def seven_running(alice, club):
    """Seven players: a table of four and one of three, in a round that runs."""
    return make_tournament(7, 2, account=alice, club=club, deals_per_round=12, deals_at_three=9)


@pytest.fixture
def own_rules(club):
    return ClubRules.objects.create(
        club=club,
        name="Stillings regler",
        rulebook="union",
        options={"idle_settles": True, "forced_spadille": False},
    )
