"""Which rooms' tests `make quick` runs for the files that one has touched."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

import pytest

from tests.quick import KNOWS, TOP, TRIED_IN, rooms_of, stands_on_more, unmoved


@pytest.mark.parametrize(
    ("touched", "rooms"),
    [
        ("tournaments/lifecycle/payments.py", {"tests/tournaments/lifecycle"}),
        ("tournaments/desk/draw/drawing.py", {"tests/tournaments/desk/draw"}),
        ("templates/desk/draw/draw.html", {"tests/tournaments/desk/draw"}),
        ("templates/clubs/members.html", {"tests/clubs"}),
        ("clubs/names.py", {"tests/clubs"}),
        ("scoring/rulebooks/union.py", {"tests/scoring/rulebooks"}),
        ("tests/clubs/test_names.py", {"tests/clubs/test_names.py"}),
        ("tests/tournaments/reporting/captain/conftest.py", {"tests/tournaments/reporting/captain"}),
        ("tests/conftest.py", set()),
        ("tournaments/urls.py", set()),
        ("README.md", set()),
        (
            "tournaments/changes/locks.py",
            {f"tests/tournaments/{room}" for room in ("changes", "ledger", "lifecycle")},
        ),
    ],
)
def test_what_is_touched_has_its_rooms_tests_run(touched, rooms):
    assert rooms_of([PurePosixPath(touched)]) == {PurePosixPath(room) for room in rooms}


@pytest.mark.parametrize(
    ("touched", "as_they_were"),
    [
        ("scoring/cards.py", {"clubs", "core"}),
        ("clubs/names.py", {"core", "scoring"}),
        ("core/text.py", {"scoring"}),
        ("tournaments/lifecycle/payments.py", {"core", "scoring", "clubs"}),
        ("templates/desk/draw/draw.html", {"core", "scoring"}),
        ("locale/da/LC_MESSAGES/django.po", {"core", "scoring"}),
        ("tests/clubs/test_names.py", set(KNOWS)),
        ("README.md", set(KNOWS)),
        ("config/urls.py", set()),
        ("tests/conftest.py", set()),
        ("tests/factories.py", set()),
        ("pyproject.toml", set()),
    ],
)
def test_a_package_that_cannot_know_of_a_change_is_left_as_it_was(touched, as_they_were):
    assert unmoved([PurePosixPath(touched)]) == {PurePosixPath("tests", package) for package in as_they_were}


@pytest.mark.parametrize(
    ("source", "does"),
    [
        ("from clubs.names import sorted_by_name\nimport re\n", False),
        ("from tests.clubs.lists import PEOPLE\n", False),
        ("from tournaments.models import Table\n", True),
        ("    import config\n", True),
        ("from tests.factories import make_club\n", True),
    ],
)
def test_tests_of_a_package_that_stand_on_others_are_read(source, does):
    assert stands_on_more(source, PurePosixPath("tests/clubs")) is does


def test_packages_import_no_others_than_is_said():
    """As `lint-imports` sees them, without the tests."""
    for package, known in KNOWS.items():
        sources = "".join(path.read_text() for path in (TOP / package).rglob("*.py"))
        named = set(re.findall(r"^\s*(?:from|import) (\w+)", sources, re.MULTILINE))
        assert named & (KNOWS.keys() | {"config"}) - {package} <= known, package


def test_where_a_room_without_tests_is_tried_there_are_tests():
    tried = {Path(room).parent / other for room, others in TRIED_IN.items() for other in others}
    assert [str(room) for room in tried if not list(room.glob("test_*.py"))] == []
