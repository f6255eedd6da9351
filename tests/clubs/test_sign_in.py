"""Signing in and out, wrong passwords, and choosing one's own."""

from __future__ import annotations

import html
import shlex

import pytest
from django.contrib.auth.forms import AuthenticationForm
from django.db import connection
from django.test import Client
from django.urls import reverse

from clubs.accounts import add_colleague, renew_password
from clubs.models import Account
from clubs.sign_in import COOKIE
from core.text import shell_command
from core.throttle import WRONG_TRIES_A_MINUTE, by_name, is_throttled

LOGIN = "/clubs/login/"


def sign_in(client: Client, username: str, password: str, **extra):
    return client.post(LOGIN, {"username": username, "password": password} | extra)


def signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_an_organiser_lands_on_the_desk(client, alice) -> None:
    response = sign_in(client, "Alice", "a long password")
    assert response.headers["Location"] == reverse("desk")
    assert signed_in(client)


@pytest.mark.parametrize(
    ("wanted", "where"),
    [
        ("/clubs/stilling/", "/clubs/stilling/"),
        ("https://evil.example/", "/desk/"),
        ("//evil.example", "/desk/"),
    ],
)
def test_signing_in_goes_on_to_the_page_that_was_asked_for_on_this_site(client, alice, wanted, where) -> None:
    assert sign_in(client, "alice", "a long password", next=wanted).headers["Location"] == where


@pytest.mark.parametrize(("username", "password"), [("alice", "wrong"), ("nobody", "wrong"), ("alice", "")])
def test_a_wrong_password_keeps_the_name_and_does_not_tell_which_was_wrong(
    client, alice, username, password
) -> None:
    response = sign_in(client, username, password)
    page = response.content.decode()
    assert response.status_code == 200
    assert f'value="{username}"' in page
    assert not signed_in(client)


def test_the_answers_to_a_wrong_name_and_a_wrong_password_are_the_same(client, alice) -> None:
    errors = [
        list(sign_in(client, name, "wrong").context["form"].non_field_errors())
        for name in ("alice", "nobody")
    ]
    assert errors[0] == errors[1] == ["Wrong user name or password. Capital letters matter."]


def test_a_closed_account_cannot_sign_in(client, alice) -> None:
    Account.objects.update(is_active=False)
    sign_in(client, "alice", "a long password")
    assert not signed_in(client)


def test_too_many_wrong_passwords_lock_out_and_say_for_how_long(client, alice, settings) -> None:
    for _time in range(settings.AXES_FAILURE_LIMIT - 1):
        assert sign_in(client, "alice", "wrong").status_code == 200
    locked = sign_in(client, "ALICE", "wrong")
    assert locked.status_code == 429
    assert "Wait 15 minutes" in locked.content.decode()
    assert sign_in(client, "alice", "a long password").status_code == 429
    assert not signed_in(client)


def test_a_lock_out_is_for_one_account_only(client, alice, charlie, settings) -> None:
    for _time in range(settings.AXES_FAILURE_LIMIT):
        sign_in(client, "alice", "wrong")
    sign_in(client, "charlie", "a long password")
    assert signed_in(client)


def guess(name: str, address: str) -> None:
    """As often as is too often, each time with the next number in the name or the address."""
    for number in range(WRONG_TRIES_A_MINUTE):
        said = {"username": name.format(number), "password": "wrong"}
        Client().post(LOGIN, said, REMOTE_ADDR=address.format(number))


@pytest.mark.parametrize(
    ("name", "address", "elsewhere"),
    [("nobody{}", "192.0.2.1", 200), ("alice", "192.0.2.{}", 429)],
    ids=["many names from one address", "one name from many addresses"],
)
def test_whoever_guesses_one_thing_after_the_other_has_to_wait_a_minute(
    client, alice, name, address, elsewhere
) -> None:
    guess(name, address)
    said = {"username": "alice", "password": "wrong"}
    waits = client.post(LOGIN, said, REMOTE_ADDR=address.format(1))
    assert waits.status_code == 429
    assert "Wait a minute" in waits.content.decode()
    assert 'value="alice"' in waits.content.decode()
    assert client.post(LOGIN, said, REMOTE_ADDR="192.0.2.99").status_code == elsewhere


def test_guessing_in_the_same_hall_keeps_nobody_out_of_the_browser_they_use(as_alice, alice, charlie) -> None:
    """One address for all: the lock-out and the minute's wait are the guesser's, for one name or for all."""
    at_home = Client()
    sign_in(at_home, "alice", "a long password")
    at_home.post("/clubs/logout/")
    guess("alice", "127.0.0.1")
    assert sign_in(Client(), "alice", "a long password").status_code == 429
    assert sign_in(at_home, "charlie", "a long password").status_code == 429
    sign_in(at_home, "Alice", "a long password")
    assert signed_in(at_home)


def test_the_browser_that_is_known_has_no_more_guesses_than_others(client, alice) -> None:
    sign_in(client, "alice", "a long password")
    client.post("/clubs/logout/")
    for _time in range(WRONG_TRIES_A_MINUTE):
        sign_in(client, "alice", "wrong")
    assert sign_in(client, "alice", "a long password").status_code == 429


def test_a_browser_cannot_make_itself_known(client, alice) -> None:
    client.cookies[COOKIE] = str(alice.pk)
    guess("alice", "127.0.0.1")
    assert sign_in(client, "alice", "a long password").status_code == 429


def test_a_new_password_ends_a_lock_out(client, alice, settings) -> None:
    for _time in range(settings.AXES_FAILURE_LIMIT):
        sign_in(client, "alice", "wrong")
    assert sign_in(client, "alice", renew_password(alice)).status_code == 302


def test_signing_out_takes_a_post(as_alice) -> None:
    as_alice.get("/clubs/logout/")
    assert signed_in(as_alice)
    assert as_alice.post("/clubs/logout/").headers["Location"] == reverse("home")
    assert not signed_in(as_alice)


def test_a_temporary_password_opens_nothing_but_the_choice_of_ones_own(client, club) -> None:
    _role, password = add_colleague(club, username="bob", full_name="", kind="helper")
    choose = sign_in(client, "bob", password).headers["Location"]
    assert not signed_in(client)
    page = client.get(choose, follow=True)
    assert "Choose your password" in page.content.decode()
    here = page.redirect_chain[-1][0]
    same = client.post(here, {"new_password1": password, "new_password2": password})
    assert "Choose a different password from the one you were given" in same.content.decode()
    short = client.post(here, {"new_password1": "kort", "new_password2": "kort"})
    assert "at least 10 characters" in short.content.decode()
    done = client.post(here, {"new_password1": "tre gode ord", "new_password2": "tre gode ord"})
    assert done.headers["Location"] == reverse("desk")
    assert signed_in(client)
    bob = Account.objects.get(username="bob")
    assert bob.check_password("tre gode ord")
    assert not bob.password_is_temporary


def test_the_page_for_choosing_a_password_works_once(client, club) -> None:
    _role, password = add_colleague(club, username="bob", full_name="", kind="helper")
    choose = sign_in(client, "bob", password).headers["Location"]
    here = client.get(choose, follow=True).redirect_chain[-1][0]
    client.post(here, {"new_password1": "tre gode ord", "new_password2": "tre gode ord"})
    again = Client().get(choose)
    assert again.status_code == 200
    assert "This page is no longer valid" in again.content.decode()


def test_changing_ones_password(as_alice, alice) -> None:
    said = {"old_password": "wrong", "new_password1": "tre gode ord", "new_password2": "tre gode ord"}
    assert as_alice.post("/clubs/password/", said).context["form"].errors.keys() == {"old_password"}
    assert as_alice.post("/clubs/password/", said | {"old_password": "a long password"}).status_code == 302
    alice.refresh_from_db()
    assert alice.check_password("tre gode ord")
    assert as_alice.get("/clubs/").status_code == 200


@pytest.mark.parametrize("folder", ["data/club", "/srv/vores klub"])
def test_who_has_forgotten_it_is_told_the_line_to_type_with_the_folder_that_is_served(
    client, db, settings, folder
) -> None:
    settings.DATA_DIR = settings.BASE_DIR / folder
    shown = html.unescape(client.get(LOGIN).content.decode())
    named = f"SPADILLE_DATA={shlex.quote(folder)} .venv/bin/python manage.py changepassword anna"
    assert (named in shown) is (connection.vendor == "sqlite")
    settings.COMMAND = "spadille"
    shown = html.unescape(client.get(LOGIN).content.decode())
    named = f"<code>spadille --data {shlex.quote(folder)} changepassword anna</code>"
    assert (named in shown) is (connection.vendor == "sqlite")
    settings.HTTPS = True
    assert "<code>spadille changepassword anna</code>" in client.get(LOGIN).content.decode()
    settings.COMMAND = "manage.py"
    assert "SPADILLE_DATA" not in client.get(LOGIN).content.decode()


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("manage.py", "SPADILLE_DATA='/srv/vores klub' .venv/bin/python manage.py migrate"),
        ("spadille", "spadille --data '/srv/vores klub' manage migrate"),
        ("spadille-service", "spadille-service manage migrate"),
    ],
)
@pytest.mark.sqlite
def test_at_the_terminal_of_a_server_the_line_to_type_names_the_folder_and_what_is_djangos(
    settings, command, line
) -> None:
    settings.DATA_DIR, settings.HTTPS, settings.COMMAND = "/srv/vores klub", True, command
    assert shell_command("migrate", of_django=True) == line


def test_of_many_guesses_at_once_no_more_are_hashed_than_one_after_the_other(
    client, alice, monkeypatch
) -> None:
    """A guess is counted before its password is hashed, and a right one is not counted."""
    counted = []
    hashed = AuthenticationForm.clean

    def clean(form):
        counted.append(is_throttled(by_name("account", "alice"), most=len(counted) + 1))
        return hashed(form)

    monkeypatch.setattr(AuthenticationForm, "clean", clean)
    for _guess in range(WRONG_TRIES_A_MINUTE + 3):
        sign_in(client, "alice", "wrong", REMOTE_ADDR="192.0.2.1")
    assert counted == [True] * WRONG_TRIES_A_MINUTE
    assert is_throttled(by_name("account", "alice"))


def test_signing_in_rightly_again_and_again_is_no_guessing(client, alice) -> None:
    for _time in range(WRONG_TRIES_A_MINUTE + 2):
        browser = Client()
        assert sign_in(browser, "alice", "a long password").headers["Location"] == reverse("desk")
    assert not is_throttled(by_name("account", "alice"), most=1)
