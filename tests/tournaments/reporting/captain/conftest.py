"""What every test of the captain's page begins with."""

from __future__ import annotations

import pytest

from tests.factories import first_table, make_tournament
from tournaments.models import Table


@pytest.fixture
def bobs_table(alice) -> Table:
    """Bob's table of four, in a round that runs."""
    return first_table(make_tournament(players=4, account=alice))
