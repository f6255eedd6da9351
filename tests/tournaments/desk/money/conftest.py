"""An evening that was played for money."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.factories import first_round, made_once, make_tournament, play_out
from tests.tournaments.desk.money.pages import FEE, STAKE
from tournaments.entries import entering
from tournaments.lifecycle import money
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round
from tournaments.lifecycle.rulings import penalise
from tournaments.models import Tournament


@pytest.fixture
def played(alice):
    """Eight players, a round played; seven have paid, and a penalty has been given."""
    return made_once("played for money", [alice, alice.roles.get().club], lambda: _played(alice))


def _played(alice):
    now = timezone.now()
    tournament = make_tournament(account=alice, stake=STAKE, entry_fee=FEE, tie_breaks=[])
    for table in first_round(tournament).tables.all():
        play_out(table, agreed=True)
    for entry in tournament.entries.exclude(number=8):
        entering.mark_paid(entry, paid=True, account=alice, now=now)
    first = tournament.entries.get(number=1)
    penalise(first, tokens=-3, reason="late", round_=None, account=alice, now=now)
    # What these deals give is equal for all: a ruling makes somebody win.
    penalise(tournament.entries.get(number=2), tokens=4, reason="x", round_=None, account=alice, now=now)
    close_round(first_round(tournament), account=alice, now=now, force_reason="the bell")
    return Tournament.objects.get(pk=tournament.pk)


@pytest.fixture
def finished(played, alice):
    money.set_prizes(played, shares=[50, 30, 10], amounts=[], account=alice, now=timezone.now())
    finish(played, account=alice, now=timezone.now())
    return Tournament.objects.get(pk=played.pk)
