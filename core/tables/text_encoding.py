"""Decode text files of unknown encoding, by what Nordic text looks like.

UTF-8 and UTF-16 prove themselves. The encodings of one byte a letter (Windows-1252, Mac Roman, DOS code page 850)
decode anything: each is tried, and the one whose words look most like names wins. Text that was encoded as UTF-8 twice
("KÃ¥re") is decoded once more.
"""

from __future__ import annotations

import re
from typing import NamedTuple

NORDIC = frozenset("æøåÆØÅäöÄÖ")
# Other letters of European names.
FAMILIAR = frozenset("éèêëáàâíïóôúüçñðþýßÉÈÁÍÓÚÜÇÐÞÝ")
# In the order of preference where two decode the text equally well.
ONE_BYTE_ENCODINGS = ("cp1252", "mac_roman", "cp850")
_ALLOWED_CONTROLS = frozenset("\t\r\n\f\v")
_WORD = re.compile(r"[^\W\d_]+")
# A letter on both sides of a sign that no name has.
_SIGN_IN_WORD = re.compile(r"(?<=[^\W\d_])[^\w\s\x00-\x7f](?=[^\W\d_])")
_NO_SIGN = frozenset("’‘´`–-·")
# A share of bytes that are zero at even or odd places is UTF-16 without a byte order mark.
_MOST_ZEROS = 0.3
_MOST_TIMES_ENCODED = 3
# Replacement characters for a letter that some program could not encode.
LOST = "\ufffd"


class Decoded(NamedTuple):
    """The text, the encoding it was read with, and whether it had been encoded as UTF-8 twice."""

    text: str
    encoding: str
    was_doubled: bool = False


def decode_text(data: bytes) -> Decoded | None:
    """The text of a file, or None for bytes that are no text."""
    for encoding in _certain_encodings(data):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _is_text(text):
            return None
        repaired = repair_doubled(text)
        return Decoded(repaired, encoding, was_doubled=repaired != text)
    candidates = []
    for encoding in ONE_BYTE_ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if _is_text(text):
            candidates.append(Decoded(text, encoding))
    return max(candidates, key=lambda one: likeness_to_names(one.text), default=None)


def _certain_encodings(data: bytes) -> list[str]:
    """The encodings that can be recognised from the bytes themselves."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ["utf-16"]
    half = max(len(data) // 2, 1)
    if data[1::2].count(0) > half * _MOST_ZEROS:
        return ["utf-16-le"]
    if data[0::2].count(0) > half * _MOST_ZEROS:
        return ["utf-16-be"]
    return ["utf-8-sig"]


def _is_text(text: str) -> bool:
    return not any(letter < " " and letter not in _ALLOWED_CONTROLS for letter in text)


def likeness_to_names(text: str) -> int:
    """The similarity of a text to Nordic names: a higher number is more likely the right encoding."""
    score = 0
    for word in set(_WORD.findall(text)):
        if word.isascii():
            continue
        score += sum(_points(letter) for letter in word if not letter.isascii())
        is_sign = len(word) == 1 and word.islower() and word not in NORDIC
        if is_sign or not (word.islower() or word.isupper() or word.istitle()):
            score -= 6
    return score - 3 * sum(sign not in _NO_SIGN for sign in _SIGN_IN_WORD.findall(text))


def _points(letter: str) -> int:
    if letter in NORDIC:
        return 3
    return 1 if letter in FAMILIAR else -2


def repair_doubled(text: str) -> str:
    """The text with what was encoded as UTF-8 twice decoded once more: "KÃ¥re" becomes "Kåre"."""
    for _time in range(_MOST_TIMES_ENCODED):
        repaired = _GARBLED.sub(lambda found: _LETTER_OF[found[0]], text)
        if repaired == text:
            break
        text = repaired
    return text


def _garbled(letter: str, encoding: str) -> str:
    """A UTF-8 letter as decoded with another encoding."""
    data = letter.encode()
    return "".join(_decode_byte(data[place : place + 1], encoding) for place in range(len(data)))


def _decode_byte(byte: bytes, encoding: str) -> str:
    try:
        return byte.decode(encoding)
    except UnicodeDecodeError:  # Windows shows nothing for five of them, and preserves them
        return byte.decode("latin-1")


_OF_WINDOWS = [chr(code) for code in range(0xA0, 0x100)] + list("€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œžŸ")
_LETTER_OF = {
    **{
        _garbled(letter, encoding): letter
        for encoding in ("mac_roman", "cp850")
        for letter in NORDIC | FAMILIAR
    },
    **{_garbled(letter, "cp1252"): letter for letter in _OF_WINDOWS},
}
_GARBLED = re.compile("|".join(map(re.escape, sorted(_LETTER_OF, key=len, reverse=True))))
