"""Changing the set-up: what is written down, what two organisers see, what the start freezes."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import first_round, make_account, make_player, make_tournament, play_out
from tests.pages import values_on
from tournaments.entries import entering
from tournaments.lifecycle import creating
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Round, Table, Tournament

NEW = "tournament_new"


def page(name, tournament):
    return reverse(name, args=[tournament.code])


@pytest.fixture
def tournament(as_alice, typed):
    as_alice.post(reverse(NEW), typed)
    return Tournament.objects.get()


# Changing one


def test_a_change_is_stored_and_written_down(as_alice, tournament):
    url = page("tournament_setup", tournament)
    sent = values_on(as_alice.get(url)) | {"rounds_planned": "5", "place": "Skolen", "stake": "1"}
    assert as_alice.post(url, sent).headers["Location"] == url
    tournament.refresh_from_db()
    assert (tournament.rounds_planned, tournament.place, tournament.stake) == (5, "Skolen", 100)
    assert {line.words for line in tournament.log.all()} == {
        "Set up the tournament",
        "Set-up: the venue is now Skolen",
        "Set-up: now 5 rounds",
        "Set-up: the stake is now 100 øre",
    }


def test_saving_unchanged_writes_nothing_down(as_alice, tournament):
    url = page("tournament_setup", tournament)
    as_alice.post(url, values_on(as_alice.get(url)))
    assert tournament.log.count() == 1


def test_the_second_of_two_organisers_sees_both_versions(as_alice, tournament, club):
    url = page("tournament_setup", tournament)
    mine = values_on(as_alice.get(url)) | {"place": "Skolen", "rounds_planned": "4"}
    make_account("anders", club)
    anders = Client()
    anders.force_login(club.roles.get(account__username="anders").account)
    anders.post(url, values_on(anders.get(url)) | {"place": "Hallen", "stake": "1,00"})

    answer = as_alice.post(url, mine)
    assert answer.status_code == 200
    assert answer.context["changed_by"] == "Anders"
    form = answer.context["form"]
    differing = {
        field.name: (field.value(), field.stored_now) for field in form if hasattr(field, "stored_now")
    }
    assert differing == {
        "place": ("Skolen", "Hallen"),
        "rounds_planned": ("4", "3"),
        "stake": ("0.25", "1.00"),
    }
    tournament.refresh_from_db()
    assert tournament.place == "Hallen"

    as_alice.post(url, values_on(answer))
    tournament.refresh_from_db()
    assert (tournament.place, tournament.rounds_planned, tournament.stake) == ("Skolen", 4, 25)


def test_checking_players_in_does_not_get_in_the_way_of_the_set_up(as_alice, alice, tournament, club):
    url = page("tournament_setup", tournament)
    mine = values_on(as_alice.get(url)) | {"place": "Skolen"}
    entering.enter(tournament, make_player("Bo Krogh", club), club=club, account=alice, now=timezone.now())
    assert as_alice.post(url, mine).status_code == 302


def test_drawn_rounds_follow_the_deals_and_the_number_of_rounds(as_alice, club):
    tournament = make_tournament(7, 3, club=club, started=False)
    url = page("tournament_setup", tournament)
    changed = {"rounds_planned": "2", "deals_per_round": "20", "deals_at_three": "15"}
    sent = values_on(as_alice.get(url)) | changed
    page_ = as_alice.post(url, sent)
    assert page_.context["form"].errors["rounds_planned"] == [
        "Round 3 has been drawn: its seats would be discarded. Tick below to allow that."
    ]
    assert 'name="throw_away"' in page_.content.decode()
    assert tournament.rounds.count() == 3
    as_alice.post(url, sent | {"throw_away": "on"})
    assert list(tournament.rounds.values_list("number", flat=True)) == [1, 2]
    assert sorted(Table.objects.values_list("deals", flat=True)) == [15, 15, 20, 20]


# Frozen rules


def test_a_started_tournaments_rules_are_shown_and_not_taken(as_alice, club):
    tournament = make_tournament(4, 2, club=club)
    url = page("tournament_setup", tournament)
    shown = as_alice.get(url)
    assert [rule.value for rule in shown.context["rules"]][:3] == [
        "Danish union, tournament rules",
        "40",
        "30",
    ]
    sent = values_on(shown)
    assert {"rulebook", "stake", "deals_per_round", "host", "tie_break_1"}.isdisjoint(sent)
    as_alice.post(url, sent | {"deals_per_round": "8", "rulebook": "rasle", "name": "Afslutning"})
    tournament.refresh_from_db()
    assert (tournament.name, tournament.deals_per_round, tournament.rulebook) == ("Afslutning", 40, "union")


def test_a_page_opened_before_the_start_is_told_of_it(as_alice, alice, club):
    tournament = make_tournament(4, club=club, started=False)
    url = page("tournament_setup", tournament)
    mine = values_on(as_alice.get(url)) | {"stake": "5"}
    start_round(first_round(tournament), account=alice, now=timezone.now())
    answer = as_alice.post(url, mine)
    assert answer.context["changed_meanwhile"]
    assert answer.context["rules"]
    tournament.refresh_from_db()
    assert tournament.stake == 0


def test_frozen_rules_are_not_changed_by_any_way(alice, club):
    tournament = make_tournament(4, club=club)
    with pytest.raises(creating.NotPossible):
        creating.change(
            tournament, {"stake": 100}, seen=creating.mark(tournament), account=alice, now=timezone.now()
        )


def test_started_rounds_cannot_be_planned_away(as_alice, alice, club):
    tournament = make_tournament(4, 2, club=club, deals_per_round=4)
    play_out(first_round(tournament).tables.get(), agreed=True)
    close_round(first_round(tournament), account=alice, now=timezone.now())
    start_round(Round.objects.get(number=2), account=alice, now=timezone.now())
    url = page("tournament_setup", tournament)
    answer = as_alice.post(url, values_on(as_alice.get(url)) | {"rounds_planned": "1"})
    assert answer.context["form"].errors == {"rounds_planned": ["2 rounds have already been started."]}


def test_a_finished_tournament_is_not_changed(as_alice, club):
    tournament = make_tournament(4, club=club)
    Tournament.objects.update(state="finished")
    url = page("tournament_setup", tournament)
    answer = as_alice.post(url, values_on(as_alice.get(url)) | {"name": "Anden"})
    assert answer.context["form"].non_field_errors() == ["The tournament is finished."]
