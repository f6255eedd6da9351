"""Every step goes through one door, and every log line says in the reader's language what is stored as data."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django import forms
from django.conf import settings
from django.contrib.messages import get_messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.test import RequestFactory
from django.utils import translation

from clubs.clubs import log_change
from clubs.models import ClubLogEntry
from core.errors import NoRoom, NotPossible, UserError
from core.http.steps import add_to_form, handle_button, handle_form
from tests.factories import make_tournament
from tournaments.domain.log_values import kroner
from tournaments.models import LogEntry

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 22, 18, 0, tzinfo=UTC)


class WhyForm(forms.Form):
    refused_at = {"members": "reason"}

    reason = forms.CharField()
    name = forms.CharField(required=False)


@pytest.fixture
def sending(alice):
    """A request of Alice's that sends something."""

    def send(**sent):
        request = RequestFactory().post("/", sent)
        request.user = alice
        request._messages = CookieStorage(request)
        return request

    return send


def told(request):
    return [(message.level_tag, str(message)) for message in get_messages(request)]


def refusing(field="", kind=UserError):
    def step(**_asked):
        raise kind("The hall is full.", field)

    return step


def test_a_step_is_told_who_asks_when_and_what_the_form_says(sending, alice):
    asked = []
    request = sending(reason="rain", name="Bo")
    form = WhyForm(request.POST)
    answer = handle_form(request, form, lambda **said: asked.append(said), "Done.", "/there/")
    assert answer.url == "/there/"
    (said,) = asked
    assert (said["account"], said["reason"], said["name"]) == (alice, "rain", "Bo")
    assert said["now"].tzinfo is not None
    assert told(request) == [("success", "Done.")]


def test_what_is_said_can_tell_of_what_was_made(sending):
    request = sending()
    assert (
        handle_button(request, lambda **_asked: 3, lambda made: f"{made} are made.", "/there/").url
        == "/there/"
    )
    assert told(request) == [("success", "3 are made.")]


@pytest.mark.parametrize("kind", [UserError, NotPossible, NoRoom])
@pytest.mark.parametrize("field", ["reason", "members"])
def test_a_refusal_stands_at_its_field_and_what_was_typed_stays(sending, field, kind):
    request = sending(reason="rain", name="Bo")
    form = WhyForm(request.POST)
    assert handle_form(request, form, refusing(field, kind), "Done.", "/there/") is None
    assert form.errors == {"reason": ["The hall is full."]}
    assert form["name"].value() == "Bo"
    assert told(request) == []


@pytest.mark.parametrize("field", ["", "elsewhere"])
def test_a_refusal_of_no_field_is_told_on_the_next_page_or_stays(sending, field):
    request = sending(reason="rain")
    form = WhyForm(request.POST)
    assert handle_form(request, form, refusing(field), "Done.", "/there/").url == "/there/"
    assert handle_form(request, form, refusing(field), "Done.", "/there/", stays=True) is None
    assert told(request) == [("warning", "The hall is full.")] * 2
    assert not form.errors


def test_a_form_that_is_wrong_takes_no_step(sending):
    request = sending(name="Bo")
    assert handle_form(request, WhyForm(request.POST), refusing(), "Done.", "/there/") is None
    assert told(request) == []


def test_where_a_form_has_no_such_field_the_refusal_stands_at_the_one_named_or_above():
    for field, where in (("name", "name"), ("", "__all__")):
        form = WhyForm({"reason": "rain"})
        form.full_clean()
        add_to_form(form, UserError("The hall is full.", "elsewhere"), field)
        assert form.errors == {where: ["The hall is full."]}


LINES = [
    # As they have been stored ever since there is a log.
    ("{member} is a member", {"member": "Anna Holm"}, "Anna Holm is a member"),
    ("Round {round} was closed on {day}", {"round": 2, "day": "22 Nov 2026"}, "Round 2 was closed on 22 Nov 2026"),
    # With values that are said as the reader writes them.
    ("Moved to {day}", {"day": {"day": "2026-11-22"}}, "Moved to 22 November 2026"),
    ("It is {what}", {"what": {"word": "pairs"}}, "It is pairs"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "params", "said"), LINES)
def test_lines_of_both_logs_are_said_alike(club, text, params, said):
    of_club = ClubLogEntry.objects.create(club=club, at=NOW, author="", text=text, params=params)
    tournament = make_tournament(0, club=club)
    of_tournament = LogEntry.objects.create(tournament=tournament, at=NOW, text=text, params=params)
    with translation.override("en-gb"):
        assert (of_club.words, of_tournament.words) == (said, said)


def test_a_clubs_line_stores_a_day_as_a_day_and_says_who(club, alice):
    line = log_change(club, alice, "Moved to {day}", now=NOW, day=date(2026, 11, 22))
    line.refresh_from_db()
    assert line.params == {"day": {"day": "2026-11-22"}}
    assert (line.at, line.author, line.account) == (NOW, "Alice", alice)
    with translation.override("da"):
        assert line.words.endswith("22. november 2026")
    at_the_server = log_change(club, None, "A backup was put back", now=NOW)
    assert (at_the_server.author, at_the_server.account) == ("", None)


def test_money_is_a_kind_of_tournaments_lines(club):
    line = LogEntry(text="The prizes are {kroner}", params={"kroner": kroner([195_000, 1_250])})
    with translation.override("da"):
        assert line.words == "The prizes are 1.950 + 12,50"
    with translation.override("en-gb"):
        assert line.words == "The prizes are 1,950 + 12.50"


def test_no_view_puts_a_refusal_into_its_form_by_itself():
    root = Path(settings.BASE_DIR)
    files = [path for part in ("clubs", "core", "tournaments") for path in (root / part).rglob("*.py")]
    by_themselves = {
        str(path.relative_to(root))
        for path in files
        if re.search(r"add_error\([^\n]*refusal", path.read_text(encoding="utf-8"))
    }
    assert by_themselves == {"core/http/steps.py"}
