"""Where everybody sits next: said in each row of the standings, and at a table whose sheet all have said yes to."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from tests.factories import first_table, make_tournament, play_out
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.ledger.seating import next_seats, next_seats_from
from tournaments.lifecycle.ending import finish
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Round, Seat, Table


def said_of(round_, player):
    seat = Seat.objects.select_related("table").get(round=round_, entry__number=player)
    return f"Round {round_.number}: table {seat.table.number}, seat {SEAT_LETTERS[seat.position]}"


@pytest.fixture
def two_rounds(club):
    return make_tournament(9, 2, club=club, deals_per_round=4, deals_at_three=3)


def test_next_is_the_round_drawn_then_the_one_that_is_played_and_none_when_play_is_over(two_rounds, by_alice):
    first, second = two_rounds.rounds.order_by("number")
    numbers = range(1, 10)
    everybody = [entry.pk for entry in two_rounds.entries.all()]
    assert next_seats(two_rounds, everybody) == {number: said_of(second, number) for number in numbers}
    for table in Table.objects.filter(round=first):
        play_out(table, agreed=True)
    close_round(first, **by_alice)
    start_round(second, **by_alice)
    assert next_seats(two_rounds, everybody) == {number: said_of(second, number) for number in numbers}
    fifth = two_rounds.entries.get(number=5)
    assert next_seats(two_rounds, [fifth.pk]) == {5: said_of(second, 5)}
    assert next_seats_from(Table.objects.filter(round=second)[0]) == []
    for table in Table.objects.filter(round=second):
        play_out(table, agreed=True)
    close_round(second, **by_alice)
    finish(two_rounds, **by_alice)
    two_rounds.refresh_from_db()
    assert next_seats(two_rounds, everybody) == {}


def test_who_has_a_bye_sits_out(club):
    tournament = make_tournament(4, club=club, started=False)
    Round.objects.filter(tournament=tournament).update(byes=[5])
    assert next_seats(tournament, [])[5] == "Round 1: sits out"


def test_each_row_of_the_standings_carries_its_own_next_seat(two_rounds, client):
    html = client.get(reverse("standings", args=[two_rounds.code])).content.decode()
    rows = re.findall(r'<tr data-next="([^"]*)".*?/player/(\d+)/', html)
    second = two_rounds.rounds.get(number=2)
    assert {int(number): unescape(said) for said, number in rows} == {
        number: said_of(second, number) for number in range(1, 10)
    }


def test_a_table_is_told_where_its_own_go_and_as_it_is_drawn_at_that_moment(two_rounds, client, by_alice):
    table, second = first_table(two_rounds), two_rounds.rounds.get(number=2)
    entries = [seat.entry for seat in table.seats.order_by("position")]
    here = [f"{entry.shown_name}: {said_of(second, entry.number)}" for entry in entries]
    address = reverse("captain_next", args=[table.secret])
    assert client.get(address).json()["next"] == here
    for one in Table.objects.filter(round=table.round):
        play_out(one, agreed=True)
    close_round(table.round, **by_alice)
    # Once the round is closed its page says so, and where they go.
    assert client.get(address).status_code == 410
    page = unescape(client.get(reverse("captain", args=[table.secret])).content.decode())
    told = re.findall(r"<span>([^<]*) <small>([^<]*)</small></span>", page)
    assert sorted(f"{name}: {seat}" for name, seat in told) == sorted(here)
