"""Values that programs compare: moments, codes beside names, where a report came from."""

from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from clubs import webhooks
from clubs.api_keys import make_key
from clubs.models import Event, Message, Scope
from tests.factories import first_round, first_table, make_tournament, report, won
from tests.tournaments.api.test_reading import API, read
from tournaments.ledger import Author
from tournaments.lifecycle.playing import close_round, reopen_round
from tournaments.models import Report
from tournaments.reporting.captain_state import table_state

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
LIKE_A_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:")


@pytest.fixture
def evening(club, alice):
    return make_tournament(4, 1, club=club, account=alice)


@pytest.fixture
def key(club, alice):
    _key, words = make_key(club, name="Board", scopes=Scope.values, account=alice, now=timezone.now())
    return {"Authorization": f"Bearer {words}"}


def send_report(evening, key, result, **more):
    at = f"{API}/club/tournaments/{evening.code}/rounds/1/tables/1/reports"
    body = {"reports": [{"key": str(uuid4()), "deal": 1, "result": result} | more]}
    return Client().post(at, body, content_type="application/json", headers=key).json()["results"][0]


def texts(value):
    """Every text in an answer, however deep."""
    if isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts(one)
    elif isinstance(value, str):
        yield value


def test_moments_have_one_format_in_answers_reports_and_messages(evening, club, alice, key):
    webhooks.register_webhook(
        club, url="https://example.org/", secret="", events=Event.values, account=alice, now=timezone.now()
    )
    report(first_table(evening), 1, won(1))
    close_round(first_round(evening), account=alice, now=timezone.now(), force_reason="late")
    reopen_round(first_round(evening), account=alice, now=timezone.now(), reason="a slip")
    conflict = send_report(evening, key, won(3))
    at = f"tournaments/{evening.code}"
    answers = [
        conflict, read(at), read(f"{at}/rounds"), read(f"{at}/rounds/1/tables"), read(f"{at}/rounds/1/tables/1"),
        *(json.loads(message.body) for message in Message.objects.all()),
    ]  # fmt: skip
    moments = [text for text in texts(answers) if LIKE_A_MOMENT.match(text)]
    assert conflict["current"]["reported_at"] in moments
    assert len(moments) >= 6
    assert [moment for moment in moments if not MOMENT.fullmatch(moment)] == []


def test_a_report_by_a_key_is_a_programs_and_no_captains(evening, alice, key):
    report(first_table(evening), 1, won(1))
    send_report(evening, key, won(3), base=1, reason="wrong seat")
    report(first_table(evening), 2, won(2), author=Author("desk", alice))
    lines = read(f"tournaments/{evening.code}/rounds/1/tables/1")["lines"][:3]
    assert [line["source"] for line in lines] == ["program", "desk", None]
    assert [one["source"] for one in lines[0]["versions"]] == ["captain", "program"]
    assert send_report(evening, key, won(1))["current"]["source"] == "program"


def test_phones_know_a_programs_report_as_one_in_a_captains_place(evening, key):
    """A page that was open before programs were told apart has words for a captain and the desk alone."""
    send_report(evening, key, won(1))
    deal = table_state(first_table(evening), now=timezone.now())["deals"][0]
    assert (deal["source"], deal["by"]) == ("captain", "program")


def test_an_older_report_by_a_key_is_known_by_its_author(evening):
    table = first_table(evening)
    assert Report(table=table, source="captain", author="Board").reported_by == "program"
    assert Report(table=table, source="captain").reported_by == "captain"
    assert Report(table=table, source="desk", author="Alice").reported_by == "desk"


def test_a_program_is_held_to_what_a_captain_is_held_to(evening, alice, key):
    """Only the desk may report in a round that is closed; a report by a key is kept for the organiser."""
    report(first_table(evening), 1, won(1))
    undone = send_report(evening, key, None, base=1)
    assert undone["status"] == "accepted"  # in time, without a reason
    close_round(first_round(evening), account=alice, now=timezone.now(), force_reason="late")
    assert send_report(evening, key, won(1))["status"] == "kept"


def test_contract_and_trumps_have_codes_that_no_language_changes(evening):
    report(first_table(evening), 1, won(1) | {"contract": "solo"})
    at = f"{API}/tournaments/{evening.code}/rounds/1/tables/1"
    english, danish = (
        Client().get(at, headers={"Accept-Language": language}).json()["lines"][0]
        for language in ("en", "da")
    )
    codes = [(line["contract_code"], line["trump_code"]) for line in (english, danish)]
    assert codes == [("solo", "H")] * 2
    assert (english["trump_name"], danish["trump_name"]) == ("hearts", "hjerter")
    assert read(at)["lines"][1]["contract_code"] == ""
