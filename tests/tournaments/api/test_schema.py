"""Asked whatever its schema allows, the API never fails, and every answer is as the schema says."""

from __future__ import annotations

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.wsgi import application
from tests.tournaments.api.world import make_world
from tournaments.api import base

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = 3


@pytest.fixture
def world(club, alice):
    return make_world(club, alice)


@pytest.fixture
def _one_connection():
    """The test's own, in whose transaction all happens: a server's requests would close it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.slow
@pytest.mark.databases
@pytest.mark.usefixtures("_one_connection")
def test_whatever_is_asked_is_answered_as_the_schema_says(world, monkeypatch):
    """Half of what is asked is of what there is; the rest of what somebody may type."""
    monkeypatch.setattr(base, "is_throttled", lambda *_guessers: False)
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app=application)
    told = set()
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=EXAMPLES,
            database=None,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(
            case=st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode)),
            is_there=st.booleans(),
        )
        def ask(case, is_there):
            if is_there:
                case.path_parameters = world.there(case.path_parameters)
                case.headers = {**(case.headers or {}), "Authorization": f"Bearer {world.key}"}
            answer = case.call(headers={"Accept-Encoding": "identity"})
            told.add(answer.status_code)
            case.validate_response(answer, checks=CHECKS)

        ask()
    assert {200, 404, 422} <= told <= {200, 304, 400, 401, 404, 405, 409, 415, 422}
