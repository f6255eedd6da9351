"""What is worth running while one works: what needs no database and can hang on a change, and the rooms it is in.

`make quick` runs pytest with this plugin. Touched is what differs from the main branch, or where nothing does, what
the last commit changed. Tests stand in folders that are called as their rooms, so a room's are found by its name. A
package that knows nothing of what was touched goes as it went: its tests are not even read.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

TOP = Path(__file__).resolve().parent.parent
MAIN = "main"
# Rooms without tests of their own, and where what they do is tried.
TRIED_IN = {
    "tests/tournaments/models": ("ledger", "changes/chain", "lifecycle"),
    "tests/tournaments/changes": ("ledger", "lifecycle"),
    "tests/tournaments/web": ("desk/evening", "desk/setup"),
}
# What each package imports of the others; the contracts in `pyproject.toml` hold them to it.
KNOWS = {
    "core": frozenset[str](),
    "scoring": frozenset[str](),
    "clubs": frozenset({"core"}),
    "tournaments": frozenset({"core", "scoring", "clubs"}),
}
# What is not Python, and whose it is.
MADE_INTO = {
    "docs": ("tournaments",),
    "static": ("clubs", "tournaments"),
    "templates": ("clubs", "tournaments"),
    "locale": ("clubs", "tournaments"),
}
BROWSER = PurePosixPath("tests/browser")
UNMOVED = pytest.StashKey[set[PurePosixPath]]()
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


def unmoved(files: list[PurePosixPath]) -> set[PurePosixPath]:
    """The folders of tests of those packages that a change of these files cannot reach."""
    reached = {package for file in files for package in reached_by(file)}
    return {PurePosixPath("tests", package) for package in KNOWS.keys() - reached}


def reached_by(file: PurePosixPath) -> set[str]:
    """The packages that know a file, by what it belongs to; a test is known by none, what tests stand on by all."""
    top = file.parts[0]
    if top == "tests" and len(file.parts) > 2 and file.name != "conftest.py":
        return set()
    if top in KNOWS:
        return {package for package, known in KNOWS.items() if top == package or top in known}
    if file.suffix == ".md" and len(file.parts) == 1:
        return set()
    return set(MADE_INTO.get(top, KNOWS))


def pytest_configure(config: pytest.Config) -> None:
    files = changed()
    config.stash[ROOMS], config.stash[UNMOVED] = rooms_of(files), unmoved(files)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    here = PurePosixPath(collection_path.relative_to(TOP).as_posix())
    above = {here, *here.parents}
    if BROWSER in above:
        return True
    rooms, folders = config.stash[ROOMS], config.stash[UNMOVED] & above
    if not folders or not rooms.isdisjoint(above) or collection_path.suffix != ".py":
        return None
    [folder] = folders
    return None if stands_on_more(collection_path.read_text(), folder) else True


def stands_on_more(source: str, folder: PurePosixPath) -> bool:
    """Whether tests of a package import one that it does not know, or what tests of all packages stand on."""
    own = f"tests.{folder.name}"
    named = set(re.findall(r"^\s*(?:from|import) ((?:tests\.)?\w+)", source, re.MULTILINE))
    known = KNOWS[folder.name] | {folder.name}
    return any(name.startswith("tests") and name != own for name in named) or bool(
        named & (KNOWS.keys() | {"config"}) - known
    )


def pytest_report_header(config: pytest.Config) -> str:
    rooms = ", ".join(sorted(map(str, config.stash[ROOMS]))) or "nothing"
    left_out = ", ".join(sorted(map(str, config.stash[UNMOVED]))) or "nothing"
    return f"quick: what needs no database, and {rooms}; as it was: {left_out}"


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
