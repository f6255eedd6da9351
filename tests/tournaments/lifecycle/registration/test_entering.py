"""Entering from home where nothing is mailed: the organiser says yes, or hands over a code."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_player
from tests.pages import words, words_at
from tests.tournaments.lifecycle.registration.evening import (
    asks,
    entered,
    evening,
    key_on,
    of,
    page_of,
    state_of,
)
from tournaments.entries import entering
from tournaments.lifecycle.drawing import draw
from tournaments.lifecycle.ending import call_off
from tournaments.lifecycle.registration import decisions, links
from tournaments.models import Entry
from tournaments.models.base import FromHome


def press(client, application, do, **typed):
    address = reverse("desk_application", args=[application.tournament.code, application.number])
    return client.post(address, {"do": do} | typed, follow=True)


def test_who_types_a_number_waits_for_the_organiser_and_has_the_link_then(club, as_alice, client):
    tournament = evening(club, places=1)
    own = asks(client, tournament, who="1")
    assert "The organiser has been asked" in words_at(client, own)
    assert "Anna" not in words_at(client, own), "whose number it is they are not told"
    assert "Anna Holm" in words_at(as_alice, reverse("desk_from_home", args=[tournament.code]))
    press(as_alice, of(tournament, "1"), "in")
    assert "You have a place" in words_at(client, own)
    assert entered(tournament) == ["Anna Holm"]
    assert "All places are taken" in words_at(client, tournament.get_absolute_url())
    assert "Anna Holm" in words_at(client, tournament.get_absolute_url())


def test_what_is_nobodys_is_answered_alike_and_the_organiser_says_who_it_is(club, as_alice, client):
    tournament = evening(club)
    known, unknown = (words_at(client, asks(client, tournament, who=who)) for who in ("1", "99"))
    for number in ("1", "99"):
        known, unknown = known.replace(number, "?"), unknown.replace(number, "?")
    assert known == unknown
    nobody = of(tournament, "99")
    assert "First choose who" in press(as_alice, nobody, "in").content.decode()
    press(as_alice, nobody, "who", name="Gerda Gæst")
    press(as_alice, nobody, "in")
    assert entered(tournament) == ["Gerda Gæst"]


def test_a_link_that_is_not_proved_enters_withdraws_and_checks_in_nobody(club, by_alice, client):
    tournament = evening(club, own_check_in=True, in_days=0)
    anna = of(tournament, "1") if asks(client, tournament, who="1") else None
    entry = entering.enter(tournament, anna.player, club=club, **by_alice)
    for sent in ({"do": "yes"}, {"do": "here"}, {"do": "withdraw", "sure": "1", "all": "1"}, {"do": "again"}):
        client.post(page_of(anna), sent)
    assert Entry.objects.get(pk=entry.pk).status == Entry.Status.ENTERED
    assert "entry-square" not in client.get(page_of(anna)).content.decode()


def test_the_waiting_list_moves_up_in_order_when_somebody_goes_or_there_is_more_room(club, by_alice, client):
    tournament = evening(club, places=1)
    for number in ("1", "2", "3", "4"):
        asks(client, tournament, who=number)
        decisions.let_in(of(tournament, number), **by_alice)
    assert state_of(tournament) == {
        "Anna Holm": "entered", "Bo Krogh": "waiting", "Carl Dam": "waiting", "Dora Friis": "waiting",
    }  # fmt: skip
    assert "1 is ahead of you" in words_at(client, page_of(of(tournament, "3")))
    decisions.move(of(tournament, "4"), to="first", **by_alice)
    # By whichever door somebody goes.
    entering.withdraw(tournament.entries.get(), reason="syg", **by_alice)
    assert entered(tournament) == ["Dora Friis"]
    assert state_of(tournament)["Anna Holm"] == "withdrawn"
    client.post(page_of(of(tournament, "4")), {"do": "withdraw", "sure": "1"})
    assert entered(tournament) == ["Bo Krogh"]
    more = FromHome(**tournament.from_home.to_json() | {"places": 3})
    assert decisions.allow(tournament, chosen=more, **by_alice) == 1
    assert entered(tournament) == ["Bo Krogh", "Carl Dam"]
    # Back at the desk, she is entered from home again; undone, they stand where they stood.
    entering.bring_back(tournament.entries.get(player__name="Anna Holm"), **by_alice)
    assert state_of(tournament)["Anna Holm"] == "entered"
    decisions.decline(of(tournament, "3"), **by_alice)
    assert "The organiser has declined" in words_at(client, page_of(of(tournament, "3")))
    decisions.put_back(of(tournament, "3"), **by_alice)
    assert entered(tournament) == ["Anna Holm", "Bo Krogh", "Carl Dam"]


def test_what_is_given_by_mistake_is_taken_back(club, by_alice, client):
    tournament = evening(club, places=1)
    for number in ("1", "2"):
        asks(client, tournament, who=number)
        decisions.let_in(of(tournament, number), **by_alice)
    decisions.give_place(of(tournament, "2"), **by_alice)
    assert entered(tournament) == ["Anna Holm", "Bo Krogh"]
    decisions.take_place_back(of(tournament, "2"), **by_alice)
    assert (entered(tournament), state_of(tournament)["Bo Krogh"]) == (["Anna Holm"], "pending")
    assert tournament.log.first().words == "Bo Krogh no longer has a place"


def test_a_code_from_the_organiser_enters_and_the_one_before_it_is_dead(club, as_alice, client):
    tournament = evening(club)
    page = reverse("desk_invite_member", args=[tournament.code])
    ((member, _tick),) = as_alice.get(page, {"q": "Anna"}).context["found"]
    first = key_on(as_alice.post(page, {"member": member.pk}).content.decode())
    code = key_on(as_alice.post(page, {"member": member.pk}).content.decode())
    type_in = reverse("hall_code", args=[tournament.code])
    assert "not recognised" in words(client.post(type_in, {"code": first}, follow=True).content.decode())
    own = client.post(type_in, {"code": f" {code.lower().replace('-', ' ')}"})["Location"]
    client.post(own, {"do": "yes"})
    client.post(own, {"do": "yes"})
    assert entered(tournament) == ["Anna Holm"]
    assert code.replace("-", "") not in str(tournament.applications.values().get())


def test_guests_come_where_they_may_and_nobody_when_it_is_closed(club, by_alice, client):
    tournament = evening(club, guests=True)
    asks(client, tournament, guest="Gerda Gæst")
    decisions.let_in(of(tournament, "Gerda Gæst"), **by_alice)
    assert entered(tournament) == ["Gerda Gæst"]
    page = f"/t/{tournament.code}/enter/"
    for typed, said in (
        ({}, "Tell us who you are"),
        ({"who": "1", "guest": "Gerda"}, "either as a member or as a guest"),
        ({"who": "Anna Holm"}, "Type a member number or an email address."),
    ):
        answer = client.post(page, typed).content.decode()
        assert said in answer
        assert all(value in answer for value in typed.values()), "what was typed stays"
    decisions.allow(tournament, chosen=FromHome(is_on=True, opens_days=2, closes_days=1), **by_alice)
    assert "Entry opens on" in words_at(client, page)
    assert client.post(page, {"who": "1"}).status_code == 200
    call_off(tournament, reason="sne", **by_alice)
    assert "called off" in words_at(client, page)
    assert "called off" in words_at(client, page_of(of(tournament, "Gerda Gæst")))
    assert entered(tournament) == ["Gerda Gæst"]


def test_once_seats_are_drawn_nobody_goes_or_comes_by_themselves(club, by_alice, client):
    tournament = evening(club, places=4)
    for number in "12345":
        asks(client, tournament, who=number)
        decisions.let_in(of(tournament, number), **by_alice)
    for entry in tournament.entries.all():
        entering.check_in(entry, present=True, **by_alice)
    draw(tournament, seed=7, **by_alice)
    refused = client.post(page_of(of(tournament, "1")), {"do": "withdraw", "sure": "1"})
    assert "The seats have already been drawn" in words(refused.content.decode())
    entering.withdraw(tournament.entries.first(), reason="syg", **by_alice)
    assert state_of(tournament)["Erik Lund"] == "waiting"


@pytest.mark.parametrize("how", ["typed", "scanned", "link of another evening", "nonsense"])
def test_the_door_checks_in_by_the_persons_own_code(club, as_helper, by_alice, client, how):
    tournament, other = evening(club), None
    if how == "link of another evening":
        other = evening_of_others(club)
    asks(client, tournament, who="1")
    anna = of(tournament, "1")
    decisions.let_in(anna, **by_alice)
    anna.refresh_from_db()
    code = {
        "typed": links.format_key(links.key_of(anna)),
        "scanned": f"https://spadille.example{page_of(anna)}",
        "nonsense": "https://elsewhere.example/?=\x00" + "A" * 5000,
    }.get(how) or page_of(anna)
    door = reverse("desk_door", args=[(other or tournament).code])
    said = words(as_helper.post(door, {"code": code}, follow=True).content.decode())
    comes = how in {"typed", "scanned"}
    assert ("Anna Holm is here." in said) == comes
    assert (tournament.entries.get().status == "present") == comes


def evening_of_others(club):
    from tests.factories import make_tournament

    return make_tournament(0, club=club, drawn=False)


def test_on_the_day_they_check_in_by_themselves_where_they_may(club, by_alice, client):
    tournament = evening(club, in_days=0, own_check_in=True)
    asks(client, tournament, who="1")
    anna = of(tournament, "1")
    decisions.let_in(anna, **by_alice)
    client.post(page_of(anna), {"do": "here"})
    assert tournament.entries.get().status == "present"
    decisions.allow(tournament, chosen=FromHome(is_on=True), **by_alice)
    entering.check_in(tournament.entries.get(), present=False, **by_alice)
    client.post(page_of(anna), {"do": "here"})
    assert tournament.entries.get().status == "entered"


def test_whoever_tries_too_often_waits_a_minute_and_keeps_what_was_typed(club, client):
    tournament = evening(club)
    page = f"/t/{tournament.code}/enter/"
    statuses = [client.post(page, {"who": "77"}).status_code for _try in range(16)]
    assert statuses == [302] * 15 + [429]
    assert 'value="77"' in client.post(page, {"who": "77"}).content.decode()
    unknown = [client.get(f"/t/{tournament.code}/entry/{'A' * 15}/").status_code for _try in range(22)]
    assert set(unknown) == {404}
    assert Client().post(page, {"who": "1"}).status_code == 429
    assert tournament.applications.filter(typed="1").count() == 0


def test_a_copy_has_the_same_choice_and_a_file_takes_it_along(club, as_alice, by_alice, client):
    tournament = evening(club, places=8)
    assert timezone.localtime(tournament.entering_closes).date() == tournament.date
    make_player("Ny", club, 9)
    from tournaments.exports.tournament_file import export_tournament, import_tournament

    for number in ("1", "2"):
        asks(client, tournament, who=number)
    decisions.let_in(of(tournament, "1"), **by_alice)
    text = export_tournament(tournament)
    assert "@example.org" not in text
    code = tournament.code
    type(tournament).objects.filter(pk=tournament.pk).update(code="GONE22")
    taken_in = import_tournament(text)
    assert taken_in.code == code
    assert taken_in.from_home == tournament.from_home
    assert state_of(taken_in) == {"Anna Holm": "entered", "Bo Krogh": "pending"}
    assert export_tournament(taken_in) == text
