"""The pages for developers agree with the code: layers as in the import contracts, modules that exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
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
