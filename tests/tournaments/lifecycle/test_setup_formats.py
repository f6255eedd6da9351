"""Setting up pairs and teams: the same page, which asks what applies to the format."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.factories import make_tournament
from tests.pages import SET_UP, values_on
from tournaments.models import Round, Team, Tournament

NEW = "tournament_new"
ALONE = {"tie_break_1", "deals_at_three", "draw_mode"}
TOGETHER = {"meetings", "points_won", "by_average"}
IN_DIVISIONS = {"bye_teams", "promoted", "relegated", "up_limit"}
SEASON = {
    "format": "teams",
    "format_of": "teams",
    "rounds_planned": "22",
    "meetings": "2",
    "points_won": "3",
    "points_drawn": "1",
    "points_lost": "0",
    "bye_teams": "2",
    "promoted": "1",
    "relegated": "2",
    "up_limit": "0",
    "by_average": "on",
}


def page(name, tournament):
    return reverse(name, args=[tournament.code])


@pytest.fixture
def typed(club):
    return SET_UP | {"host": str(club.pk)}


@pytest.mark.parametrize(
    ("format_", "asked", "rounds"),
    [
        ("individual", ALONE, 3),
        ("pairs", TOGETHER, 5),
        ("teams", TOGETHER | IN_DIVISIONS, 11),
    ],
)
def test_the_page_asks_what_applies_to_the_format(as_alice, typed, format_, asked, rounds):
    before = "pairs" if format_ == "individual" else "individual"
    shown = as_alice.post(reverse(NEW), typed | {"format": format_, "format_of": before})
    form = shown.context["form"]
    assert {name for name in ALONE | TOGETHER | IN_DIVISIONS if name in form.fields} == asked
    assert form["rounds_planned"].value() == rounds
    assert form["name"].value() == typed["name"]
    assert Tournament.objects.count() == 0


@pytest.mark.parametrize("format_", ["pairs", "teams"])
def test_the_page_as_it_comes_makes_a_tournament_of_that_format(as_alice, typed, format_):
    shown = as_alice.post(reverse(NEW), typed | {"format": format_, "format_of": "individual"})
    as_alice.post(reverse(NEW), values_on(shown) | {"format_of": format_, "host": typed["host"]})
    tournament = Tournament.objects.get()
    assert (tournament.format, tournament.meetings, tournament.match_points) == (format_, 1, [2, 1, 0])


def test_a_season_is_stored_as_it_is_set_and_shown_again(as_alice, typed):
    as_alice.post(reverse(NEW), typed | SEASON)
    tournament = Tournament.objects.get()
    assert (tournament.rounds_planned, tournament.meetings, tournament.match_points) == (22, 2, [3, 1, 0])
    assert (tournament.bye_teams, tournament.promoted, tournament.relegated) == (2, 1, 2)
    assert tournament.by_average
    again = values_on(as_alice.get(page("tournament_setup", tournament)))
    as_alice.post(page("tournament_setup", tournament), again | {"format_of": "teams", "relegated": "1"})
    tournament.refresh_from_db()
    assert (tournament.relegated, tournament.match_points) == (1, [3, 1, 0])
    assert tournament.log.first().words == "Set-up: 1 team of each division is now relegated"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"points_won": "0", "points_drawn": "0"}, "points_won"),
        ({"points_drawn": "4"}, "points_drawn"),
        ({"points_drawn": ""}, "points_drawn"),
        ({"rounds_planned": "61"}, "rounds_planned"),
        ({"bye_teams": "5"}, "bye_teams"),
        ({"rulebook": "crocodile"}, "format"),
        ({"meetings": "3"}, "meetings"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(as_alice, typed, wrong, field):
    shown = as_alice.post(
        reverse(NEW), typed | SEASON | wrong | {"options_of": wrong.get("rulebook", "union")}
    )
    assert field in shown.context["form"].errors
    assert Tournament.objects.count() == 0


def test_eight_rounds_are_the_most_where_everybody_plays_for_themselves(as_alice, typed):
    shown = as_alice.post(reverse(NEW), typed | {"rounds_planned": "9"})
    assert "rounds_planned" in shown.context["form"].errors


def test_another_format_draws_anew(as_alice):
    tournament = make_tournament(8, 1, started=False)
    shown = values_on(as_alice.get(page("tournament_setup", tournament)))
    pairs = as_alice.post(
        page("tournament_setup", tournament), shown | {"format": "pairs", "format_of": "individual"}
    )
    as_alice.post(
        page("tournament_setup", tournament), values_on(pairs) | {"format_of": "pairs", "throw_away": "on"}
    )
    tournament.refresh_from_db()
    assert tournament.format == "pairs"
    assert not Round.objects.exists()


def test_the_format_stays_while_teams_are_put_together(as_alice):
    tournament = make_tournament(0, 1, format="teams")
    Team.objects.create(tournament=tournament, number=1, name="Vest")
    shown = values_on(as_alice.get(page("tournament_setup", tournament)))
    alone = as_alice.post(
        page("tournament_setup", tournament), shown | {"format": "individual", "format_of": "teams"}
    )
    refused = as_alice.post(
        page("tournament_setup", tournament), values_on(alone) | {"format_of": "individual"}
    )
    assert "format" in refused.context["form"].errors
    tournament.refresh_from_db()
    assert tournament.format == "teams"


@pytest.mark.parametrize(
    ("rulebook", "options", "refused"),
    [
        ("rasle", {}, False),
        ("rasle", {"rasle-mort": "True"}, True),
        ("renegado", {}, True),
        ("crocodile", {}, True),
    ],
)
def test_pairs_are_refused_where_the_fourth_player_does_more_than_take_over_a_hand(
    as_alice, typed, rulebook, options, refused
):
    sent = typed | {"format": "pairs", "format_of": "individual", "rulebook": rulebook}
    shown = as_alice.post(reverse(NEW), sent)
    again = values_on(shown) | {"format_of": "pairs", "host": typed["host"]} | options
    answer = as_alice.post(reverse(NEW), again)
    assert Tournament.objects.exists() is not refused
    if refused:
        assert "format" in answer.context["form"].errors
