"""After the last deal the standings are posted, objections are heard until a moment, and then they are final."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from tests.factories import first_round, first_table, make_club, make_tournament, report
from tournaments.changes.chain import chain_differences
from tournaments.exports.tournament_file import export_tournament
from tournaments.lifecycle import ending, money
from tournaments.lifecycle.ending import (
    call_off,
    finish_what_is_due,
    hear_objections,
    post,
    reopen_tournament,
)
from tournaments.lifecycle.playing import close_round, reopen_round, start_round
from tournaments.lifecycle.rulings import cancel_penalty, penalise
from tournaments.models import LogEntry, Tournament
from tournaments.paper.page import Occasion
from tournaments.paper.ranking import standings_pages

END = datetime(2026, 11, 21, 22, 25, tzinfo=UTC)  # 23:25 in Copenhagen


def at(alice, minutes):
    return {"account": alice, "now": END + timedelta(minutes=minutes)}


def said(tournament):
    return [line.words for line in LogEntry.objects.filter(tournament=tournament).order_by("-pk")]


def fresh(tournament):
    return Tournament.objects.select_related("host").get(pk=tournament.pk)


def hall(tournament, page="standings", **said):
    answer = Client().get(reverse(page, args=[tournament.code, *said.values()]))
    return " ".join(answer.content.decode().split())


def play(club, alice):
    """Of 4 deals one is reported; the round is closed when the evening ends."""
    tournament = make_tournament(4, club=club, deals_per_round=4, stake=100)
    report(first_table(tournament), 1, now=END)
    close_round(first_round(tournament), force_reason="late", **at(alice, 0))
    return fresh(tournament)


@pytest.fixture(autouse=True)
def _in_copenhagen(settings):
    settings.TIME_ZONE = "Europe/Copenhagen"


@pytest.fixture
def played(club, alice):
    return play(club, alice)


@pytest.fixture
def posted(played, alice):
    return post(played, minutes=30, **at(alice, 0))


@pytest.mark.databases
def test_posted_standings_are_final_when_the_time_is_over_and_not_before(posted):
    assert posted.is_posted
    assert posted.is_played
    assert not posted.is_finished
    assert said(posted)[0] == "Published the final standings: objections until 21 November 2026 23:55"
    assert finish_what_is_due(END + timedelta(minutes=29)) == []
    assert finish_what_is_due(END + timedelta(minutes=30)) == [posted]
    assert finish_what_is_due(END + timedelta(minutes=31)) == []
    done = fresh(posted)
    assert (done.is_finished, done.is_posted, done.finished_at) == (True, False, END + timedelta(minutes=30))
    assert said(posted)[0] == "The objection period is over: the standings are final"


def test_one_that_cannot_be_made_final_keeps_no_other_from_it(posted, alice, monkeypatch):
    other = post(play(make_club("Skovby"), alice), minutes=30, **at(alice, 0))
    finish = ending.finish

    def falls(tournament, **told):
        if tournament == posted:
            raise ValueError("a tournament that cannot be")
        return finish(tournament, **told)

    monkeypatch.setattr(ending, "finish", falls)
    with pytest.raises(ExceptionGroup) as raised:
        finish_what_is_due(END + timedelta(minutes=30))
    assert [(str(fault), fault.__notes__) for fault in raised.value.exceptions] == [
        ("a tournament that cannot be", [f"tournament {posted.code}"])
    ]
    assert (fresh(posted).is_finished, fresh(other).is_finished) == (False, True)


def test_with_no_time_for_objections_they_are_final_at_once(played, alice):
    assert post(played, minutes=0, **at(alice, 0)).is_finished
    assert said(played)[0] == "Finished the tournament"


@pytest.mark.parametrize(
    ("minutes", "state"), [(60, (False, END + timedelta(minutes=65))), (0, (True, None))]
)
def test_the_time_is_moved_or_ended(posted, alice, minutes, state):
    hear_objections(posted, minutes=minutes, **at(alice, 5))
    now = fresh(posted)
    assert (now.is_finished, now.objections_until) == state


def test_while_a_round_is_open_again_nothing_is_final_and_afterwards_players_have_ten_minutes(posted, alice):
    reopen_round(first_round(posted), reason="deal 2 is missing", **at(alice, 20))
    report(first_table(posted), 2, now=END + timedelta(minutes=35))
    assert finish_what_is_due(END + timedelta(minutes=40)) == []
    close_round(first_round(posted), force_reason="late", **at(alice, 41))
    assert fresh(posted).objections_until == END + timedelta(minutes=51)
    page = hall(posted)
    assert "provisional until 00:16" not in page  # the day after is named
    assert "provisional until 22 November 00:16" in page
    assert "Corrected since publication: Round 1, table 1: deal 2." in page
    finish_what_is_due(END + timedelta(minutes=51))
    page = hall(posted)
    assert "The standings are final." in page
    assert "Corrected during the objection period: Round 1, table 1: deal 2." in page


def test_a_ruling_in_the_time_for_objections_counts_and_is_told(posted, alice):
    whom = posted.entries.get(number=1)
    penalise(whom, tokens=-3, reason="hid a card", round_=None, **at(alice, 3))
    assert "Corrected since publication: 1 ruling." in hall(posted)


def test_after_a_ruling_in_the_last_minute_players_have_ten(posted, alice):
    ruling = penalise(
        posted.entries.get(number=1), tokens=-3, reason="hid a card", round_=None, **at(alice, 29)
    )
    assert fresh(posted).objections_until == END + timedelta(minutes=39)
    cancel_penalty(ruling, reason="he had not", **at(alice, 35))
    assert fresh(posted).objections_until == END + timedelta(minutes=45)


def test_page_projector_front_page_and_file_say_until_when_they_are_provisional(posted):
    assert "These are the final standings, provisional until 23:55" in hall(posted)
    assert "provisional until 23:55" in hall(posted, "projector")
    assert "Provisional until 23:55" in hall(posted, "hall")
    file = Client().get(reverse("hall_standings_file", args=[posted.code, "json"])).json()
    assert (file["final"], file["objections_until"]) == (False, "2026-11-21T22:55:00+00:00")


def test_money_is_settled_while_objections_are_heard(posted, alice):
    assert money.make_list(posted, with_box=True, **at(alice, 1)) is not None


def test_no_round_begins_and_nothing_is_called_off_while_they_are_posted(posted, alice):
    for step in (
        lambda: post(posted, minutes=10, **at(alice, 1)),
        lambda: post(posted, minutes=0, **at(alice, 1)),  # of a page that was opened before
        lambda: start_round(first_round(posted), **at(alice, 1)),
        lambda: call_off(posted, reason="rain", **at(alice, 1)),
    ):
        with pytest.raises(NotPossible):
            step()


@pytest.mark.parametrize("minutes", [0, 15])
def test_final_standings_are_opened_again_to_be_provisional_or_for_play(posted, alice, minutes):
    finish_what_is_due(END + timedelta(minutes=30))
    opened = reopen_tournament(posted, reason="a sheet was found", minutes=minutes, **at(alice, 60))
    assert opened.is_running
    assert opened.objections_until == (END + timedelta(minutes=75) if minutes else None)
    assert (opened.posted_at is None) is (minutes == 0)


@pytest.mark.databases
def test_every_decision_is_chained_and_is_in_the_file(posted, alice):
    text = export_tournament(posted)
    assert json.loads(text)["tournament"]["objections_until"] == "2026-11-21T22:55:00+00:00"
    hear_objections(posted, minutes=60, **at(alice, 5))
    finish_what_is_due(END + timedelta(minutes=65))
    assert list(chain_differences(fresh(posted))) == []
    Tournament.objects.filter(pk=posted.pk).update(posted_at=END - timedelta(minutes=5))
    assert [name for name, _why in chain_differences(fresh(posted))] == ["set-up"]


def test_on_paper_they_are_the_final_standings_in_a_box_that_says_until_when_not(posted):
    occasion = Occasion(first_round(posted), timezone.localtime(END))
    (page,) = standings_pages(first_round(posted), occasion)
    paper = render_to_string(page.template, {"head": "", **page.context})
    assert "Final standings" in paper
    assert "PROVISIONAL until 23:55" in paper
    finish_what_is_due(END + timedelta(minutes=30))
    occasion = Occasion(first_round(fresh(posted)), timezone.localtime(END))
    (page,) = standings_pages(occasion.round, occasion)
    assert "PROVISIONAL" not in render_to_string(page.template, {"head": "", **page.context})


def test_the_desk_posts_shows_the_podium_and_moves_the_time(as_alice, played):
    finish, objections = (reverse(name, args=[played.code]) for name in ("desk_finish", "desk_objections"))
    asked = as_alice.post(finish, {"minutes": "7"})
    assert list(asked.context["form"].errors) == ["minutes"]
    assert 'value="30" selected' in as_alice.get(finish).content.decode()
    answer = as_alice.post(finish, {"minutes": "30"}, follow=True)
    assert answer.redirect_chain[-1][0] == finish
    assert "The standings are <b>provisional until" in answer.content.decode()
    assert [place.rank for place in answer.context["podiums"][0].places] == [1, 1, 1, 1]
    sees = as_alice.get(objections).context["asked"].sees
    as_alice.post(objections, {"minutes": "0"} | sees)
    assert "Final since" in as_alice.get(finish).content.decode()
    assert as_alice.get(objections, follow=True).redirect_chain[-1][0] == finish
