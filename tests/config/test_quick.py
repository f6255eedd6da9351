"""Which rooms' tests `make quick` runs for the files that one has touched."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from tests.quick import TRIED_IN, rooms_of


@pytest.mark.parametrize(
    ("touched", "rooms"),
    [
        ("tournaments/money/payments.py", {"tests/tournaments/money"}),
        ("tournaments/desk/draw/drawing.py", {"tests/tournaments/desk/draw"}),
        ("templates/desk/draw/draw.html", {"tests/tournaments/desk/draw"}),
        ("templates/clubs/members.html", {"tests/clubs"}),
        ("clubs/names.py", {"tests/clubs"}),
        ("scoring/rulebooks/union.py", {"tests/scoring/rulebooks"}),
        ("tests/clubs/test_names.py", {"tests/clubs/test_names.py"}),
        ("tests/tournaments/captain/conftest.py", {"tests/tournaments/captain"}),
        ("tests/conftest.py", set()),
        ("tournaments/urls.py", set()),
        ("README.md", set()),
        (
            "tournaments/steps/locks.py",
            {f"tests/tournaments/{room}" for room in ("steps", "ledger", "chain", "rounds")},
        ),
    ],
)
def test_what_is_touched_has_its_rooms_tests_run(touched, rooms):
    assert rooms_of([PurePosixPath(touched)]) == {PurePosixPath(room) for room in rooms}


def test_where_a_room_without_tests_is_tried_there_are_tests():
    tried = {Path(room).parent / other for room, others in TRIED_IN.items() for other in others}
    assert [str(room) for room in tried if not list(room.glob("test_*.py"))] == []
