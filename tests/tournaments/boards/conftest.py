"""Four tables on the same boards, and their round played."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from tests.evenings import close_round, play_folders
from tests.factories import made_once, make_tournament, tables_of

DEALS = 16


@pytest.fixture
def evening(club, alice):
    """Four tables that share one set of sixteen folders; the round is being played, always with the same cards."""
    with patch("tournaments.models.ledger.secrets.token_hex", lambda count: "5eed" * (count // 2)):
        return make_tournament(
            16, club=club, account=alice, boards=True, board_sets=1, deals_per_round=DEALS, deals_at_three=12
        )


@pytest.fixture
def played(club, evening, alice):
    return made_once("boards played", [club, evening, alice], lambda: _played(evening, alice))


def _played(evening, alice):
    for table in tables_of(evening):
        play_folders(table)
    close_round(evening, alice)
    return evening
