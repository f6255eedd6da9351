"""A championship whose groups are played."""

from __future__ import annotations

from datetime import date

import pytest

from tests.evenings import make_evening, play_evening
from tests.factories import made_once, make_championship, make_player, player_name
from tournaments.models import Tournament

DAY = date(2026, 9, 5)


@pytest.fixture
def groups(club, alice):
    """Two groups of five and four players each, played."""
    made_once("groups", [club, alice], lambda: _groups(club, alice)[0])
    return list(Tournament.objects.order_by("name"))


def _groups(club, alice):
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]
    return [
        play_evening(
            make_evening(some, club, alice, date=DAY, name=f"Gruppe {letter}", stake=25, tie_breaks=["lot"]),
            alice,
            seed=100 * number,
        )
        for number, (letter, some) in enumerate((("A", players[:4]), ("B", players[4:])))
    ]


@pytest.fixture
def championship(club, groups):
    made = make_championship(club)
    Tournament.objects.filter(pk__in=[group.pk for group in groups]).update(stage=made.stages.get(number=1))
    return made


@pytest.fixture
def played(club, alice):
    """A tournament of eight players that is over."""
    players = [make_player(player_name(index), club, index + 1) for index in range(8)]
    return play_evening(
        make_evening(players, club, alice, date=DAY, name="Efterår", tie_breaks=["lot"]),
        alice,
        seed=5,
    )


@pytest.fixture
def stage(club, played):
    """The first stage of a championship, of one group that is still to be chosen."""
    championship = make_championship(club)
    first = championship.stages.get(number=1)
    first.groups = 1
    first.save()
    return first
