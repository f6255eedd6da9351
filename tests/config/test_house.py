"""The house as CONTRIBUTING.md tells it: a stranger finds each room there; little is loose, nothing crowded."""

from __future__ import annotations

import re

from django.conf import settings

ROOT = settings.BASE_DIR
EVENTS = ROOT / "tournaments"
MOST_LOOSE = 5
WRITTEN_IN = ("clubs", "config", "scoring", "static", "templates", "tests", "tournaments")
MOST_LINES = 600


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


def test_no_file_is_crowded():
    files = [
        file
        for folder in WRITTEN_IN
        for file in (ROOT / folder).rglob("*.*")
        if file.suffix in {".py", ".js", ".ts", ".html", ".css"}
        and not {"migrations", "node_modules"} & {*file.parts}
    ]
    assert len(files) > 1000
    assert [file for file in files if file.read_bytes().count(b"\n") > MOST_LINES] == []
