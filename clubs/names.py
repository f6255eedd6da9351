"""Names, phone numbers and e-mail addresses as people write them: normalize, compare, sort.

The same person is "Åge Sørensen", "AAGE SOERENSEN" and "Sørensen, Åge" in three lists. The program points out such
similarities; people decide who is who. The alphabet is that of `FIRST_LANGUAGE`.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from email.utils import getaddresses
from enum import Enum
from functools import lru_cache
from itertools import islice
from typing import Generic, TypeVar
from zlib import crc32

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Value
from django.db.models.expressions import Combinable
from django.db.models.functions import Lower, Replace

from core.languages import letters_after_z
from core.text import clean_text

T = TypeVar("T")

_SPELT = str.maketrans({"æ": "ae", "ä": "ae", "ø": "oe", "ö": "oe", "å": "aa", "ü": "ue"})
_ASCII_SIGNS = {code: " " for code in range(0x80) if not chr(code).isalnum()}
# Spellings that sound alike in Danish names: Kristensen and Christensen, Willy and Villy.
_SOUNDS = [pair.split(">") for pair in ("ch>k", "ph>f", "th>t", "c>k", "w>v", "z>s", "ae>e", "oe>o")]
# Below this share of common letters two names are different people's (difflib's ratio).
_SIMILAR = 0.85
# A name that resembles more others than this identifies no one: no more are compared or found.
CROWD, ENOUGH = 12, 8
# No number of a member or a player is longer.
MOST_DIGITS = 9
# Letters and words of a search that are used: SQLite refuses patterns above 50,000 bytes, and 1,000 conditions.
MOST_SEARCHED, MOST_WORDS = 200, 20


class Likeness(Enum):
    """The similarity of two names, the highest first."""

    SAME = 1
    SWAPPED = 2
    SIMILAR = 3


def folded(name: str) -> str:
    """A name without regard to case, accents, signs, double blanks and the spelling of æ, ø and å."""
    spelt = unicodedata.normalize("NFKC", name).casefold().translate(_SPELT)
    if spelt.isascii():  # as nearly all are
        return " ".join(spelt.translate(_ASCII_SIGNS).split()) or name.strip()
    letters = (letter for letter in unicodedata.normalize("NFKD", spelt) if not unicodedata.combining(letter))
    kept = "".join(" " if unicodedata.category(letter)[0] in "PSZC" else letter for letter in letters)
    return " ".join(kept.split()) or name.strip()


def sought_words(query: str) -> list[str]:
    """The words of a search, folded; of a very long one those at its beginning. Empty where nothing was typed."""
    return folded(clean_text(query[:MOST_SEARCHED]))[:MOST_SEARCHED].split()[:MOST_WORDS]


def matches_search(query: str, name: str) -> bool:
    """Whether every word of a query is the beginning or a part of a name."""
    target = folded(name)
    return all(word in target for word in sought_words(query))


def is_number(query: str) -> bool:
    """Whether the query is a member number."""
    return query.isascii() and query.isdecimal() and len(query) <= MOST_DIGITS


def likeness(one: str, other: str) -> Likeness | None:
    """The similarity of two names; None if they are clearly two people's."""
    return _likeness(_heard(one), _heard(other))


class NameIndex(Generic[T]):
    """Finds names that are alike among thousands without comparing each with each.

    Names share a key if they sound the same but for one letter, or if only their middle names differ.
    `letters_near` and `ends_of` find in a database the people who share one.
    """

    def __init__(self, sought: Iterable[str] | None = None) -> None:
        """`sought` are the names that will be searched for, where they are known: other keys are not stored then."""
        self._found: defaultdict[str, list[tuple[_Heard, T]]] = defaultdict(list)
        self._keys = None if sought is None else {key for name in sought for key in _keys(_heard(name))}

    def add(self, name: str, item: T) -> None:
        heard = _heard(name)
        for key in _keys(heard) if self._keys is None else self._keys.intersection(_keys(heard)):
            self._found[key].append((heard, item))

    def find(self, name: str) -> list[tuple[Likeness, T]]:
        """The items whose names are alike, each once, the most alike first, and no more than ENOUGH."""
        heard = _heard(name)
        alike: dict[int, tuple[Likeness, T]] = {}
        for key in _keys(heard):
            for other, item in islice(self._found.get(key, ()), CROWD):
                if id(item) not in alike and (how := _likeness(heard, other)):
                    alike[id(item)] = (how, item)
            if len(alike) >= ENOUGH:
                break
        return sorted(alike.values(), key=lambda pair: pair[0].value)[:ENOUGH]


def by_alphabet(field: str) -> Combinable:
    """Sorts a text field by the alphabet, not the database's collation. For desks: the order reveals hidden names."""
    expression: Combinable = Lower(field)
    for letter, put_for in letters_after_z(settings.FIRST_LANGUAGE):
        for written in dict.fromkeys((letter.upper(), letter)):
            expression = Replace(expression, Value(written), Value(put_for))
    return expression


def sorted_as(name: str) -> str:
    """The sort key of a name in alphabetical order; accents are ignored."""
    key = (name if name.isascii() else unicodedata.normalize("NFC", name)).lower()
    for letter, put_for in letters_after_z(settings.FIRST_LANGUAGE):
        key = key.replace(letter, put_for)
    if key.isascii():
        return key
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", key) if not unicodedata.combining(letter)
    )


def shown_order(shown: str) -> tuple[int, str]:
    """Sorts names as everybody sees them: who is shown as a number by it, before all others by the alphabet."""
    if shown.isascii() and shown.isdecimal():
        return int(shown), ""
    return sys.maxsize, sorted_as(shown)


@dataclass(frozen=True)
class _Heard:
    """A name's words, and how they sound whatever their order."""

    words: tuple[str, ...]
    sound: str


@lru_cache(maxsize=4096)  # a name is compared with several
def _heard(name: str) -> _Heard:
    words = tuple(folded(name).split())
    return _Heard(words, " ".join(sorted(map(_spoken, words))))


@lru_cache(maxsize=8192)  # most people share a first or last name with another
def _spoken(word: str) -> str:
    for written, spoken in _SOUNDS:
        word = word.replace(written, spoken)
    return re.sub(r"(\w)\1+", r"\1", word)


def _likeness(one: _Heard, other: _Heard) -> Likeness | None:
    if one.words == other.words:
        return Likeness.SAME
    if sorted(one.words) == sorted(other.words):
        return Likeness.SWAPPED
    if _ends(one) and _ends(one) == _ends(other):
        return Likeness.SIMILAR
    alike = SequenceMatcher(None, one.sound, other.sound).ratio() >= _SIMILAR
    return Likeness.SIMILAR if alike else None


def _ends(heard: _Heard) -> str:
    """First and last name; "" for a name of one word."""
    return f"{heard.words[0]}|{heard.words[-1]}" if len(heard.words) > 1 else ""


def _keys(heard: _Heard) -> Iterator[str]:
    """The keys that names alike share, the one that the most alike share first."""
    yield heard.sound
    if _ends(heard):
        yield _ends(heard)
    yield from dict.fromkeys(_but_for_one_letter(heard.sound))


def _but_for_one_letter(sound: str) -> list[str]:
    return [sound[:place] + sound[place + 1 :] for place in range(len(sound))]


def sounds(name: str) -> list[str]:
    """Keys of a name's sound, with and without each of its letters: names that differ in one letter share a key."""
    sound = _heard(name).sound
    return [sound, *_but_for_one_letter(sound)]


# `letters_of` distinguishes so many kinds of letters: above their bits a number of 63 bits has room for a length.
_KINDS_OF_LETTERS = 31
_LONGER = 1 << _KINDS_OF_LETTERS
_KINDS = [1 << kind for kind in range(_KINDS_OF_LETTERS)]
_ANOTHER = {one ^ other for one in _KINDS for other in _KINDS}


def letters_of(name: str) -> int:
    """The length of a name's sound, and a bit for each letter that it has an odd number of."""
    sound = _heard(name).sound
    odd = 0
    for letter in sound:
        odd ^= 1 << ord(letter) % _KINDS_OF_LETTERS
    return len(sound) << _KINDS_OF_LETTERS | odd


def letters_near(name: str) -> set[int]:
    """All values of `letters_of` for names that sound the same but for one letter: one more, one less, another."""
    own = letters_of(name)
    one_more = {(own ^ kind) + _LONGER for kind in _KINDS}
    return {own ^ change for change in _ANOTHER} | one_more | {near - 2 * _LONGER for near in one_more}


def ends_of(name: str) -> int:
    """A number that names with the same first and the same last word share, and hardly any others; 0 for one word."""
    return crc32(_ends(_heard(name)).encode())


# Small words of surnames; and words behind a comma that are no first name.
PARTICLES = set("af von van de der den del della di da du la le zu zur ten ter y".split())
BEHIND_COMMA = set("jr sr jun sen junior senior dr mag phd cand formand kasserer".split())
MOST_FIRST_NAMES = 4
COUNTRY = "45"
DANISH_DIGITS = 8


def given_first(name: str) -> str:
    """ "Lund, Anna" as "Anna Lund"; a name without a comma, or with a title behind it, as it is."""
    if "," not in name:
        return name
    last, comma, first = (part.strip() for part in name.partition(","))
    words = [word.rstrip(".").casefold() for word in first.split()]
    is_first = words and len(words) <= MOST_FIRST_NAMES and not BEHIND_COMMA & set(words)
    if not (comma and last and is_first) or "," in first or re.search(r"[\d@/]", name):
        return name
    return f"{first} {last}"


def in_usual_letters(name: str) -> str:
    """ "ANNA VON DÜRING-LUND" as "Anna von Düring-Lund", and likewise what is all in small letters."""
    words = name.split()
    if len(words) < 2 or (name != name.upper() and name != name.lower()):  # initials are no shouting
        return name
    usual = [
        word.lower() if place and word.lower() in PARTICLES else _with_capitals(word)
        for place, word in enumerate(words)
    ]
    return " ".join(usual)


def _with_capitals(word: str) -> str:
    """The first letter, and those behind a hyphen or an apostrophe."""
    return re.sub(r"(^|[-'’.])(\w)", lambda found: found[1] + found[2].upper(), word.lower())


def digits_of(phone: str) -> str:
    """A phone number to be compared: its digits, without the Danish prefix; "" for one without digits."""
    international = phone.strip().startswith("+")
    digits = re.sub(r"\D", "", phone)
    if digits.startswith("00"):
        international, digits = True, digits[2:]
    if digits.startswith(COUNTRY) and (international or len(digits) > DANISH_DIGITS):
        rest = digits.removeprefix(COUNTRY).removeprefix("0" if international else "")
        return rest if len(rest) == DANISH_DIGITS else digits
    return digits


def is_same_phone(one: str, other: str) -> bool:
    return one == other or (digits_of(one) != "" and digits_of(one) == digits_of(other))


def address_in(cell: str) -> str:
    """The first e-mail address in a cell: "Anna Lund <anna@example.dk>", "a@x.dk; b@x.dk". Raises ValueError."""
    plain = re.sub(r"(?i)\bmailto:", "", cell).replace(";", ",")
    for _name, address in getaddresses([plain]) or [("", plain)]:
        try:
            validate_email(address)
        except ValidationError:
            continue
        return address
    raise ValueError(cell)
