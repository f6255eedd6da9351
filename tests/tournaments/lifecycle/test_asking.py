"""Organisers are written to when somebody from home waits for their yes; who had no place is forgotten afterwards."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.mail.sending import send_due
from clubs.models import Account, Letter
from tests.factories import make_account
from tests.post_office import links_in, text_of
from tests.tournaments.lifecycle.registration.evening import asks, evening, of, says_yes
from tournaments.desk.evening.navigation import Steps
from tournaments.lifecycle.mail import PAUSE, REQUEST_SETTLED, post_asking
from tournaments.lifecycle.registration import decisions
from tournaments.lifecycle.registration.decisions import KEPT, forget_who_had_no_place
from tournaments.models import Application, Tournament
from tournaments.models.names import NAMELESS

pytestmark = pytest.mark.django_db


@pytest.fixture
def organisers(club, alice):
    Account.objects.filter(pk=alice.pk).update(email="alice@example.org")
    make_account("dora", club)  # has no address


def come(tournament, client, who):
    asks(client, tournament, who=who)
    says_yes(client, of(tournament, who))


def test_who_waits_is_told_of_once_together_and_not_when_decided(
    post_office, club, alice, organisers, client
):
    tournament, now = evening(club, asks=True), timezone.now()
    come(tournament, client, "1")
    come(tournament, client, "2")
    Letter.objects.all().delete()
    post_asking(now)
    assert Letter.objects.count() == 0, "who has just come may not be the last"
    for later in (REQUEST_SETTLED, REQUEST_SETTLED * 2, REQUEST_SETTLED + PAUSE):
        post_asking(now + later)
    assert [letter.to for letter in Letter.objects.all()] == ["alice@example.org"]
    send_due()
    letter = post_office.to("alice@example.org")
    assert "2 " in letter["Subject"]
    assert f"/desk/t/{tournament.code}/" in " ".join(links_in(letter))
    assert "Anna" not in text_of(letter)
    assert "2 requests to approve" in Steps(tournament).all[1].said
    come(tournament, client, "3")
    Letter.objects.exclude(kind="entry_asks").delete()
    post_asking(now + REQUEST_SETTLED * 2)
    assert Letter.objects.count() == 1, "the last letter is too new"
    Letter.objects.update(posted_at=now - PAUSE)
    post_asking(now + REQUEST_SETTLED * 2)
    for application in tournament.applications.all():
        decisions.let_in(application, account=alice, now=now)
    send_due()
    assert [letter["To"] for letter in post_office.came].count("alice@example.org") == 1, (
        "nobody waits any more"
    )


def test_who_waited_before_a_tournament_was_imported_is_told_of_where_it_comes_from(
    post_office, club, organisers, client
):
    tournament, now = evening(club, asks=True), timezone.now()
    come(tournament, client, "1")
    Letter.objects.all().delete()
    Tournament.objects.filter(pk=tournament.pk).update(imported_at=now + timedelta(minutes=1))
    post_asking(now + REQUEST_SETTLED * 2)
    assert not Letter.objects.exists()
    Application.objects.update(asked_at=now + timedelta(minutes=2))  # here, after the import
    post_asking(now + REQUEST_SETTLED * 2)
    assert [letter.to for letter in Letter.objects.all()] == ["alice@example.org"]


def test_guests_who_had_no_place_are_forgotten_a_week_after_and_nobody_else(
    post_office, club, organisers, client
):
    tournament = evening(club, guests=True, places=1)
    for name in ("Gerda Gæst", "Ole Gæst"):
        asks(client, tournament, guest=name, email=f"{name[:3]}@example.org")
        says_yes(client, of(tournament, name))
    asks(client, tournament, who="ukendt@example.org")
    asks(client, tournament, who="bo@example.org")
    send_due()

    def on(days):
        Tournament.objects.filter(pk=tournament.pk).update(
            date=timezone.localdate() - KEPT - timedelta(days=days)
        )
        return forget_who_had_no_place(timezone.now())

    before = list(Application.objects.order_by("number").values_list("typed", "name", "email"))
    assert (on(0), list(Application.objects.order_by("number").values_list("typed", "name", "email"))) == (
        0,
        before,
    )
    assert (on(1), on(1)) == (2, 0)
    told = {str(one): (one.typed, one.email, one.state) for one in Application.objects.all()}
    assert told == {
        "Gerda Gæst": ("Gerda Gæst", "", "entered"),
        NAMELESS: (NAMELESS, "", "asked"),
        "Bo Krogh": ("", "", "asked"),
    }
    kept = " ".join(Letter.objects.values_list("to", flat=True))
    assert "Ger@example.org" in kept
    assert "Ole@example.org" not in kept
    assert "ukendt@example.org" not in kept
