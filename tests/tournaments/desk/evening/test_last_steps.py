"""What is left to do when an evening has been played: in its order, one step open, what is done is ticked."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from core.jobs.models import Job
from tests.factories import first_round, make_tournament, play_out
from tournaments.desk.evening.next_step import last_steps
from tournaments.lifecycle.ending import post
from tournaments.lifecycle.playing import close_round
from tournaments.models import Table, Tournament
from tournaments.paper.printing import of_round


@pytest.fixture
def posted(club, by_alice):
    """An evening with a fee that four have paid, whose standings are provisional."""
    tournament = make_tournament(8, club=club, entry_fee=5000, deals_per_round=4)
    tournament.entries.filter(number__lte=4).update(fee_paid=True)
    for table in Table.objects.all():
        play_out(table)
    close_round(first_round(tournament), force_reason="late", **by_alice)
    post(tournament, minutes=30, **by_alice)
    return Tournament.objects.get(pk=tournament.pk)


def states(tournament):
    fresh = Tournament.objects.get(pk=tournament.pk)
    return {
        step.key: "done" if step.done else "open" if step.is_open else "later" for step in last_steps(fresh)
    }


def page(browser, tournament):
    return browser.get(reverse("desk_finish", args=[tournament.code])).content.decode()


def test_each_step_is_ticked_when_it_is_done_and_the_next_one_opens(as_alice, alice, posted, by_alice):
    first = ["open", "later", "later", "later", "later"]
    assert list(states(posted)) == ["prizes", "print", "settle", "publish", "next"]
    assert list(states(posted).values()) == first
    assert "The pool is 400.00 kroner: 4 have paid. None are set yet." in page(as_alice, posted)
    Tournament.objects.filter(pk=posted.pk).update(prize_shares=[60, 40])
    assert list(states(posted).values()) == ["done", "open", "later", "later", "later"]
    when = {"asked_at": by_alice["now"], "ended_at": by_alice["now"], "language": "en", "key": "k"}
    thing, about = of_round(first_round(posted)), {"sheet": "standings"}
    Job.objects.create(kind="sheets", thing=thing, about=about, asked_by=alice, state=Job.State.DONE, **when)
    assert states(posted)["settle"] == "open"
    assert "The payment list has not been made yet." in page(as_alice, posted)


def test_without_a_fee_nothing_is_awarded_and_nothing_settled(as_alice, club, by_alice):
    tournament = make_tournament(4, club=club, deals_per_round=4)
    close_round(first_round(tournament), force_reason="late", **by_alice)
    post(tournament, minutes=0, **by_alice)
    assert list(states(tournament).values()) == ["done", "open", "done", "later", "later"]
    assert page(as_alice, tournament).count('aria-current="step"') == 1


def test_the_next_evening_is_one_tap_and_two_make_one(as_alice, posted):
    (step,) = [step for step in last_steps(posted) if step.key == "next"]
    for _tap in range(2):
        answer = as_alice.post(step.url, step.posts)
    made = Tournament.objects.exclude(pk=posted.pk).get()
    assert answer.url == reverse("desk_check_in", args=[made.code])
    assert made.date > posted.date
    assert (states(posted)["publish"], states(posted)["next"]) == ("done", "done")
    assert reverse("desk_tournament", args=[made.code]) in page(as_alice, posted)


def test_the_overview_says_the_first_that_is_left(as_alice, posted):
    overview = reverse("desk_tournament", args=[posted.code])
    text = as_alice.get(overview).content.decode()
    assert "Award the prizes.</h1>" in text
    assert "The pool is 400.00 kroner" in text


def test_an_earlier_evening_is_no_next_one(club, posted):
    make_tournament(0, club=club, drawn=False, date=timezone.localdate() - timedelta(days=7))
    assert states(posted)["next"] == "later"


def test_who_may_see_it(as_helper, as_charlie, posted):
    for browser in (as_helper, as_charlie):
        assert browser.get(reverse("desk_finish", args=[posted.code])).status_code == 403


def award(browser, tournament, by_place, things=("", "", "")):
    """Press *Save the prizes* on the page of the finish."""
    seen = re.search(r'name="seen" value="(\w+)"', page(browser, tournament))[1]
    typed = {"unit": "amounts", "by_place": by_place, "things": things, "seen": seen, "back": "finish"}
    answer = browser.post(reverse("desk_money", args=[tournament.code]), typed)
    tournament.refresh_from_db()
    return answer


def test_the_prizes_are_proposed_beside_the_winners_and_saved_where_they_stand(as_alice, posted):
    text = page(as_alice, posted)
    proposed = re.findall(r'name="by_place" value="([^"]*)"', text)
    assert proposed == ["200", "120", "80"]
    answer = award(as_alice, posted, ["200", "1 20", ""], ["Challenge cup", "", ""])
    assert answer.url == reverse("desk_finish", args=[posted.code])
    assert (posted.prize_amounts, posted.prize_things) == ([20000, 12000], ["Challenge cup"])
    assert 'name="by_place"' not in page(as_alice, posted)


def test_something_else_stays_at_the_place_where_it_was_typed(as_alice, posted):
    award(as_alice, posted, ["200", "120", ""], ["", "A bottle of port", " ", "Spoon", ""])
    assert posted.prize_things == ["", "A bottle of port", "", "Spoon"]


@pytest.mark.parametrize(
    ("by_place", "said"),
    [
        (["200", "120", "80"], "They have been set and are printed with the standings."),
        (["300", "120", "80"], "They are set. The club adds 100.00 kroner to the pool."),
        (["200", "", ""], "They are set. 200.00 kroner of the pool stay in the club’s cash box."),
    ],
)
def test_prizes_that_are_set_are_compared_with_the_pool(as_alice, posted, by_place, said):
    award(as_alice, posted, by_place)
    assert last_steps(Tournament.objects.get(pk=posted.pk))[0].said == said


@pytest.mark.parametrize("by_place", [["200", "", "80"], ["200", "much", ""]])
def test_a_prize_that_cannot_be_is_said_with_all_that_was_typed(as_alice, posted, by_place):
    answer = award(as_alice, posted, by_place, ["Challenge cup", "", ""])
    text = answer.content.decode()
    assert answer.status_code == 200
    assert re.findall(r'name="by_place" value="([^"]*)"', text) == [*by_place, "", ""]
    assert "Type kroner by place, such as 300, 200 and 100." in text
    assert "Challenge cup" in text
    assert (posted.prize_amounts, posted.prize_things) == ([], [])


def press(browser, text, tournament, button):
    """Press a button of the page that posts a form of its own."""
    forms = [
        form for form in re.findall(r"<form.*?</form>", text, re.DOTALL) if f">{button}</button>" in form
    ]
    assert len(forms) == 1, button
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', forms[0]))
    sent.pop("csrfmiddlewaretoken")
    answer = browser.post(reverse("desk_money", args=[tournament.code]), sent)
    tournament.refresh_from_db()
    return answer


def test_no_prizes_is_one_tap_and_is_said(as_alice, posted):
    answer = press(as_alice, page(as_alice, posted), posted, "No prizes")
    assert answer.url == reverse("desk_finish", args=[posted.code])
    assert states(posted)["prizes"] == "done"
    assert "There are none tonight." in page(as_alice, posted)
    assert posted.log.filter(text="There are no prizes").count() == 1
    money = as_alice.get(reverse("desk_money", args=[posted.code])).content.decode()
    assert "No prizes</button>" not in money


def test_the_prizes_are_those_of_last_time_in_one_tap(as_alice, club, posted):
    assert "As last time" not in page(as_alice, posted)
    before = posted.date - timedelta(days=7)
    make_tournament(
        0, club=club, drawn=False, date=before, prize_shares=[50, 30, 20], prize_things=["Challenge cup"]
    )
    button = "As last time: 50, 30, 20 % · Challenge cup"
    assert button in as_alice.get(reverse("desk_money", args=[posted.code])).content.decode()
    press(as_alice, page(as_alice, posted), posted, button)
    assert (posted.prize_shares, posted.prize_amounts, posted.prize_things) == (
        [50, 30, 20], [], ["Challenge cup"],
    )  # fmt: skip
    assert states(posted)["prizes"] == "done"
    assert "As last time" not in as_alice.get(reverse("desk_money", args=[posted.code])).content.decode()
