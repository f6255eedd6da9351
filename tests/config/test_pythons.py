"""Which Pythons Spadille runs on: 3.11 and every later one, as all say who are asked."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
OLDEST = "3.11"
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
PICK = [str(ROOT / ".ci/pythons")]


def test_no_later_python_is_shut_out():
    asked = SpecifierSet(PROJECT["project"]["requires-python"])
    assert [part.operator for part in asked] == [">="]
    assert OLDEST in asked
    assert "3.10" not in asked


def test_all_name_the_same_oldest_python():
    assert PROJECT["tool"]["ruff"]["target-version"] == "py" + OLDEST.replace(".", "")
    assert PROJECT["tool"]["mypy"]["python_version"] == OLDEST
    said = re.findall(r"Python (3\.\d+)(?: or later| will do)", (ROOT / "Makefile").read_text())
    for page in ("README.md", "docs/how-to/laptop.md", "docs/reference/commands.md"):
        said += re.findall(r"(?:Python|since) (3\.\d+)(?: or later| will do)", (ROOT / page).read_text())
    assert len(said) > 3
    assert set(said) == {OLDEST}


def pins(lock: str) -> dict[str, list[Requirement]]:
    """What a lock names, by package."""
    named: dict[str, list[Requirement]] = {}
    for line in (ROOT / lock).read_text().splitlines():
        if line[:1].isalnum():
            pin = Requirement(line.removesuffix(" \\"))
            named.setdefault(canonicalize_name(pin.name), []).append(pin)
    return named


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_has_all_that_is_needed_on_every_python_and_processor(lock, python, machine):
    where = {"python_version": python, "python_full_version": f"{python}.9", "platform_machine": machine}
    where |= {"implementation_name": "cpython", "platform_python_implementation": "CPython"}
    where |= {"sys_platform": "linux", "extra": ""}
    needed = [*PROJECT["project"]["dependencies"]]
    if lock == "requirements-dev.lock":
        groups = PROJECT["dependency-groups"]
        needed += groups["build"] + [line for line in groups["dev"] if isinstance(line, str)]
    locked = pins(lock)
    for wanted in map(Requirement, needed):
        if wanted.marker and not wanted.marker.evaluate(where):
            continue
        there = [
            pin
            for pin in locked.get(canonicalize_name(wanted.name), [])
            if not pin.marker or pin.marker.evaluate(where)
        ]
        assert [str(pin.specifier).removeprefix("==") in wanted.specifier for pin in there] == [True], wanted


@pytest.fixture
def path(tmp_path):
    """A machine's Pythons: the system's, and before it another of its version, one that is newer, and one of no use.

    Of no use is what cannot make environments. What else the script calls is there too.
    """
    usable = {
        "own": {"python3": "3.11", "python3.12": None, "python3.13": "3.13"},
        "system": {"python3": "3.11"},
    }
    for folder, pythons in usable.items():
        (tmp_path / folder).mkdir()
        for name, version in pythons.items():
            program = tmp_path / folder / name
            program.write_text(f"#!/bin/sh\n{f'echo {version}' if version else 'exit 1'}\n")
            program.chmod(0o755)
    for name in ("bash", "dirname", "sed", "seq", "sort", "tac"):
        (tmp_path / "system" / name).symlink_to(shutil.which(name))
    return f"{tmp_path}/own:{tmp_path}/system"


def picked(*asked, path=None):
    told = subprocess.run(
        [*PICK, *asked], env={"PATH": path or "/usr/bin:/bin"}, capture_output=True, text=True, check=True
    )
    return told.stdout.splitlines()


def test_the_usable_pythons_are_told_oldest_first_and_of_one_version_the_systems(path):
    own, system = path.split(":")
    assert picked(path=path) == [f"3.11 {system}/python3", f"3.13 {own}/python3.13"]
    assert picked("python3.12", path=path) == []
    assert picked("nonsense", path=path) == []


def test_this_python_is_usable():
    assert picked(sys.executable) == [f"{sys.version_info[0]}.{sys.version_info[1]} {sys.executable}"]
