"""A tournament's overview at the desk: the next step of its evening, who may see it, what it costs."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Role
from tests.factories import first_round, make_account, make_player, make_tournament
from tournaments import rounds
from tournaments.entries import entering

NEW = "tournament_new"


def page(name, tournament):
    return reverse(name, args=[tournament.code])


def test_a_helper_sees_the_overview_but_sets_nothing_up(club):
    tournament = make_tournament(4, club=club)
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    assert helper.get(page("desk_tournament", tournament)).status_code == 200
    assert helper.get(page("tournament_setup", tournament)).status_code == 403
    assert helper.get(reverse(NEW)).status_code == 403


def next_step(client, tournament):
    return client.get(page("desk_tournament", tournament)).context["steps"].next


def test_the_next_step_leads_through_the_evening(as_alice, alice, club):
    by = {"account": alice, "now": timezone.now()}
    tournament = make_tournament(0, club=club, deals_per_round=4)
    assert next_step(as_alice, tournament).button == "Enter players"

    for name in ("Anna Holm", "Bo Krogh", "Carl Dam", "Dora Friis"):
        entering.enter(tournament, make_player(name, club), club=club, **by)
    assert next_step(as_alice, tournament).button == "Check players in"

    for entry in tournament.entries.exclude(number=4):
        entering.check_in(entry, present=True, **by)
    step = next_step(as_alice, tournament)
    assert (step.said, step.other.button) == ("3 of 4 are here", "Draw the tables")

    late = entering.check_in(tournament.entries.get(number=4), present=True, **by)
    assert next_step(as_alice, tournament).button == "Draw the tables"

    rounds.draw(tournament, seed=1, **by)
    assert next_step(as_alice, tournament).button == "Start round 1"

    entering.withdraw(late, reason="went home", **by)
    assert next_step(as_alice, tournament).button == "Draw again"

    rounds.draw(tournament, seed=1, **by)
    rounds.start_round(first_round(tournament), **by)
    step = next_step(as_alice, tournament)
    assert (step.said, step.button) == ("running: 0 of 1 tables are done", "Watch the tables")

    rounds.end_table_early(first_round(tournament).tables.get(), reason="power cut", **by)
    assert next_step(as_alice, tournament).button == "Close round 1"

    rounds.close_round(first_round(tournament), force_reason="power cut", **by)
    assert next_step(as_alice, tournament).button == "Finish the tournament"

    rounds.finish(tournament, **by)
    assert next_step(as_alice, tournament).button == "See the standings"
    overview = as_alice.get(page("desk_tournament", tournament)).content.decode()
    assert "Next:" not in overview
    assert ">next<" not in overview


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 40])
def test_the_overview_asks_the_database_as_often_for_many_players(
    as_alice, club, players, django_assert_max_num_queries
):
    tournament = make_tournament(players, 2, club=club)
    with django_assert_max_num_queries(30):  # with the standings, which are counted once a change
        as_alice.get(page("desk_tournament", tournament))


def test_the_overview_gives_the_halls_address_as_a_qr_code(as_alice, club, settings):
    settings.PUBLIC_URL = "http://hall.example"
    tournament = make_tournament(4, club=club)
    answer = as_alice.get(page("desk_tournament", tournament))
    assert answer.context["hall"].address == f"http://hall.example/t/{tournament.code}/"
    assert b'<svg viewBox="0 0' in answer.content
    assert b"style=" not in answer.content
