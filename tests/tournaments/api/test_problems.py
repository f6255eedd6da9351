"""What a program sent wrong is named as it sent it, under one code, in the reader's language."""

from __future__ import annotations

from typing import Annotated, Any, get_args
from uuid import UUID

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone, translation
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core._pydantic_core import list_all_errors

from clubs.api_keys import make_key
from clubs.models import Scope
from core.http.responses import CODES, EXACT_CODES, MEANS
from tests.factories import make_tournament
from tournaments.api.api import MESSAGES, OTHER, error_message
from tournaments.api.urls import whole_api

API = "/api/v1"
# What a client may send by mistake: values of every kind that JSON and an address have.
MISTAKES: list[Any] = [
    None, True, 0, -1, 1.5, 1e300, 10**30, "", " ", "x", "é" * 10_000, "\ud800", "2026-13-01", "2026-11-23T12:00:00",
    "1" * 5000, [], [None], [0] * 1000, {}, {"nobody": 1}, b"\xff", "c232ab00-9414-11ec-b3c8-9f6bdeced84", UUID(int=0),
]  # fmt: skip


def operations() -> list[Any]:
    routers = [router for _prefix, router in whole_api()._routers]
    views = [view for router in routers for view in router.path_operations.values()]
    return [operation for view in views for operation in view.operations]


def errors_of(annotation: Any, values: list[Any]) -> set[str]:
    adapter, found = TypeAdapter(annotation), set()
    for value in values:
        try:
            adapter.validate_python(value)
        except ValidationError as error:
            found |= {one["type"] for one in error.errors()}
    return found


def errors_of_model(model: type[BaseModel], seen: set[type]) -> set[str]:
    """The types of errors that a mistake in any field, or in the whole, of a model raises."""
    if model in seen:
        return set()
    seen.add(model)
    found = errors_of(model, MISTAKES)
    for field in model.model_fields.values():
        found |= errors_of(Annotated[field.annotation, field], MISTAKES)
        for inside in (field.annotation, *get_args(field.annotation)):
            if isinstance(inside, type) and issubclass(inside, BaseModel):
                found |= errors_of_model(inside, seen)
    return found


def what_the_schema_can_raise() -> set[str]:
    seen: set[type] = set()
    return {
        error
        for operation in operations()
        for model in operation.models
        for error in errors_of_model(model, seen)
    }


def test_every_mistake_that_the_schema_can_find_has_a_sentence_of_its_own():
    raised = what_the_schema_can_raise()
    assert raised >= {"missing", "extra_forbidden", "string_too_long", "uuid_parsing", "member_or_guest"}
    assert raised - MESSAGES.keys() == set()


@pytest.mark.parametrize("language", ["da", "sv"])
def test_every_error_that_pydantic_knows_is_told_in_the_readers_language(language):
    known = {one["type"]: one for one in list_all_errors()}
    for name in sorted({*known, *MESSAGES}):
        example = known.get(name, {"example_context": None, "message_template_python": ""})
        error = {"type": name, "ctx": example["example_context"] or {}}
        english = error_message(error)
        with translation.override(language):
            told = error_message(error)
        assert told not in {english, example["message_template_python"]}, name
        assert "{" not in told


def test_a_choice_is_told_without_an_english_word():
    with translation.override("da"):
        told = error_message({"type": "literal_error", "ctx": {"expected": "'drawn', 'running' or 'closed'"}})
    assert told.endswith(": drawn, running, closed.")
    assert str(OTHER) == "It is not valid."


@pytest.fixture
def key(club, alice):
    _key, words = make_key(club, name="All", scopes=Scope.values, account=alice, now=timezone.now())
    return {"Authorization": f"Bearer {words}"}


@pytest.fixture
def tournament(club, alice):
    return make_tournament(4, 1, club=club, account=alice)


ENTRIES, REPORTS = "entries", "rounds/1/tables/1/reports"


@pytest.mark.parametrize(
    ("at", "body", "fields"),
    [
        (ENTRIES, {"entries": [{"guest": ""}]}, ["entries.0.guest"]),
        (ENTRIES, {"entries": [{}, {"member": 1}]}, ["entries.0"]),
        (ENTRIES, {"entries": [], "more": 1}, ["entries", "more"]),
        (ENTRIES, [], [""]),
        (ENTRIES, {}, ["entries"]),
        ("entries/1/check-in", {"here": "perhaps"}, ["here"]),
        (REPORTS, {"reports": [{"key": "x", "deal": 1, "result": None}]}, ["reports.0.key"]),
        (REPORTS, {"reports": [{"key": str(UUID(int=1)), "deal": -1, "result": None}]}, ["reports.0.deal"]),
    ],
)
def test_a_field_is_named_as_the_client_sent_it(tournament, key, at, body, fields):
    headers = key | {"Idempotency-Key": str(UUID(int=1))}
    address = f"{API}/club/tournaments/{tournament.code}/{at}"
    answer = Client().post(address, body, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert [one["field"] for one in answer.json()["errors"]] == fields


def test_a_header_that_is_missing_is_named_as_headers_are(tournament, key):
    address = f"{API}/club/tournaments/{tournament.code}/entries"
    body = {"entries": [{"guest": "Bo"}]}
    answer = Client().post(address, body, content_type="application/json", headers=key)
    assert [one["field"] for one in answer.json()["errors"]] == ["Idempotency-Key"]


def test_no_field_is_a_parameter_of_our_functions(db):
    """Wherever a whole model is sent, its name in the program is not a part of the field's."""
    for at in ("games", "tournaments"):
        answer = Client().get(f"{API}/{at}?limit=x&season={'9' * 50}&year={'9' * 50}&rulebook={'x' * 50}")
        assert answer.status_code == 422
        assert {one["field"] for one in answer.json()["errors"]} <= {"limit", "season", "year", "rulebook"}


@pytest.mark.parametrize(
    "asked", ["games?by=weather", "games?limit=0", "tournaments?limit=0", "tournaments/%00"]
)
def test_what_is_sent_wrong_has_the_same_code_at_every_address(db, asked):
    answer = Client().get(f"{API}/{asked}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


def test_every_status_has_one_code_that_no_version_of_python_changes():
    assert CODES.keys() == MEANS.keys()
    assert not EXACT_CODES.keys() & set(CODES.values())
    assert set(EXACT_CODES.values()) <= CODES.keys()


def test_the_documentation_lists_every_code():
    documented = (settings.BASE_DIR / "docs/api.md").read_text()
    assert [code for code in (*CODES.values(), *EXACT_CODES) if f"`{code}`" not in documented] == []
