"""Every colour that carries meaning, measured on every ground that it stands on, in the light room and the dark one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

SOURCE = Path(settings.STATICFILES_DIRS[0])
CSS = SOURCE / "css"
TOKEN = re.compile(r"(--[\w-]+): (#[0-9a-f]{6});")
TEXT, EDGE = 7, 3
GROUNDS = "ground paper sunk".split()
PAIRS = [
    *[
        (ink, ground, TEXT)
        for ink in "ink soft act bad red".split()
        for ground in GROUNDS
        if (ink, ground) != ("red", "sunk")
    ],
    *[("good", ground, TEXT) for ground in ("ground", "paper", "good-tint", "tint")],
    *[("ink", ground, TEXT) for ground in ("tint", "good-tint", "bad-tint", "wait-tint")],
    ("bad", "bad-tint", TEXT),
    ("wait", "wait-tint", TEXT),
    ("act", "tint", TEXT),
    ("on-act", "act", TEXT),
    ("on-act", "act-hover", TEXT),
    ("on-felt", "felt", TEXT),
    ("on-felt-soft", "felt", TEXT),
    *[("edge", ground, EDGE) for ground in GROUNDS],
    *[("focus", ground, EDGE) for ground in GROUNDS],
    *[("gold-line", ground, EDGE) for ground in ("ground", "paper")],
    ("wait-edge", "paper", EDGE),
    ("felt-rule", "felt", EDGE),
    ("c1", "paper", EDGE),
]
PLACES = [("on-place", place, TEXT) for place in ("p1", "p2", "p3")]


def tokens(*files: str) -> dict[str, str]:
    """What the first rule of each file sets, the later file's over the earlier one's."""
    return {
        name[2:]: colour
        for file in files
        for name, colour in TOKEN.findall((CSS / file).read_text().split("\n}\n")[0])
    }


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("files", [("base.css",), ("base.css", "dark.css")], ids=["light", "dark"])
def test_text_has_seven_to_one_and_edges_three_to_one(files):
    colours = tokens(*files)
    short = {
        f"{ink} on {ground}": round(contrast(colours[ink], colours[ground]), 2)
        for ink, ground, least in PAIRS
        if contrast(colours[ink], colours[ground]) < least
    }
    assert short == {}


def test_the_first_three_are_read_on_their_discs():
    colours = {name[2:]: colour for name, colour in TOKEN.findall((CSS / "look.css").read_text())}
    assert [pair for pair in PLACES if contrast(colours[pair[0]], colours[pair[1]]) < TEXT] == []


def test_the_dark_room_changes_nothing_that_the_light_one_has_not():
    assert tokens("dark.css").keys() <= tokens("base.css").keys()


def test_every_colour_and_size_that_a_style_sheet_uses_is_set_somewhere():
    texts = {file.name: file.read_text() for file in CSS.glob("*.css")}
    known = {name for text in texts.values() for name in re.findall(r"(--[\w-]+):", text)}
    known |= {name for text in texts.values() for name in re.findall(r"@property (--[\w-]+)", text)}
    unknown = {
        file: sorted(set(re.findall(r"var\((--[\w-]+)\)", text)) - known) for file, text in texts.items()
    }
    assert {file: names for file, names in unknown.items() if names} == {}


def test_the_two_faces_are_under_thirty_kilobytes_and_their_licences_lie_beside_them():
    fonts = SOURCE / "fonts"
    assert sum(file.stat().st_size for file in fonts.glob("*.woff2")) < 30_000
    for face in fonts.glob("*.woff2"):
        assert "SIL Open Font License" in face.with_suffix(".LICENSE.txt").read_text()
