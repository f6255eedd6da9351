"""Uploaded images, whose format is recognised by their content, never by their name."""

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
# decoded once, at a half or a quarter where that is enough; a WebP is in memory twice, and of any format but JPEG a
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


class TooManyPixels(Exception):
    """The image is too large to decode: its megapixels, rounded up, and the maximum."""

    def __init__(self, has: int, most: int) -> None:
        super().__init__(f"{has} of {most} megapixels")
        self.has, self.most = has, most


def refuse_large(sent: Image.Image, most: int | None = None) -> None:
    """Raise TooManyPixels if an opened image exceeds the maximum of its format, or `most` megapixels."""
    allowed = MOST_MEGAPIXELS[sent.format or "PNG"]
    allowed = allowed if most is None else min(allowed, most)
    pixels = sent.width * sent.height
    if pixels > allowed * MEGA:
        raise TooManyPixels(-(-pixels // MEGA), allowed)


def decode(sent: Image.Image, longest: int, mode: str = "RGB") -> Image.Image:
    """The image decoded to at most `longest` pixels a side, in this mode. Raises TooManyPixels.

    It is scaled before its colours are converted: converting at full size would need a second copy.
    """
    refuse_large(sent)
    scale = longest / max(sent.size)
    sent.draft(mode, (max(1, int(sent.width * scale)), max(1, int(sent.height * scale))))
    if sent.mode in _NO_COLOURS:
        sent = sent.convert(mode)
    sent.thumbnail((longest, longest))
    return sent if sent.mode == mode else sent.convert(mode)


@contextmanager
def open_complete(file: BytesIO) -> Iterator[Image.Image]:
    """Open an uploaded image; a truncated one is an error.

    WeasyPrint, once imported, makes Pillow fill truncated images with grey in the whole process.
    """
    with _LOOKING:
        filled_up, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, False
        try:
            with Image.open(file, formats=FORMATS) as sent:
                yield sent
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = filled_up
