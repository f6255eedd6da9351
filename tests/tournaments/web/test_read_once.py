"""A page that names the players of one tournament makes an object of the tournament once, not for each of them.

Its JSON fields alone take longer to parse than a player's name to show.
"""

from __future__ import annotations

import pytest
from django.db.models.signals import post_init
from django.urls import reverse
from django.utils import timezone

from tests.evenings import make_evening, play_evening
from tests.factories import make_player, make_tournament, player_name
from tests.tournaments.seasons.test_season import make_teams
from tournaments.ledger.queries import teams_of
from tournaments.models import Tournament
from tournaments.paper.seat_plans import name_pages, table_pages, ways_of

# Who asks, the page itself, and what it says of the next step.
A_FEW = 5
PLAYERS = 12


@pytest.fixture
def made():
    """The tournaments of which an object was made, each as often as it was."""
    made = []

    def note(instance, **_signal):
        made.append(instance.pk)

    post_init.connect(note, sender=Tournament)
    yield made
    post_init.disconnect(note, sender=Tournament)


@pytest.fixture
def evening(club, alice):
    return make_tournament(PLAYERS, 2, club=club, account=alice)


@pytest.mark.parametrize("name", ["desk_board", "desk_draw", "hall_tables", "projector"])
def test_pages_of_seats(as_alice, evening, made, name):
    made.clear()
    assert player_name(0).split()[0] in as_alice.get(reverse(name, args=[evening.code])).content.decode()
    assert len(made) <= A_FEW


def test_pages_of_cards(client, club, alice, made):
    players = [make_player(player_name(index), club) for index in range(PLAYERS)]
    tournament = play_evening(make_evening(players, club, alice), alice)
    for name, more in (("hall_cards", []), ("hall_card", [1])):
        made.clear()
        assert client.get(reverse(name, args=[tournament.code, *more])).status_code == 200
        assert len(made) <= A_FEW


def test_seat_plans_and_teams(evening, made):
    round_ = evening.rounds.select_related("tournament__host").get(number=1)
    made.clear()
    assert table_pages(round_, {})
    assert name_pages(round_, {})
    assert ways_of(evening)
    assert len(made) <= 1


def test_the_members_of_teams(alice, club, made):
    tournament = make_teams(club, {"account": alice, "now": timezone.now()}, teams=3)
    made.clear()
    members = [member for team in teams_of(tournament) for member in team.members.all()]
    assert [member.tournament for member in members] == [tournament] * PLAYERS
    assert not made
