"""An evening with all that is chained."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.factories import first_round, made_once, make_tournament, play_out, report
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.rulings import penalise
from tournaments.models import Table

SOLO = {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def chained_evening(club, alice):
    """Eight players at two tables, the first round closed, with a ruling."""
    return made_once("chained evening", [club, alice], lambda: _chained_evening(club, alice))


def _chained_evening(club, alice):
    tournament, now = make_tournament(8, 2, club=club, account=alice), timezone.now()
    for table in first_round(tournament).tables.select_related("round__tournament"):
        play_out(table, agreed=True)
    entry = tournament.entries.get(number=3)
    penalise(entry, tokens=-5, reason="late", round_=None, account=alice, now=now)
    close_round(first_round(tournament), account=alice, now=now)
    start_round(tournament.rounds.get(number=2), account=alice, now=now)
    table = second_table(tournament)
    report(table, 1, SOLO)
    report(table, 2, SOLO | {"outcome": "bete"})
    return tournament


def second_table(tournament):
    return Table.objects.select_related("round__tournament").get(
        round__tournament=tournament, round__number=2, number=1
    )
