"""What is done to many at once is taken back by one press, and what has been done since then stands."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from clubs.models import Account
from tests.factories import first_round, first_table, make_player, make_tournament, play_out, report
from tournaments import ledger
from tournaments.entries import entering
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.playing import close_round, start_round
from tournaments.models import Entry, Flag, KeptReport

pytestmark = pytest.mark.django_db
HERE, AWAY = Entry.Status.PRESENT, Entry.Status.ENTERED


@pytest.fixture
def evening(club, alice):
    """Four at the door, none of them here yet."""
    made, by = make_tournament(0, club=club, entry_fee=5000, started=False, drawn=False), by_alice()
    for number, name in enumerate(("Anna Holm", "Bo Krogh", "Clara Lind", "Dan Ravn"), start=1):
        entering.enter(made, make_player(name, club, number), club=club, **by)
    return made


def by_alice():
    return {"account": Account.objects.get(username="alice"), "now": timezone.now()}


def press(browser, name, tournament, *args, **sent):
    """What the page says that a button leads to."""
    return browser.post(reverse(name, args=[tournament.code, *args]), sent, follow=True).content.decode()


def undo(browser, page):
    """The page after its one Undo was pressed."""
    (address,) = re.findall(r'class="message success undo" action="([^"]+)"', page)
    return browser.post(address, follow=True).content.decode(), address


def door(tournament):
    return list(tournament.entries.order_by("number").values_list("status", "fee_paid"))


def test_who_was_checked_in_at_once_is_not_here_after_all_but_for_whom_somebody_has_marked_since(
    as_alice, evening
):
    press(as_alice, "desk_mark_present", evening, 1, present="1")
    page = press(as_alice, "desk_mark_all", evening, present="")
    for present in "01":  # Bo had not come; now he has
        press(as_alice, "desk_mark_present", evening, 2, present=present)
    press(as_alice, "desk_mark_paid", evening, 3, paid="1")
    page, address = undo(as_alice, page)
    assert "Undone, except for Bo Krogh: later changes are kept." in page
    assert door(evening) == [(HERE, False), (HERE, False), (AWAY, True), (AWAY, False)]
    page = as_alice.post(address, follow=True).content.decode()
    assert "Nothing was undone: later changes are kept (Bo Krogh)." in page
    assert door(evening) == [(HERE, False), (HERE, False), (AWAY, True), (AWAY, False)]
    call_command("verify", evening.code)


def test_what_is_pressed_twice_is_taken_back_once(as_alice, evening):
    page = press(as_alice, "desk_mark_all", evening, present="")
    assert 'class="message success undo"' not in press(as_alice, "desk_mark_all", evening, present="")
    _page, address = undo(as_alice, page)
    lines = evening.log.count()
    assert "It has already been undone." in as_alice.post(address, follow=True).content.decode()
    assert (door(evening), evening.log.count()) == ([(AWAY, False)] * 4, lines)


def test_who_plays_by_now_stays_here(as_alice, evening, by_alice):
    page = press(as_alice, "desk_mark_all", evening, present="")
    draw(evening, seed=1, **by_alice)
    start_round(evening.rounds.get(number=1), **by_alice)
    assert "Nothing was undone" in undo(as_alice, page)[0]
    assert door(evening) == [(HERE, False)] * 4


def test_who_had_paid_before_has_paid_still(as_alice, evening):
    press(as_alice, "desk_mark_all", evening, present="")
    press(as_alice, "desk_mark_paid", evening, 4, paid="1")
    page = press(as_alice, "desk_mark_all", evening, paid="")
    assert "It has been undone." in undo(as_alice, page)[0]
    assert door(evening) == [(HERE, False)] * 3 + [(HERE, True)]


def test_whose_payment_is_made_has_paid_the_fee_that_it_was_reckoned_with(as_alice, evening):
    press(as_alice, "desk_mark_all", evening, present="")
    page = press(as_alice, "desk_mark_all", evening, paid="")
    anna, bo, *_others = evening.entries.order_by("number")
    made = evening.payments.create(number=1, payer=anna, payee=bo, amount=700, paid_at=timezone.now())
    refused = press(as_alice, "desk_mark_paid", evening, 1, paid="0")
    assert "Anna Holm has settled with payment 1, which counted the entry fee as paid." in refused
    said, address = undo(as_alice, page)
    assert "Undone, except for Anna Holm, Bo Krogh: later changes are kept." in said
    assert door(evening) == [(HERE, True)] * 2 + [(HERE, False)] * 2
    evening.payments.filter(pk=made.pk).update(paid_at=None)
    assert "It has been undone." in as_alice.post(address, follow=True).content.decode()
    assert door(evening) == [(HERE, False)] * 4


@pytest.mark.parametrize("at_once", [True, False])
def test_calls_that_were_settled_wait_again(as_alice, club, at_once):
    tournament = make_tournament(8, club=club)
    flags = [
        ledger.raise_flag(table, "call", deal=None, words=words, now=timezone.now())
        for table, words in zip(first_round(tournament).tables.all(), ("who led?", ""), strict=True)
    ]
    if at_once:
        page = press(as_alice, "desk_settle_all", tournament, flag=[flag.pk for flag in flags])
    else:
        page = press(as_alice, "desk_settle_flag", tournament, 1, 1, flags[0].pk)
        assert 'class="message success undo"' not in press(
            as_alice, "desk_settle_flag", tournament, 1, 1, flags[0].pk
        )
    page, address = undo(as_alice, page)
    assert "It has been undone." in page
    assert not Flag.objects.exclude(settled_at=None).exists()
    assert "is waiting again" in tournament.log.first().words
    ledger.settle_flag(flags[0], **by_alice())
    assert "It has already been undone." in as_alice.post(address, follow=True).content.decode()
    assert Flag.objects.get(pk=flags[0].pk).settled_at is not None


def test_signatures_are_taken_back_where_the_sheet_is_open_and_is_the_same(as_alice, club, by_alice):
    tournament = make_tournament(8, club=club, deals_per_round=4)
    one, other = first_round(tournament).tables.all()
    play_out(one)
    play_out(other)
    asked = as_alice.get(reverse("desk_all_signed", args=[tournament.code, 1]))
    page = press(as_alice, "desk_all_signed", tournament, 1, **asked.context["asked"].sees)
    ledger.disagree(one.seats.get(position=0))
    mine = ledger.agree(one.seats.get(position=0), now=timezone.now())
    assert "It has been undone." in undo(as_alice, page)[0]
    assert [seat.pk for seat in one.seats.exclude(agreed_at=None)] == [mine.pk]
    assert not other.seats.exclude(agreed_at=None).exists()
    page = press(as_alice, "desk_agree_all", tournament, 1, 1)
    close_round(first_round(tournament), **by_alice, force_reason="late")
    said = "Nothing was undone: later changes are kept (table 1 of round 1)."
    assert said in undo(as_alice, page)[0]


def test_late_reports_that_were_set_aside_wait_again(as_alice, club, by_alice):
    table = first_table(make_tournament(4, club=club))
    close_round(table.round, **by_alice, force_reason="late")
    report(table, 1)
    newest = KeptReport.objects.get().pk
    page = press(as_alice, "desk_set_all_aside", table.round.tournament, 1, 1, newest=newest, back="late")
    assert "It has been undone." in undo(as_alice, page)[0]
    assert KeptReport.objects.get().state == KeptReport.State.WAITING


@pytest.mark.parametrize(("done", "at"), [("everything", 1), ("here", 10**30)])
def test_what_no_button_does_is_not_there(as_alice, evening, done, at):
    assert as_alice.post(reverse("desk_undo", args=[evening.code, done, at])).status_code == 404
