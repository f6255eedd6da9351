"""What is hashed: JSON in the one way that it is written here, of values as they are and as the database has them.

Whoever checks a million reports reads rows, not models, and their columns unconverted: what is stored as JSON comes
again and again and is read once, and moments and keys need no more than other separators.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import Field, Func, TextField
from django.db.models.functions import Cast

_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def canonical(value: object) -> str:
    return _JSON.encode(value)


# Of texts that come again and again: who has reported, why, and what became of it.
canonical_text = lru_cache(maxsize=8192)(canonical)


def hash_of(said: Iterable[str]) -> str:
    """SHA-256 over a list of values, each of them canonical already."""
    return hashlib.sha256(f"[{','.join(said)}]".encode()).hexdigest()


class AsStored(Func):
    """A moment as text, in UTC, as no driver reads it: SQLite has it so; PostgreSQL leaves out the last noughts."""

    arity = 1
    template = "%(expressions)s"
    output_field = Field()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template="CAST(%(expressions)s AS text)", **extra)

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "CAST(%(expressions)s AT TIME ZONE 'UTC' AS text)"
        return self.as_sql(compiler, connection, template=template, **extra)


def as_text(name: str) -> Cast:
    """What is stored as JSON, as text."""
    return Cast(name, TextField())


_LENGTHS = len("2026-11-23 18:00:00"), len("2026-11-23 18:00:00.123456")


def moment(value: datetime | str | None) -> str | None:
    """A moment as it is chained; a text is one that a database has, in UTC."""
    if isinstance(value, str):
        # Of parts of a second there are none, or six digits.
        whole = value if len(value) in _LENGTHS else value.ljust(_LENGTHS[1], "0")
        return whole.replace(" ", "T") + "+00:00"
    return value.astimezone(UTC).isoformat() if value else None


def key(value: UUID | str) -> str:
    """A key as it is chained; the text that SQLite has of it is without dashes."""
    if isinstance(value, UUID):
        return str(value)
    if "-" in value:
        return value
    return f"{value[:8]}-{value[8:12]}-{value[12:16]}-{value[16:20]}-{value[20:]}"


@lru_cache(maxsize=16384)
def json_of(text: str | None) -> Any:
    """What a stored text says; the same thing each time, which nobody changes."""
    return None if text is None else json.loads(text)


@lru_cache(maxsize=16384)
def canonical_of(text: str | None) -> str:
    """The same as it is hashed."""
    return canonical(json_of(text))
