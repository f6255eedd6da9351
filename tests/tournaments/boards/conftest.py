"""Four tables on the same boards, and their round played."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from scoring.solver import range_of_tricks
from tests.evenings import close_round, play_folders
from tests.factories import made_once, make_tournament, tables_of
from tournaments.boards import analysis

DEALS = 16
_ranges: dict[tuple[Any, ...], Any] = {}


def known_range(deal, declarer, contract, trump, *, seed):
    """`range_of_tricks`, worked out once for all tests: it takes a quarter of a second."""
    asked = tuple(deal.hands.items()), deal.talon, deal.rulebook, declarer, contract.id, trump, seed
    if asked not in _ranges:
        _ranges[asked] = range_of_tricks(deal, declarer, contract, trump, seed=seed)
    return _ranges[asked]


@pytest.fixture
def known_cards(monkeypatch):
    """Folders have the same cards in each test, and what best play makes of them is worked out once."""
    monkeypatch.setattr("tournaments.models.ledger.secrets.token_hex", lambda count: "5eed" * (count // 2))
    monkeypatch.setattr(analysis, "range_of_tricks", known_range)


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
