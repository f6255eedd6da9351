"""The parts of the tests are all of them, and each file is in one."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from django.conf import settings

from tests.marked import TOP, may_have
from tests.parts import pytest_ignore_collect, turns


def read_in(part: str) -> set:
    config = SimpleNamespace(getoption=lambda _name: part)
    return {file for file in TOP.rglob("test_*.py") if not pytest_ignore_collect(file, config)}


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_each_file_is_in_one_part_and_slow_ones_are_shared_evenly(parts):
    shares = [read_in(f"{part}/{parts}") for part in range(1, parts + 1)]
    assert set.union(*shares) == turns().keys()
    assert sum(map(len, shares)) == len(turns())
    slow = [sum(may_have("slow", file) for file in share) for share in shares]
    assert max(slow) - min(slow) <= 1


def test_what_is_no_test_file_is_read_in_by_every_part():
    for path in (TOP, TOP / "conftest.py", TOP / "config"):
        assert pytest_ignore_collect(path, SimpleNamespace(getoption=lambda _name: "2/2")) is None


def test_make_runs_every_part():
    pages = re.search("^PAGES := (.*)$", (settings.BASE_DIR / "Makefile").read_text("utf-8"), re.MULTILINE)[1]
    assert pages.split() == [f"test-pages-{part}" for part, _name in enumerate(pages.split(), 1)]
