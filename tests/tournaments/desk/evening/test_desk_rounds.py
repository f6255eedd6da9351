"""Starting, closing, reopening and finishing at the desk; whoever comes second is told so."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Role
from tests.factories import first_round, first_table, make_account, make_tournament, play_out
from tournaments.desk.evening.readiness import before_finish, before_start, still_open
from tournaments.entries import entering
from tournaments.ledger import raise_flag
from tournaments.lifecycle.playing import close_round
from tournaments.models import Flag, Round, Table


def step(tournament, name, *number):
    return reverse(name, args=[tournament.code, *number])


def round_state(tournament, number=1):
    return tournament.rounds.get(number=number).state


def said(answer):
    return [str(message) for message in answer.context["messages"]]


@pytest.mark.parametrize("name", ["desk_start_round", "desk_close_round", "desk_reopen_round"])
def test_a_stranger_does_not_start_close_or_reopen_and_a_helper_may(club, as_charlie, name):
    tournament = make_tournament(club=club, started=False)
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    assert as_charlie.post(step(tournament, name, 1), {"reason": "x"}).status_code == 403
    assert round_state(tournament) == Round.State.DRAWN
    assert helper.post(step(tournament, name, 1), {"reason": "x"}).status_code == 302
    assert (round_state(tournament) == Round.State.RUNNING) is (name == "desk_start_round")


@pytest.mark.parametrize("name", ["desk_finish", "desk_reopen"])
def test_only_an_organiser_says_that_the_tournament_is_over_or_is_not(club, as_charlie, name):
    tournament = make_tournament(club=club)
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    for client in (helper, as_charlie):
        assert client.post(step(tournament, name), {"reason": "x"}).status_code == 403


def test_looking_at_a_step_does_not_take_it(as_alice, club):
    tournament = make_tournament(club=club, started=False)
    assert as_alice.get(step(tournament, "desk_start_round", 1)).status_code == 200
    assert round_state(tournament) == Round.State.DRAWN


def test_before_the_start_it_says_who_has_no_seat_who_has_not_paid_and_that_nothing_is_printed(club, alice):
    tournament = make_tournament(7, club=club, started=False, entry_fee=5000)
    now = timezone.now()
    late = entering.enter_guest(tournament, "Lise Late", account=alice, now=now)
    entering.check_in(late, present=True, account=alice, now=now)
    for entry in tournament.entries.exclude(number=2):
        entering.mark_paid(entry, paid=True, account=alice, now=now)
    assert before_start(first_round(tournament)) == [
        "Checked in but not seated: Lise Late. Draw again to give them a seat.",
        "Entry fee not paid by: Bo Krogh.",
        "No sheets have been printed for this round; they carry the captains’ codes.",
        "Starting the first round fixes the rules and options for the whole tournament.",
    ]


def test_before_the_start_it_says_who_has_left_their_seat(club, alice):
    tournament = make_tournament(club=club, started=False)
    entering.withdraw(tournament.entries.get(number=2), reason="ill", account=alice, now=timezone.now())
    assert before_start(first_round(tournament))[0] == (
        "Seated but no longer here: Bo Krogh. The round cannot start like this: draw again."
    )


def test_a_round_is_started_once(as_alice, club):
    tournament = make_tournament(club=club, started=False)
    url = step(tournament, "desk_start_round", 1)
    first = as_alice.post(url, follow=True)
    assert said(first) == ["Round 1 is running. The captains can report."]
    second = as_alice.post(url, follow=True)
    assert said(second) == ["Round 1 has already been started."]
    assert tournament.log.filter(text="Started round {round}").count() == 1
    assert said(as_alice.get(url, follow=True)) == ["Round 1 has already been started."]


def test_closing_lists_what_is_open_and_asks_for_a_reason(as_alice, club):
    tournament = make_tournament(club=club)
    play_out(first_table(tournament))
    raise_flag(first_table(tournament), Flag.Kind.CALL, deal=None, words="", now=timezone.now())
    table = f'<a href="/desk/t/{tournament.code}/round/1/table/1/">Table 1</a>'
    assert still_open(first_round(tournament)) == [
        "Table 1: not confirmed by 4 players.",
        "Table 2: 0 of 40 deals reported.",
        f"1 call or mark from a table has not been settled. {table}",
    ]
    url = step(tournament, "desk_close_round", 1)
    assert as_alice.get(url).status_code == 200
    answer = as_alice.post(url, {"force_reason": "  "})
    assert answer.context["form"].errors["force_reason"] == ["Say why, in a few words."]
    assert round_state(tournament) == Round.State.RUNNING
    as_alice.post(url, {"force_reason": "the hall closes"})
    assert round_state(tournament) == Round.State.CLOSED


def test_a_complete_round_closes_without_a_reason_and_once(as_alice, club):
    tournament = make_tournament(club=club)
    for table in Table.objects.select_related("round__tournament"):
        play_out(table, agreed=True)
    url = step(tournament, "desk_close_round", 1)
    assert said(as_alice.post(url, follow=True)) == ["Round 1 is closed."]
    assert said(as_alice.post(url, follow=True)) == ["Round 1 has already been closed."]
    assert tournament.log.filter(text__startswith="Closed").count() == 1


def test_the_second_organiser_who_closes_an_open_round_with_a_reason_is_told_that_it_is_done(as_alice, club):
    tournament = make_tournament(club=club)
    url = step(tournament, "desk_close_round", 1)
    as_alice.post(url, {"force_reason": "the hall closes"}, follow=True)
    assert said(as_alice.post(url, {"force_reason": "mine"}, follow=True)) == [
        "Round 1 has already been closed."
    ]


def test_a_round_is_reopened_with_a_reason_only(as_alice, club, alice):
    tournament = make_tournament(club=club)
    close_round(first_round(tournament), account=alice, now=timezone.now(), force_reason="late")
    url = step(tournament, "desk_reopen_round", 1)
    assert as_alice.post(url, {"reason": ""}).context["form"].errors["reason"] == ["Say why, in a few words."]
    too_long = "x" * 201
    answer = as_alice.post(url, {"reason": too_long})
    assert answer.context["form"]["reason"].value() == too_long
    assert round_state(tournament) == Round.State.CLOSED
    as_alice.post(url, {"reason": "table 2 has protested"}, follow=True)
    assert round_state(tournament) == Round.State.RUNNING
    assert said(as_alice.post(url, {"reason": "again"}, follow=True)) == ["Round 1 is open."]


def test_a_round_that_is_not_there_is_not_found(as_alice, club):
    tournament = make_tournament(club=club)
    assert as_alice.get(step(tournament, "desk_close_round", 5)).status_code == 404


def test_the_tournament_is_finished_once_and_reopened_with_a_reason(as_alice, club, alice):
    tournament = make_tournament(rounds_planned=2, club=club)
    finish, reopen = step(tournament, "desk_finish"), step(tournament, "desk_reopen")
    assert said(as_alice.post(finish, {"minutes": "0"}, follow=True)) == [
        "No round has been played to the end."
    ]
    close_round(first_round(tournament), account=alice, now=timezone.now(), force_reason="late")
    assert before_finish(tournament) == ["1 of 2 rounds have been played."]
    assert said(as_alice.post(finish, {"minutes": "0"}, follow=True)) == [
        "The tournament is finished; the standings are final."
    ]
    assert said(as_alice.post(finish, {"minutes": "0"}, follow=True)) == [
        "The tournament has already been finished."
    ]
    seen = as_alice.get(reopen).context["asked"].sees
    assert as_alice.post(reopen, seen | {"reason": ""}).context["form"].errors["reason"] == [
        "Say why, in a few words."
    ]
    as_alice.post(reopen, seen | {"reason": "a sheet was found"}, follow=True)
    tournament.refresh_from_db()
    assert tournament.is_running
    assert said(as_alice.post(reopen, seen | {"reason": "x"}, follow=True)) == [
        "Something has changed in the meantime. This is how it is now."
    ]
    assert said(as_alice.get(reopen, follow=True)) == ["The tournament is not finished."]


def test_what_waits_is_told_with_a_link_to_its_table(as_alice, club, alice):
    """Rare deals, calls and late reports: before the round is closed, and, escaped once, before the finish."""
    tournament = make_tournament(8, club=club)
    table = first_table(tournament)
    for kind in (Flag.Kind.RARE, Flag.Kind.CALL):
        Flag.objects.create(table=table, kind=kind, raised_at=timezone.now())
    link = f'<a href="/desk/t/{tournament.code}/round/1/table/{table.number}/">Table {table.number}</a>'
    close = as_alice.get(step(tournament, "desk_close_round", 1)).content.decode()
    assert f"1 rare deal has not been checked. {link}" in close
    assert f"1 call or mark from a table has not been settled. {link}" in close
    close_round(first_round(tournament), account=alice, now=timezone.now(), force_reason="late")
    assert f"Round 1: 1 rare deal has not been checked. {link}" in before_finish(tournament)
