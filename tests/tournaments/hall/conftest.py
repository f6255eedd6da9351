"""Tournaments as a stranger finds them in the hall."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.factories import first_round, make_club, make_tournament, play_out
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round


@pytest.fixture
def running(club):
    return make_tournament(8, club=club)


@pytest.fixture
def finished(club, alice):
    tournament = make_tournament(4, club=make_club("Finland"), account=alice, name="Unionsmesterskab")
    for table in first_round(tournament).tables.select_related("round__tournament"):
        play_out(table, agreed=True)
    now = timezone.now()
    close_round(first_round(tournament), account=alice, now=now)
    return finish(tournament, account=alice, now=now)
