"""A club's own rules."""

from __future__ import annotations

import pytest

from tournaments.models import ClubRules


@pytest.fixture
def own_rules(club):
    return ClubRules.objects.create(
        club=club,
        name="Stillings regler",
        rulebook="union",
        options={"idle_settles": True, "forced_spadille": False},
    )
