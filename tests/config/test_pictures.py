"""What `make screenshots` takes is there, and the README's pictures are few and small."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.urls import resolve

from tests.browser import scenes
from tournaments.paper.kinds import KINDS

ROOT = Path(__file__).resolve().parents[2]
MOST, MOST_OF_SCREENS = 400_000, 700_000  # bytes
LEFT_OPEN = {"club": "skovby", "language": "da", "member": "1", "turn": "1/play/"} | dict.fromkeys(
    ("running", "final", "coming", "pairs", "teams", "folders", "secret", "team", "entry"), "CODE"
)
ADDRESSES = {
    scene.name: scene.address for scene in scenes.scenes("alice", "bob", "olga")
} | scenes.SHEETS_FETCHED


@pytest.mark.parametrize("name", sorted(ADDRESSES.keys() - {scenes.MISSING}))
def test_each_picture_is_of_an_address_of_ours(name):
    assert resolve(ADDRESSES[name].format(**LEFT_OPEN).partition("?")[0].partition("#")[0])


def test_each_kind_of_sheet_is_taken():
    assert {kind for kind, _which, _round in scenes.SHEETS.values()} == KINDS.keys()


def test_the_readme_and_how_to_pages_show_what_is_kept_and_it_weighs_little():
    pages = [ROOT / "README.md", *(ROOT / "docs/how-to").glob("*.md")]
    texts = [page.read_text("utf-8") for page in pages]
    shown = {name for text in texts for name in re.findall(r"\((?:\.\./|docs/)pictures/([^)/]*)\)", text)}
    kept = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs/pictures").glob("*.webp"))
    assert sorted(shown) == [Path(path).name for path in kept]
    assert {Path(path).stem for path in kept} == {*scenes.README, *scenes.README_SHEETS}
    assert sum((ROOT / path).stat().st_size for path in kept) < MOST


def test_thirty_screens_are_kept_and_they_weigh_little():
    kept = [*(ROOT / "docs/pictures/screens").iterdir()]
    assert len(kept) == 30
    assert {path.stem for path in kept} == {*scenes.SCREENS, *scenes.SCREEN_SHEETS}
    assert sum(path.stat().st_size for path in kept) < MOST_OF_SCREENS
