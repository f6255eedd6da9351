"""The schema tells of each property, each parameter and each answer what a program needs to know."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from django.utils import timezone
from jsonschema_rs import Draft202012Validator

from clubs import webhooks
from clubs.models import Event, Message, Scope
from core.http.responses import codes_of
from tests.factories import make_tournament
from tournaments.api.api import WebhookMessage, openapi
from tournaments.api.urls import whole_api
from tournaments.lifecycle.drawing import draw


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return openapi(whole_api())


def operations(schema):
    return [operation for at in schema["paths"].values() for operation in at.values()]


def test_every_property_has_a_description(schema):
    shapes = schema["components"]["schemas"]
    without = [
        f"{name}.{field}"
        for name, shape in shapes.items()
        for field, value in shape.get("properties", {}).items()
        if not value.get("description")
    ]
    assert sum(len(shape.get("properties", {})) for shape in shapes.values()) > 590
    assert without == []
    assert [name for name, shape in shapes.items() if not shape.get("description")] == []


def test_every_parameter_and_operation_has_a_description(schema):
    for operation in operations(schema):
        assert operation["description"], operation["operationId"]
        assert [one["name"] for one in operation["parameters"] if not one.get("description")] == []


def problems_of(operation):
    return {
        status: one
        for status, one in operation["responses"].items()
        if str(status).isdigit() and int(status) >= 400
    }


def test_every_operation_has_an_example_that_its_schema_allows(schema):
    """A document as a client reads it: numbers of statuses are texts there."""
    document = json.loads(json.dumps(schema))
    for operation in [*operations(document), *(hook["post"] for hook in document["webhooks"].values())]:
        contents = [
            content
            for one in (operation.get("requestBody", {}), *operation["responses"].values())
            for content in one.get("content", {}).values()
        ]
        assert contents, operation["operationId"]
        for content in contents:
            whole = {"components": document["components"], **content["schema"]}
            checked = Draft202012Validator(whole, validate_formats=True)
            told = [error.message for error in checked.iter_errors(content["example"])]
            assert told == [], (operation["operationId"], told)
        for parameter in operation["parameters"]:
            assert parameter["in"] != "path" or "example" in parameter, (operation["operationId"], parameter)
            if "example" in parameter:
                assert Draft202012Validator(parameter["schema"]).is_valid(parameter["example"])


def test_every_operation_tells_its_problems_with_their_codes(schema):
    for operation in operations(schema):
        problems = problems_of(operation)
        assert {400, 404, 422, 429, 503} <= problems.keys(), operation["operationId"]
        for status, problem in problems.items():
            told = problem["content"]["application/problem+json"]["example"]
            assert told["status"] == status
            assert all(f"`{code}`" in problem["description"] for code in codes_of(status))


def test_what_takes_a_key_tells_its_scope(schema):
    asked = {one["operationId"]: one["security"][0]["Key"] for one in operations(schema) if "security" in one}
    assert asked == {
        "own_key": [], "own_members": ["read"], "own_entries": ["read"], "own_money": ["money"],
        "own_statements": ["money"], "own_counts": ["read"], "own_qualified": ["read"],
        "own_team_entries": ["read"], "own_objections": ["read"],
        "own_payments": ["money"], "enter_players": ["entries"], "check_in_player": ["check-in"],
        "report_deals": ["reports"],
    }  # fmt: skip
    about = schema["components"]["securitySchemes"]["Key"]["description"]
    assert all(f"`{scope}`" in about for scope in Scope.values)


def test_each_webhook_is_told_as_it_is_sent(schema, club, alice):
    assert list(schema["webhooks"]) == list(Event.values)
    now = timezone.now()
    webhooks.register_webhook(
        club, url="https://example.org/", secret="", events=Event.values, account=alice, now=now
    )
    draw(make_tournament(4, 1, club=club, drawn=False, account=alice), seed=7, account=alice, now=now)
    body = Message.objects.get().body
    assert WebhookMessage.model_validate_json(body).event == "draw"
    assert json.loads(body).keys() == WebhookMessage.model_fields.keys()
    headers = {one["name"] for one in schema["webhooks"]["draw"]["post"]["parameters"]}
    assert headers == {"Spadille-Event", "Spadille-Signature"}


SAY_IT = """
import django; django.setup()
from django.utils.translation import activate
activate("da")
from tournaments.api.api import openapi
from tournaments.api.urls import whole_api
import json; print(json.dumps(openapi(whole_api())))
"""


def test_the_schema_is_english_whoever_asks_first(schema):
    told = subprocess.run([sys.executable, "-c", SAY_IT], capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == json.loads(json.dumps(schema))
