"""Each line's piece of a sheet's picture, straightened, one below the other in one small picture.

Cut when first asked for. One file a sheet: forty pieces are one request, and unpacked once.
"""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from core.files import write_whole
from tournaments.models.ledger import pieces_of
from tournaments.slip.photographed.stored import AROUND
from tournaments.slip.reading.geometry import EDGE, RIGHT, read_layout

if TYPE_CHECKING:
    from pathlib import Path

    from tournaments.models import SheetPicture
    from tournaments.slip.reading.geometry import Layout

WIDTH, QUALITY = 1100, 70
# Pixels a millimetre.
SCALE = WIDTH / (RIGHT - EDGE)


class Size(NamedTuple):
    """Of a piece, and of all of them, in pixels."""

    width: int
    height: int
    of_all: int


def size_of(layout: Layout) -> Size:
    height = round((layout.row + 2 * AROUND) * SCALE)
    return Size(WIDTH, height, height * len(layout.rows))


def across(layout: Layout, column: int) -> float:
    """Where the middle of a column of boxes is in a piece."""
    return _at(layout.columns[column][2])


def pieces(picture: SheetPicture) -> Path:
    """The file with all pieces of a picture that was read. Raises OSError where the picture is not there."""
    target = pieces_of(picture.path)
    if not target.is_file():
        write_whole(target, _cut(picture))
    return target


def _cut(picture: SheetPicture) -> bytes:
    kept = picture.reading or {}
    width, height, of_all = size_of(read_layout(kept.get("layout")))
    with Image.open(picture.path) as whole:
        sheet = whole.convert("RGB")
    mesh = [
        ((round(_at(left)), row * height, round(_at(right)), (row + 1) * height), _corners(one, other))
        for row, line in enumerate(kept["lines"])
        for (left, *one), (right, *other) in pairwise(line["across"])
    ]
    strip = sheet.transform((width, of_all), Image.Transform.MESH, mesh, Image.Resampling.BILINEAR)
    written = BytesIO()
    strip.save(written, "WEBP", quality=QUALITY, method=2)
    return written.getvalue()


def _at(x: float) -> float:
    return (x - EDGE) * SCALE


def _corners(left: list[float], right: list[float]) -> tuple[float, ...]:
    """As Pillow has them: from the upper left against the clock."""
    return (*left, *right[2:], *right[:2])
