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


def roles_of(account) -> set[tuple[str, str]]:
    return set(account.roles.values_list("club__name", "kind"))


def log_of(club) -> list[str]:
    return [f"{line.author}: {line.words}" for line in club.log.order_by("pk")]


@pytest.fixture
def bob():
    """He organises elsewhere."""
    return make_account("bob", make_club("Viby"))


@pytest.fixture
def as_bob(bob) -> Client:
    client = Client()
    client.force_login(bob)
    return client


def asked(as_alice, bob, kind="organiser") -> str:
    """Alice asks Bob; the address of his answer."""
    add(as_alice, username="Bob", has_account="on", kind=kind)
    return f"/clubs/my-account/offers/{bob.offers.get().pk}/"


def test_somebody_with_an_account_is_asked_and_has_the_role_when_they_say_yes(as_alice, as_bob, bob, club):
    answer = asked(as_alice, bob)
    assert as_alice.get(ROLES).context["once"] is None
    assert "asked, not yet answered" in as_alice.get(ROLES).content.decode()
    assert roles_of(bob) == {("Viby", "organiser")}
    assert as_bob.get(ROLES).status_code == 403
    for page in ("/desk/", "/clubs/my-account/"):
        assert answer in as_bob.get(page).content.decode()
    assert "You now have the role." in as_bob.post(answer, {"yes": ""}, follow=True).content.decode()
    assert roles_of(bob) == {("Viby", "organiser"), ("Stilling", "organiser")}
    assert as_bob.get(ROLES).status_code == 200
    bob.refresh_from_db()
    assert bob.check_password("a long password")
    assert log_of(club) == ["Alice: Bob has been asked to be an organiser", "Bob: Bob is an organiser"]
    assert answer not in as_bob.get("/clubs/my-account/").content.decode()


@pytest.mark.parametrize(
    ("asked_to_be", "has", "then"),
    [
        ("helper", "organiser", "organiser"),
        ("organiser", "helper", "organiser"),
        ("helper", "helper", "helper"),
    ],
)
def test_who_was_given_a_role_meanwhile_has_the_one_that_may_do_more_and_the_log_says_which(
    as_alice, as_bob, bob, club, asked_to_be, has, then
):
    answer = asked(as_alice, bob, asked_to_be)
    club.roles.create(account=bob, kind=has)
    as_bob.post(answer, {"yes": ""})
    assert roles_of(bob) == {("Viby", "organiser"), ("Stilling", then)}
    assert log_of(club)[-1] == f"Bob: Bob is {'an organiser' if then == 'organiser' else 'a helper'}"


def test_who_says_no_has_no_role_and_may_say_yes_after_all(as_alice, as_bob, bob, club):
    answer = asked(as_alice, bob, "helper")
    as_bob.post(answer, {"no": ""})
    assert roles_of(bob) == {("Viby", "organiser")}
    assert "has declined" in as_alice.get(ROLES).content.decode()
    assert answer not in as_bob.get("/desk/").content.decode()
    assert errors(add(as_alice, username="bob", has_account="on")) == ["username"]
    assert "Yes after all" in as_bob.get("/clubs/my-account/").content.decode()
    as_bob.post(answer, {"yes": ""})
    assert roles_of(bob) == {("Viby", "organiser"), ("Stilling", "helper")}


def test_an_offer_that_was_taken_back_gives_nothing(as_alice, as_bob, bob, club):
    answer = asked(as_alice, bob)
    page = as_alice.post(f"{ROLES}offers/{bob.offers.get().pk}/", follow=True).content.decode()
    assert "The offer to Bob has been withdrawn." in page
    assert as_alice.post(f"{ROLES}offers/1/").status_code == 302  # twice
    for said in ("yes", "no"):
        assert (
            "The club has withdrawn its offer"
            in as_bob.post(answer, {said: ""}, follow=True).content.decode()
        )
    assert roles_of(bob) == {("Viby", "organiser")}
    assert log_of(club)[-1] == "Alice: The offer of a role to Bob was withdrawn"
    assert asked(as_alice, bob)  # anew


def test_somebody_elses_offer_cannot_be_answered(as_alice, as_charlie, bob, club):
    answer = asked(as_alice, bob)
    as_charlie.post(answer, {"yes": ""})
    as_alice.post(answer, {"yes": ""})
    assert roles_of(bob) == {("Viby", "organiser")}
    assert bob.offers.get().declined_at is None


def test_a_role_that_is_given_up_can_be_taken_again_until_the_club_says_otherwise(
    as_alice, alice, club
) -> None:
    bob = make_account("bob", club)
    as_bob = Client()
    as_bob.force_login(bob)
    give_up = f"/clubs/my-account/roles/{bob.roles.get().pk}/give-up/"
    assert give_up in as_bob.get("/clubs/my-account/").content.decode()
    assert as_alice.post(give_up).status_code == 404
    page = as_bob.post(give_up, follow=True).content.decode()
    assert "You no longer have a role in Stilling." in page
    assert not roles_of(bob)
    as_bob.post(f"/clubs/my-account/offers/{bob.offers.get().pk}/", {"yes": ""})
    assert roles_of(bob) == {("Stilling", "organiser")}
    as_alice.post(f"{ROLES}{bob.roles.get().pk}/remove/")
    assert not bob.offers.exists()


def test_the_last_organiser_cannot_give_the_role_up(as_alice, alice, club) -> None:
    page = as_alice.post(f"/clubs/my-account/roles/{alice.roles.get().pk}/give-up/", follow=True)
    assert "A club needs an organiser" in page.content.decode()
    assert alice.roles.get().kind == "organiser"


def test_a_role_for_oneself_needs_no_answer(club) -> None:
    owner = Account.objects.create_user("owner", is_superuser=True)
    client = Client()
    client.force_login(owner)
    add(client, username="owner", has_account="on", kind="organiser")
    assert owner.roles.get().club == club


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


@pytest.mark.parametrize(
    "who", ["myself", "works elsewhere too", "owner", "brought it along", "nobody knows"]
)
def test_whose_password_is_not_an_organisers_to_renew(as_alice, alice, club, who) -> None:
    other = alice if who == "myself" else make_account("bob", club)
    if who in {"brought it along", "nobody knows"}:
        other.made_by = make_club("Viby") if who == "brought it along" else None
        other.save()
    if who == "works elsewhere too":
        Role.objects.create(account=other, club=make_club("Viby"), kind="helper")
    Account.objects.filter(pk=other.pk).update(is_superuser=who == "owner")
    role = other.roles.get(club=club)
    page = as_alice.get(ROLES).content.decode()
    assert f"{ROLES}{role.pk}/password/" not in page
    assert "manage.py changepassword" in page
    assert as_alice.post(f"{ROLES}{role.pk}/password/").status_code == 403
    other.refresh_from_db()
    assert other.check_password("a long password")
