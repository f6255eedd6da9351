"""Two evenings of four people, each deal written down: what their pages over the years tell."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import timezone

from tests.evenings import make_evening
from tests.factories import made_once, make_player, report
from tournaments.ledger import Author
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Table, Tournament

NAMES = "Anna Holm", "Bo Krogh", "Carl Dam", "Dora Friis"


def game(declarer, outcome, contract="simple_game", trump="H", **more):
    return {"contract": contract, "declarer": declarer, "trump": trump, "outcome": outcome} | more


# A deals the first: B is forehand, C sits out, D is middlehand; then it goes around.
FIRST = game(1, "won"), game(0, "kodille"), game(3, "won", "solo", "S"), {"all_passed": True}
SECOND = game(1, "bete"), game(2, "won", tout="won"), game(3, "won"), game(0, "won")


@pytest.fixture
def people(club):
    return [make_player(name, club, number) for number, name in enumerate(NAMES, 1)]


@pytest.fixture
def play(alice, club, people):
    """Play an evening of four deals at one table on a day."""

    def evening(day, results, **fields):
        tournament = make_evening(people, club, alice, date=day, **fields)
        now = timezone.now()
        round_ = tournament.rounds.get()
        start_round(round_, account=alice, now=now)
        table = Table.objects.select_related("round__tournament").get(round=round_)
        for deal, result in enumerate(results, start=1):
            assert report(table, deal, result, author=Author("desk", alice)).status == "accepted"
        round_.refresh_from_db()
        close_round(round_, account=alice, now=now, force_reason="enige")
        return finish(tournament, account=alice, now=now)

    return evening


@pytest.fixture
def evenings(play, club, alice, people):
    def both():
        play(date(2025, 3, 1), FIRST)
        return play(date(2026, 3, 1), SECOND)

    members = [player.memberships.get() for player in people]
    second = made_once("evenings of years", [club, alice, *people, *members], both)
    return Tournament.objects.get(date=date(2025, 3, 1)), second


@pytest.fixture
def chairs(evenings):
    """Who sits at A to D on both evenings."""
    seats = evenings[0].rounds.get().seats.select_related("entry__player").order_by("position")
    return [seat.entry.player for seat in seats]
