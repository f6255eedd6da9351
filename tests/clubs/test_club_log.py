"""What is changed in a club stands in its log: who, what, when; for its organisers alone."""

from __future__ import annotations

import pytest

from clubs.models import Account, ClubLogEntry
from tests.factories import make_account, make_player

ANNA = {"name": "Anna Holm", "number": "12", "joined": "2024-02-01", "email": "", "phone": ""}


def told():
    return [(line.words, line.author) for line in ClubLogEntry.objects.order_by("pk")]


def test_members_who_come_change_leave_and_return(as_alice, club):
    as_alice.post("/clubs/stilling/members/new/", ANNA)
    member = f"/clubs/stilling/members/{club.memberships.get().pk}/"
    seen = as_alice.get(f"{member}edit/").context["form"].initial_digest
    as_alice.post(f"{member}edit/", ANNA | {"phone": "12 34", "seen": seen})
    as_alice.post(f"{member}leave/", {"left": "2025-01-01"})
    as_alice.post(f"{member}return/")
    assert told() == [
        ("Anna Holm is a member", "Alice"),
        ("Changed the details of Anna Holm", "Alice"),
        ("Anna Holm has left the club", "Alice"),
        ("Anna Holm is a member again", "Alice"),
    ]


def test_roles_that_are_given_changed_and_taken(as_alice, club):
    as_alice.post("/clubs/stilling/roles/new/", {"username": "bo", "full_name": "Bo Krogh", "kind": "helper"})
    role = f"/clubs/stilling/roles/{club.roles.get(account__username='bo').pk}/"
    as_alice.post(role, {"kind": "organiser"})
    as_alice.post(f"{role}password/")
    as_alice.post(f"{role}remove/")
    assert [words for words, _author in told()] == [
        "Bo Krogh is a helper",
        "Bo Krogh is an organiser",
        "New temporary password for Bo Krogh",
        "Bo Krogh no longer has a role",
    ]


def test_what_is_refused_is_not_in_the_log(as_alice, club):
    as_alice.post("/clubs/stilling/members/new/", ANNA | {"name": ""})
    as_alice.post(f"/clubs/stilling/roles/{club.roles.get().pk}/remove/")
    assert told() == []


def test_the_page_is_for_organisers_and_in_their_language(as_alice, as_charlie, client, club):
    as_alice.post("/clubs/stilling/members/new/", ANNA)
    page = as_alice.get("/clubs/stilling/log/", headers={"accept-language": "da"}).content.decode()
    assert "Anna Holm" in page
    assert '<html lang="da">' in page
    assert as_charlie.get("/clubs/stilling/log/").status_code == 403
    assert client.get("/clubs/stilling/log/").headers["Location"].startswith("/clubs/login/")
    helper = make_account("helper", club, kind="helper")
    client.force_login(helper)
    assert client.get("/clubs/stilling/log/").status_code == 403


def test_who_is_erased_is_erased_from_the_log_too(as_alice, club):
    as_alice.post("/clubs/stilling/members/new/", ANNA)
    membership = club.memberships.get()
    as_alice.post(f"/clubs/stilling/members/{membership.pk}/erase/", {"name": "Anna Holm"})
    assert [words for words, _author in told()] == [
        "N.N. is a member",
        "Erased a member’s personal details",
    ]


@pytest.mark.django_db
def test_an_account_that_is_gone_stays_readable(club, alice):
    make_player("Bo Krogh", club)
    ClubLogEntry.objects.create(
        club=club, at="2026-11-21T12:00Z", author=str(alice), account=alice, text="Hello"
    )
    Account.objects.get(username="alice").delete()
    assert told() == [("Hello", "Alice")]
