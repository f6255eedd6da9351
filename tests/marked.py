"""Which tests are asked for, and which files have any: where one mark alone is asked for, the others are not read in.

To read all 320 in takes each process five seconds; 70 of them have tests that are marked `databases`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent
SAID = {
    "databases": re.compile(r"\b(databases|postgresql|transaction=True|transactional_db|live_server)\b"),
    "slow": re.compile(r"\bslow\b"),
}


def may_have(mark: str, file: Path) -> bool:
    """Whether a file of tests, or what lies in the folders above it for all tests there, says this mark."""
    folders = [folder for folder in file.parents if TOP in folder.parents]
    return any(
        SAID[mark].search(said.read_text("utf-8"))
        for said in [file, *(folder / "conftest.py" for folder in folders)]
        if said.exists()
    )


def is_left_out(file: Path, asked: str) -> bool:
    """Whether a file need not be read in for what `-m` asks."""
    return asked in SAID and file.match("test_*.py") and not may_have(asked, file)


def of_another_database(items: Iterable[pytest.Item], vendor: str) -> list[pytest.Item]:
    """Tests of one database alone that is not this one: they are left out, not skipped, which nobody would look at."""
    others = {"sqlite", "postgresql"} - {vendor}
    return [item for item in items if any(map(item.get_closest_marker, others))]


def unsaid(items: Iterable[pytest.Item]) -> list[str]:
    """Files with tests of a mark that does not stand there, such as that of another folder's fixture."""
    marked = {(mark, item.path) for item in items for mark in SAID if item.get_closest_marker(mark)}
    return sorted(f"{path}: {mark}" for mark, path in marked if not may_have(mark, path))
