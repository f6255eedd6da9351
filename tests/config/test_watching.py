"""Figures for a program that watches, slow pages in the log, errors told elsewhere: and what none of them tells."""

from __future__ import annotations

import json
import logging
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from config import environment
from core.monitoring.logs import Lines, without_persons
from tests.bench.stage import hall, python, running
from tests.bench.wire import reports_body
from tests.factories import make_account
from tests.kept import lay_out
from tournaments.models import PushTally

TOKEN = "let-me-see-how-it-is"


def figures(text):
    """The value of each sample by its name and labels."""
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.mark.slow
def test_all_processes_count_together_and_tell_who_has_the_token(tmp_path, monkeypatch):
    for name in ("DATABASE_URL", "CACHE_URL"):
        monkeypatch.delenv(name, raising=False)
    code, secrets = hall(4, str(lay_out(tmp_path)))
    with running(str(tmp_path), BACKUP_MINUTES="0", METRICS_TOKEN=TOKEN) as (address, _process):

        def ask(path, body=None, **headers):
            with urlopen(Request(f"{address}{path}", body, headers)) as answer:  # noqa: S310 - our own server
                return answer.read().decode()

        ask(f"/c/{secrets[0]}/reports", reports_body([1]), **{"Content-Type": "application/json"})
        for _time in range(5):
            ask(f"/t/{code}/standings/")
        with pytest.raises(HTTPError) as refused:
            ask("/metrics", Authorization="Bearer let-me-in")
        with refused.value as refusal:
            assert refusal.code == 401
        told = figures(ask("/metrics", Authorization=f"Bearer {TOKEN}"))
    counted = {key: value for key, value in told.items() if key[0] == "spadille_requests_total"}
    reports = ("method", "POST"), ("page", "captain_reports"), ("status", "200")
    assert counted["spadille_requests_total", *reports] == 1
    pages = sum(
        value
        for (_name, *labels), value in counted.items()
        if dict(labels)["page"] in ("standings", "kept") and dict(labels)["method"] == "GET"
    )
    assert pages == 5
    assert told["spadille_reports_stored_total",] == 1
    assert told["spadille_tables_playing",] == 1
    assert told["spadille_database_bytes",] > 0
    assert told["spadille_jobs", ("state", "failed")] == 0
    assert told["spadille_pushes", ("state", "waiting")] == 0
    assert told["spadille_pushes_ended_total", ("outcome", "gone")] == 0
    assert any(name == "spadille_process_resident_bytes" for name, *_labels in told)
    assert secrets[0] not in str(told)


def test_without_a_token_there_are_no_figures(client, settings):
    settings.METRICS_TOKEN = ""
    assert client.get(reverse("metrics"), headers={"Authorization": "Bearer "}).status_code == 404


def test_a_token_that_could_be_guessed_is_refused():
    with pytest.raises(ImproperlyConfigured, match="METRICS_TOKEN: it must have at least 16"):
        environment.token("METRICS_TOKEN", "secret")


def test_a_slow_page_says_so_with_its_queries_and_without_a_secret(client, settings, caplog, alice):
    settings.SLOW_SECONDS = 1e-9
    client.force_login(alice)
    with caplog.at_level(logging.WARNING, "core.monitoring.metrics"):
        client.get("/c/nobody-knows-this-secret/state?who=Alice")
        client.get(reverse("desk"))
    by_captain, by_alice = map(Lines().format, caplog.records)
    assert "GET /c/… took" in by_captain
    assert "nobody-knows-this-secret" not in by_captain
    assert "Alice" not in by_captain
    assert "GET /desk/ took" in by_alice
    assert " queries, " in by_alice
    assert "SELECT … FROM" in by_alice
    assert "%s" in by_alice  # marks, no values
    settings.SLOW_SECONDS = 0
    caplog.clear()
    client.get(reverse("desk"))
    assert caplog.records == []


# In a process of its own: whoever tells errors changes Django and the log for good.
FALLS = """
import json, sentry_sdk
from functools import partial
told = []
class Kept(sentry_sdk.transport.Transport):
    def capture_envelope(self, envelope):
        told.extend(item.payload.json for item in envelope.items if item.payload.json)
sentry_sdk.init = partial(sentry_sdk.init, transport=Kept)
import django; django.setup()
from django.test import Client
from tournaments.hall import home
def fall(*_told, **_more):
    name = "Charlie Christensen"
    raise RuntimeError(f"at /c/a-very-secret-link/state, {len(name)}")
home.render = fall
answer = Client(raise_request_exception=False, headers={"Cookie": "a=b"}).get("/?who=Charlie")
print(json.dumps([answer.status_code, told]))
"""


def test_of_a_request_it_is_told_what_it_was_for():
    asked = {"method": "GET", "url": "http://here/c/a-very-secret-link/state"}
    personal = {
        "query_string": "who=Charlie",
        "cookies": {"a": "b"},
        "headers": {},
        "data": "typed",
        "env": {},
    }
    event = {"request": asked | personal, "user": {"ip_address": "10.0.0.7"}}
    assert without_persons(event) == {"request": {"method": "GET", "url": "http://here/c/…"}}


@pytest.mark.slow
def test_an_error_is_told_elsewhere_without_who_and_what(tmp_path):
    told = {"DJANGO_SETTINGS_MODULE": "config.settings", "SENTRY_DSN": "http://key@127.0.0.1:9/1"}
    said = python("-c", FALLS, folder=str(lay_out(tmp_path)), **told).stdout.splitlines()[-1]
    status, (event,) = json.loads(said)
    assert status == 500
    assert [error["value"] for error in event["exception"]["values"]] == ["at /c/…, 19"]
    text = json.dumps(event)
    assert [never for never in ("Charlie C", "who=", "a-very-secret-link", "a=b") if never in text] == []


def test_only_the_programs_owner_sees_how_it_stands(client, alice, settings):
    client.force_login(alice)
    assert client.get(reverse("desk_status")).status_code == 403
    owner = make_account("owner")
    owner.is_superuser = True
    owner.save()
    client.force_login(owner)
    page = client.get(reverse("desk_status")).content.decode()
    for said in (
        "Spadille 20",
        "SQLite",
        "No mail server is set up (EMAIL_URL)",
        "METRICS_TOKEN is not set",
        "None yet.",
    ):
        assert said in page
    assert "phones get no notifications" in page
    settings.PUSH = True
    for outcome, number in (("sent", 7), ("refused", 2), ("too late", 1), ("gone", 4)):
        PushTally.objects.create(outcome=outcome, number=number, last_at=timezone.now())
    page = client.get(reverse("desk_status")).content.decode()
    assert "0 in progress, 7 sent, 3 failed, 4 to phones no longer registered." in page
