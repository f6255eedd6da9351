"""What boards need: cards that are dealt out whole, sets enough, and rules that go with them."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club
from core.errors import NotPossible
from tests.factories import first_table, make_tournament
from tests.pages import words_at
from tournaments.desk.setup.setup_form import SetupForm
from tournaments.lifecycle.drawing import draw

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("typed", "field", "why"),
    [
        ({"rulebook": "renegado"}, "boards", "With a pool"),
        ({"rulebook": "ombre_five"}, "boards", "three hands of nine"),
        ({"board_sets": "2", "deals_per_round": "30"}, "board_sets", "divisible by 4"),
        ({"board_sets": "-1"}, "board_sets", "At least 0"),
        ({"deals_per_round": "8"}, "deals_at_three", "6 is better"),
        ({}, None, ""),
    ],
)
def test_the_set_up_asks_for_boards_that_can_be_played(club, typed, field, why):
    asked = {"boards": "on", "board_sets": "", "deals_per_round": "40", "deals_at_three": "30"} | typed
    rulebook = asked.get("rulebook", "union")
    form = SetupForm(
        asked, hosts=Club.objects.all(), frozen=False, format="individual", rulebook=rulebook, prefix=None
    )
    errors = {name: " ".join(said) for name, said in form.errors.items()}
    assert why in errors.get(field, "")
    assert {"boards", "board_sets", "deals_at_three"} & errors.keys() == ({field} if field else set())


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"board_sets": 1, "deals_per_round": 8}, "at least 2 sets"),
        ({"board_sets": 1, "deals_per_round": 10}, "divisible by 4"),
    ],
)
def test_too_few_sets_are_told_with_the_draw(club, alice, fields, why):
    tournament = make_tournament(12, club=club, account=alice, boards=True, drawn=False, **fields)
    with pytest.raises(NotPossible, match=why):
        draw(tournament, seed=1, account=alice, now=timezone.now())
    assert not tournament.rounds.exists()


def test_without_boards_nothing_of_them_is_there(club, client):
    tournament = make_tournament(8, club=club)
    assert first_table(tournament).folders == []
    assert client.get(reverse("hall_boards", args=[tournament.code])).status_code == 404
    assert "Folder" not in words_at(client, reverse("hall_table", args=[tournament.code, 1, 1]))
