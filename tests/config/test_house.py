"""The house as CONTRIBUTING.md tells it: a stranger finds each room there, and hardly anything is loose."""

from __future__ import annotations

import re

from django.conf import settings

ROOT = settings.BASE_DIR
EVENTS = ROOT / "tournaments"
MOST_LOOSE = 5


def test_every_room_is_told_of_and_their_number():
    rooms = {path.parent.name for path in EVENTS.glob("*/__init__.py")}
    told = (
        (ROOT / "CONTRIBUTING.md")
        .read_text()
        .partition("Inside `tournaments/`")[2]
        .partition("Imports point one way")[0]
    )
    assert rooms - set(re.findall(r"\b(\w+)/", told)) == set()
    assert f"these are {len(rooms)} rooms" in told


def test_hardly_a_module_is_loose():
    assert len(list(EVENTS.glob("*.py"))) <= MOST_LOOSE
