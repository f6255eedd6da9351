"""Pictures are judged by their pixels before they are decoded: a file of 1 kB may say that it has millions."""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from core.images import MEGA, MOST_MEGAPIXELS, TooManyPixels, decode, open_complete

ROOT = Path(__file__).resolve().parents[2]
# What a process needs more at its most to decode the picture at its standard input, in megabytes.
NEEDED = """
import resource, sys
from io import BytesIO
from PIL import Image
from core.images import decode, open_complete
def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
sent = BytesIO(sys.stdin.buffer.read())
for kind in ("JPEG", "PNG", "WEBP"):
    small = BytesIO()
    Image.new("RGB", (8, 8)).save(small, kind)
    Image.open(small).convert("RGB")
before = most()
with open_complete(sent) as picture:
    made = decode(picture, 3000)
assert max(made.size) <= 3000 and made.mode == "RGB"
print(most() - before)
"""


def sent_as(kind: str, mode: str, size: tuple[int, int], **saved: object) -> bytes:
    written = BytesIO()
    Image.new(mode, size).save(written, kind, **saved)
    return written.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "mode", "saved"),
    [
        ("PNG", "1", {}),
        ("PNG", "P", {}),
        ("PNG", "L", {}),
        ("PNG", "RGBA", {}),
        ("PNG", "I;16", {}),
        ("WEBP", "RGB", {"lossless": True}),
        ("WEBP", "RGBA", {"lossless": True}),
        ("JPEG", "RGB", {"quality": 1}),
        ("JPEG", "RGB", {"quality": 1, "progressive": True}),
        ("JPEG", "CMYK", {"quality": 1}),
    ],
)
def test_the_largest_picture_that_is_taken_needs_no_more_than_200_megabytes(kind, mode, saved):
    width = 5000 if kind == "JPEG" else 4000
    picture = sent_as(kind, mode, (width, MOST_MEGAPIXELS[kind] * MEGA // width), **saved)
    told = subprocess.run(
        [sys.executable, "-c", NEEDED], input=picture, cwd=ROOT, capture_output=True, check=True
    )
    assert int(told.stdout) <= 200


@pytest.mark.parametrize("kind", sorted(MOST_MEGAPIXELS))
def test_one_row_of_pixels_more_is_not_decoded(kind, monkeypatch):
    picture = sent_as(kind, "L", (5000, MOST_MEGAPIXELS[kind] * 200 + 1))
    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", lambda _picture: pytest.fail("it was decoded"))
    with open_complete(BytesIO(picture)) as sent, pytest.raises(TooManyPixels) as refused:
        decode(sent, 3000)
    assert (refused.value.has, refused.value.most) == (MOST_MEGAPIXELS[kind] + 1, MOST_MEGAPIXELS[kind])
