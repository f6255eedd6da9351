"""What a phone has tapped before it knew that dealer, seats or deals were changed."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from core.errors import NotPossible
from tests.factories import report, won
from tests.tournaments.ledger.test_seat_changes import DEALER_MOVED, change, play, told
from tournaments.ledger import set_first_dealer
from tournaments.ledger.late_reports import take_in
from tournaments.ledger.queries import names_at
from tournaments.lifecycle.playing import end_table_early
from tournaments.models import KeptReport

pytestmark = pytest.mark.databases


def late(table, deal, declarer, turns):
    return report(table, deal, won(declarer), turns=turns)


def test_what_a_phone_tapped_before_the_dealer_was_moved_is_asked_back(table_of_12_deals, alice):
    play(table_of_12_deals, 1)
    change(table_of_12_deals, DEALER_MOVED, alice)
    answer = late(table_of_12_deals, 2, 2, 0)
    assert (answer.status, answer.problems[0].code) == ("refused", "reseated")
    names = names_at(table_of_12_deals)
    assert f"{names[2]} deals deal 2, {names[0]} sits out" in answer.problems[0].message
    assert late(table_of_12_deals, 2, 2, 1).status == "accepted"


def test_what_the_change_does_not_concern_is_stored_as_it_came(table_of_12_deals, alice):
    change(table_of_12_deals, {"deal": 5, "dealer": 2}, alice)
    assert late(table_of_12_deals, 4, 2, 0).status == "accepted"
    assert (
        report(table_of_12_deals, 5, turns=0).status == "accepted"
    )  # all passed: nobody pays, whoever dealt


def test_a_deal_whose_number_moved_meanwhile_is_asked_back(table_of_12_deals, alice):
    play(table_of_12_deals, None, None, None)
    change(table_of_12_deals, {"deal": 2, "insert": 1}, alice)
    assert late(table_of_12_deals, 5, 1, 0).problems[0].code == "reseated"
    assert late(table_of_12_deals, 5, 1, 1).status == "accepted"


def test_the_first_dealer_set_at_the_desk_is_a_change_that_a_phone_may_not_have_seen(table_of_12_deals):
    set_first_dealer(table_of_12_deals, 1, now=timezone.now())
    assert late(table_of_12_deals, 1, 2, 0).problems[0].code == "reseated"
    assert late(table_of_12_deals, 1, 2, 1).status == "accepted"


def test_what_comes_too_late_is_taken_in_by_who_sees_it_as_it_is_after_the_change(
    table_of_12_deals, alice, as_alice
):
    now = timezone.now()
    play(table_of_12_deals, 1)
    change(table_of_12_deals, DEALER_MOVED, alice)
    end_table_early(table_of_12_deals, reason="late", account=alice, now=now)
    table_of_12_deals.refresh_from_db()
    assert late(table_of_12_deals, 2, 3, 0).status == "kept"
    kept, where = KeptReport.objects.get(), [table_of_12_deals.round.tournament.code, 1, 1]
    with pytest.raises(NotPossible, match="Dealer or seats have been changed in the meantime"):
        take_in(kept, alice, now=now, seen=0)
    shown = as_alice.get(reverse("desk_table", args=where)).content.decode()
    sent = dict(re.findall(r'name="(seen|turns)" value="(\d+)"', shown))
    assert sent == {"seen": "0", "turns": "1"}
    change(table_of_12_deals, {"deal": 2, "swap": [0, 1]}, alice)
    as_alice.post(reverse("desk_take_in", args=[*where, kept.pk]), sent)  # it has changed once more meanwhile
    assert [number for number, *_rest in told(table_of_12_deals)] == [1]
    as_alice.post(reverse("desk_take_in", args=[*where, kept.pk]), sent | {"turns": "2"})
    assert told(table_of_12_deals)[1] == (2, 2, 1, (-1, 0, -1, 2))
