"""Penalties and the log."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Role
from tests.factories import first_round, first_table, make_account, make_club, make_tournament, report
from tournaments.lifecycle.playing import revoke_link
from tournaments.lifecycle.rulings import penalise
from tournaments.models import Penalty, Tournament
from tournaments.standings.players import standings

GAME = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}


@pytest.fixture
def tournament(club):
    return make_tournament(4, club=club)


@pytest.fixture
def page(tournament):
    return reverse("desk_penalties", args=[tournament.code])


def penalty(tournament, **fields):
    entry = tournament.entries.get(number=1)
    return {"entry": entry.pk, "tokens": "-1", "reason": "wrong bid", "round": "", "seen": "0"} | fields


def test_a_penalty_counts_in_its_own_column(as_alice, tournament, page):
    sent = penalty(tournament, round=first_round(tournament).pk)
    assert as_alice.post(page, sent).headers["Location"] == page
    given = Penalty.objects.get()
    assert (given.tokens, given.reason, given.ruled_by, given.round.number) == (-1, "wrong bid", "Alice", 1)
    tournament.refresh_from_db()
    row = next(row for row in standings(tournament).rows if row.number == 1)
    assert (row.tokens, row.penalties, row.total) == (0, -1, -1)


@pytest.mark.parametrize(
    ("typed", "tokens"), [("-2", -2), ("\N{MINUS SIGN}2", -2), ("\N{EN DASH} 2", -2), ("+3", 3), ("1", 1)]
)
def test_tokens_are_read_with_any_dash(as_alice, tournament, page, typed, tokens):
    as_alice.post(page, penalty(tournament, tokens=typed))
    assert Penalty.objects.get().tokens == tokens


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("tokens", "0", "A penalty of 0 tokens has no effect."),
        ("tokens", "1.5", "Type a whole number of tokens, such as -1 or +2."),
        ("tokens", "", "Type a whole number of tokens, such as -1 or +2."),
        ("tokens", "-1001", "At least -1000."),
        ("reason", "  ", "Say why, in a few words."),
        ("reason", "x" * 201, "At most 200 characters; this has 201."),
        ("entry", "", "Choose a player."),
        ("entry", "nobody", "Choose a player of this tournament."),
    ],
)
def test_a_wrong_penalty_is_said_at_its_field_and_stays_typed(
    as_alice, tournament, page, field, value, message
):
    answer = as_alice.post(page, penalty(tournament, **{field: value}))
    assert answer.context["form"].errors[field] == [message]
    assert answer.context["form"]["tokens"].value() == penalty(tournament, **{field: value})["tokens"]
    assert not Penalty.objects.exists()


def test_pressing_twice_does_not_penalise_twice(as_alice, tournament, page):
    sent = penalty(tournament)
    as_alice.post(page, sent)
    answer = as_alice.post(page, sent)
    assert "A penalty has been given in the meantime: Anna Holm, −1" in answer.content.decode()
    assert Penalty.objects.count() == 1
    again = answer.context["form"]["seen"].value()
    as_alice.post(page, sent | {"seen": again})
    assert Penalty.objects.count() == 2


def test_a_penalty_of_another_tournaments_player_is_refused(as_alice, tournament, page):
    stranger = make_tournament(3, club=make_club("Nim")).entries.first()
    answer = as_alice.post(page, penalty(tournament, entry=stranger.pk))
    assert "entry" in answer.context["form"].errors


def test_a_cancelled_penalty_stays_in_the_list_with_its_reason(as_alice, alice, tournament, page):
    entry = tournament.entries.get(number=1)
    given = penalise(entry, tokens=-1, reason="late", round_=None, account=alice, now=timezone.now())
    cancel = reverse("desk_cancel_penalty", args=[tournament.code, given.pk])
    assert as_alice.post(cancel, {"reason": ""}).context["form"].errors["reason"] == [
        "Say why, in a few words."
    ]
    as_alice.post(cancel, {"reason": "train was late"})
    answer = as_alice.post(cancel, {"reason": "again"}, follow=True)
    assert "This penalty has already been cancelled." in answer.content.decode()
    given.refresh_from_db()
    assert (given.cancelled_by, given.cancel_reason) == ("Alice", "train was late")
    assert "train was late" in answer.content.decode()


def test_final_standings_are_changed_by_no_ruling(as_alice, alice, tournament, page):
    entry = tournament.entries.get(number=1)
    given = penalise(entry, tokens=-1, reason="late", round_=None, account=alice, now=timezone.now())
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    answers = [
        as_alice.post(page, penalty(tournament) | {"seen": given.pk}, follow=True),
        as_alice.post(
            reverse("desk_cancel_penalty", args=[tournament.code, given.pk]), {"reason": "no"}, follow=True
        ),
    ]
    for answer in answers:
        assert "The standings are final." in answer.content.decode()
    assert [(one.pk, one.cancelled_at) for one in Penalty.objects.all()] == [(given.pk, None)]
    assert "Give the penalty" not in as_alice.get(page).content.decode()


def test_a_helper_reads_the_penalties_and_gives_none(club, tournament, page):
    helper = Client()
    helper.force_login(make_account("helga", club, Role.Kind.HELPER))
    assert "Give the penalty" not in helper.get(page).content.decode()
    helper.post(page, penalty(tournament))
    assert not Penalty.objects.exists()


# The log


def log(client, tournament, **query):
    return client.get(reverse("desk_log", args=[tournament.code]), query)


def test_the_log_tells_who_did_what_and_why_newest_first(as_alice, alice, tournament):
    table = first_table(tournament)
    report(table, 1, GAME)
    report(table, 1, {**GAME, "outcome": "bete"}, base=1, reason="misheard")
    events = log(as_alice, tournament).context["page"].object_list
    assert (events[0].words, events[0].reason, events[0].author) == (
        f"{table.seats.get(position=1).entry.shown_name}: Game in hearts, bête",
        "misheard",
        "captain",
    )
    assert (events[1].words, events[1].author) == ("Started round 1", "Alice")


def test_the_log_of_one_table_tells_its_first_reports_too(as_alice, alice, tournament):
    table = first_table(tournament)
    report(table, 1, GAME)
    revoke_link(table, account=alice, now=timezone.now())
    told = [event.words for event in log(as_alice, tournament, table="1-1").context["page"].object_list]
    assert told[0] == "Round 1, table 1: new captain’s link"
    assert len(told) == 2


@pytest.mark.parametrize("nonsense", ["", "x", "1-", "1-1-1", "\N{ARABIC-INDIC DIGIT ONE}-1"])
def test_a_filter_that_names_no_table_shows_everything(as_alice, tournament, nonsense):
    assert log(as_alice, tournament, table=nonsense).context["table"] is None


def test_a_filter_for_a_table_that_is_not_there_is_not_found(as_alice, tournament):
    assert log(as_alice, tournament, table="9-99").status_code == 404


def test_a_page_beyond_the_end_is_the_last_one(as_alice, tournament):
    assert log(as_alice, tournament, page="99").status_code == 200
    assert log(as_alice, tournament, page="x").status_code == 200
