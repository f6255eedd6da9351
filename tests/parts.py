"""Run one part of the test files, in a process of its own that reads no other part's files.

    python -m pytest -p tests.parts --part 1/2

Workers of pytest-xdist each read every file, and one process more hears of every test.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.marked import TOP, may_have


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", default="1/1", help="run one part of the test files: 1/2 is the first of two")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    turn = turns().get(collection_path)
    part, parts = map(int, config.getoption("part").split("/"))
    return True if turn is not None and turn % parts != part % parts else None


@cache
def turns() -> dict[Path, int]:
    """Every test file with its turn when they are dealt out, those with slow tests first."""
    files = sorted(TOP.rglob("test_*.py"), key=lambda file: (not may_have("slow", file), file))
    return {file: turn for turn, file in enumerate(files, 1)}
