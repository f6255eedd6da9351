"""A table whose results tests look at."""

from __future__ import annotations

import pytest

from tests.factories import first_table, make_tournament


@pytest.fixture
def table_of_12_deals(alice, club):
    return first_table(make_tournament(4, account=alice, club=club, deals_per_round=12))
