"""CONTRIBUTING and the pages for developers agree with the code: layers as in the contracts, files that exist."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs/development").glob("*.md"))]
CONTRIBUTING = PAGES[0].read_text("utf-8")
# Paths are written from the root of the repository, or from one of these.
WRITTEN_FROM = ("", "tournaments", "scoring", "static/js/captain", "static/js", "templates", "tests/scoring")
MOST_WORDS = 2000  # ten minutes' reading
SCORING = (ROOT / "docs/development/scoring.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without its head."""
    section = SCORING.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][1:]


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_layers_of_scoring_are_those_of_its_import_contract():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(one["layers"] for one in contracts if one["name"] == "inside scoring")
    shown = [{name.rstrip("/") for name in code(row[-2])} for row in rows("Layers")]
    assert shown == [set(layer.split(" | ")) for layer in layers]


def test_every_file_that_a_change_is_looked_for_in_exists():
    folder = ROOT / "scoring"
    named = [name.removeprefix("scoring/") for row in rows("I want to change …") for name in code(row[-1])]
    files = [name for name in named if name.endswith(".py") and "<" not in name]
    assert len(files) > 15
    assert [name for name in files if not ({*folder.glob(name)} | {*folder.glob(f"*/{name}")})] == []


@pytest.fixture
def site_layers():
    sys.path.insert(0, str(ROOT / "docs/site"))
    yield import_module("layers")
    sys.path.remove(str(ROOT / "docs/site"))


def test_the_architecture_diagram_is_made_from_the_import_contracts(site_layers):
    page = (ROOT / "docs/development/architecture.md").read_text("utf-8")
    assert re.findall(r"^```mermaid\n.*?^```$", page, re.MULTILINE | re.DOTALL) == [site_layers.mermaid()]
    shown = set(re.findall(r">([^<>]+)</text>", site_layers.svg())) - {"↓"}
    assert shown == {*site_layers.layers(), *site_layers.layers("tournaments")}


def test_contributing_is_read_in_ten_minutes():
    assert len(CONTRIBUTING.split()) <= MOST_WORDS


def test_every_line_of_the_map_leads_to_something_that_exists():
    section = CONTRIBUTING.partition("## I want to change …\n")[2].partition("\n## ")[0]
    places = [code(line.split(" | ")[1]) for line in section.splitlines() if line.startswith("| ")][1:]
    assert 25 <= len(places) <= 35
    assert all(places)
    assert [name for row in places for name in row if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_path_on_a_page_for_developers_exists(page):
    paths = [
        name
        for name in code(re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL))
        if re.fullmatch(r"\.?[\w./-]+/[\w.-]+\.(py|js|ts|md|css|html|toml|json|lock|po)", name)
        and "/xx" not in name
    ]
    assert [path for path in paths if not any((ROOT / start / path).exists() for start in WRITTEN_FROM)] == []


def test_every_make_target_that_is_named_exists():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = {
        name
        for page in PAGES
        for name in re.findall(r"(?:`|^    )make ([a-z-]+)", page.read_text("utf-8"), re.MULTILINE)
    }
    assert {"quick", "test"} <= named
    assert sorted(name for name in named if not re.search(rf"^{name}:", makefile, re.MULTILINE)) == []


def test_the_hooks_before_a_commit_run_the_linters_of_the_environment():
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    hooks = config["repos"][0]["hooks"]
    assert {hook["language"] for hook in hooks} == {"system"}
    assert [hook["name"] for hook in hooks] == ["ruff format", "ruff check"]
