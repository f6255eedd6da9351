"""A picture's bytes made into grey: its size is known from its header before anything is unpacked."""

from __future__ import annotations

import io
import struct
import warnings
import zlib

from PIL import Image, ImageOps

from tournaments.slip.reading.results import Reason

FORMATS = ("JPEG", "PNG", "WEBP")
MOST_PIXELS = 60_000_000
# What Pillow raises for a file that is broken, or made to break it: its camera's notes may be so too.
BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    MemoryError,
    struct.error,
    zlib.error,
)
# Of the longer side: on a smaller picture no boxes can be made out; and what a larger one is made smaller to.
LEAST_SIDE, ENOUGH = 900, 4400


class Refused(Exception):  # noqa: N818 - it is no error of the program's
    """A picture that is not read, and why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def grey_of(data: bytes) -> tuple[Image.Image, float]:
    """The picture upright, as its camera says, in grey, and how much smaller than it is. Raises Refused."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data), formats=FORMATS)
            width, height = picture.size
            if width * height > MOST_PIXELS:
                raise Refused(Reason.TOO_LARGE)
            if max(width, height) < LEAST_SIDE:
                raise Refused(Reason.TOO_SMALL)
            # The camera's JPEG unpacks without its colours at a third of the time.
            picture.draft("L", picture.size)
            grey = ImageOps.exif_transpose(picture.convert("L"))
    except Image.DecompressionBombError as error:
        raise Refused(Reason.TOO_LARGE) from error
    except BROKEN as error:
        raise Refused(Reason.NO_PICTURE) from error
    factor = -(-max(grey.size) // ENOUGH)
    return (grey.reduce(factor), float(factor)) if factor > 1 else (grey, 1.0)
