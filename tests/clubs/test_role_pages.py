"""Colleagues: adding them, their roles, and the password shown once."""

from __future__ import annotations

import pytest
from django.test import Client

from clubs.models import Account, Role
from tests.factories import make_account, make_club

ROLES = "/clubs/stilling/roles/"


def add(client, **said):
    return client.post(f"{ROLES}new/", {"username": "bob", "full_name": "Bob Krogh", "kind": "helper"} | said)


def errors(page) -> list[str]:
    return list(page.context["form"].errors)


def test_a_colleagues_password_is_shown_once_and_lets_them_in(as_alice, club) -> None:
    assert add(as_alice).headers["Location"] == ROLES
    once = as_alice.get(ROLES).context["once"]
    assert (once["name"], once["username"]) == ("Bob Krogh", "bob")
    assert once["password"] not in as_alice.get(ROLES).content.decode()
    assert (
        Client().post("/clubs/login/", {"username": "bob", "password": once["password"]}).status_code == 302
    )
    assert Role.objects.get(account__username="bob").kind == "helper"


def test_the_page_of_roles_is_kept_by_no_browser(as_alice, club) -> None:
    assert "no-store" in as_alice.get(ROLES)["Cache-Control"]


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        ({"username": ""}, ["username"]),
        ({"username": "bob krogh"}, ["username"]),
        ({"username": "x" * 151}, ["username"]),
        ({"username": "ALICE"}, ["username"]),
        ({"username": "nobody", "has_account": "on"}, ["username"]),
        ({"username": "alice", "has_account": "on"}, ["username"]),
        ({"kind": "king"}, ["kind"]),
        ({"full_name": "x" * 151}, ["full_name"]),
    ],
)
def test_a_wrong_colleague_is_told_at_the_field(as_alice, club, said, fields) -> None:
    page = add(as_alice, **said)
    assert errors(page) == fields
    assert Account.objects.count() == 1


def test_somebody_with_an_account_gets_the_role_and_keeps_their_password(as_alice, club) -> None:
    bob = make_account("bob", make_club("Viby"))
    add(as_alice, username="Bob", has_account="on", kind="organiser")
    assert as_alice.get(ROLES).context["once"] is None
    assert set(bob.roles.values_list("club__name", "kind")) == {
        ("Viby", "organiser"),
        ("Stilling", "organiser"),
    }
    bob.refresh_from_db()
    assert bob.check_password("a long password")


def test_a_role_is_changed_and_taken_away(as_alice, club) -> None:
    role = make_account("bob", club, "helper").roles.get()
    as_alice.post(f"{ROLES}{role.pk}/", {"kind": "organiser"})
    role.refresh_from_db()
    assert role.kind == "organiser"
    as_alice.post(f"{ROLES}{role.pk}/remove/")
    assert not Role.objects.filter(pk=role.pk).exists()
    assert as_alice.post(f"{ROLES}{role.pk}/remove/").headers["Location"] == ROLES


def test_an_unknown_role_changes_nothing(as_alice, alice, club) -> None:
    role = alice.roles.get()
    assert as_alice.post(f"{ROLES}{role.pk}/", {"kind": "king"}).status_code == 302
    assert alice.roles.get().kind == "organiser"


@pytest.mark.parametrize(("step", "said"), [("", {"kind": "helper"}), ("remove/", {})])
def test_the_last_organiser_is_told_why_they_stay(as_alice, alice, club, step, said) -> None:
    page = as_alice.post(f"{ROLES}{alice.roles.get().pk}/{step}", said, follow=True).content.decode()
    assert "A club needs an organiser" in page
    assert alice.roles.get().kind == "organiser"


@pytest.mark.parametrize(("step", "said"), [("", {"kind": "helper"}), ("remove/", {})])
def test_who_gives_their_own_role_away_is_shown_their_clubs(as_alice, alice, club, step, said) -> None:
    make_account("bob", club)
    page = as_alice.post(f"{ROLES}{alice.roles.get().pk}/{step}", said, follow=True)
    assert (page.status_code, page.redirect_chain[-1][0]) == (200, "/clubs/")


def test_another_clubs_role_is_not_found_through_ones_own(as_alice, club) -> None:
    role = make_account("vera", make_club("Viby")).roles.get()
    for step, status in (("", 404), ("remove/", 302), ("password/", 404)):
        assert as_alice.post(f"{ROLES}{role.pk}/{step}", {"kind": "helper"}).status_code == status
    assert Role.objects.get(pk=role.pk).kind == "organiser"


def test_a_colleague_who_forgot_gets_a_new_password(as_alice, club) -> None:
    bob = make_account("bob", club, "helper")
    as_alice.post(f"{ROLES}{bob.roles.get().pk}/password/")
    bob.refresh_from_db()
    assert bob.check_password(as_alice.get(ROLES).context["once"]["password"])


@pytest.mark.parametrize("who", ["myself", "works elsewhere too", "owner"])
def test_whose_password_is_not_an_organisers_to_renew(as_alice, alice, club, who) -> None:
    other = alice if who == "myself" else make_account("bob", club)
    if who == "works elsewhere too":
        Role.objects.create(account=other, club=make_club("Viby"), kind="helper")
    Account.objects.filter(pk=other.pk).update(is_superuser=who == "owner")
    role = other.roles.get(club=club)
    assert f"{ROLES}{role.pk}/password/" not in as_alice.get(ROLES).content.decode()
    assert as_alice.post(f"{ROLES}{role.pk}/password/").status_code == 403
    other.refresh_from_db()
    assert other.check_password("a long password")
