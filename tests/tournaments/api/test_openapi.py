"""The schema tells of each property, each parameter and each answer what a program needs to know."""

from __future__ import annotations

from typing import Any

import pytest

from tournaments.api.api import openapi
from tournaments.api.operations import whole_api


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
