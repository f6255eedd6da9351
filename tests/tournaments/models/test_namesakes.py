"""Two players who are shown under one name are told apart by their numbers wherever the name stands."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_player, make_tournament, play_out
from tests.tournaments.exports.test_transfer import forget
from tournaments.entries import entering
from tournaments.exports.tournament_file import export_tournament, import_tournament
from tournaments.hall.seats import players_shown
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import start_round
from tournaments.models import Table, Tournament
from tournaments.paper.kinds import Order
from tournaments.paper.seat_plans import name_pages
from tournaments.standings.players import standings

pytestmark = pytest.mark.databases


@pytest.fixture
def evening(club, by_alice):
    """Four at one table; numbers 2 and 4 are both called Jens Nielsen."""
    made = make_tournament(0, 1, club=club, drawn=False, deals_per_round=4)
    for number, name in enumerate(("Anna Holm", "Jens Nielsen", "Bo Krogh", "Jens Nielsen"), start=1):
        entry = entering.enter(made, make_player(name, club, 100 + number), club=club, **by_alice)
        entering.check_in(entry, present=True, **by_alice)
    return made


def shown(tournament):
    return [
        entry.shown_name for entry in tournament.entries.select_related("player", "club", "tournament__host")
    ]


TOLD_APART = ["Anna Holm", "Jens Nielsen (2)", "Bo Krogh", "Jens Nielsen (4)"]


def test_the_number_stands_behind_the_name_on_every_page_and_sheet(client, evening, by_alice):
    assert shown(evening) == TOLD_APART
    draw(evening, seed=1, **by_alice)
    start_round(evening.rounds.get(), **by_alice)
    play_out(Table.objects.get())
    evening.refresh_from_db()
    assert {row.name for row in standings(evening).rows} == set(TOLD_APART)
    assert {player.name for player in players_shown(evening, list(evening.rounds.all()))} == set(TOLD_APART)
    (page,) = name_pages(
        evening.rounds.get(), Order(evening.rounds.get(), "http://x", timezone.now()).occasion
    )
    assert {name for column in page.context["columns"] for name, *_seat in column} == set(TOLD_APART)
    captain = client.get(reverse("captain", args=[Table.objects.get().secret])).content.decode()
    assert "Jens Nielsen (2)" in captain
    assert "Jens Nielsen (4)" in captain


def test_a_name_that_changes_is_told_apart_at_once_or_no_more(evening):
    player = evening.entries.get(number=4).player
    player.name = "Bo Krogh"
    player.save()
    assert shown(evening) == ["Anna Holm", "Jens Nielsen", "Bo Krogh (3)", "Bo Krogh (4)"]


@pytest.mark.parametrize(
    ("style", "names"),
    [
        ("initial", ["Jens N. (1)", "Jens N. (2)", "Jens K."]),
        ("full", ["Jens Nielsen", "Jens Nørgaard", "Jens Krogh"]),
        ("number", ["1", "2", "3"]),
    ],
)
def test_shortened_names_are_told_apart_too(club, by_alice, style, names):
    tournament = make_tournament(0, club=club, drawn=False)
    for number, name in enumerate(("Jens Nielsen", "Jens Nørgaard", "Jens Krogh"), start=1):
        entering.enter(tournament, make_player(name, club, number), club=club, **by_alice)
    club.name_style = style
    club.save()
    assert shown(Tournament.objects.get()) == names


def test_a_tournament_taken_in_tells_them_apart_again(evening):
    text = export_tournament(evening)
    forget(evening)
    assert shown(import_tournament(text)) == TOLD_APART
