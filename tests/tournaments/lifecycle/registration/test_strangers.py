"""The club's mail server writes to few strangers, nothing that a stranger wrote; members are never kept out by them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.mail.sending import send_due
from clubs.models import Letter
from tests.factories import make_club
from tests.pages import words
from tests.post_office import text_of
from tests.tournaments.lifecycle.registration.evening import asks, evening, of, page_of, says_yes, state_of
from tournaments.lifecycle.registration import mail, requests
from tournaments.models import Application, LogEntry

ADDRESSES = [
    "You won: http://x.example",
    "Anna www.x.example",
    "anna@x.example",
    "Look at x.example now",
    "x.example/prize",
    "Anna <b>",
    "A" * 51,
]


def wishes(client, tournament, count, *, domain="d{}.example", start=0):
    """So many guests' wishes, each from an address of its own; the statuses of the answers."""
    told = []
    for number in range(start, start + count):
        typed = {"guest": f"Gast Nr {number}", "email": f"g{number}@{domain.format(number)}"}
        answer = client.post(f"/t/{tournament.code}/enter/", typed, REMOTE_ADDR=f"192.0.2.{number % 250}")
        told.append(answer.status_code)
    return told


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_guests_name_is_short_and_has_no_address_in_it(post_office, club, client, name):
    tournament = evening(club, guests=True)
    answer = client.post(f"/t/{tournament.code}/enter/", {"guest": name, "email": "eve@x.example"})
    assert list(answer.context["form"].errors) == ["guest"]
    assert not Letter.objects.exists()


@pytest.mark.parametrize("name", ["Anna-Maria O'Neill", "Aage M. Sørensen", "J. P. Jensen", "Ærø Åberg Jr."])
def test_a_name_as_people_have_it_is_taken(post_office, club, client, name):
    tournament = evening(club, guests=True)
    asks(client, tournament, guest=name, email="g@x.example")
    assert list(Application.objects.values_list("name", flat=True)) == [name]


def test_a_letter_to_an_address_that_nobody_has_proved_does_not_show_what_the_guest_wrote(
    post_office, club, client
):
    tournament = evening(club, guests=True)
    asks(client, tournament, guest="Prize Lottery", email="eve@x.example")
    asks(client, tournament, who="1")
    send_due()
    guests, members = (text_of(post_office.to(to)) for to in ("eve@x.example", "anna@example.org"))
    assert "Prize" not in guests
    assert guests.startswith("Hello,")
    assert members.startswith("Dear Anna Holm,")


def test_a_guest_is_not_named_to_a_partner_whose_address_a_guest_typed(post_office, club, client):
    tournament = evening(club, guests=True, fields={"format": "pairs"})
    typed = {"guest": "Prize Lottery", "email": "eve@x.example"}
    asks(client, tournament, **typed, partner_1="victim@y.example")
    says_yes(client, of(tournament, "Prize Lottery"))
    send_due()
    letter = post_office.to("victim@y.example")
    assert "Prize" not in f"{letter['Subject']} {text_of(letter)}"
    assert letter["Subject"].strip().startswith("A guest would like to play with you")


def test_letters_to_strangers_are_few_for_a_tournament_an_hour_and_a_domain(post_office, club, alice, client):
    tournament = evening(club, guests=True)
    assert set(wishes(client, tournament, 15, domain="one.example")) == {302}
    assert Letter.objects.count() == mail.TO_DOMAIN_AN_HOUR
    assert set(wishes(client, tournament, 30, start=100)) == {302}
    assert Letter.objects.count() == mail.OF_TOURNAMENT_AN_HOUR
    other = evening(make_club("Viby"), guests=True, fields={"account": alice})
    Letter.objects.update(posted_at=timezone.now() - timedelta(hours=2))
    for _hour in range(6):
        wishes(client, tournament, 25, start=200 + 25 * _hour)
        Letter.objects.update(posted_at=timezone.now() - timedelta(hours=2))
    assert Letter.objects.count() == mail.OF_TOURNAMENT
    assert set(wishes(client, other, 3, start=900)) == {302}
    assert Letter.objects.count() == mail.OF_TOURNAMENT + 3


def test_the_program_writes_to_few_strangers_an_hour_whatever_the_tournament(
    post_office, alice, client, monkeypatch
):
    monkeypatch.setattr(mail, "AN_HOUR_IN_ALL", 5)
    for number in range(3):
        wishes(
            client,
            evening(make_club(f"Klub {number}"), guests=True, fields={"account": alice}),
            3,
            start=10 * number,
        )
    assert Letter.objects.count() == 5


def test_guests_whom_nobody_has_proved_keep_neither_members_nor_those_with_a_link_out(
    post_office, club, client, monkeypatch
):
    monkeypatch.setattr(requests, "MOST_UNPROVED_GUESTS", 5)
    tournament = evening(club, guests=True)
    asks(client, tournament, guest="Gerda", email="gerda@z.example")
    says_yes(client, of(tournament, "Gerda"))
    assert wishes(client, tournament, 7) == [302] * 5 + [429] * 2
    asks(client, tournament, who="1")
    says_yes(client, of(tournament, "1"))
    assert state_of(tournament)["Anna Holm"] == "entered"
    assert client.get(page_of(of(tournament, "Gerda"))).status_code == 200


def test_very_many_guests_in_a_minute_stop_no_member(post_office, club, client, monkeypatch):
    monkeypatch.setattr("tournaments.hall.registration.ASKS_OF_EVENING", 4)
    tournament = evening(club, guests=True)
    assert wishes(client, tournament, 6) == [302] * 4 + [429] * 2
    asks(client, tournament, who="1")


def test_a_members_number_typed_again_and_again_adds_no_more_wishes_where_nothing_is_mailed(club, client):
    tournament = evening(club)
    for _time in range(8):
        own = asks(client, tournament, who="1")
    assert tournament.applications.count() == requests.MOST_UNPROVED_OF_MEMBER
    assert client.get(own).status_code == 200


def test_the_organiser_declines_all_guests_who_wait_where_nothing_is_mailed(club, as_alice, client):
    tournament = evening(club, guests=True)
    wishes(client, tournament, 3)
    asks(client, tournament, who="1")
    waiting = f"{reverse('desk_from_home', args=[tournament.code])}?list=asks"
    address = f"{reverse('desk_from_home_decline_all', args=[tournament.code])}?list=asks"
    assert address in as_alice.get(waiting).content.decode()
    asked = as_alice.get(address)
    assert "3 guests are waiting for your approval without having confirmed who they are." in words(
        asked.content.decode()
    )
    wishes(client, tournament, 1, start=50)  # while the question is on the screen
    done = as_alice.post(address, asked.context["asked"].sees, follow=True)
    assert "3 were declined." in words(done.content.decode())
    assert address not in done.content.decode(), "one guest is declined in their own row"
    assert state_of(tournament) == {
        "Gast Nr 0": "declined", "Gast Nr 1": "declined", "Gast Nr 2": "declined",
        "Anna Holm": "pending", "Gast Nr 50": "pending",
    }  # fmt: skip
    assert str(LogEntry.objects.latest("pk")) == "Declined 3 guests who had not confirmed who they are"
    as_alice.post(address, asked.context["asked"].sees)
    assert state_of(tournament)["Gast Nr 50"] == "pending"


def test_the_organiser_declines_one_or_all_who_have_not_answered(post_office, club, as_alice, client):
    tournament = evening(club, guests=True)
    wishes(client, tournament, 3)
    asks(client, tournament, who="1")
    says_yes(client, of(tournament, "1"))
    unanswered = f"{reverse('desk_from_home', args=[tournament.code])}?list=unanswered"
    page = as_alice.get(unanswered).content.decode()
    address = reverse("desk_from_home_decline_all", args=[tournament.code])
    assert (page.count('value="decline"'), address in page) == (3, True)
    one = of(tournament, "Gast Nr 0")
    as_alice.post(
        reverse("desk_application", args=[tournament.code, one.number]), {"do": "decline", "back": unanswered}
    )
    asked = as_alice.get(address)
    assert "2 people have asked for a place but have not opened the link in the email." in words(
        asked.content.decode()
    )
    wishes(client, tournament, 1, start=50)  # while the question is on the screen
    done = as_alice.post(address, asked.context["asked"].sees, follow=True)
    assert "2 were declined." in words(done.content.decode())
    assert state_of(tournament) == {
        "Gast Nr 0": "declined", "Gast Nr 1": "declined", "Gast Nr 2": "declined",
        "Anna Holm": "entered", "Gast Nr 50": "asked",
    }  # fmt: skip
    assert Letter.objects.exclude(kind="entry_link").count() == 1, "nobody who was declined is written to"
    assert str(LogEntry.objects.latest("pk")) == "Declined 2 people who had not answered the email"
    again = as_alice.post(address, asked.context["asked"].sees, follow=True)
    assert state_of(tournament)["Gast Nr 50"] == "asked"
    assert again.status_code == 200
