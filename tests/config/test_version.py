"""Which Spadille this is: the command says it, and the changelog begins with it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from packaging.version import Version

from config.version import VERSION
from tests.config.test_packaging import loaded

ROOT = Path(__file__).resolve().parents[2]


def test_a_version_is_called_by_the_calendar():
    year, month, *_mended = Version(VERSION).release
    assert year >= 2026
    assert 1 <= month <= 12
    assert str(Version(VERSION)) == VERSION


def test_the_command_says_which_it_is(tmp_path):
    asked = subprocess.run(
        [sys.executable, ROOT / "manage.py", "--version"],
        cwd=tmp_path,
        env={"SPADILLE_DATA": str(tmp_path / "none")},
        check=True,
        capture_output=True,
        text=True,
    )
    assert asked.stdout.startswith(f"Spadille {VERSION} (Django 5.2.")
    assert list(tmp_path.iterdir()) == []


def test_the_changelog_begins_with_what_this_version_has():
    newest = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)[0]
    assert newest == ("Unreleased" if Version(VERSION).is_devrelease else VERSION)


def test_what_the_readme_leads_to_is_there():
    for page in ("README.md", "CONTRIBUTING.md", "SECURITY.md"):
        named = re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text("utf-8"))
        assert [name for name in named if not (ROOT / name).exists()] == []
    assert {"LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"} <= set(
        re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text("utf-8"))
    )


def test_a_release_has_each_line_in_a_group():
    wrong = loaded(ROOT / ".ci/changelog-groups").wrong
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for name in re.findall(r"^## ([0-9.]+)", changelog, re.MULTILINE):
        assert list(wrong(changelog, name)) == []
    mixed = (
        "## 2 (today)\n- a\n### Fixed\n- b\n### Fixed\n- c\n### Mended\n- d\n## 1 (before)\n### Added\n- b\n"
    )
    assert list(wrong(mixed, "2")) == [
        "In no group: - a",
        "Not in the order Added, Changed, Deprecated, Removed, Fixed, Security: Fixed, Fixed, Mended",
        "Twice in the changelog: - b",
    ]


TOLD = """# Changelog
## 2026.12
- Removed: `OLD_SETTING`, see below.
- Removed: `manage.py surprise`.
## 2026.11
- Removed: `API v0`, told in the same breath.
- Deprecated: `API v0`.
- Deprecated: `OLD_SETTING` goes in 2026.12.
## 0.1
"""


def test_what_goes_is_told_a_release_before():
    untold = loaded(ROOT / ".ci/deprecations").untold
    assert [line.partition(" went")[0] for line in untold(TOLD)] == [
        "2026.11: `API v0`",
        "2026.12: `manage.py surprise`",
    ]
    assert list(untold((ROOT / "CHANGELOG.md").read_text("utf-8"))) == []
