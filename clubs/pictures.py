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
