"""A seal says that the program itself wrote where a chain ends: cut off at the end, a chain by itself looks whole.

It is made with the key that signs sessions, which is kept outside the database. A seal made with a key that is not
known here (the backup of another machine, a key long replaced) says nothing, and is told as such.
"""

from __future__ import annotations

import hashlib
import hmac
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

SALT = "spadille.chain"
KEY_LETTERS, SEAL_LETTERS = 8, 32


def place_of(table: Any) -> str:
    """Which table a chain belongs to, in words that survive being taken to another machine."""
    return place(table.round.tournament.code, table.round.number, table.number)


def place(code: str, round_: int, table: int) -> str:
    """The same from the tournament's code and the two numbers."""
    return f"{code}/{round_}/{table}"


def seal_table(table: Any) -> str:
    """The seal of where a table's chain of reports ends now."""
    return seal(place_of(table), table.reports_count, table.last_hash)


def is_table_sealed(table: Any) -> bool | None:
    """Whether its chain of reports ends where the program left it; None as in `is_sealed`."""
    return is_sealed(table.seal, place_of(table), table.reports_count, table.last_hash)


def seal(place: str, count: int, head: str) -> str:
    """What is stored beside the end of a chain: `place` says whose it is."""
    return _sealed(settings.SECRET_KEY, place, count, head)


def is_sealed(sealed: str, place: str, count: int, head: str) -> bool | None:
    """Whether this is the seal of that end; None where it was made with a key that is not known here."""
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        if sealed[:KEY_LETTERS] == _name_of(key):
            return constant_time_compare(sealed, _sealed(key, place, count, head))
    return None if len(sealed) == KEY_LETTERS + SEAL_LETTERS else False


def _sealed(key: str, place: str, count: int, head: str) -> str:
    mac = hmac.digest(_salted(key), f"{place} {count} {head}".encode(), "sha256")
    return _name_of(key) + mac.hex()[:SEAL_LETTERS]


@lru_cache(maxsize=16)
def _salted(key: str) -> bytes:
    """The key of all seals, as Django's `salted_hmac` makes it: once, since a recount asks for it at every table."""
    return hashlib.sha256((SALT + key).encode()).digest()


@lru_cache(maxsize=16)
def _name_of(key: str) -> str:
    """Which key a seal was made with; says nothing of the key."""
    return salted_hmac(f"{SALT}.name", "", secret=key, algorithm="sha256").hexdigest()[:KEY_LETTERS]
