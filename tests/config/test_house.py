"""Every room is listed for developers, hardly a module is outside of one, and no file is too long."""

from __future__ import annotations

import re
import tomllib

from django.conf import settings

ROOT = settings.BASE_DIR
EVENTS = ROOT / "tournaments"
MOST_LOOSE = 5
WRITTEN_IN = ("clubs", "config", "core", "scoring", "static", "templates", "tests", "tournaments")
MOST_LINES = 600


def test_every_room_is_listed_from_the_top_layer_to_the_bottom():
    rooms = {path.parent.name for path in EVENTS.glob("*/__init__.py")}
    listed = re.findall(
        r"^\| `(\w+)/` \|", (ROOT / "docs/development/rooms.md").read_text("utf-8"), re.MULTILINE
    )
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(one["layers"] for one in contracts if one.get("containers") == ["tournaments"])
    depth = {name: index for index, layer in enumerate(layers) for name in layer.split(" | ")}
    assert sorted(listed) == sorted(rooms)
    assert listed == sorted(listed, key=depth.__getitem__)


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
