"""The overview's steps: what is done, what is offered, and one figure for the pool on every page."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from core.jobs.models import Job
from tests.evenings import play_round
from tests.factories import first_round, first_table, make_tournament, report
from tournaments.desk.evening.navigation import Steps
from tournaments.domain.amounts import in_kroner
from tournaments.entries import entering
from tournaments.lifecycle import money as settling_up
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import finish, reopen_tournament
from tournaments.lifecycle.playing import start_round
from tournaments.models import Tournament
from tournaments.paper.printing import of_round


def step(tournament, key):
    (found,) = [step for step in Steps(Tournament.objects.get(pk=tournament.pk)) if step.key == key]
    return found


def overview(browser, tournament):
    return " ".join(browser.get(reverse("desk_tournament", args=[tournament.code])).content.decode().split())


def finished(club, by, **fields):
    tournament = make_tournament(4, club=club, started=False, deals_per_round=4, **fields)
    play_round(first_round(tournament), by["account"])
    return finish(tournament, **by)


def pools(browser, tournament):
    """What the overview and the page of the money call the pool."""
    money = browser.get(reverse("desk_money", args=[tournament.code])).content.decode()
    texts = (overview(browser, tournament), " ".join(money.split()))
    said = re.compile(r"The pool is ([\d.,]+) kroner(?:, of which ([\d.,]+) are still owed)?")
    return [said.search(text).groups() for text in texts]


@pytest.mark.parametrize("started", [False, True])
def test_the_pool_is_one_figure_wherever_it_is_said(as_alice, club, started):
    tournament = make_tournament(8, club=club, started=started, entry_fee=5000)
    tournament.entries.filter(number__lte=6).update(fee_paid=True)
    Tournament.objects.filter(pk=tournament.pk).update(version=tournament.version + 1)
    one, other = pools(as_alice, tournament)
    assert one == other
    reckoning = settling_up.reckon(Tournament.objects.get())
    assert (reckoning.pool, reckoning.owed) == (40000, 10000)
    assert one == (in_kroner(40000), in_kroner(10000))


def test_who_leads_stands_on_the_overview_once_something_is_played_for(as_alice, club, by_alice):
    tournament = make_tournament(8, club=club, started=False)
    assert "In the lead" not in overview(as_alice, tournament)
    start_round(first_round(tournament), **by_alice)
    table = first_table(tournament)
    report(table, 1, {"contract": "solo", "declarer": 1, "trump": "H", "outcome": "won"})
    leader = table.seats.get(position=1).entry
    said = overview(as_alice, tournament).partition("In the lead")[2]
    first, *rest = re.findall(r'<th scope="row" class="name"><a href="[^"]*">([^<]*)</a>', said)
    assert (first, len(rest)) == (leader.shown_name, 4)


def test_finish_is_offered_once_a_round_has_been_played(as_alice, club, by_alice):
    tournament = make_tournament(4, 2, club=club, started=False, deals_per_round=4)
    address = reverse("desk_finish", args=[tournament.code])
    assert step(tournament, "finish").url == ""
    assert address not in overview(as_alice, tournament)
    answer = as_alice.get(address, follow=True)
    assert "No round has been played to the end." in answer.content.decode()
    play_round(first_round(tournament), by_alice["account"])
    assert step(tournament, "finish").url == address
    assert "Finish the tournament now" in as_alice.get(address).content.decode()
    start_round(tournament.rounds.get(number=2), **by_alice)
    assert step(tournament, "finish").url == ""


def test_calling_off_is_not_offered_for_an_evening_that_was_held(as_alice, club, by_alice):
    address = "desk_call_off"
    coming = make_tournament(0, club=club, drawn=False)
    assert reverse(address, args=[coming.code]) in overview(as_alice, coming)
    held = finished(club, by_alice)
    assert reverse(address, args=[held.code]) not in overview(as_alice, held)
    as_alice.post(reverse(address, args=[held.code]), {"reason": "by mistake"})
    held.refresh_from_db()
    assert not held.is_called_off
    reopen_tournament(held, reason="it was another evening", **by_alice)
    as_alice.post(reverse(address, args=[held.code]), {"reason": "by mistake"})
    held.refresh_from_db()
    assert held.is_called_off


def test_who_never_came_is_not_waited_for_once_tables_are_drawn(club, by_alice):
    tournament = make_tournament(8, 2, club=club, drawn=False, draw_mode="by_round", deals_per_round=4)
    entering.check_in(tournament.entries.get(number=8), present=False, **by_alice)
    assert (step(tournament, "check_in").done, Steps(tournament).next.key) == (False, "check_in")
    draw(tournament, seed=1, **by_alice)
    assert step(tournament, "check_in").done
    play_round(first_round(tournament), by_alice["account"])
    assert Steps(Tournament.objects.get()).next.key == "draw"


def test_print_is_done_when_the_coming_round_has_its_sheets(club, alice, by_alice):
    tournament = make_tournament(4, 2, club=club, started=False, deals_per_round=4)

    when = {"asked_at": by_alice["now"], "ended_at": by_alice["now"], "language": "en", "key": "k"}

    def print_round(number):
        thing = of_round(tournament.rounds.get(number=number))
        Job.objects.create(kind="sheets", thing=thing, asked_by=alice, state=Job.State.DONE, **when)

    assert not step(tournament, "print").done
    print_round(1)
    assert step(tournament, "print").done
    play_round(first_round(tournament), alice)
    assert not step(tournament, "print").done
    print_round(2)
    assert step(tournament, "print").done
    play_round(tournament.rounds.get(number=2), alice)
    Job.objects.all().delete()  # they are kept for a day
    assert step(tournament, "print").done


def test_money_is_done_when_every_payment_is_ticked_off(club, by_alice):
    tournament = finished(club, by_alice, stake=25)
    assert "The payment list has not been made yet" in step(tournament, "money").said
    settling_up.make_list(tournament, with_box=True, **by_alice)
    payments = list(settling_up.payment_list(tournament))
    for payment in payments:
        assert not step(tournament, "money").done
        settling_up.tick(tournament, payment.number, paid=True, **by_alice)
    assert payments
    assert step(tournament, "money").done
    settling_up.tick(tournament, payments[0].number, paid=False, **by_alice)
    assert step(tournament, "money").said == f"{len(payments) - 1} of {len(payments)} payments ticked off"


def test_where_nothing_is_played_for_there_is_no_step_of_money(club):
    keys = {step.key for step in Steps(make_tournament(4, club=club))}
    assert "money" not in keys
