"""The square codes that a phone draws, against two implementations that are not ours.

Every version, and every length that a phone draws, square by square against segno; and thousands of texts through
zxing, which reads what is drawn as a scanner does.
"""

from __future__ import annotations

from random import Random

import pytest
import segno
import zxingcpp
from PIL import Image, ImageOps

pytestmark = pytest.mark.browser

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
# As many letters as each version has room for, from 1 to 20.
ROOM = (20, 38, 61, 90, 122, 154, 178, 221, 262, 311, 366, 419, 483, 528, 600, 656, 734, 816, 909, 970)
# A phone puts no more than 270 into a code, if one report does not need more.
LENGTHS = sorted({*range(1, 300), *range(300, ROOM[-1], 17), *ROOM, *(most + 1 for most in ROOM[:-1])})
TEXTS = 2000
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


def is_read(rows: list[str], text: str) -> bool:
    """Whether a scanner reads it, 3 dots a square with a margin around.

    Of a thousand pictures that are straight to the dot zxing misses one, whoever drew it: no photograph is so straight.
    """
    squares = Image.new("1", (len(rows), len(rows)))
    squares.putdata([square == "0" for row in rows for square in row])
    straight = ImageOps.scale(ImageOps.expand(squares.convert("L"), 4, 255), 3, Image.Resampling.NEAREST)
    turned = (
        straight.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=255) for degrees in (0, 4)
    )
    return any([found.text for found in zxingcpp.read_barcodes(picture)] == [text] for picture in turned)


def ends_on_a_byte(text: str, version: int) -> bool:
    """Whether the text's bits, with the four that end them, fill whole bytes: segno then adds one more of nothing."""
    letters = 11 * (len(text) // 2) + 6 * (len(text) % 2)
    return (4 + (9 if version < 10 else 11) + letters + 4) % 8 == 0


def test_every_length_is_drawn_square_by_square_as_another_program_draws_it(phone):
    texts = [text_of(length, length) for length in LENGTHS]
    drawn = phone.evaluate(DRAW, texts)
    assert [(len(rows) - 17) // 4 for rows in drawn] == [
        1 + sum(length > most for most in ROOM) for length in LENGTHS
    ]
    differ = []
    for text, rows in zip(texts, drawn, strict=True):
        theirs = segno.make_qr(text, error="m", mode="alphanumeric", boost_error=False, mask=mask_of(rows))
        same = rows == ["".join("01"[square] for square in row) for row in theirs.matrix]
        if not same and not (ends_on_a_byte(text, theirs.version) and is_read(rows, text)):
            differ.append((len(text), theirs.version))
    assert differ == []


def test_thousands_of_texts_are_read_as_they_were_written(phone):
    random = Random(1711)
    texts = [text_of(random.randint(1, 270), seed) for seed in range(TEXTS)]
    drawn = phone.evaluate(DRAW, texts)
    assert [text for text, rows in zip(texts, drawn, strict=True) if not is_read(rows, text)] == []


def test_a_text_that_is_too_long_is_not_drawn(phone):
    assert phone.evaluate(DRAW, ["A" * (ROOM[-1] + 1), "A" * 4000]) == [None, None]
