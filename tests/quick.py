"""What is worth running while one works: all that needs no database, and the rooms that were touched.

`make quick` runs pytest with this plugin. Touched is what differs from the main branch, or where nothing does, what
the last commit changed. Tests stand in folders that are called as their rooms, so a room's are found by its name.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

TOP = Path(__file__).resolve().parent.parent
MAIN = "main"
# Rooms without tests of their own, and where what they do is tried.
TRIED_IN = {
    "tests/tournaments/models": ("ledger", "chain", "rounds"),
    "tests/tournaments/steps": ("ledger", "chain", "rounds"),
    "tests/tournaments/web": ("desk/evening", "desk/setup"),
}
ROOMS = pytest.StashKey[set[PurePosixPath]]()


def changed() -> list[PurePosixPath]:
    """The files that differ from the main branch, with those that git does not know yet."""
    since = _git("merge-base", MAIN, "HEAD") or ["HEAD"]
    files = _git("diff", "--name-only", *since) + _git("ls-files", "--others", "--exclude-standard")
    return [PurePosixPath(file) for file in files or _git("diff", "--name-only", "HEAD~1")]


def _git(*command: str) -> list[str]:
    asked = subprocess.run(["git", *command], cwd=TOP, capture_output=True, text=True, check=False)
    return asked.stdout.split("\n")[:-1] if asked.returncode == 0 else []


def rooms_of(files: list[PurePosixPath]) -> set[PurePosixPath]:
    """The files and folders of tests that belong to these files."""
    rooms = {room for file in files for room in rooms_of_one(file)}
    return rooms - {PurePosixPath("tests"), PurePosixPath("tests/tournaments")}


def rooms_of_one(file: PurePosixPath) -> Iterator[PurePosixPath]:
    """A test is its own room; a module or a template has the tests in the folder that is called as its own."""
    parts = file.parts[:-1]
    if parts[:1] == ("tests",):
        yield file.parent if file.name == "conftest.py" else file
        return
    if parts[:1] == ("templates",):
        parts = parts[1:] if parts[1:2] == ("clubs",) else ("tournaments", *parts[1:])
    room = PurePosixPath("tests", *parts)
    yield room
    yield from (room.parent / other for other in TRIED_IN.get(str(room), ()))


def pytest_configure(config: pytest.Config) -> None:
    config.stash[ROOMS] = rooms_of(changed())


def pytest_report_header(config: pytest.Config) -> str:
    rooms = ", ".join(sorted(map(str, config.stash[ROOMS]))) or "nothing"
    return f"quick: what needs no database, and {rooms}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    rooms = config.stash[ROOMS]
    chosen, left_out = [], []
    for item in items:
        (chosen if is_quick(item, rooms) else left_out).append(item)
    items[:] = chosen
    config.hook.pytest_deselected(items=left_out)


def is_quick(item: pytest.Item, rooms: set[PurePosixPath]) -> bool:
    if item.get_closest_marker("slow") or item.get_closest_marker("browser"):
        return False
    file = PurePosixPath(item.path.relative_to(TOP).as_posix())
    return not asks_a_database(item) or not rooms.isdisjoint([file, *file.parents])


def asks_a_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or not {"db", "transactional_db"}.isdisjoint(
        fixtures
    )
