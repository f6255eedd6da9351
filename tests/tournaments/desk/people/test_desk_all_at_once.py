"""What everybody does is one button: ticked, checked in, paid, and the signed sheet agreed to."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from clubs.models import Account
from tests.factories import first_table, make_player, make_tournament, play_out
from tests.tournaments.attacks.test_changed_meanwhile import fields
from tournaments.desk.people import check_in
from tournaments.entries import entering
from tournaments.models import Entry

HERE, AWAY, GONE = Entry.Status.PRESENT, Entry.Status.ENTERED, Entry.Status.WITHDRAWN


def by_alice(tournament):
    return {"account": Account.objects.get(username="alice"), "now": timezone.now()}


def by_helga():
    helga, _made = Account.objects.get_or_create(username="helga")
    return {"account": helga, "now": timezone.now()}


@pytest.fixture
def tournament(club, alice):
    """One here who has paid, one here who has not, one still away, one who has withdrawn."""
    made, by = make_tournament(0, club=club, entry_fee=5000), {"account": alice, "now": timezone.now()}
    for number, name in enumerate(("Anna Holm", "Bo Krogh", "Clara Lind", "Dan Ravn"), start=1):
        entry = entering.enter(made, make_player(name, club, number), club=club, **by)
        if number <= 2:
            entering.check_in(entry, present=True, **by)
        if number == 1:
            entering.mark_paid(entry, paid=True, **by)
    entering.withdraw(entry, reason="ill", **by)
    return made


def door(tournament):
    return list(tournament.entries.order_by("number").values_list("status", "fee_paid"))


@pytest.mark.parametrize(
    ("pressed", "then"),
    [
        ("present", [(HERE, True), (HERE, False), (HERE, False), (GONE, False)]),
        ("paid", [(HERE, True), (HERE, True), (AWAY, False), (GONE, False)]),
    ],
)
def test_all_who_are_meant_are_marked_once_and_nobody_else(as_alice, tournament, pressed, then):
    before = tournament.log.count()
    for _press in range(2):
        answer = as_alice.post(reverse("desk_mark_all", args=[tournament.code]), {pressed: ""})
        assert answer.headers["Location"] == reverse("desk_check_in", args=[tournament.code])
    assert door(tournament) == then
    assert tournament.log.count() == before + 1


def test_all_found_are_marked_and_nobody_else_each_with_a_line_and_all_in_one_link(
    as_alice, tournament, club
):
    at = entering.enter(tournament, make_player("Erna Lind", club, 9), club=club, **by_alice(tournament))
    links, lines = tournament.chain.count(), tournament.log.count()
    address = reverse("desk_check_in", args=[tournament.code])
    answer = as_alice.post(
        reverse("desk_mark_all", args=[tournament.code]), {"present": "", "q": "lind", "page": "1"}
    )
    assert answer.headers["Location"] == f"{address}?q=lind&page=1"
    found = tournament.entries.filter(player__sought__contains="lind")
    assert list(found.values_list("status", flat=True)) == [HERE, HERE]
    assert (tournament.chain.count(), tournament.log.count()) == (links + 1, lines + 2)
    assert tournament.log.first().words == f"{at} checked in"
    call_command("verify", tournament.code)


def buttons_of_all(as_alice, tournament):
    page = as_alice.get(reverse("desk_check_in", args=[tournament.code])).content.decode()
    return page[: page.index('<ul class="check-in"')]


def pressed_on(as_alice, page, address, button):
    """What is said of a button that is pressed on a page as it was seen, with all that its form sends."""
    answer = as_alice.post(address, fields(page, button) | {button: "1"}, follow=True)
    return [str(message) for message in answer.context["messages"]]


def test_who_was_not_on_the_page_is_marked_by_nobody(as_alice, tournament):
    """Helga has the same page open: whom she lets in meanwhile has not paid, whom she enters has not come."""
    page = buttons_of_all(as_alice, tournament)
    address, by = reverse("desk_mark_all", args=[tournament.code]), by_helga()
    clara = tournament.entries.get(number=3)
    entering.check_in(clara, present=True, **by)
    entering.enter_guest(tournament, "Gerda Gæst", **by)
    before = door(tournament)
    said = "Someone else has made changes since you opened the page: {}. Nobody has been ticked"
    for button, whom in (("paid", "Clara Lind"), ("present", "Gerda Gæst")):
        (told,) = pressed_on(as_alice, page, address, button)
        assert told.startswith(said.format(whom))
        assert door(tournament) == before
    page = buttons_of_all(as_alice, tournament)
    for button in ("paid", "present"):
        pressed_on(as_alice, page, address, button)
    assert door(tournament)[1:] == [(HERE, True), (HERE, True), (GONE, False), (HERE, False)]


def tap(as_alice, tournament, row, **button):
    (name,) = button
    address = reverse(f"desk_mark_{name}", args=[tournament.code, row])
    assert as_alice.post(address, button, headers={"HX-Request": "true"}).context["refused"] == ""


def test_who_ticks_row_by_row_may_press_the_buttons_of_the_same_page(as_alice, tournament):
    """One's own taps leave the page as it is but for their rows; what somebody else has done since is said alone."""
    page, address = buttons_of_all(as_alice, tournament), reverse("desk_mark_all", args=[tournament.code])
    tap(as_alice, tournament, 3, present="1")
    assert pressed_on(as_alice, page, address, "paid") == ["Everyone here has paid."]
    tap(as_alice, tournament, 2, present="0")
    tap(as_alice, tournament, 3, paid="0")
    assert pressed_on(as_alice, page, address, "present") == ["Everyone entered is here."]
    assert pressed_on(as_alice, page, address, "paid") == ["Everyone here has paid."]
    assert door(tournament) == [(HERE, True), (HERE, True), (HERE, True), (GONE, False)]
    tap(as_alice, tournament, 1, paid="0")
    tap(as_alice, tournament, 2, present="0")
    entering.mark_paid(tournament.entries.get(number=3), paid=False, **by_helga())
    entering.check_in(tournament.entries.get(number=2), present=True, **by_helga())
    tap(as_alice, tournament, 2, paid="0")
    tap(as_alice, tournament, 2, present="0")
    before = door(tournament)
    for button, whom in (("paid", "Clara Lind"), ("present", "Bo Krogh")):
        (told,) = pressed_on(as_alice, page, address, button)
        assert f"since you opened the page: {whom}. Nobody has been ticked" in told
        assert door(tournament) == before


def test_a_fee_that_was_changed_meanwhile_is_not_ticked_as_it_was(as_alice, tournament):
    """Each button for it, at the check-in and by code: who was asked for 50 kroner has not paid 75."""
    opened = as_alice.get(reverse("desk_check_in", args=[tournament.code])).content.decode()
    buttons = buttons_of_all(as_alice, tournament)
    by_code = as_alice.get(reverse("desk_door", args=[tournament.code]), {"here": 2}).content.decode()
    tournament.entry_fee = 7500
    tournament.save(update_fields=["entry_fee"])
    before, one = door(tournament), reverse("desk_mark_paid", args=[tournament.code, 2])
    row = opened[opened.index('<li id="entry-2"') : opened.index('<li id="entry-3"')]
    for page, address in (
        (row, one),
        (by_code, one),
        (buttons, reverse("desk_mark_all", args=[tournament.code])),
    ):
        (said,) = pressed_on(as_alice, page, address, "paid")
        assert said.startswith(
            "The entry fee has been changed: it was 50.00 kroner on your page and is now 75.00 kroner."
        )
        assert door(tournament) == before
    again = as_alice.post(one, fields(row, "paid") | {"paid": "1"}, headers={"HX-Request": "true"})
    assert again.context["refused"]
    pressed_on(as_alice, again.content.decode(), one, "paid")
    assert door(tournament)[1] == (HERE, True)


@pytest.mark.parametrize("told", ["", "abc", "²", "-1", "9" * 30])
def test_what_no_page_has_told_is_taken_for_changed(as_alice, tournament, told):
    """A page of before an upgrade tells nothing of it and may pass; nonsense never looks like one."""
    before = door(tournament)
    everybody = reverse("desk_mark_all", args=[tournament.code])
    for address, sent in (
        (everybody, {"present": "1", "seen": told}),
        (everybody, {"paid": "1", "seen": told}),
        (everybody, {"paid": "1", "fee": told}),
        (reverse("desk_mark_paid", args=[tournament.code, 2]), {"paid": "1", "fee": told}),
        (reverse("desk_list_taken", args=[tournament.code]), {"here": "3", "seen": told}),
        (reverse("desk_list_taken", args=[tournament.code]), {"paid": "2", "seen": "9", "fee": told}),
    ):
        answer = as_alice.post(address, sent, follow=True)
        said = [str(message) for message in answer.context["messages"]]
        assert said == ["Something has changed in the meantime. This is how it is now."]
    assert door(tournament) == before


def test_the_check_in_is_shown_in_parts_and_a_club_that_all_share_is_not_said(
    as_alice, tournament, monkeypatch
):
    monkeypatch.setattr(check_in, "ON_A_PAGE", 2)
    address = reverse("desk_check_in", args=[tournament.code])
    parts = [as_alice.get(address, {"page": number}) for number in (1, 2)]
    assert [[str(entry) for entry in part.context["entries"]] for part in parts] == [
        ["Anna Holm", "Bo Krogh"],
        ["Clara Lind"],
    ]
    assert parts[0].context["to_come"] == 1  # on the other part
    assert '<span class="muted">Stilling</span>' not in parts[0].content.decode()
    entering.enter_guest(tournament, "Gæst", **by_alice(tournament))
    assert '<span class="muted">Stilling</span>' in as_alice.get(address).content.decode()
    pressed = reverse("desk_mark_present", args=[tournament.code, 3])
    back = as_alice.post(pressed, {"present": "1", "page": "2", "q": "li"}).headers["Location"]
    assert back == f"{address}?q=li&page=2#entry-3"


def test_what_is_done_is_not_offered(as_alice, tournament):
    def offered():
        shown = as_alice.get(reverse("desk_check_in", args=[tournament.code])).content.decode()
        return [name for name in ("present", "paid") if f'<button name="{name}"' in shown]

    assert offered() == ["present", "paid"]
    for pressed in ("present", "paid"):
        as_alice.post(reverse("desk_mark_all", args=[tournament.code]), {pressed: ""})
    assert offered() == []


def test_all_that_a_search_lists_are_ticked_beside_those_who_were(as_alice, tournament, club):
    ticked, found, _other = (
        make_player(name, club, number).memberships.get()
        for number, name in enumerate(("Erik Skov", "Frida Toft", "Gerda Ulf"), start=10)
    )
    sent = {"member": ticked.pk, "q": "Frida", "all": "1"}
    page = as_alice.get(reverse("desk_add_members", args=[tournament.code]), sent)
    assert page.context["ticked"] == {ticked.pk, found.pk}


def test_a_signed_sheet_is_agreed_to_at_once(as_alice, club):
    table = first_table(make_tournament(4, club=club))
    address = reverse("desk_agree_all", args=[table.round.tournament.code, 1, table.number])
    refused = as_alice.post(address, follow=True)
    assert "Not every deal has been reported yet." in refused.content.decode()
    assert not table.seats.exclude(agreed_at=None).exists()
    play_out(table)
    for _press in range(2):
        page = as_alice.post(address, follow=True).content.decode()
    assert not table.seats.filter(agreed_at=None).exists()
    assert f'action="{address}"' not in page
