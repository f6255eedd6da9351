"""The square codes that a phone draws, against two implementations that are not ours.

Every version, and every length of text that there is room for, square by square against segno; and thousands of texts
through zxing, which reads what is drawn as a scanner does.
"""

from __future__ import annotations

from random import Random

import pytest
import segno
import zxingcpp
from PIL import Image, ImageOps

pytestmark = pytest.mark.browser

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
LONGEST = 970
TEXTS = 3000
DRAW = """async (texts) => {
    const { qrSquares } = await import("/static/js/captain/code_qr.js");
    return texts.map(qrSquares).map((squares) => squares && squares.map((row) => row.map(Number).join("")));
}"""
# Level and mask of a code stand beside its corner, laid over these bits so that they are never all alike.
FORMAT_MASK = 0b101010000010010


def text_of(length: int, seed: int) -> str:
    return "".join(Random(seed).choices(LETTERS, k=length))


def mask_of(rows: list[str]) -> int:
    told = "".join(rows[8][x] for x in (0, 1, 2, 3, 4))
    return (int(told, 2) ^ FORMAT_MASK >> 10) & 0b111


def read(rows: list[str]) -> list[str]:
    """What a scanner makes of it, 3 dots a square with a quiet margin around."""
    squares = Image.new("1", (len(rows), len(rows)))
    squares.putdata([square == "0" for row in rows for square in row])
    picture = ImageOps.expand(squares.convert("L"), 4, 255)
    return [
        found.text for found in zxingcpp.read_barcodes(ImageOps.scale(picture, 3, Image.Resampling.NEAREST))
    ]


def ends_on_a_byte(text: str, version: int) -> bool:
    """Whether the text's bits, with the four that end them, fill whole bytes: segno then adds one more of nothing."""
    letters = 11 * (len(text) // 2) + 6 * (len(text) % 2)
    return (4 + (9 if version < 10 else 11) + letters + 4) % 8 == 0


def test_every_length_is_drawn_square_by_square_as_another_program_draws_it(blank):
    texts = [text_of(length, length) for length in range(1, LONGEST + 1)]
    drawn = blank().evaluate(DRAW, texts)
    differ = []
    versions = set()
    for text, rows in zip(texts, drawn, strict=True):
        theirs = segno.make_qr(text, error="m", mode="alphanumeric", boost_error=False, mask=mask_of(rows))
        same = rows == ["".join("01"[square] for square in row) for row in theirs.matrix]
        if not (same or ends_on_a_byte(text, theirs.version)) or read(rows) != [text]:
            differ.append((len(text), theirs.version))
        if same:
            versions.add(theirs.version)
    assert differ == []
    assert versions == set(range(1, 21))


def test_thousands_of_texts_are_read_as_they_were_written(blank):
    random = Random(1711)
    texts = [text_of(random.randint(1, 270), seed) for seed in range(TEXTS)]
    drawn = blank().evaluate(DRAW, texts)
    assert [text for text, rows in zip(texts, drawn, strict=True) if read(rows) != [text]] == []


def test_a_text_that_is_too_long_is_not_drawn(blank):
    assert blank().evaluate(DRAW, ["A" * (LONGEST + 1), "A" * 4000]) == [None, None]
