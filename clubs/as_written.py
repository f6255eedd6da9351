"""What one person writes as "LUND, ANNA", "+45 62 52 10 40" and "Anna Lund <Anna@Example.dk>", in one way."""

from __future__ import annotations

import re
from email.utils import getaddresses

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

# Small words of surnames; and what stands behind a comma without being a first name.
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
    if len(words) < 2 or (name != name.upper() and name != name.lower()):  # noqa: PLR2004 - initials are no shouting
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
