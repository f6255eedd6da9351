"""Report codes: single-use keys printed for tables, grouped for typing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import blake2s
from hmac import compare_digest
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence


# The letters of a code that is read aloud, typed or scanned: bits in groups, so that a mistake is found, and where.
#
# A code is written in groups of five letters out of 31 (none that look alike). Four carry 19 bits; the fifth is a
# check modulo 31, by which every wrong letter and every two letters changed round are found. The bits are text of "0"
# and "1".

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
GROUP = 5
GROUP_BITS = 19
MOST_LETTERS = 4_000
_LETTERS = re.compile(r"[^\W_]+")


class UnreadableCode(ValueError):
    """A code that is malformed or mistyped; `message` is the place, in the reader's language."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def in_groups(bits: str) -> str:
    """These bits, which fill the last group, in groups with blanks between them."""
    parts = [int(bits[start : start + GROUP_BITS], 2) for start in range(0, len(bits), GROUP_BITS)]
    return " ".join(_group(part, place) for place, part in enumerate(parts))


def _group(part: int, place: int) -> str:
    digits = [part // 31**power % 31 for power in (3, 2, 1, 0)]
    return "".join(ALPHABET[digit] for digit in [*digits, _check(digits, place)])


def _check(digits: Sequence[int], place: int) -> int:
    """The check of a group's four digits at its place in the code; groups changed round do not fit either."""
    return (sum(weight * digit for weight, digit in enumerate(digits, start=1)) + GROUP * place) % 31


def bits_of(typed: str) -> str:
    """The bits of a code, typed in any case and with anything between its groups. Raises `UnreadableCode`."""
    return "".join(
        _bits_of_one(group, place) for place, group in enumerate(_groups(typed.strip().upper()), start=1)
    )


def _groups(typed: str) -> list[str]:
    """The groups as they were typed if each has its five letters, else all letters by fives."""
    if not typed:
        raise UnreadableCode(_("Scan the code or type it."))
    groups = _LETTERS.findall(typed)
    letters = "".join(groups)
    if len(letters) > MOST_LETTERS:
        raise UnreadableCode(_("That is too long to be a code."))
    if len(letters) % GROUP:
        place = 1
        for group in groups[:-1]:
            if len(group) % GROUP:
                raise _not_of_five(group, place)
            place += len(group) // GROUP
    return [letters[start : start + GROUP] for start in range(0, len(letters), GROUP)]


def _bits_of_one(group: str, place: int) -> str:
    told = {"place": place, "group": group}
    for letter in group:
        if letter not in ALPHABET:
            text = _("Group %(place)d (“%(group)s”): no code contains “%(letter)s”. Check it again.")
            raise UnreadableCode(text % (told | {"letter": letter}))
    if len(group) < GROUP:
        raise _not_of_five(group, place)
    *digits, check = map(ALPHABET.index, group)
    part = 0
    for digit in digits:
        part = 31 * part + digit
    if check != _check(digits, place - 1) or part >= 2**GROUP_BITS:
        text = _("Group %(place)d (“%(group)s”) is mistyped, or a group before it is missing.")
        raise UnreadableCode(text % told)
    return f"{part:0{GROUP_BITS}b}"


def _not_of_five(group: str, place: int) -> UnreadableCode:
    text = _("Group %(place)d (“%(group)s”) does not have five letters, as every group must.")
    return UnreadableCode(text % {"place": place, "group": group[:20]})


# Reports as a code: letters that a captain's phone shows, as text and as a QR code, and that the desk types or scans.
#
# It is for reports that cannot be sent by the network, or were rejected there. The letters encode the payload that
# the phone would have sent, and a MAC that only a phone with the table's link can make; the link cannot be derived
# from it.
#
# The letters come in groups that carry bits (`code_groups.py`). The bits, numbers with the highest bit first:
#
#     the version (4 bits)
#     for each report: 1, key, deal, base, turns (a number: 0 for unknown, else one more than they are),
#         minutes since 2020 (24, 0: unknown), reason, result
#     0
#     MAC (32): BLAKE2s of all bits before it as bytes, the last filled up with 0, keyed with the secret of the link
#     0 until the last group is full
#
#     key      0 and the last 40 bits of a short key (`SHORT_KEY` before them), or 1 and all 128
#     number   3 bits at a time, the lowest first, each with a 1 before it if more follow, else a 0
#     text     number of bytes of UTF-8 (number), the bytes
#     value    0 and a word of `WORDS`: 0 and 4 bits for the first 16, 1 and 7 bits for one of the others
#              10 and 2 bits: 0 to 3
#              1100, length (number), each key and value: an object
#              1101, length (number), each value: a list
#              1110, 1 if negative, its absolute value (number): a whole number
#              11110, text
#              111110 true, 1111110 false, 1111111 null
#
# `turns` is the number of changes of dealer and seats that the phone had seen; version 1 does not have it.
#
# `static/js/captain/code_text.js` writes the same format; a change of either is a new version. Old ones stay
# readable.

VERSION = 2
WITHOUT_TURNS = 1  # the version before
SEAL_BITS = 32
# Prefix of keys made by phones (UUID 8): 40 random bits are enough to distinguish the reports of one table.
SHORT_KEY = "00000000-0000-8000-8000-00"
EPOCH = datetime(2020, 1, 1, tzinfo=UTC)
TIME_BITS = 24
# The words of results, the commonest first. More may be added at the end, never moved: codes name them by place.
WORDS = (
    "contract declarer trump outcome won bete kodille S H D C all_passed simple_game solo tricks tout"
    " spade_game tourne simple_nolo pure_nolo nolo_ouvert grand_tourne spade_solo kaske mort mort_nolo"
    " exchange_nolo nolo grand grandissimo casco play entrada voltereta vuelta gascarola contrabola"
    " spadille_force ask_leave ombre tournee tournee_respect 0 1 2 3 4 played_out five_first first_five_by"
    " led_sixth claimed_after abandoned declarer_has_played foul joined idle_abandoned exchange_repeated aces"
    " pool estuches turned bonus_bid before_trick accepted_by takeover won_by partner failed simple_loss"
    " simple_remis piccolo_remis crocodile_lunch contraprimeras contranolo vole_failed vole remise lost"
    " cuatro primeras talking_ouvert OPP none both FH MH BH IDLE H3 H4 ELD MID DLR nine_matadors mort_spadille"
    " five_tricks six_tricks seven_tricks eight_tricks nine_tricks"
).split()
_PLACE = {word: place for place, word in enumerate(WORDS)}
_COMMON = 16  # words with a short number
_FEW = 4  # whole numbers below it have a short form
# The kinds of values by the number of 1s that they begin with.
_CONSTANTS = {5: True, 6: False, 7: None}
_KINDS = 7

MOST_REPORTS = 40
DEEPEST = 6  # lists and objects in a result
_MOST_CHUNKS = 11  # a number has at most 33 bits


@dataclass(frozen=True, slots=True)
class ReportCode:
    """A parsed code: its reports in the captain's protocol, and the contents that its seal must match."""

    items: tuple[dict[str, Any], ...]
    sealed: bytes
    seal: bytes

    def is_made_with(self, secret: str) -> bool:
        """Whether a phone made it that had the link with this secret."""
        return compare_digest(self.seal, _seal(self.sealed, secret))


def _seal(sealed: bytes, secret: str) -> bytes:
    return blake2s(sealed, digest_size=SEAL_BITS // 8, key=secret.encode()).digest()


# Writing


def write_code(items: Sequence[dict[str, Any]], secret: str) -> str:
    """The code of these reports of one table, in groups with blanks between them."""
    bits = _binary(VERSION, 4) + "".join("1" + _report_bits(item) for item in items) + "0"
    bits += _binary(int.from_bytes(_seal(_bytes(bits), secret)), SEAL_BITS)
    return in_groups(bits + "0" * (-len(bits) % GROUP_BITS))


def _binary(number: int, width: int) -> str:
    return f"{number:0{width}b}"


def _bytes(bits: str) -> bytes:
    filled = bits + "0" * (-len(bits) % 8)
    return bytes(int(filled[start : start + 8], 2) for start in range(0, len(filled), 8))


def _report_bits(item: dict[str, Any]) -> str:
    key = str(item["key"])
    short = key.startswith(SHORT_KEY)
    digits = key.replace("-", "")[-10 if short else -32 :]
    return (
        ("0" if short else "1")
        + _binary(int(digits, 16), 4 * len(digits))
        + _number_bits(item["deal"])
        + _number_bits(item["base"])
        + _number_bits(_one_more(item.get("turns")))
        + _binary(_minutes(item.get("made_at")), TIME_BITS)
        + _text_bits(item.get("reason") or "")
        + _value_bits(item["result"])
    )


def _one_more(turns: int | None) -> int:
    return 0 if turns is None else turns + 1


def _minutes(moment: str | None) -> int:
    """Minutes since 2020; 0 for an unknown moment, or one from a wrong clock."""
    if not moment:
        return 0
    minutes = (datetime.fromisoformat(moment) - EPOCH) // timedelta(minutes=1)
    return minutes if 0 <= minutes < 2**TIME_BITS else 0


def _number_bits(number: int) -> str:
    more, low = divmod(number, 8)
    return ("1" if more else "0") + _binary(low, 3) + (_number_bits(more) if more else "")


def _text_bits(text: str) -> str:
    data = text.encode()
    return _number_bits(len(data)) + "".join(_binary(byte, 8) for byte in data)


def _value_bits(value: Any) -> str:
    """A JSON value of whole numbers, texts, lists and objects."""
    match value:
        case True | False | None:
            return {True: "111110", False: "1111110", None: "1111111"}[value]
        case str():
            return _word_bits(value) if value in _PLACE else "11110" + _text_bits(value)
        case int():
            return _whole_bits(value)
        case list():
            return "1101" + _number_bits(len(value)) + "".join(map(_value_bits, value))
        case _:
            pairs = (_value_bits(key) + _value_bits(inside) for key, inside in value.items())
            return "1100" + _number_bits(len(value)) + "".join(pairs)


def _word_bits(word: str) -> str:
    place = _PLACE[word]
    return "00" + _binary(place, 4) if place < _COMMON else "01" + _binary(place - _COMMON, 7)


def _whole_bits(number: int) -> str:
    if 0 <= number < _FEW:
        return "10" + _binary(number, 2)
    return "1110" + ("1" if number < 0 else "0") + _number_bits(abs(number))


# Reading


def read_code(typed: str) -> ReportCode:
    """Parse a code, typed in any case and with any separators between its groups. Raises `UnreadableCode`."""
    return _Reader(bits_of(typed)).read()


class _Reader:
    """Reads the bits of a code from the first to the last."""

    def __init__(self, bits: str) -> None:
        self.bits = bits
        self.at = 0

    def read(self) -> ReportCode:
        version = self._number_of(4)
        if version not in (VERSION, WITHOUT_TURNS):
            raise UnreadableCode(
                _("This code is from another version of Spadille; type in the deals instead.")
            )
        items: list[dict[str, Any]] = []
        while self._take(1) == "1":
            if len(items) == MOST_REPORTS:
                raise _no_code()
            items.append(self._report(with_turns=version != WITHOUT_TURNS))
        sealed = _bytes(self.bits[: self.at])
        seal = self._number_of(SEAL_BITS).to_bytes(SEAL_BITS // 8)
        rest = self.bits[self.at :]
        if len(rest) >= GROUP_BITS or "1" in rest:
            raise UnreadableCode(_("Something follows the end of the code. Enter one code at a time."))
        if not items:
            raise _no_code()
        return ReportCode(tuple(items), sealed, seal)

    def _take(self, count: int) -> str:
        taken = self.bits[self.at : self.at + count]
        if len(taken) < count:
            raise UnreadableCode(_("The end of the code is missing."))
        self.at += count
        return taken

    def _number_of(self, width: int) -> int:
        return int(self._take(width), 2)

    def _report(self, *, with_turns: bool) -> dict[str, Any]:
        key, deal, base = self._key(), self._number(), self._number()
        turns = self._number() if with_turns else 0
        minutes = self._number_of(TIME_BITS)
        made_at = (EPOCH + timedelta(minutes=minutes)).isoformat() if minutes else None
        reason, result = self._text(), self._value(DEEPEST)
        return {
            "key": key,
            "deal": deal,
            "base": base,
            "turns": turns - 1 if turns else None,
            "result": result,
            "made_at": made_at,
            "reason": reason,
        }

    def _key(self) -> str:
        if self._take(1) == "0":
            return f"{SHORT_KEY}{self._number_of(40):010x}"
        digits = f"{self._number_of(128):032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def _number(self) -> int:
        number = 0
        for chunk in range(_MOST_CHUNKS):
            more = self._take(1)
            number += self._number_of(3) << 3 * chunk
            if more == "0":
                return number
        raise _no_code()

    def _text(self) -> str:
        length = self._number()
        try:
            text = _bytes(self._take(8 * length)).decode()
        except UnicodeDecodeError:
            raise _no_code() from None
        if "\0" in text:  # which no database can hold
            raise _no_code()
        return text

    def _word(self) -> str:
        place = self._number_of(4) if self._take(1) == "0" else _COMMON + self._number_of(7)
        if place >= len(WORDS):
            raise _no_code()
        return WORDS[place]

    def _value(self, levels: int) -> Any:
        if levels < 0:
            raise _no_code()
        kind = 0
        while kind < _KINDS and self._take(1) == "1":
            kind += 1
        if kind in _CONSTANTS:
            return _CONSTANTS[kind]
        inside = partial(self._inside, levels)
        return (self._word, partial(self._number_of, 2), inside, self._whole, self._text)[kind]()

    def _inside(self, levels: int) -> Any:
        is_list = self._take(1) == "1"
        count = range(self._number())
        if is_list:
            return [self._value(levels - 1) for _value in count]
        return dict(self._pair(levels) for _pair in count)

    def _whole(self) -> int:
        sign = -1 if self._take(1) == "1" else 1
        return sign * self._number()

    def _pair(self, levels: int) -> tuple[str, Any]:
        key, value = self._value(0), self._value(levels - 1)
        if not isinstance(key, str):
            raise _no_code()
        return key, value


def _no_code() -> UnreadableCode:
    return UnreadableCode(_("These letters are not a code from a captain’s phone."))
