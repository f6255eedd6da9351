"""Accounts beyond a password: second factor, the password asked again, sessions, forgotten passwords, invitations."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.cache import caches
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from clubs.accounts import renew_password
from clubs.mail.sending import send_due
from clubs.models import Account, Letter, Role
from tests.factories import affiliate, make_account, make_club, make_tournament
from tests.post_office import links_in, text_of
from tournaments.lifecycle.officials import give
from tournaments.models import Tournament

PASSWORD = "a long password"
SITE = "https://lhombre.example.dk"
SECRET = "JBSWY3DPEHPK3PXP"


def signed_in(username="alice", browser=None):
    browser = browser or Client()
    answer = browser.post("/clubs/login/", {"username": username, "password": PASSWORD})
    return browser, answer


def code_of(secret):
    counter = next(iter(yield_hotp_counters_from_time()))
    return format_hotp_value(hotp_value(secret, counter))


def is_in(browser):
    return browser.get("/clubs/my-account/").status_code == 200


@pytest.fixture
def with_app(alice):
    TOTP.activate(alice, SECRET)
    return alice


def test_an_app_is_set_up_and_asked_for_at_the_next_sign_in(alice):
    browser, answer = signed_in()
    assert answer["Location"] == "/desk/"
    page = browser.get("/clubs/my-account/second/app/").content.decode()
    (secret,) = re.findall(r"<code>(\w+)</code>", page)
    assert 'src="data:image/svg+xml;base64,' in page
    wrong = browser.post("/clubs/my-account/second/app/", {"code": "000000"})
    assert wrong.status_code == 200
    assert browser.post("/clubs/my-account/second/app/", {"code": code_of(secret)}).status_code == 302
    assert (
        len(re.findall(r"<code>\d+</code>", browser.get("/clubs/my-account/second/paper/").content.decode()))
        == 10
    )
    kept = Authenticator.objects.get(type="totp").data["secret"]
    assert secret not in kept, "enciphered"
    caches["default"].clear()  # a code is taken once
    browser, answer = signed_in()
    assert answer["Location"] == "/clubs/login/second/"
    assert not is_in(browser)
    assert browser.post("/clubs/login/second/", {"code": code_of(secret)})["Location"] == "/desk/"
    assert is_in(browser)


def test_a_code_from_the_paper_works_once(with_app):
    from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes

    paper = RecoveryCodes.activate(with_app).get_unused_codes()[0]
    browser, _answer = signed_in()
    assert browser.post("/clubs/login/second/", {"code": paper})["Location"] == "/desk/"
    browser, _answer = signed_in()
    assert browser.post("/clubs/login/second/", {"code": paper}).status_code == 200
    assert not is_in(browser)


def test_codes_are_not_guessed_and_the_password_alone_opens_nothing(with_app, monkeypatch):
    browser, _answer = signed_in()
    for _try in range(5):
        assert (
            "This code is wrong" in browser.post("/clubs/login/second/", {"code": "000000"}).content.decode()
        )
    # From wherever, and with the right code too.
    other, _answer = signed_in()
    assert "Wait a minute" in other.post("/clubs/login/second/", {"code": code_of(SECRET)}).content.decode()
    assert not is_in(other)
    for address in ("/desk/", "/clubs/", "/clubs/my-account/sessions/", "/clubs/my-account/second/"):
        assert other.get(address)["Location"].startswith("/clubs/login/?next=")


def test_a_key_that_was_changed_opens_nothing(with_app, settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "x" * 50, []
    browser, _answer = signed_in()
    assert browser.post("/clubs/login/second/", {"code": code_of(SECRET)}).status_code == 200
    assert not is_in(browser)


def test_a_new_password_of_the_clubs_ends_the_second_factor(with_app, club):
    password = renew_password(with_app)
    assert not Authenticator.objects.exists()
    assert with_app.check_password(password)


def test_allauths_own_doors_are_not_there(client):
    for name in "account_signup account_email account_change_password account_reset_password".split():
        with pytest.raises(NoReverseMatch):
            reverse(name)
    for name in "mfa_login_webauthn mfa_trust account_request_login_code socialaccount_login".split():
        with pytest.raises(NoReverseMatch):
            reverse(name)
    assert reverse("account_login") == reverse("login")


@pytest.fixture
def asked_again(settings):
    settings.PASSWORD_AGAIN_MINUTES = 15


def long_ago(browser):
    session = browser.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 16 * 60
    session.save()


def test_the_password_is_asked_again_and_what_was_sent_is_done_then(alice, club, asked_again):
    role = make_account("bob", club, Role.Kind.HELPER).roles.get()
    address = f"/clubs/stilling/roles/{role.pk}/"
    browser, _answer = signed_in()
    long_ago(browser)
    asked = browser.post(address, {"kind": "organiser"})
    assert asked["Location"].startswith("/clubs/password-again/?next=")
    role.refresh_from_db()
    assert role.kind == "helper"
    page = browser.post(asked["Location"], {"password": "wrong"})
    assert "This is not your password." in page.content.decode()
    assert (
        browser.post(asked["Location"], {"password": PASSWORD, "next": address})["Location"]
        == "/clubs/stilling/roles/"
    )
    role.refresh_from_db()
    assert role.kind == "organiser"
    browser.post(address, {"kind": "helper"})
    role.refresh_from_db()
    assert role.kind == "helper", "not asked twice in a quarter of an hour"


@pytest.mark.parametrize("told", [{}, {"next": "https://evil.example/"}])
def test_the_password_asked_again_is_not_guessed_and_leads_nowhere_else(alice, asked_again, told):
    browser, _answer = signed_in()
    for _try in range(10):
        browser.post("/clubs/password-again/", {"password": "wrong"} | told)
    assert "Wait a minute" in browser.post("/clubs/password-again/", {"password": PASSWORD}).content.decode()
    caches["tries"].clear(), caches["tries-here"].clear()
    answer = browser.post("/clubs/password-again/", {"password": PASSWORD} | told)
    assert answer["Location"] == "/desk/"


@pytest.mark.parametrize(
    "address",
    [
        "/clubs/stilling/roles/new/",
        "/clubs/stilling/members/1/erase/",
        "/clubs/stilling/members/1/same/",
        "/clubs/stilling/programs/key/",
        "/clubs/stilling/programs/address/",
        "/desk/backup/",
    ],
)
def test_what_cannot_be_undone_is_asked_before(alice, club, asked_again, address):
    browser, _answer = signed_in()
    long_ago(browser)
    for ask in (browser.get, browser.post):
        assert ask(address)["Location"].startswith("/clubs/password-again/?next=")


def test_signing_in_is_having_shown_the_password(alice, club, asked_again):
    browser, _answer = signed_in()
    assert browser.get("/clubs/stilling/roles/new/").status_code == 200
    browser.force_login(alice)  # a session from before this was asked
    session = browser.session
    session.pop("account_authentication_methods", None)
    session.save()
    assert browser.get("/clubs/stilling/roles/new/")["Location"].startswith("/clubs/password-again/")


def test_sessions_are_listed_and_ended(alice):
    here, _answer = signed_in()
    there, _answer = signed_in()
    third, _answer = signed_in()
    page = here.get("/clubs/my-account/sessions/")
    assert [is_this for _session, _browser, is_this in page.context["sessions"]] == [False, False, True]
    one = page.context["sessions"][1][0]
    here.post("/clubs/my-account/sessions/", {"session": one.pk})
    assert [is_in(browser) for browser in (here, there, third)] == [True, False, True]
    charlie = make_account("charles")
    stranger, _answer = signed_in(charlie.username)
    stranger.post("/clubs/my-account/sessions/", {"session": page.context["sessions"][0][0].pk})
    stranger.post("/clubs/my-account/sessions/", {"session": "1 OR 1"})
    assert is_in(third)
    here.post("/clubs/my-account/sessions/", {"all": "1"})
    assert [is_in(browser) for browser in (here, third, stranger)] == [True, False, True]


def test_a_second_factor_is_demanded_of_who_organises_a_union(alice, club, settings):
    settings.SECOND_FACTOR = "unions"
    union = make_club("Union")
    affiliate(club, union)
    olga = make_account("olga", union)
    for username, led_to in (("alice", None), ("olga", "/clubs/my-account/second/")):
        browser, _answer = signed_in(username)
        answer = browser.get("/clubs/stilling/")
        assert answer.headers.get("Location") == led_to
        assert browser.get("/clubs/my-account/second/").status_code == 200
    TOTP.activate(olga, SECRET)
    browser, _answer = signed_in("olga")
    browser.post("/clubs/login/second/", {"code": code_of(SECRET)})
    assert browser.get("/clubs/stilling/").status_code == 200
    page = browser.post("/clubs/my-account/second/app/off/")
    assert Authenticator.objects.filter(user=olga).exists(), "not the last one"
    assert page.status_code == 200


@pytest.mark.parametrize(("kind", "led_to"), [("organiser", "/clubs/my-account/second/"), ("helper", None)])
def test_a_second_factor_is_demanded_of_an_official_who_organises_for_a_union(
    alice, club, settings, kind, led_to
):
    settings.SECOND_FACTOR = "unions"
    union = make_club("Union")
    affiliate(make_club("Viby"), union)
    cup = make_tournament(0, club=union, account=make_account("olga", union), drawn=False)
    own = make_tournament(0, club=club, account=alice, drawn=False)
    otto = make_account("otto")
    give(own, otto, "organiser", account=alice, now=timezone.now())
    browser, _answer = signed_in("otto")
    assert browser.get("/clubs/").headers.get("Location") is None  # of a club that is no union
    official = give(cup, otto, kind, account=alice, now=timezone.now())
    assert browser.get("/clubs/").headers.get("Location") == led_to
    Tournament.objects.filter(pk=cup.pk).update(called_off_at=timezone.now() - timedelta(days=31))
    assert browser.get("/clubs/").headers.get("Location") is None, official


def with_address(account, address="alice@example.dk"):
    Account.objects.filter(pk=account.pk).update(email=address)
    return account


def ask_for_a_link(browser, asked="alice"):
    return browser.post("/clubs/password/forgotten/", {"asked": asked}).content.decode()


@pytest.mark.parametrize("asked", ["alice", "ALICE", "alice@EXAMPLE.dk"])
def test_a_forgotten_password_is_chosen_anew_by_a_link_that_works_once(alice, client, post_office, asked):
    with_address(alice)
    ask_for_a_link(client, asked)
    assert send_due() == 1
    said = text_of(post_office.to("alice@example.dk"))
    link = next(link for link in links_in(post_office.to("alice@example.dk")) if "/clubs/password/" in link)
    assert "the account alice" in said
    browser = Client()
    form = browser.get(link.removeprefix(SITE), follow=True)
    here = form.redirect_chain[-1][0]
    new = "three words remembered"
    assert browser.post(here, {"new_password1": new, "new_password2": new})["Location"] == "/desk/"
    assert is_in(browser)
    again = Client().get(link.removeprefix(SITE))
    assert again.status_code == 200, "no form any more"
    alice.refresh_from_db()
    assert alice.check_password(new)


def test_nobody_learns_whose_address_is_known_and_nobody_is_flooded(alice, client, post_office):
    with_address(alice)
    strip = re.compile(r'value="[^"]+"|csrf[^>]*')
    known, unknown = (strip.sub("", ask_for_a_link(Client(), who)) for who in ("alice", "nobody"))
    assert known == unknown
    caches["tries"].clear(), caches["tries-here"].clear()
    pages = [ask_for_a_link(client) for _time in range(7)]
    assert ["Too many requests" in page for page in pages] == [False] * 5 + [True] * 2
    assert send_due() == 1


def test_a_link_by_mail_does_not_go_past_the_second_factor(with_app, client, post_office):
    with_address(with_app)
    ask_for_a_link(client)
    send_due()
    link = next(link for link in links_in(post_office.to("alice@example.dk")) if "/clubs/password/" in link)
    browser = Client()
    here = browser.get(link.removeprefix(SITE), follow=True).redirect_chain[-1][0]
    new = "three words remembered"
    answer = browser.post(here, {"new_password1": new, "new_password2": new})
    assert answer["Location"] == "/clubs/login/second/"
    assert not is_in(browser)


def test_no_secret_of_a_link_is_stored(alice, client, post_office):
    with_address(alice)
    ask_for_a_link(client)
    send_due()
    (letter,) = alice.posted.all()
    assert letter.facts == {}
    assert not Letter.objects.exclude(pk=letter.pk).exists(), "nor what was typed"


def test_an_address_is_ones_own_when_its_letter_was_answered(alice, post_office, charlie):
    browser, _answer = signed_in()
    browser.post("/clubs/my-account/address/", {"email": "alice@example.dk"})
    send_due()
    link = next(link for link in links_in(post_office.to("alice@example.dk")) if "/address/" in link)
    path = link.removeprefix(SITE)
    stranger = Client()
    stranger.force_login(charlie)
    assert stranger.post(path).status_code == 404
    assert browser.get(path).status_code == 200
    alice.refresh_from_db()
    assert alice.email == "", "a program that opens what it finds says no yes"
    browser.post(path)
    alice.refresh_from_db()
    assert alice.email == "alice@example.dk"


def test_a_new_colleague_is_invited_by_a_link_and_an_old_one_to_say_yes(as_alice, club, charlie, post_office):
    told = {"username": "dora", "full_name": "Dora Friis", "email": "dora@example.dk", "kind": "helper"}
    as_alice.post("/clubs/stilling/roles/new/", told)
    with_address(charlie, "charlie@example.dk")
    as_alice.post(
        "/clubs/stilling/roles/new/", {"username": "charlie", "kind": "organiser", "has_account": "on"}
    )
    assert send_due() == 2
    new, old = post_office.to("dora@example.dk"), post_office.to("charlie@example.dk")
    assert "your user name is dora" in text_of(new)
    link = next(link for link in links_in(new) if "/clubs/password/" in link)
    assert Client().get(link.removeprefix(SITE)).status_code == 302
    assert f"{SITE}/clubs/my-account/" in text_of(old)
    assert old["Subject"] == "Stilling asks you to be organiser"


def test_an_offer_that_was_taken_back_is_not_sent(as_alice, club, charlie, post_office):
    with_address(charlie)
    as_alice.post(
        "/clubs/stilling/roles/new/", {"username": "charlie", "kind": "helper", "has_account": "on"}
    )
    offer = charlie.offers.get()
    as_alice.post(f"/clubs/stilling/roles/offers/{offer.pk}/")
    assert send_due() == 0
