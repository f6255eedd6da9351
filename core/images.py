"""Pictures that somebody sends: known by what is in them, never by their name."""

from __future__ import annotations

import struct
import zlib
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from PIL import Image, ImageFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BytesIO

FORMATS = ("JPEG", "PNG", "WEBP")
MEGA = 1_000_000
# Megapixels that are decoded, by format, judged from the header. Pillow holds a decoded pixel in 4 bytes. A JPEG is
# decoded once, at a half or a quarter where that is enough; a WebP lies in memory twice, and of any format but JPEG a
# file of 1 kB may say that it has as many pixels as it likes.
MOST_MEGAPIXELS = {"JPEG": 25, "PNG": 12, "WEBP": 12}
# Modes whose pixels are numbers of colours, or no bytes: made smaller as they are they would be wrong.
_NO_COLOURS = {"1", "P", "PA", "I", "I;16", "F"}
# What Pillow raises for a file that is broken, or made to break it.
BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    EOFError,
    MemoryError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)
_LOOKING = Lock()


class TooManyPixels(Exception):  # noqa: N818 - it is no error of the program's
    """A picture is not decoded: how many megapixels it has, rounded up, and how many it may have."""

    def __init__(self, has: int, most: int) -> None:
        super().__init__(f"{has} of {most} megapixels")
        self.has, self.most = has, most


def refuse_pixels(sent: Image.Image, most: int | None = None) -> None:
    """Raise TooManyPixels if an opened picture, not decoded yet, has more than `most` megapixels or its format may."""
    allowed = MOST_MEGAPIXELS[sent.format or "PNG"]
    allowed = allowed if most is None else min(allowed, most)
    pixels = sent.width * sent.height
    if pixels > allowed * MEGA:
        raise TooManyPixels(-(-pixels // MEGA), allowed)


def decoded(sent: Image.Image, longest: int, mode: str = "RGB") -> Image.Image:
    """An opened picture, decoded at no more than `longest` pixels a side, in this mode. Raises TooManyPixels.

    It is made smaller before its colours are converted: a conversion at full size would be a second copy of it.
    """
    refuse_pixels(sent)
    scale = longest / max(sent.size)
    sent.draft(mode, (max(1, int(sent.width * scale)), max(1, int(sent.height * scale))))
    if sent.mode in _NO_COLOURS:
        sent = sent.convert(mode)
    sent.thumbnail((longest, longest))
    return sent if sent.mode == mode else sent.convert(mode)


@contextmanager
def whole(file: BytesIO) -> Iterator[Image.Image]:
    """A picture that was sent, to be loaded here; one that was cut off on the way is broken.

    WeasyPrint, once it is there, lets Pillow fill up cut pictures with grey, for all the process.
    """
    with _LOOKING:
        filled_up, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, False
        try:
            with Image.open(file, formats=FORMATS) as sent:
                yield sent
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = filled_up
