"""Accounts, the passwords they start with, and the last organiser."""

from __future__ import annotations

from functools import partial
from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs.accounts import (
    NotTheFirstError,
    account_named,
    add_colleague,
    change_role,
    create_first_organiser,
    remove_role,
    renew_password,
    temporary_password,
)
from clubs.clubs import log_change
from clubs.models import Account, Club, Role
from clubs.roles import LastOrganiser, clubs_of, may_help, may_organise, may_renew_password, unions_of
from tests.factories import make_account, make_club

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def test_the_first_organiser_owns_the_program_and_organises_the_club() -> None:
    account = create_first_organiser("anna", "tre gode ord", "Stilling L'Hombre", "Anna Marie Holm")
    assert (account.is_superuser, str(account), account.check_password("tre gode ord")) == (
        True,
        "Anna Marie Holm",
        True,
    )
    club = Club.objects.get()
    assert (club.name, club.slug, club.roles.get().kind) == (
        "Stilling L'Hombre",
        "stilling-l-hombre",
        "organiser",
    )


def test_the_first_organiser_of_a_club_that_is_there_gets_that_club(club) -> None:
    assert create_first_organiser("anna", "tre gode ord", "STILLING").roles.get().club == club


@pytest.mark.parametrize(
    ("username", "password", "club_name", "message"),
    [
        ("", "tre gode ord", "Stilling", "Type a user name."),
        ("anna holm", "tre gode ord", "Stilling", "Enter a valid username"),
        ("anna", "kort", "Stilling", "at least 10 characters"),
        ("anna", "tre gode ord", "  ", "Type the name of the club."),
        ("anna", "tre gode ord", "x" * 121, "at most 120"),
    ],
)
def test_the_first_organiser_is_told_what_is_wrong(username, password, club_name, message) -> None:
    with pytest.raises(ValidationError) as refused:
        create_first_organiser(username, password, club_name)
    assert message in " ".join(refused.value.messages)
    assert not Account.objects.exists()


@pytest.mark.parametrize("username", ["anna", "Alice"])
def test_nobody_becomes_the_first_organiser_after_another(alice, username) -> None:
    with pytest.raises(NotTheFirstError, match="There is already an organiser"):
        create_first_organiser(username, "tre gode ord", "Stilling")
    assert Account.objects.get() == alice


def test_a_temporary_password_is_long_legible_and_never_the_same() -> None:
    made = {temporary_password() for _time in range(50)}
    assert len(made) == 50
    assert all(len(password) == 14 and not set(password) & set("il1o0") for password in made)


def test_a_colleague_starts_with_a_temporary_password(club) -> None:
    role, password = add_colleague(club, username="bob", full_name="Bob Krogh", kind="helper")
    assert role.account.check_password(password)
    assert role.account.password_is_temporary
    assert (may_help(role.account, club), may_organise(role.account, club)) == (True, False)


@pytest.mark.parametrize("typed", ["alice", "Alice", " ALICE "])
def test_an_account_is_found_as_a_phone_writes_it(alice, typed) -> None:
    assert account_named(typed) == alice


def test_of_two_accounts_that_differ_in_case_the_exact_one_is_found() -> None:
    small, large = make_account("anna"), make_account("Anna")
    assert (account_named("anna"), account_named("Anna")) == (small, large)


@pytest.mark.parametrize("step", [partial(change_role, kind="helper"), remove_role])
def test_a_club_keeps_its_last_organiser(club, alice, step) -> None:
    make_account("helper", club, "helper")
    make_account("gone", club)
    Account.objects.filter(username="gone").update(is_active=False)
    with pytest.raises(LastOrganiser):
        step(alice.roles.get(), account=alice, now=timezone.now())
    assert alice.roles.get().kind == "organiser"


@pytest.mark.parametrize("step", [partial(change_role, kind="helper"), remove_role])
def test_one_of_two_organisers_may_go(club, alice, step) -> None:
    make_account("bob", club)
    step(alice.roles.get(), account=alice, now=timezone.now())
    assert not may_organise(alice, club)


def test_a_helper_may_always_go(club, alice) -> None:
    helper = make_account("helper", club, "helper")
    remove_role(helper.roles.get(), account=alice, now=timezone.now())
    assert not helper.roles.exists()


def test_a_new_temporary_password_replaces_the_old_one(alice) -> None:
    password = renew_password(alice)
    alice.refresh_from_db()
    assert alice.check_password(password)
    assert alice.password_is_temporary


def test_a_role_in_a_union_holds_in_its_clubs() -> None:
    union = make_club("Union")
    club = make_club("Viby", union)
    account = make_account("uwe", union)
    assert may_organise(account, club)
    assert set(clubs_of(account)) == {union, club}
    assert list(unions_of(account)) == [union]


def test_a_role_in_a_club_does_not_hold_in_its_union() -> None:
    union = make_club("Union")
    account = make_account("viby", make_club("Viby", union))
    assert not may_help(account, union)
    assert not unions_of(account)


@pytest.mark.parametrize(
    ("clubs", "maker", "owner", "may"),
    [
        (["Stilling"], "Stilling", False, True),
        (["Stilling", "Viby"], "Stilling", False, False),
        ([], "Stilling", False, False),
        (["Stilling"], "Stilling", True, False),
        (["Stilling"], "Hadsten", False, False),
        (["Stilling"], "", False, False),
    ],
    ids=[
        "mine only",
        "another club's too",
        "no club's",
        "the owner",
        "made elsewhere",
        "made by nobody knows whom",
    ],
)
def test_whose_password_an_organiser_may_renew(club, alice, clubs, maker, owner, may) -> None:
    made_by = (club if maker == club.name else make_club(maker)) if maker else None
    other = Account.objects.create_user("other", is_superuser=owner, made_by=made_by)
    for name in clubs:
        place = club if name == club.name else make_club(name)
        Role.objects.create(account=other, club=place, kind="helper")
    assert may_renew_password(alice, other) == may


def test_who_is_signed_in_changes_their_own_name_and_the_clubs_log_says_so(client, club, alice) -> None:
    client.force_login(alice)
    assert 'href="/clubs/my-account/"' in client.get("/desk/").content.decode()
    wrong = client.post("/clubs/my-account/", {"full_name": " "})
    assert "Type your name." in wrong.content.decode()
    client.post("/clubs/my-account/", {"full_name": "Alice  Marie Holm"})
    alice.refresh_from_db()
    assert (alice.first_name, alice.last_name, str(alice)) == ("Alice Marie", "Holm", "Alice Marie Holm")
    line = club.log.first()
    assert (line.author, line.words) == ("Alice Marie Holm", "Alice is now called Alice Marie Holm")


def test_a_stranger_has_no_account_of_their_own(client, db) -> None:
    assert client.get("/clubs/my-account/").status_code == 302


def test_of_accounts_from_before_the_only_club_they_ever_worked_for_made_them(club, alice) -> None:
    viby = make_club("Viby")
    old = {name: make_account(name, club) for name in ("bob", "bert", "berit")}
    Role.objects.create(account=old["bert"], club=viby, kind="helper")
    # Berit has no role there any more.
    log_change(viby, alice, "{colleague} is a helper", now=timezone.now(), colleague=old["berit"])
    owner = Account.objects.create_user("owner", is_superuser=True)
    Role.objects.create(account=owner, club=club, kind="organiser")
    Account.objects.update(made_by=None)
    import_module("clubs.migrations.0004_offers_and_makers").say_who_made_them(apps, None)
    made = dict(Account.objects.values_list("username", "made_by__name"))
    assert made == {"alice": "Stilling", "bob": "Stilling", "bert": None, "berit": None, "owner": None}
