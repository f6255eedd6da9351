"""Pictures that somebody sends: known by what is in them, never by their name."""

import struct
import zlib

from PIL import Image

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
