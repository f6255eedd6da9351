"""A record that falls while an evening is played: told at once, and gone again with the report that made it."""

from __future__ import annotations

from datetime import date

import pytest
from django.utils import timezone

from tests.evenings import make_evening
from tests.factories import report
from tests.pages import words_at
from tests.tournaments.hall.years.conftest import FIRST, game
from tournaments.ledger import Author
from tournaments.lifecycle import ending
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Table, Tournament
from tournaments.people.history import Fallen, fallen

TOLD = "A club record: "


@pytest.fixture
def table(play, club, people, alice):
    """A second evening, a year after the first, with nothing reported yet."""
    play(date(2025, 3, 1), FIRST)
    tournament = make_evening(people, club, alice, date=date(2026, 3, 1))
    start_round(tournament.rounds.get(), account=alice, now=timezone.now())
    return Table.objects.select_related("round__tournament").get(round__tournament=tournament)


def name_at(table, position):
    return table.seats.get(position=position).entry.player.name


def told(client, table, page=""):
    words = words_at(client, f"/t/{table.round.tournament.code}/{page}")
    return words.partition(TOLD)[2].partition(".")[0]


def test_a_record_falls_live_and_a_correction_takes_it_back(client, table, alice):
    assert told(client, table) == ""
    report(table, 1, game(1, "won"))
    assert told(client, table) == ""
    report(table, 2, game(2, "won", tout="won"))
    said = f"{name_at(table, 2)} won +4 tokens with a tout"
    for page in ("", "standings/", "projector/", "story/"):
        assert told(client, table, page) == said, page
    report(table, 2, game(2, "won"), base=1, reason="ingen tout", author=Author("desk", alice))
    assert told(client, table) == ""


def test_it_stands_above_the_places_while_they_play_and_below_the_final_ones(client, table, alice):
    report(table, 1, game(1, "won", tout="won"))
    page = f"/t/{table.round.tournament.code}/standings/"
    words = words_at(client, page)
    assert words.index(TOLD) < words.index(name_at(table, 3))
    tournament = Tournament.objects.get(pk=table.round.tournament_id)
    close_round(tournament.rounds.get(), account=alice, now=timezone.now(), force_reason="enige")
    finish(Tournament.objects.get(pk=tournament.pk), account=alice, now=timezone.now())
    words = words_at(client, page)
    assert words.index(name_at(table, 3)) < words.index(TOLD)


def test_what_may_still_be_lost_is_told_when_it_is_over(table, alice):
    tournament = table.round.tournament
    for deal in (1, 2, 3):
        report(table, deal, game(3 if deal == 2 else 1, "won", tout="won"))
    tournament.refresh_from_db()
    kinds = {one.kind for one in fallen(tournament)}
    assert kinds == {"tout"}
    close_round(tournament.rounds.get(), account=alice, now=timezone.now(), force_reason="enige")
    tournament.refresh_from_db()
    assert {one.kind for one in fallen(tournament)} == {"round", "tout"}
    tournament = finish(tournament, account=alice, now=timezone.now())
    tournament.refresh_from_db()
    found = {one.kind: one for one in fallen(tournament)}
    best = tournament.results.order_by("-tokens", "entry").first()
    before = max(
        tokens
        for tokens in tournament.host.tournaments.get(date__year=2025).results.values_list(
            "tokens", flat=True
        )
    )
    assert found["evening"] == Fallen("evening", best.tokens, best.entry_id, before)


def test_a_table_is_read_again_where_something_was_reported(table, django_assert_max_num_queries):
    """No evening is gone through anew for each report: other tables stay as they were read."""
    tournament = table.round.tournament
    report(table, 1, game(1, "won"))
    tournament.refresh_from_db()
    fallen(tournament)
    with django_assert_max_num_queries(1):  # whether the other evenings are what they were
        fallen(tournament)


def test_what_stood_before_is_asked_again_where_an_older_evening_has_changed(
    client, table, alice, django_capture_on_commit_callbacks
):
    """On the page of an evening of these days, which all are shown alike, and on that of an old one."""
    older, now = Tournament.objects.get(date__year=2025), timezone.now()
    report(table, 1, game(1, "won", tout="won"))
    for day in (date(2026, 3, 1), timezone.localdate()):
        Tournament.objects.filter(pk=table.round.tournament_id).update(date=day)
        assert told(client, table) != ""
        with django_capture_on_commit_callbacks(execute=True):
            ending.call_off(older, reason="fejl", account=alice, now=now)
        assert told(client, table) == ""  # a first evening breaks none
        with django_capture_on_commit_callbacks(execute=True):
            ending.take_up_again(Tournament.objects.get(pk=older.pk), account=alice, now=now)
        assert told(client, table) != ""


def test_a_club_that_wants_no_statistics_is_told_of_no_record(client, table, club):
    report(table, 1, game(1, "won", tout="won"))
    assert told(client, table) != ""
    club.statistics = "nowhere"
    club.save()
    assert told(client, table) == ""
