"""The list for the door: printed, ticked, photographed; what was read is looked at, then counts."""

from __future__ import annotations

import numpy as np
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_tournament
from tests.pages import words
from tests.photographs.camera import LEVELS, photographed
from tests.photographs.hands import HANDS
from tests.photographs.made import page_of, ticked
from tournaments.files.transfer import export_tournament
from tournaments.models import PrintedList
from tournaments.paper.check_in import check_in_pdf
from tournaments.slip.reading.geometry import read_layout
from tournaments.slip.reading.people import list_name

PHOTOGRAPH = "photograph"


def sent(client, tournament, *pictures):
    """The page after these photographs were sent to it."""
    files = [SimpleUploadedFile(f"{number}.jpg", one) for number, one in enumerate(pictures, start=1)]
    page = client.post(reverse("desk_list", args=[tournament.code]), {PHOTOGRAPH: files})
    assert page.status_code == 200
    return page


def test_who_is_ticked_on_the_photograph_is_here_and_has_paid_once_that_was_looked_at(club, as_helper):
    tournament = make_tournament(5, club=club, drawn=False, entry_fee=50)
    tournament.entries.update(status="entered")
    pdf = check_in_pdf(tournament, base_url="http://192.168.1.24:8000", printed_at=timezone.localtime())
    kept = PrintedList.objects.get()
    layout = read_layout(kept.layout)
    assert kept.code in export_tournament(tournament)
    meant = [{"here": "here", "paid": "paid"}, {"here": "here"}, {}, {"paid": "paid"}, {"here": "here"}]
    random = np.random.default_rng(3)
    page = page_of(pdf).astype(np.float32)
    drawn, _truth = ticked(page, layout, meant, HANDS["crosses"], random, dirt=0)
    picture = photographed(drawn, LEVELS["easy"], random)
    read = sent(as_helper, tournament, picture, b"no picture").context["read"]
    assert [[one.here, one.paid] for one in read.people.values()] == [
        ["here" in one, "paid" in one] for one in meant
    ]
    assert [name for name, _why in read.unread] == ["2.jpg"]
    assert not tournament.entries.filter(status="present").exists()
    ticks = {
        name: [one.entry.number for one in read.people.values() if getattr(one, name)]
        for name in ("here", "paid")
    }
    for _twice in range(2):
        as_helper.post(reverse("desk_list_taken", args=[tournament.code]), ticks)
    assert list(tournament.entries.values_list("status", "fee_paid")) == [
        ("present", True), ("present", False), ("entered", False), ("entered", True), ("present", False),
    ]  # fmt: skip
    other = make_tournament(0, club=club, drawn=False)
    said = words(sent(as_helper, other, picture).content.decode())
    assert "This list is another evening’s." in said
    address = list_name(tournament.code, 1, layout).path
    assert as_helper.get(address).url == reverse("desk_list", args=[tournament.code])


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
    done = as_helper.post(
        reverse("desk_list_taken", args=[tournament.code]), {"here": everybody, "paid": everybody}
    )
    assert [str(message) for message in done.wsgi_request._messages] == [
        f"{settled}’s entry fee is settled already, with payment 1 on the page of the money.",
        f"{gone} has withdrawn; bring them back first.",
        "The list is taken in.",
    ]
    assert list(tournament.entries.order_by("number").values_list("status", "fee_paid")) == [
        ("present", False), ("withdrawn", False), ("present", True),
    ]  # fmt: skip
