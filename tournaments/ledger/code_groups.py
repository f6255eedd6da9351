"""The letters of a code that is read aloud, typed or scanned: bits in groups, so that a mistake is found, and where.

A code is written in groups of five letters out of 31 (none that look alike). Four carry 19 bits; the fifth is a check
modulo 31, by which every wrong letter and every two letters changed round are found. The bits are text of "0" and "1".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence

ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
GROUP = 5
GROUP_BITS = 19
MOST_LETTERS = 4_000
_LETTERS = re.compile(r"[^\W_]+")


class UnreadableCode(ValueError):  # noqa: N818 - the errors of this program are named for what is wrong
    """What was typed is no code, or is mistyped; `message` says where, in the reader's language."""

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
        raise UnreadableCode(_("Scan the code, or type it."))
    groups = _LETTERS.findall(typed)
    letters = "".join(groups)
    if len(letters) > MOST_LETTERS:
        raise UnreadableCode(_("That is longer than any code."))
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
            text = _("Group %(place)d (“%(group)s”): no code has “%(letter)s”. Look at it again.")
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
    text = _("Group %(place)d (“%(group)s”) is not of five letters, as every group is.")
    return UnreadableCode(text % {"place": place, "group": group[:20]})
