"""The archive format as it is published is that of the files: whatever is exported fits it, and nothing is left out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from jsonschema_rs import Draft202012Validator

from tests.factories import first_table, make_tournament, report, won
from tests.tournaments.api.world import make_world
from tournaments.exports.file_schema import archive_schema
from tournaments.exports.tournament_file import export_tournament


def closed(schema: Any) -> Any:
    """The same, in which nothing may stand that the schema does not tell of."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inside = {name: closed(value) for name, value in schema.items()}
    return inside | ({"additionalProperties": False} if "properties" in schema else {})


def files(club, alice) -> dict[str, dict[str, Any]]:
    world = make_world(club, alice)
    table = first_table(world.running)
    report(table, 1, won(3), base=1, reason="wrong seat")
    return {one.code: json.loads(export_tournament(one)) for one in (world.running, world.teams)}


def test_every_file_fits_the_schema_and_the_schema_tells_of_all_of_it(club, alice):
    validator = Draft202012Validator(closed(archive_schema()), validate_formats=True)
    for file in files(club, alice).values():
        assert [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(file)] == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.pop("entries"),
        lambda file: file["tournament"].update(state="over"),
        lambda file: file["tournament"].update(date="Tuesday"),
        lambda file: file["rounds"][0].update(number="one"),
        lambda file: file["rounds"][0]["tables"][0]["seats"][0].pop("entry"),
        lambda file: file["host"].update(name=None),
    ],
)
def test_what_is_no_such_file_does_not_fit(club, alice, spoil):
    file = json.loads(export_tournament(make_tournament(4, club=club, account=alice)))
    validator = Draft202012Validator(archive_schema(), validate_formats=True)
    assert validator.is_valid(file)
    spoil(file)
    assert not validator.is_valid(file)


def test_it_is_served(db):
    answer = Client().get("/api/v1/archive.schema.json")
    assert (answer.status_code, answer.json()) == (200, archive_schema())
