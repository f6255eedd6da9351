"""The start of a round is taken back while nothing is reported; what phones send meanwhile is kept."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from core.errors import NotPossible
from tests.factories import first_round, newcomer, play_out, report, table_of, won
from tests.pages import text
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author, Submission, record
from tournaments.ledger.late_reports import set_aside
from tournaments.lifecycle.drawing import discard_draw, draw
from tournaments.lifecycle.playing import close_round, start_round, take_start_back
from tournaments.lifecycle.seat_changes import sit_down_late
from tournaments.models import KeptReport, Round, SeatChange, Table


def page(name, tournament, *more):
    return reverse(name, args=[tournament.code, *more])


def wrong(tournament):
    return [str(difference) for difference in differences(tournament)]


@pytest.mark.slow
def test_a_start_is_taken_back_while_nothing_is_reported_and_links_stay(seven_running, by_alice):
    secrets = set(Table.objects.values_list("secret", "code"))
    round_ = take_start_back(first_round(seven_running), **by_alice)
    assert (round_.state, round_.started_at) == (Round.State.DRAWN, None)
    seven_running.refresh_from_db()
    assert (seven_running.rules_frozen, seven_running.state, seven_running.started_at) == (
        False,
        "setup",
        None,
    )
    assert set(Table.objects.values_list("secret", "code")) == secrets
    assert seven_running.log.latest("pk").text == "Undid the start of round {round}"
    assert wrong(seven_running) == []
    start_round(round_, **by_alice)
    assert report(table_of(seven_running, 4), 1).status == "accepted"


def test_rules_stay_frozen_where_another_round_was_played(seven_running, by_alice):
    for table in first_round(seven_running).tables.all():
        play_out(table, agreed=True)
    close_round(first_round(seven_running), **by_alice)
    second = start_round(seven_running.rounds.get(number=2), **by_alice)
    take_start_back(second, **by_alice)
    seven_running.refresh_from_db()
    assert (seven_running.rules_frozen, seven_running.state) == (True, "running")
    assert wrong(seven_running) == []


def test_a_start_stays_once_a_deal_is_reported(seven_running, by_alice):
    table = table_of(seven_running, 4)
    report(table, 1)
    with pytest.raises(NotPossible, match="Deals have been reported in round 1"):
        take_start_back(first_round(seven_running), **by_alice)


def test_a_start_stays_once_deals_were_reported_and_taken_back(seven_running, by_alice):
    table = table_of(seven_running, 4)
    report(table, 1)
    back = Submission(key=uuid4(), deal=1, base=1, result=None, reason="not played")
    assert record(table, [back], Author("captain"), now=by_alice["now"])[0].status == "accepted"
    with pytest.raises(NotPossible, match="Deals were reported in round 1 and undone"):
        take_start_back(first_round(seven_running), **by_alice)


def test_the_desk_asks_before_and_offers_it_no_longer_than_it_can(as_alice, seven_running):
    address = page("desk_take_start_back", seven_running, 1)
    board = page("desk_round", seven_running, 1)
    assert address in text(as_alice.get(board))
    assert "Nothing has been reported yet" in text(as_alice.get(address))
    assert first_round(seven_running).is_running
    report(table_of(seven_running, 4), 1)
    assert address not in text(as_alice.get(board))
    assert "Deals have been reported in round 1" in text(as_alice.post(address, follow=True))
    assert first_round(seven_running).is_running


def test_the_desk_takes_a_start_back(as_alice, seven_running):
    as_alice.post(page("desk_take_start_back", seven_running, 1))
    assert first_round(seven_running).is_drawn
    assert "has been undone" in text(
        as_alice.get(reverse("captain", args=[table_of(seven_running, 4).secret]))
    )


def test_seats_changed_before_the_start_was_taken_back_go_with_a_new_draw(seven_running, by_alice):
    sit_down_late(table_of(seven_running, 3), newcomer(seven_running, by_alice), **by_alice)
    take_start_back(first_round(seven_running), **by_alice)
    draw(seven_running, seed=3, **by_alice)
    assert SeatChange.objects.count() == 0
    assert wrong(seven_running) == []


def test_what_a_phone_sends_after_the_start_was_taken_back_is_looked_at_before_its_table_is_gone(
    as_alice, seven_running, by_alice
):
    """The phone has its yes and forgets the deal: from then on it is here, or nowhere."""
    table = table_of(seven_running, 4)
    take_start_back(first_round(seven_running), **by_alice)
    assert report(table, 1, won(0)).status == "kept"
    why = "A late report is waiting in round 1; decide on it first."
    for change in (discard_draw, lambda *a, **k: draw(*a, seed=3, **k)):
        with pytest.raises(NotPossible, match=why):
            change(seven_running, **by_alice)
    answer = as_alice.post(page("desk_discard_draw", seven_running), follow=True)
    assert why in text(answer)
    assert KeptReport.objects.get().state == KeptReport.State.WAITING
    set_aside(KeptReport.objects.get(), by_alice["account"], now=by_alice["now"])
    discard_draw(seven_running, **by_alice)
    assert not seven_running.rounds.exists()
