"""A round that runs, and who is in it."""

from __future__ import annotations

import pytest

from tests.factories import make_tournament


@pytest.fixture
def seven_running(alice, club):
    """Seven players: a table of four and one of three, in a round that runs."""
    return make_tournament(7, 2, account=alice, club=club, deals_per_round=12, deals_at_three=9)
