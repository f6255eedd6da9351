"""The first page: only who sits at the machine, or has the code, becomes the first organiser, and only one does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from threading import Barrier

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from clubs import first_page
from clubs.models import Account, Club, SampleClub
from clubs.views.accounts import FirstPageForm
from core.throttle import WRONG_TRIES_A_MINUTE
from tests.every_address import addresses
from tournaments.management.commands import serve
from tournaments.models import Tournament

FIRST, CODE = "/desk/first/", "KDRWAH"
ANNA = {
    "club": "Stilling",
    "full_name": "Anna Holm",
    "username": "anna",
    "password": "tre gode ord",
    "password_again": "tre gode ord",
}
HERE = {"HTTP_HOST": "localhost:8000", "REMOTE_ADDR": "127.0.0.1"}
WIFI = {"HTTP_HOST": "192.168.1.20:8000", "REMOTE_ADDR": "192.168.1.77"}
BROWSER = {"HTTP_ACCEPT": "text/html,application/xhtml+xml,*/*;q=0.8"}

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _served_without_an_organiser(settings, monkeypatch):
    """As `serve` starts its processes on a laptop."""
    settings.FIRST_PAGE_SECRET = CODE
    settings.ALLOWED_HOSTS = ["*"]
    on_a_laptop(monkeypatch)


def on_a_laptop(monkeypatch):
    monkeypatch.setattr(first_page, "CONTAINER_FILES", ())
    for name in first_page.CONTAINER_VARIABLES:
        monkeypatch.delenv(name, raising=False)


def signed_in(browser: Client) -> str:
    key = browser.session.get("_auth_user_id")
    return Account.objects.get(pk=key).username if key else ""


def test_who_sits_at_the_machine_becomes_the_first_organiser_without_a_code():
    browser = Client(**HERE)
    assert 'name="code"' not in browser.get(FIRST).content.decode()
    answer = browser.post(FIRST, ANNA)
    assert (answer.status_code, answer["Location"]) == (302, "/desk/")
    account, club = Account.objects.get(), Club.objects.get()
    assert (account.username, str(account), account.is_superuser) == ("anna", "Anna Holm", True)
    assert (club.name, club.language, club.roles.get().kind) == ("Stilling", "en", "organiser")
    assert signed_in(browser) == "anna"
    page = browser.get("/desk/").content.decode()
    assert page.count("onboard") >= 1


def test_another_machine_needs_the_code_in_whatever_form_it_is_typed():
    browser = Client(**WIFI)
    assert 'name="code"' in browser.get(FIRST).content.decode()
    assert browser.post(FIRST, ANNA).status_code == HTTPStatus.OK
    assert not Account.objects.exists()
    assert browser.post(FIRST, ANNA | {"code": " kdr-wah "})["Location"] == "/desk/"
    assert signed_in(browser) == "anna"


def test_the_club_is_written_to_in_the_language_of_the_page():
    browser = Client(**HERE)
    browser.cookies["django_language"] = "da"
    assert 'lang="da"' in browser.get(FIRST).content.decode()
    browser.post(FIRST, ANNA)
    assert Club.objects.get().language == "da"


def test_sample_players_are_playing_where_they_are_wished_for():
    browser = Client(**HERE)
    answer = browser.post(FIRST, ANNA | {"sample": "on"})
    tournament = Tournament.objects.get()
    assert answer["Location"] == reverse("desk_board", args=[tournament.code])
    assert "Three tables are playing." in browser.get(answer["Location"]).content.decode()
    assert SampleClub.objects.get().club == tournament.host


@pytest.mark.parametrize(
    "asked",
    [
        {"HTTP_HOST": "evil.example", "REMOTE_ADDR": "127.0.0.1"},
        {"HTTP_HOST": "localhost.evil.example", "REMOTE_ADDR": "127.0.0.1"},
        {"HTTP_HOST": "127.0.0.1", "REMOTE_ADDR": "192.168.1.77"},
        {"HTTP_HOST": "localhost", "REMOTE_ADDR": ""},
        HERE | {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        HERE | {"HTTP_X_FORWARDED_PROTO": "https"},
        HERE | {"HTTP_X_REAL_IP": "127.0.0.1"},
        HERE | {"HTTP_FORWARDED": "for=127.0.0.1"},
        HERE | {"HTTP_VIA": "1.1 proxy"},
        HERE | {"HTTP_CF_CONNECTING_IP": "127.0.0.1"},
        HERE | {"SERVER_PROTOCOL": "HTTP/1.0"},
    ],
    ids=lambda asked: " ".join(asked.values()),
)
def test_nobody_is_taken_for_who_sits_at_the_machine_behind_a_proxy_or_by_another_name(asked):
    browser = Client(**asked)
    assert 'name="code"' in browser.get(FIRST).content.decode()
    browser.post(FIRST, ANNA)
    assert not Account.objects.exists()


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_every_loopback_address_is_the_machines_own(address):
    browser = Client(HTTP_HOST="[::1]:8000", REMOTE_ADDR=address)
    assert 'name="code"' not in browser.get(FIRST).content.decode()


def test_a_server_with_a_public_address_asks_for_the_code_on_the_machine_itself_too(settings):
    settings.PUBLIC_URL = "http://192.168.1.20:8000"
    assert 'name="code"' in Client(**HERE).get(FIRST).content.decode()


def test_a_container_asks_everybody_for_the_code_since_its_port_hides_who_asks(tmp_path, monkeypatch):
    monkeypatch.setenv("container", "podman")
    assert 'name="code"' in Client(**HERE).get(FIRST).content.decode()
    monkeypatch.delenv("container")
    monkeypatch.setattr(first_page, "CONTAINER_FILES", (tmp_path,))
    assert 'name="code"' in Client(**HERE).get(FIRST).content.decode()


def test_guessing_from_one_address_waits_a_minute_and_even_the_right_code_then():
    stranger = Client(**WIFI)
    for _time in range(WRONG_TRIES_A_MINUTE):
        wrong = stranger.post(FIRST, ANNA | {"code": "AAAAAA"})
        assert wrong.status_code == HTTPStatus.FORBIDDEN
    assert "This is not the code." in wrong.content.decode()
    refused = stranger.post(FIRST, ANNA | {"code": CODE})
    assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert "Too many wrong codes" in refused.content.decode()
    assert not Account.objects.exists()
    # Who has the code comes in from another address meanwhile.
    assert (
        Client(**WIFI | {"REMOTE_ADDR": "192.168.1.5"}).post(FIRST, ANNA | {"code": CODE}).status_code == 302
    )


def test_guessing_from_many_addresses_is_counted_together_and_never_holds_up_the_machine_itself():
    for number in range(first_page.WRONG_CODES_A_MINUTE):
        stranger = Client(**WIFI | {"REMOTE_ADDR": f"192.168.1.{number}"})
        assert stranger.post(FIRST, ANNA | {"code": "AAAAAA"}).status_code == HTTPStatus.FORBIDDEN
    late = Client(**WIFI | {"REMOTE_ADDR": "192.168.2.1"})
    assert late.post(FIRST, ANNA | {"code": CODE}).status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert Client(**HERE).post(FIRST, ANNA)["Location"] == "/desk/"


def test_who_lacks_the_code_learns_nothing_of_what_else_was_typed():
    wrong = Client(**WIFI).post(FIRST, ANNA | {"code": "AAAAAA", "password": "kort", "username": "two words"})
    assert list(wrong.context["form"].errors) == ["code"]


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"club": " "}, "club", "Type the name of the club."),
        ({"club": "x" * 121}, "club", "At most 120 characters"),
        ({"full_name": ""}, "full_name", "Type your name."),
        ({"username": ""}, "username", "Type a user name."),
        ({"username": "anna holm"}, "username", "Enter a valid username"),
        ({"password": "kort", "password_again": "kort"}, "password", "at least 10 characters"),
        ({"password_again": "tre gode or"}, "password_again", "The two are not the same."),
        ({"username": "a\0b"}, "username", "This contains a character that cannot be stored."),
    ],
)
def test_what_is_wrong_stands_at_its_field_and_the_rest_stays(typed, field, message):
    answer = Client(**HERE).post(FIRST, ANNA | typed)
    assert answer.status_code == HTTPStatus.OK
    assert list(answer.context["form"].errors) == [field]
    assert message in str(answer.context["form"].errors[field])
    assert "tre gode" not in answer.content.decode()
    assert not Account.objects.exists()


def test_a_form_of_another_site_is_refused():
    browser = Client(enforce_csrf_checks=True, **HERE)
    browser.get(FIRST)
    assert browser.post(FIRST, ANNA, HTTP_ORIGIN="https://evil.example").status_code == HTTPStatus.FORBIDDEN
    token = browser.cookies["csrftoken"].value
    from_elsewhere = browser.post(
        FIRST, ANNA | {"csrfmiddlewaretoken": token}, HTTP_ORIGIN="https://evil.example"
    )
    assert from_elsewhere.status_code == HTTPStatus.FORBIDDEN
    assert not Account.objects.exists()


def test_after_a_restart_only_the_new_code_is_right(settings):
    browser = Client(**WIFI)
    browser.get(FIRST)
    settings.FIRST_PAGE_SECRET = "WXYZAB"
    old = browser.post(FIRST, ANNA | {"code": CODE})
    assert old.status_code == HTTPStatus.FORBIDDEN
    assert 'value="Stilling"' in old.content.decode()
    assert browser.post(FIRST, ANNA | {"code": "WXYZAB"})["Location"] == "/desk/"


def test_a_code_that_was_used_opens_nothing_more():
    Client(**WIFI).post(FIRST, ANNA | {"code": CODE})
    second = Client(**WIFI)
    told = second.post(FIRST, ANNA | {"code": CODE, "username": "bert", "club": "Viby"}, follow=True)
    assert (
        "Someone else has become the first organiser, so nothing you typed was saved" in told.content.decode()
    )
    assert (signed_in(second), Account.objects.count(), Club.objects.count()) == ("", 1, 1)
    assert second.get(FIRST)["Location"] == "/desk/"


def test_who_sends_the_form_twice_is_signed_in_twice():
    Client(**HERE).post(FIRST, ANNA)
    again = Client(**HERE)
    assert again.post(FIRST, ANNA)["Location"] == "/desk/"
    assert (signed_in(again), Account.objects.count()) == ("anna", 1)


def test_who_taps_twice_is_signed_in_also_where_the_first_tap_is_stored_while_the_second_is_validated(
    monkeypatch,
):
    first, second = Client(**HERE), Client(**HERE)
    cleaned = FirstPageForm.clean_username

    def stored_meanwhile(form):
        monkeypatch.setattr(FirstPageForm, "clean_username", cleaned)
        assert first.post(FIRST, ANNA).status_code == 302
        return cleaned(form)

    monkeypatch.setattr(FirstPageForm, "clean_username", stored_meanwhile)
    answer = second.post(FIRST, ANNA)
    assert (answer.status_code, answer["Location"]) == (302, reverse("desk"))
    assert signed_in(first) == signed_in(second)
    assert Account.objects.count() == 1


def test_the_page_is_no_second_way_to_guess_passwords(settings):
    Client(**HERE).post(FIRST, ANNA)
    guesser = Client(**WIFI)
    for _time in range(settings.AXES_FAILURE_LIMIT):
        guesser.post(FIRST, ANNA | {"password": "a wrong password"})
    guesser.post(FIRST, ANNA)
    assert signed_in(guesser) == ""


def test_a_server_that_was_started_with_an_organiser_has_no_first_page(settings, alice):
    settings.FIRST_PAGE_SECRET = ""
    browser = Client(**HERE)
    assert browser.get(FIRST)["Location"] == "/desk/"
    assert browser.post(FIRST, ANNA)["Location"] != ""
    assert Account.objects.get() == alice


def test_nor_has_one_without_organiser_that_serve_did_not_start(settings):
    settings.FIRST_PAGE_SECRET = ""
    browser = Client(**HERE)
    browser.post(FIRST, ANNA)
    assert not Account.objects.exists()
    assert browser.get("/").status_code == HTTPStatus.OK


def test_every_other_address_leads_to_the_first_page_or_says_that_it_is_being_set_up():
    browser = Client(**WIFI, **BROWSER)
    stays = {"desk_first", "health", "metrics", "set_language", "manual", "manual_chapter"}
    filled = {"code": "ABCDEF", "slug": "stilling", "secret": "x" * 22}
    for name, address in addresses():
        if name in stays:
            continue
        answer = browser.get(address.format(**filled))
        if address.startswith("/api/v1/"):
            assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json"), name
        elif not address.startswith("/api/"):
            assert (answer.status_code, answer["Location"]) == (302, FIRST), name
        refused = browser.post(address.format(**filled))
        assert (refused.status_code, refused["Retry-After"]) == (503, "30"), name
        assert refused["Cache-Control"] == "no-store", name
    assert browser.get("/nowhere/")["Location"] == FIRST
    assert not Session.objects.exists()


def test_phones_and_programs_are_told_to_come_again_and_health_stays():
    phone = Client(**WIFI, HTTP_ACCEPT="*/*")
    assert phone.get("/t/ABCDEF/version").status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert phone.get("/health/").json()["status"] == "ok"
    assert phone.get("/manual/").status_code == HTTPStatus.OK
    assert phone.post("/language/", {"language": "da", "next": FIRST})["Location"] == FIRST


def test_after_the_first_organiser_all_is_open_and_the_database_is_asked_no_more(django_assert_num_queries):
    stranger = Client(**WIFI, **BROWSER)
    assert stranger.get("/rules/")["Location"] == FIRST
    Client(**HERE).post(FIRST, ANNA)
    assert stranger.get("/rules/").status_code == HTTPStatus.OK
    with django_assert_num_queries(0):
        stranger.get("/rules/")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "names", [("anna", "bert"), ("anna", "anna")], ids=["two people", "one who taps twice"]
)
def test_of_two_browsers_at_once_one_becomes_the_first_organiser(names):
    barrier = Barrier(2)

    def post(username):
        browser = Client(**HERE)
        browser.get(FIRST)
        barrier.wait()
        try:
            return browser.post(FIRST, ANNA | {"username": username, "club": f"Club of {username}"})
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(post, names))
    to = sorted(answer["Location"] for answer in answers)
    assert to == ["/clubs/login/" if len(set(names)) > 1 else "/desk/", "/desk/"]
    assert (Account.objects.count(), Club.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_the_command_and_the_page_at_once_make_one_organiser(monkeypatch):
    barrier = Barrier(2)
    monkeypatch.setenv("SPADILLE_PASSWORD", "tre gode ord")

    def post():
        barrier.wait()
        try:
            return Client(**HERE).post(FIRST, ANNA)["Location"]
        finally:
            connection.close()

    def command():
        barrier.wait()
        try:
            call_command("first_organiser", club="Viby", username="bert")
        except CommandError as error:
            return str(error)
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(2) as pool:
        page, typed = pool.submit(post), pool.submit(command)
        page_won, command_won = page.result() == "/desk/", typed.result() == ""
    assert page_won != command_won
    assert Account.objects.count() == 1


def test_a_code_is_six_legible_letters_and_never_the_same():
    made = {first_page.new_code() for _time in range(100)}
    assert len(made) == 100
    assert all(len(code) == 6 and not set(code) & set("ILO") and code.isalpha() for code in made)


@pytest.fixture
def started(monkeypatch):
    """What `serve` says and gives its processes, instead of serving."""
    told = {}
    monkeypatch.setattr(serve, "refuse_taken_port", lambda _host: None)
    monkeypatch.setattr(serve, "prepare", lambda: call_command("prepare", verbosity=0))
    monkeypatch.setattr(serve, "serve", lambda _host, said: told.update(said=said))
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    monkeypatch.setenv(first_page.ENVIRONMENT, "AAAAAA")

    def start(**options):
        call_command("serve", **options)
        return told["said"], serve.os.environ.get(first_page.ENVIRONMENT, "")

    return start


def test_a_start_without_an_organiser_tells_a_new_code_each_time(started, settings):
    settings.PORT = 8000
    (said, code), (_again, another) = started(), started()
    assert len({code, another, "AAAAAA"}) == 3
    assert "On this computer:  http://localhost:8000/\n" in said
    assert f"With the code {code}:  http://" in said


def test_where_no_other_machine_comes_no_code_is_told(started):
    said, code = started(host="127.0.0.1")
    assert code not in said


def test_a_container_that_only_its_own_machine_reaches_tells_the_code(started, monkeypatch, settings):
    settings.PORT = 8000
    monkeypatch.setenv("container", "podman")
    said, code = started(host="127.0.0.1")
    assert f"With the code {code}:  http://localhost:8000/\n" in said


def test_behind_a_proxy_the_code_alone_is_told(started, settings):
    settings.PUBLIC_URL, settings.HTTPS = "https://lhombre.example.dk", True
    said, code = started()
    assert "On this computer" not in said
    assert f"With the code {code}:  https://lhombre.example.dk/\n" in said


def test_a_start_with_an_organiser_has_no_code_not_even_one_that_was_left_there(started, alice):
    said, code = started()
    assert code == ""
    assert "There is no organiser" not in said
