"""Who comes after the start is the fourth at a table of three that has not begun."""

from __future__ import annotations

import pytest
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import first_round, make_tournament, newcomer, report, table_of, won
from tests.pages import text
from tournaments.exports.verify.recount import differences
from tournaments.lifecycle.seat_changes import get_up, sit_down_late, tables_waiting, without_seat


def page(name, tournament, *more):
    return reverse(name, args=[tournament.code, *more])


def wrong(tournament):
    return [str(difference) for difference in differences(tournament)]


def test_who_comes_after_the_start_is_the_fourth_where_nothing_is_reported(seven_running, by_alice):
    table, entry = table_of(seven_running, 3), newcomer(seven_running, by_alice)
    others = list(table.seats.values_list("entry", flat=True))
    assert tables_waiting(first_round(seven_running), entry) == [table]
    table = sit_down_late(table, entry, **by_alice)
    assert list(table.seats.values_list("entry", flat=True)) == [*others, entry.pk]
    assert (table.deals, table.turns) == (12, [{"deal": 1, "seat": 3, "came": entry.number}])
    answer = report(table, 1, won(1), turns=0)
    assert answer.problems[0].code == "reseated"  # a phone that believes in three is asked back
    assert report(table, 1, won(1), turns=1).status == "accepted"
    assert wrong(seven_running) == []


def test_a_table_that_has_begun_takes_nobody(seven_running, by_alice):
    table, entry = table_of(seven_running, 3), newcomer(seven_running, by_alice)
    report(table, 1)
    assert tables_waiting(first_round(seven_running), entry) == []
    with pytest.raises(NotPossible, match="has started, or is full"):
        sit_down_late(table, entry, **by_alice)
    assert without_seat(first_round(seven_running)) == [entry]


def test_who_sat_down_late_gets_up_again_before_the_first_deal(seven_running, by_alice):
    table = sit_down_late(table_of(seven_running, 3), newcomer(seven_running, by_alice), **by_alice)
    table = get_up(table, **by_alice)
    assert (table.seats.count(), table.deals) == (3, 9)
    assert [sorted(change) for change in table.turns] == [["came", "deal", "seat"], ["deal", "left", "seat"]]
    assert wrong(seven_running) == []
    with pytest.raises(NotPossible):
        get_up(table, **by_alice)


def test_the_board_leads_who_came_late_to_a_seat(as_alice, seven_running, by_alice):
    entry = newcomer(seven_running, by_alice)
    address = page("desk_seat_late", seven_running, 1, entry.number)
    assert address in text(as_alice.get(page("desk_round", seven_running, 1)))
    table = table_of(seven_running, 3)
    assert f"Table {table.number}: " in text(as_alice.get(address))
    assert "Choose a table." in text(as_alice.post(address, {"table": "77"}))
    as_alice.post(address, {"table": str(table.number)})
    assert entry.seats.get().table == table
    assert address not in text(as_alice.get(page("desk_round", seven_running, 1)))
    seats = page("desk_seats", seven_running, 1, table.number)
    assert "arrived late and is the fourth" in text(as_alice.get(seats))
    as_alice.post(f"{seats}get-up/")
    assert not entry.seats.filter(round=first_round(seven_running)).exists()


def test_where_every_table_has_begun_it_says_what_can_be_done(as_alice, seven_running, by_alice):
    entry = newcomer(seven_running, by_alice)
    report(table_of(seven_running, 3), 1)
    said = text(as_alice.get(page("desk_seat_late", seven_running, 1, entry.number)))
    assert "all have started" in said
    assert page("desk_play_on", seven_running, 1, 1) in said
    assert "has a bye in this round" in said


def test_where_no_table_is_of_three_none_is_said_to_have_begun(as_alice, club, by_alice):
    full = make_tournament(8, club=club)
    said = text(as_alice.get(page("desk_seat_late", full, 1, newcomer(full, by_alice).number)))
    assert "all tables are full" in said
    assert "begun" not in said


def test_a_helper_may_find_seats_and_a_stranger_not(as_helper, as_charlie, seven_running, by_alice):
    entry = newcomer(seven_running, by_alice)
    address = page("desk_seat_late", seven_running, 1, entry.number)
    assert as_helper.get(address).status_code == 200
    assert as_charlie.get(address).status_code == 403
