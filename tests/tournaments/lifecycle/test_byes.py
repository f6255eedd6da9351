"""Who sits out a round is who had no seat when it was drawn, whoever comes or goes after it."""

from __future__ import annotations

import importlib
import json

import pytest
from django.apps import apps
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_player, make_tournament
from tournaments.entries import entering
from tournaments.exports.tournament_file import export_tournament
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle import drawing
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.lifecycle.seat_changes import play_on_for, sit_in, take_seats
from tournaments.lifecycle.seat_plan import came_after_the_start, not_seated, seat_plan
from tournaments.models import Round, Seat


@pytest.fixture
def by_alice(alice):
    return {"account": alice, "now": timezone.now()}


@pytest.fixture
def five(club, by_alice):
    """Five players, five rounds drawn: each sits one of them out."""
    tournament = make_tournament(5, 5, club=club, drawn=False)
    drawing.draw(tournament, seed=4, one_sits_out=True, **by_alice)
    return tournament


def come(tournament, by_alice, name="Sen Kommer"):
    entry = entering.enter(tournament, make_player(name, tournament.host), club=tournament.host, **by_alice)
    entering.check_in(entry, present=True, **by_alice)
    return entry


def start(tournament, by_alice, number=1):
    round_ = tournament.rounds.get(number=number)
    start_round(round_, **by_alice)
    return tournament.rounds.get(number=number)


def close(round_, by_alice):
    close_round(round_, force_reason="late", **by_alice)


def over(tournament):
    """Names of who has a bye, by round."""
    return [[entry.player.name for entry in planned.bye] for planned in seat_plan(tournament)]


def page(client, name, *args):
    return client.get(reverse(name, args=args)).content.decode()


def test_each_of_five_sits_out_one_of_five_rounds_and_is_named(five):
    byes = over(five)
    assert sorted(name for names in byes for name in names) == sorted(
        five.entries.values_list("player__name", flat=True)
    )
    assert [len(names) for names in byes] == [1] * 5


def test_they_stay_named_when_others_come_and_who_came_is_late(as_alice, client, five, by_alice):
    byes = over(five)
    for name in ("Sen Kommer", "Senere Endnu"):
        come(five, by_alice, name)
    assert over(five) == byes
    assert [entry.player.name for entry in not_seated(five)] == ["Sen Kommer", "Senere Endnu"]
    draw = page(as_alice, "desk_draw", five.code)
    assert "Rounds played" in draw
    for number, (bye,) in enumerate(byes, start=1):
        shown = as_alice.get(reverse("desk_draw", args=[five.code]), {"round": number}).content.decode()
        assert shown.count("A bye in this round") == 1
        assert f"<span>{bye}" in shown.split("A bye in this round")[1].split("</ul>")[0]
    (bye,) = byes[0]
    asked = page(as_alice, "desk_start_round", five.code, 1)
    assert f"A bye this round: {bye}. All tables are full." in asked
    assert "Checked in but not seated: Sen Kommer, Senere Endnu." in asked
    assert (
        "sits out round 1" in client.get(reverse("seats", args=[five.code]), {"name": bye}).content.decode()
    )
    assert (
        "sits out"
        not in client.get(reverse("seats", args=[five.code]), {"name": "Sen Kommer"}).content.decode()
    )


def test_a_sixth_before_the_second_round_leaves_the_first_as_it_was(as_alice, five, by_alice):
    byes = over(five)
    round_ = start(five, by_alice)
    sixth = come(five, by_alice)
    assert came_after_the_start(round_) == [sixth]
    close(round_, by_alice)
    assert over(five) == byes
    drawing.draw(five, seed=4, **by_alice)  # two tables of three from now on
    assert over(five) == [byes[0], [], [], [], []]
    assert "Rounds played" in page(as_alice, "desk_draw", five.code)
    assert not_seated(five) == []


def test_who_has_the_bye_of_a_round_drawn_alone_is_told_from_who_comes(club, by_alice):
    tournament = make_tournament(5, 3, club=club, drawn=False, draw_mode="by_round")
    drawing.draw(tournament, seed=4, one_sits_out=True, **by_alice)
    (byes,) = over(tournament)
    sixth = come(tournament, by_alice)
    assert (over(tournament), not_seated(tournament)) == ([byes], [sixth])


def test_a_bye_goes_along_with_a_seat_that_is_swapped_and_with_a_substitute(five, by_alice):
    round_ = five.rounds.get(number=2)
    (number,) = round_.byes
    idle = five.entries.get(number=number)
    seat = round_.seats.select_related("entry").first()
    sit_in(round_, seat, idle, **by_alice)
    assert five.rounds.get(number=2).byes == [seat.entry.number]
    sixth = come(five, by_alice)
    entering.withdraw(seat.entry, reason="home", **by_alice)
    take_seats(seat.entry, sixth, **by_alice)
    assert over(five)[1] == ["Sen Kommer"]
    assert not_seated(five) == []
    assert not list(differences(five))


def test_who_plays_on_for_somebody_in_the_round_has_had_no_bye(five, by_alice):
    round_ = start(five, by_alice)
    (number,) = round_.byes
    idle, table = five.entries.get(number=number), round_.tables.get()
    play_on_for(table, 1, idle, deal=1, leaves=False, reason="ill", **by_alice)
    assert over(five)[0] == []
    assert came_after_the_start(round_) == []


def test_byes_travel_with_the_tournament_and_a_hand_in_them_shows(five, by_alice):
    assert [round_["byes"] for round_ in json.loads(export_tournament(five))["rounds"]] == [
        round_.byes for round_ in five.rounds.all()
    ]
    byes = start(five, by_alice).byes
    assert not list(differences(five))
    five.rounds.filter(number=1).update(byes=[])
    (said,) = differences(five)
    assert str(said) == f"{five.code} round 1: byes is [], decided was {byes} (step 3)"


def test_rounds_drawn_by_an_earlier_program_get_their_byes(five):
    byes = list(five.rounds.values_list("byes", flat=True))
    five.rounds.update(byes=[])
    migration = importlib.import_module("tournaments.migrations.0025_byes_as_drawn")
    migration.find_byes(apps, None)
    assert list(five.rounds.values_list("byes", flat=True)) == byes
    assert Seat.objects.filter(round__in=Round.objects.all()).count() == 20
