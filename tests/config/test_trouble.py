"""A database that cannot store: everybody is told in words, nothing is lost, and the next try counts."""

from __future__ import annotations

import json
import logging
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.db import IntegrityError, OperationalError, connection, connections, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club
from core.middleware import ExplainTrouble, explained
from core.monitoring.logs import JsonLines, Lines
from tests.factories import first_round, first_table, make_account, make_tournament
from tournaments.exports.verify.recount import differences
from tournaments.ledger import Author, Submission, record
from tournaments.models import Report

FULL = "The disk of the machine running Spadille is full"
BUSY = "Too much is being saved at once"
SQLITE = connection.vendor == "sqlite"


@contextmanager
def full_disk():
    """SQLite may not grow by one page: what a full disk says, from where a full disk says it."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("VACUUM")
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        yield
        cursor.execute("PRAGMA max_page_count = 4294967294")


@contextmanager
def somebody_writes():
    """Another connection holds what a writer needs, for longer than a writer waits."""
    other = connections.create_connection("default")
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 50" if SQLITE else "SET lock_timeout = '50ms'")
        with other.cursor() as cursor:
            cursor.execute("BEGIN IMMEDIATE" if SQLITE else "BEGIN")
            if not SQLITE:
                cursor.execute("LOCK TABLE tournaments_tournament IN EXCLUSIVE MODE")
            yield
            cursor.execute("ROLLBACK")
    finally:
        other.close()
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 20000" if SQLITE else "SET lock_timeout = '20s'")


def batch(count=40):
    result = {"contract": "simple_game", "declarer": 1, "trump": "H", "outcome": "won"}
    return [
        {"key": str(uuid4()), "deal": deal, "base": 0, "result": result | {"declarer": deal % 4}}
        for deal in range(1, count + 1)
    ]


def send(client, table, items):
    url = reverse("captain_reports", args=[table.secret])
    return client.post(url, json.dumps({"reports": items}), content_type="application/json")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        pytest.param(full_disk, FULL, marks=pytest.mark.sqlite),
        (somebody_writes, BUSY),
    ],
)
def test_a_phone_is_told_and_its_next_try_counts(client, trouble, words):
    table, items = first_table(make_tournament(4)), batch()
    with trouble():
        answer = send(client, table, items)
        assert (answer.status_code, answer.json()["error"]) == (503, "busy")
        assert words in answer.json()["message"]
        assert answer["Retry-After"] == "5"
        assert Report.objects.count() == 0
    again = send(client, table, items).json()["results"]
    assert {result["status"] for result in again} == {"accepted"}
    assert Report.objects.count() == 40
    assert list(differences(table.round.tournament)) == []


@pytest.mark.django_db(transaction=True)
def test_an_organiser_is_told_and_the_next_try_counts(as_alice, alice):
    tournament = make_tournament(8, account=alice, started=False)
    url = reverse("desk_start_round", args=[tournament.code, 1])
    with somebody_writes():
        answer = as_alice.post(url)
        assert answer.status_code == 503
        assert BUSY in answer.content.decode()
        assert first_round(tournament).is_drawn
    as_alice.post(url)
    assert first_round(tournament).is_running


@pytest.mark.django_db(transaction=True)
def test_who_signs_in_meanwhile_is_told(alice):
    with somebody_writes() if SQLITE else somebody_writes_accounts():
        answer = Client(raise_request_exception=False).post(
            reverse("login"), {"username": "alice", "password": "a long password"}
        )
    assert (answer.status_code, BUSY in answer.content.decode()) == (503, True)


@contextmanager
def somebody_writes_accounts():
    with somebody_writes(), connections.create_connection("default").cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("LOCK TABLE clubs_account, django_session IN EXCLUSIVE MODE")
        yield
        cursor.connection.close()


@pytest.mark.parametrize(
    "said", ["server closed the connection unexpectedly", "could not extend file: No space left on device"]
)
def test_the_words_for_a_server_that_is_away_need_no_database(said):
    page = explained(RequestFactory().get("/"), OperationalError(said))
    assert page.status_code == 503
    assert "Go back: what you typed is still there." in page.content.decode()


def test_any_other_fault_is_a_fault():
    middleware = ExplainTrouble(lambda _request: HttpResponse())
    assert middleware.process_exception(RequestFactory().get("/"), ZeroDivisionError()) is None


@pytest.mark.django_db
def test_the_ledger_does_not_mind_a_clock_that_jumps():
    table, now = first_table(make_tournament(4)), timezone.now()
    for deal, jump in enumerate([0, -1, 400, 0, -400, 1], start=1):
        at = now + timedelta(days=jump)
        made_at = now - timedelta(days=jump)
        sent = Submission(key=uuid4(), deal=deal, base=0, result={"all_passed": True}, made_at=made_at)
        assert record(table, [sent], Author("captain"), now=at)[0].status == "accepted"
    assert list(table.reports.values_list("sequence", "deal_number")) == [(n, n) for n in range(1, 7)]
    assert list(differences(table.round.tournament)) == []


@pytest.mark.django_db
def test_health_tells_whether_the_database_answers(client, monkeypatch):
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["status"], answer.json()["cache"]) == (200, "ok", "ok")

    def away(*_arguments):
        raise OperationalError

    monkeypatch.setattr("django.db.backends.base.base.BaseDatabaseWrapper.cursor", away)
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()["database"]) == (503, "does not answer")


@pytest.mark.parametrize("formatter", [Lines(), JsonLines()])
@pytest.mark.parametrize(
    "path",
    ["/c/cnebO0Um8kJR5-XgjZAt-Q/reports", "/c/cnebO0Um8kJR5-XgjZAt-Q/", "/clubs/password/MQ/c9x-8f2a91d04b/"],
)
def test_no_secret_is_written_to_the_log(formatter, path):
    told = logging.LogRecord(
        "django.request", logging.ERROR, "", 1, "Internal Server Error: %s", (path,), None
    )
    line = formatter.format(told)
    assert "Internal Server Error: " in line
    assert not any(part in line for part in ("cnebO0Um", "8f2a91d04b"))


def test_a_line_of_json_says_what_happened_and_where():
    try:
        raise ValueError("/c/cnebO0Um8kJR5-XgjZAt-Q/")  # noqa: TRY301
    except ValueError as error:
        told = logging.LogRecord(
            "tournaments", logging.ERROR, "", 1, "Sheets 3", (), (ValueError, error, error.__traceback__)
        )
    said = json.loads(JsonLines().format(told))
    assert (said["level"], said["logger"], said["message"]) == ("error", "tournaments", "Sheets 3")
    assert "ValueError: /c/…" in said["trace"]


@contextmanager
def nothing_can_be_written():
    """As on a disk that is full to the last byte."""

    def refuse(execute, sql, params, many, context):
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            raise OperationalError("database or disk is full")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield


@pytest.mark.parametrize(
    ("address", "sent"),
    [
        ("login", {"username": "alice", "password": "tre gode ord"}),
        ("login", {"username": "alice", "password": "a wrong password"}),
        ("logout", {}),
        ("my_account", {"full_name": "Alice Holm"}),
        (
            "password",
            {
                "old_password": "tre gode ord",
                "new_password1": "fire gode ord",
                "new_password2": "fire gode ord",
            },
        ),
    ],
)
def test_whoever_signs_in_or_out_on_a_full_disk_is_told_so(alice, address, sent):
    alice.set_password("tre gode ord")
    alice.save()
    browser = Client(raise_request_exception=False)
    if address != "login":
        browser.force_login(alice)
    with nothing_can_be_written():
        answer = browser.post(reverse(address), sent)
    assert (answer.status_code, FULL in answer.content.decode()) == (503, True)


def test_a_session_that_cannot_be_stored_is_no_mistake_of_the_visitor(as_alice, club, alice):
    """What was said to somebody is kept in their session until it is shown."""
    make_account("bert", club, "helper")
    browser = Client(raise_request_exception=False)
    browser.force_login(alice)
    with nothing_can_be_written():
        answer = browser.get(reverse("club_roles", args=[club.slug]))
        assert answer.status_code == 200
        session = browser.session
        session["temporary_password"] = {"name": "Bert"}
        with pytest.raises(OperationalError, match="disk is full"):
            session.save()


def test_a_session_that_is_gone_is_still_told_apart(alice):
    browser = Client()
    browser.force_login(alice)
    session = browser.session
    session.delete(session.session_key)
    with pytest.raises(UpdateError):
        session.save()


def test_what_somebody_else_has_stored_at_the_same_moment_is_said_and_nothing_is_stored(rf, club):
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        Club.objects.create(name=club.name, slug="another")
    answer = explained(rf.get("/clubs/new/"), refused.value)
    assert answer.status_code == 503
    assert "Someone else saved the same thing at the same moment." in answer.content.decode()


def test_any_other_rule_of_the_database_that_is_broken_stays_a_fault_of_the_program(rf, club):
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        Club.objects.update(name=None)
    assert explained(rf.get("/clubs/new/"), refused.value) is None


def test_a_forged_host_leaves_a_line_in_the_log_and_no_trace(client, caplog):
    """Through the handler as the settings make it; `caplog` sees what comes before."""
    (console,) = [one for one in logging.getLogger().handlers if type(one.formatter) in (Lines, JsonLines)]
    assert client.get("/c/", headers={"host": "e%vil"}).status_code == 400
    (told,) = [record for record in caplog.records if record.name == "django.security.DisallowedHost"]
    assert console.filter(told)
    assert "e%vil" in console.format(told)
    assert "Traceback" not in console.format(told)
