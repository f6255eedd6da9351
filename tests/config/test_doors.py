"""Behind a proxy with https: one setting, PUBLIC_URL, shuts every door that is to be shut."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
from contextlib import closing

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.test import RequestFactory

from config import environment as doors
from core.journal.status import check_journal
from core.middleware import see_behind_proxy
from core.monitoring.logs import tell_errors
from tests.bench.stage import wait_for
from tests.kept import lay_out
from tests.patience import PATIENCE
from tests.services import free_port

NAME = "lhombre.example.dk"


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    own = os.environ | {
        "SPADILLE_DATA": str(lay_out(tmp_path_factory.mktemp("union"))),
        "PUBLIC_URL": f"https://{NAME}",
        "PORT": str(free_port()),
        "SPADILLE_PASSWORD": "tre gode ord",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "BACKUP_MINUTES": "0",
    }
    tests_only = ("DATABASE_URL", "CACHE_URL", "DJANGO_ALLOW_ASYNC_UNSAFE")
    return {name: value for name, value in own.items() if name not in tests_only}


def manage(environment, *arguments):
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def ask(environment):
    """Ask the server as the proxy does; without `proto`, as somebody who came by plain http."""
    manage(environment, "first_organiser", "--club", "Unionen", "--username", "anna")
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve"],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    port = int(environment["PORT"])

    def asked(path, method="GET", body=None, host=NAME, proto="https", visitor="198.51.100.7", **headers):
        given = {"Host": host, "X-Forwarded-For": f"10.9.9.9, {visitor}", **headers}
        if proto:
            given["X-Forwarded-Proto"] = proto
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as link:
            link.request(method, path, body, given)
            with link.getresponse() as response:
                return response.status, response.headers, response.read().decode()

    try:
        wait_for(f"http://127.0.0.1:{port}/health")
        yield asked
    finally:
        server.terminate()
        server.wait(PATIENCE)


@pytest.mark.slow
def test_the_deployment_check_is_clean(environment):
    said = manage(environment, "check", "--deploy", "--fail-level", "WARNING")
    clean = (0, "System check identified no issues (2 silenced).\n")
    assert (said.returncode, said.stdout) == clean, said.stderr


def test_plain_http_leads_to_https_and_health_does_not(ask):
    status, headers, _body = ask("/", proto="http")
    assert (status, headers["Location"]) == (301, f"https://{NAME}/")
    assert ask("/health/", host="127.0.0.1", proto="")[0] == 200


@pytest.mark.slow
def test_a_page_tells_the_browser_what_it_may_not_do(ask):
    status, headers, body = ask("/clubs/login/")
    assert status == 200
    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe-inline" not in headers["Content-Security-Policy"]
    assert (headers["X-Frame-Options"], headers["X-Content-Type-Options"]) == ("DENY", "nosniff")
    assert headers["Referrer-Policy"] == "same-origin"
    assert all("Secure" in cookie for cookie in headers.get_all("Set-Cookie"))
    assert "<script>" not in body


def test_another_name_is_not_answered(ask):
    assert ask("/", host="evil.example.com")[0] == 400


def test_an_organiser_signs_in_through_the_proxy(ask):
    _status, headers, body = ask("/clubs/login/")
    token = body.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
    cookie = headers["Set-Cookie"].split(";")[0]
    form = f"csrfmiddlewaretoken={token}&username=anna&password=tre+gode+ord"
    sent = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
    status, headers, _body = ask(
        "/clubs/login/", "POST", form, Referer=f"https://{NAME}/clubs/login/", **sent
    )
    assert (status, headers["Location"]) == (302, "/desk/")
    session = next(one for one in headers.get_all("Set-Cookie") if one.startswith("sessionid="))
    assert all(word in session for word in ("Secure", "HttpOnly", "SameSite=Lax"))
    assert ask("/clubs/login/", "POST", form, Referer="https://evil.example.com/", **sent)[0] == 403


def test_wrong_codes_are_counted_by_visitor_in_all_processes_together(ask):
    said = [ask("/c/?code=WRONG1", visitor="203.0.113.5")[2] for _try in range(12)]
    refused = ["Too many wrong codes" in body for body in said]
    assert refused == [False] * 10 + [True] * 2
    assert "Too many wrong codes" not in ask("/c/?code=WRONG1", visitor="203.0.113.6")[2]


@pytest.mark.parametrize(
    ("https", "peer", "seen"),
    [
        (True, "127.0.0.1", "198.51.100.7"),
        (True, "198.51.100.99", "198.51.100.99"),
        (False, "127.0.0.1", "127.0.0.1"),
    ],
    ids=["our proxy", "somebody else", "no proxy"],
)
def test_only_our_proxy_says_who_asks(settings, https, peer, seen):
    settings.HTTPS = https
    request = RequestFactory().get(
        "/", REMOTE_ADDR=peer, headers={"x-forwarded-for": "10.9.9.9, 198.51.100.7"}
    )
    see_behind_proxy(lambda _request: HttpResponse())(request)
    assert request.META["REMOTE_ADDR"] == seen


@pytest.mark.parametrize(
    "url",
    [
        "lhombre.example.dk",
        "ftp://x.dk",
        "https://",
        "https://x.dk/spadille",
        "https://a:b@x.dk",
        "http://x:y",
    ],
)
def test_an_address_that_cannot_begin_a_link_stops_the_start(url):
    with pytest.raises(ImproperlyConfigured, match=r"^PUBLIC_URL: "):
        doors.public_url(url)


def test_a_public_address_is_kept_without_its_last_slash():
    assert doors.public_url(" http://192.168.1.20:8000/ ") == "http://192.168.1.20:8000"


def test_the_secret_key_is_made_once_and_renewed_without_signing_anybody_out(tmp_path):
    (first,) = doors.secret_keys([], tmp_path)
    assert doors.secret_keys([], tmp_path) == [first]
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600
    doors.renew_secret_key(tmp_path)
    second, before = doors.secret_keys([], tmp_path)
    assert before == first != second
    doors.renew_secret_key(tmp_path)
    third, before = doors.secret_keys([], tmp_path)
    assert (before == second, third != second) == (True, True)


def test_a_secret_key_of_the_environment_comes_first_and_older_ones_are_believed(tmp_path):
    keys = ["new" * 20, "old" * 20]
    assert doors.secret_keys([*keys, ""], tmp_path) == keys
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("keys", [["kort"], ["new" * 20, "kort"]])
def test_a_secret_key_that_can_be_guessed_stops_the_start(tmp_path, keys):
    with pytest.raises(ImproperlyConfigured, match=r"^SECRET_KEY: it must have at least 32 characters"):
        doors.secret_keys(keys, tmp_path)


@pytest.mark.parametrize("name", ["https://x.dk", "x.dk:8000", "x.dk/", "", "a b"])
def test_a_host_that_nobody_can_ask_for_stops_the_start(name):
    with pytest.raises(ImproperlyConfigured, match=r"^ALLOWED_HOSTS: "):
        doors.hosts(["localhost", name])


def test_names_addresses_and_all_names_of_a_domain_are_hosts():
    names = [
        "*",
        ".example.dk",
        "lhombre.example.dk",
        "hal-1",
        "192.168.1.20",
        *doors.own_hosts("https://[2001:db8::1]"),
    ]
    assert doors.hosts(names) == names


@pytest.mark.parametrize("address", ["1.2.3", "proxy.example.dk", "10.0.0.0/8", ""])
def test_a_proxy_that_would_never_be_believed_stops_the_start(address):
    with pytest.raises(ImproperlyConfigured, match=r"^PROXIES: "):
        doors.proxies(["127.0.0.1", address])


def test_phones_are_told_over_https_alone_and_by_servers_that_have_a_name():
    assert [doors.push(asked=asked, https=True) for asked in (True, False)] == [True, False]
    with pytest.raises(ImproperlyConfigured, match="PUSH: browsers only allow it over https"):
        doors.push(asked=True, https=False)
    assert doors.push_services(["push.example.org"]) == ["push.example.org"]
    for name in ("https://push.example.org", ".example.org", "*", "localhost", "[::1]", "push.example.org:1"):
        with pytest.raises(ImproperlyConfigured, match="PUSH_SERVICES"):
            doors.push_services([name])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("SPADILLE_DAT", "Is SPADILLE_DATA meant?"),
        ("SPADILLE_PORT", "Is PORT meant?"),
        ("SPADILLE_JOURNL", "Is JOURNAL meant?"),
        ("SPADILLE_QXZ", "They are in docs/reference/settings.md."),
    ],
)
def test_a_misspelt_setting_of_ours_stops_the_start_and_the_nearest_is_named(name, told):
    known = ["SPADILLE_DATA", "SPADILLE_COMMAND", "PORT", "JOURNAL"]
    with pytest.raises(ImproperlyConfigured) as refused:
        doors.refuse_unknown(["PATH", "JOURNLA", "SPADILLE_DATA", name], known)
    assert str(refused.value) == f"{name}: unknown setting. {told}"


def test_every_variable_with_our_prefix_that_the_program_reads_is_known():
    files = [*settings.BASE_DIR.glob("*/**/*.py"), settings.BASE_DIR / "manage.py"]
    read = {
        name
        for path in files
        if not path.is_relative_to(settings.BASE_DIR / "tests" / "config")
        for name in re.findall(r"[\"'](SPADILLE_[A-Z_]+)[\"']", path.read_text("utf-8"))
    }
    assert {"SPADILLE_DATA", "SPADILLE_PASSWORD"} < read
    doors.refuse_unknown(read, ["SPADILLE_DATA", "SPADILLE_COMMAND"])


@pytest.mark.parametrize("dsn", ["foo", "https://", "https://errors.example.dk/1", "ftp://key@x/1"])
def test_an_address_for_errors_that_is_none_stops_the_start_by_its_name(dsn):
    with pytest.raises(ImproperlyConfigured, match=r"^SENTRY_DSN: "):
        tell_errors(dsn, "1")


@pytest.mark.parametrize("name", ["Copenhagen", "Europe", "../etc", "/etc/localtime", ""])
def test_a_time_zone_that_is_none_stops_the_start_by_its_name(name):
    with pytest.raises(ImproperlyConfigured, match=r"^TIME_ZONE: "):
        doors.time_zone(name)


def test_a_journals_folder_that_is_not_there_is_told_by_the_check(settings, tmp_path):
    settings.JOURNAL = str(tmp_path / "stick")
    (warning,) = check_journal(None)
    assert (warning.id, warning.msg) == (
        "spadille.W001",
        f"JOURNAL: {tmp_path}/stick is not there, so nothing is written to it.",
    )
    (tmp_path / "stick").mkdir()
    assert check_journal(None) == []
    settings.JOURNAL = "sftp://a@b/c"
    assert check_journal(None) == []


@pytest.mark.parametrize("home", ["/proc/nobody", "/dev/null"])
def test_a_home_that_is_not_there_is_said_with_the_setting_that_names_another_folder(home):
    """A service's user has none; the installed command would keep its data there."""
    command = (
        f"from config import installed; installed.PROGRAM = {str(settings.BASE_DIR)!r}; installed.main()"
    )
    environment = {"PATH": os.environ["PATH"], "HOME": home}
    ran = subprocess.run(
        [sys.executable, "-c", command, "verify"],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith(
        f"Spadille cannot start: SPADILLE_DATA: the data folder {home}/.local/share/spadille/club cannot be created ("
    )
    assert ran.stderr.endswith("). Choose one where you may write.\n")


def test_a_folder_below_a_home_that_nobody_has_is_refused():
    with pytest.raises(ImproperlyConfigured, match="the data folder ~nobody-at-all/data cannot be created"):
        doors.data_folder("~nobody-at-all/data")
