"""The list for the door: printed, ticked, photographed; what was read is looked at, then counts."""

from __future__ import annotations

import numpy as np
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from clubs.models import Account
from core.pdf.files import pdf_of
from tests.factories import make_tournament
from tests.pages import words
from tests.photographs.camera import LEVELS, photographed
from tests.photographs.hands import HANDS
from tests.photographs.made import page_of, ticked
from tournaments.changes.chain import chain_differences
from tournaments.desk.people.check_in import check_in_counts
from tournaments.domain.amounts import in_kroner
from tournaments.entries import entering
from tournaments.exports.tournament_file import export_tournament
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.money import reckon
from tournaments.lifecycle.playing import start_round
from tournaments.models import PrintedList, Tournament
from tournaments.paper.door import list_pages
from tournaments.reporting.reader.layout import read_layout
from tournaments.reporting.reader.results import list_name

PHOTOGRAPH = "photograph"


def sent(client, tournament, *pictures):
    """The page after these photographs were sent to it."""
    files = [SimpleUploadedFile(f"{number}.jpg", one) for number, one in enumerate(pictures, start=1)]
    page = client.post(reverse("desk_list", args=[tournament.code]), {PHOTOGRAPH: files})
    assert page.status_code == 200
    return page


def taken(client, tournament, ticks):
    """What is said of a list that is taken in, and the address of the button beside it."""
    seen = {"seen": Tournament.objects.get(pk=tournament.pk).chain_count}
    done = client.post(reverse("desk_list_taken", args=[tournament.code]), seen | ticks)
    *_before, message = done.wsgi_request._messages
    return str(message), message.extra_tags


def test_who_is_ticked_on_the_photograph_is_here_and_has_paid_once_that_was_looked_at(club, as_helper):
    tournament = make_tournament(5, club=club, drawn=False, entry_fee=50)
    tournament.entries.update(status="entered")
    by = {"base_url": "http://192.168.1.24:8000", "printed_at": timezone.localtime()}
    pdf = pdf_of(list_pages(tournament, **by), "List")
    kept = PrintedList.objects.get()
    layout = read_layout(kept.layout)
    assert kept.code in export_tournament(tournament)
    meant = [{"here": "here", "paid": "paid"}, {"here": "here"}, {}, {"paid": "paid"}, {"here": "here"}]
    random = np.random.default_rng(3)
    page = page_of(pdf).astype(np.float32)
    drawn, _truth = ticked(page, layout, meant, HANDS["crosses"], random, dirt=0)
    picture = photographed(drawn, LEVELS["easy"], random)
    page_read = sent(as_helper, tournament, picture, b"no picture")
    read, seen = page_read.context["read"], page_read.context["seen"]
    assert [[one.here, one.paid] for one in read.people.values()] == [
        ["here" in one, "paid" in one] for one in meant
    ]
    assert [name for name, _why in read.unread] == ["2.jpg"]
    assert not tournament.entries.filter(status="present").exists()
    ticks = {
        name: [one.entry.number for one in read.people.values() if getattr(one, name)]
        for name in ("here", "paid")
    }
    other_fee, _undo = taken(as_helper, tournament, ticks | {"fee": tournament.entry_fee + 100})
    assert other_fee.startswith("The entry fee has been changed: it was 1.50 kroner on your page")
    assert not tournament.entries.filter(status="present").exists()
    said = [taken(as_helper, tournament, ticks) for _twice in range(2)]
    assert [message for message, _undo in said] == [
        "The list has been saved: 3 players are now here, 2 have paid now.",
        "The list has been saved: nothing on it was new.",
    ]
    after = [
        ("present", True), ("present", False), ("entered", False), ("entered", True), ("present", False),
    ]  # fmt: skip
    assert list(tournament.entries.values_list("status", "fee_paid")) == after
    assert tournament.log.filter(text__in=["{player} checked in", "{player} paid the fee"]).count() == 5
    # Of whom the desk says otherwise afterwards, the same page sent again says nothing.
    first, by = tournament.entries.get(number=1), {"account": Account.objects.first()}
    entering.check_in(first, present=False, now=timezone.now(), **by)
    entering.mark_paid(first, paid=False, now=timezone.now(), **by)
    done = as_helper.post(reverse("desk_list_taken", args=[tournament.code]), ticks | {"seen": seen})
    assert [str(message) for message in done.wsgi_request._messages][-2:] == [
        f"{first} was left unchanged: someone has changed the entry since the list was read.",
        "Nothing else on the list was new.",
    ]
    assert list(tournament.entries.values_list("status", "fee_paid")) == [("entered", False), *after[1:]]
    tournament.entries.filter(number=1).update(status="present", fee_paid=True)
    # The money's page counts the same.
    reckoning = reckon(Tournament.objects.get(pk=tournament.pk))
    assert reckoning.fees_paid * reckoning.fee == 2 * 50
    assert check_in_counts(tournament)["kroner"] == in_kroner(2 * 50)
    other = make_tournament(0, club=club, drawn=False)
    said = words(sent(as_helper, other, picture).content.decode())
    assert "This list is for another evening." in said
    address = list_name(tournament.code, 1, layout).path
    assert as_helper.get(address).url == reverse("desk_list", args=[tournament.code])


def test_what_a_list_has_said_is_taken_back_by_one_press(club, as_helper):
    tournament = make_tournament(3, club=club, drawn=False, entry_fee=50)
    _one, two, three = tournament.entries.order_by("number")
    by = {"account": Account.objects.first(), "now": timezone.now()}
    for entry in (two, three):
        entering.check_in(entry, present=False, **by)
    _said, undo = taken(as_helper, tournament, {"here": [1, 2, 3], "paid": [1, 2]})
    entering.mark_paid(two, paid=False, **by | {"now": timezone.now()})
    entering.mark_paid(two, paid=True, **by | {"now": timezone.now()})
    back = as_helper.post(undo)
    assert [str(message) for message in back.wsgi_request._messages][1:] == [
        f"Undone, except for {two} (paid): later changes are kept."
    ]
    # One was here before; two has been said to have paid since.
    assert list(tournament.entries.order_by("number").values_list("status", "fee_paid")) == [
        ("present", False), ("entered", True), ("entered", False),
    ]  # fmt: skip
    assert list(chain_differences(tournament)) == []


def test_of_who_has_played_since_it_is_said_that_they_are_here_still_and_have_not_paid(club, as_helper):
    tournament = make_tournament(4, club=club, drawn=False, entry_fee=50)
    by = {"account": Account.objects.first(), "now": timezone.now()}
    for entry in tournament.entries.all():
        entering.check_in(entry, present=False, **by)
    _said, undo = taken(as_helper, tournament, {"here": [1, 2, 3, 4], "paid": [1, 2]})
    draw(tournament, seed=1, **by)
    start_round(tournament.rounds.get(), **by)
    names = ", ".join(f"{entry} (here)" for entry in tournament.entries.order_by("number"))
    back = as_helper.post(undo)
    assert [str(message) for message in back.wsgi_request._messages][1:] == [
        f"Undone, except for {names}: later changes are kept."
    ]
    assert set(tournament.entries.values_list("status", "fee_paid")) == {("present", False)}


def test_after_the_finish_who_has_paid_may_be_ticked_and_taken_back_and_who_is_here_stays(club, as_helper):
    tournament = make_tournament(3, club=club, drawn=False, entry_fee=50)
    one, _two, three = tournament.entries.order_by("number")
    for entry in tournament.entries.all():
        entering.check_in(entry, present=False, account=Account.objects.first(), now=timezone.now())
    _said, came = taken(as_helper, tournament, {"here": [1]})
    _said, came_and_paid = taken(as_helper, tournament, {"here": [3], "paid": [3]})
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    said, paid = taken(as_helper, tournament, {"here": [1, 2], "paid": [1]})
    assert said == "The list has been saved: 1 has paid now."

    def door():
        return list(tournament.entries.order_by("number").values_list("status", "fee_paid"))

    def said_of(undo):
        return [str(message) for message in as_helper.post(undo).wsgi_request._messages][-1]

    assert door() == [("present", True), ("entered", False), ("present", True)]
    finished = "the tournament is finished, so later changes are kept"
    assert [said_of(undo) for undo in (paid, came_and_paid, came)] == [
        "It has been undone.",
        f"Undone, except for {three} (here): {finished}.",
        f"Nothing was undone: {finished} ({one} (here)).",
    ]
    assert door() == [("present", False), ("entered", False), ("present", False)]


def test_a_list_without_photograph_or_with_numbers_of_nobody_changes_nothing(club, as_helper):
    tournament = make_tournament(2, club=club, drawn=False)
    tournament.entries.update(status="entered")
    assert "Choose a photograph first." in words(sent(as_helper, tournament).content.decode())
    typed = {"here": ["999", "x", "-1"], "paid": ["\x00", "1" * 30]}
    as_helper.post(reverse("desk_list_taken", args=[tournament.code]), typed)
    assert set(tournament.entries.values_list("status", "fee_paid")) == {("entered", False)}


def test_whoever_cannot_be_ticked_off_is_named_and_holds_up_nobody_else(club, as_helper):
    tournament = make_tournament(3, club=club, drawn=False, entry_fee=50)
    tournament.entries.update(status="entered")
    settled, gone, other = tournament.entries.order_by("number")
    tournament.entries.filter(pk=gone.pk).update(status="withdrawn")
    tournament.payments.create(number=1, payer=settled, amount=50, paid_at=timezone.now())
    everybody = [settled.number, gone.number, other.number]
    ticks = {"here": everybody, "paid": everybody, "seen": Tournament.objects.get().chain_count}
    done = as_helper.post(reverse("desk_list_taken", args=[tournament.code]), ticks)
    assert [str(message) for message in done.wsgi_request._messages] == [
        f"{settled}’s entry fee is already settled by payment 1 on the money page.",
        f"{gone} has withdrawn; bring them back first.",
        "The list has been saved: 2 players are now here, 1 has paid now.",
    ]
    assert list(tournament.entries.order_by("number").values_list("status", "fee_paid")) == [
        ("present", False), ("withdrawn", False), ("present", True),
    ]  # fmt: skip
