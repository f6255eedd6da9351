"""Canonical JSON for hashing: serialize values, and values as the database returns them.

To check a million reports, rows are queried instead of models, and their columns unconverted: repeated JSON is parsed
once, and timestamps and keys need only other separators.
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
    """The value as JSON in its one canonical form."""
    return _JSON.encode(value)


# Of texts that come again and again: who has reported, why, and what became of it.
canonical_text = lru_cache(maxsize=8192)(canonical)


def hash_values(said: Iterable[str]) -> str:
    """SHA-256 over values that are canonical JSON already."""
    return hashlib.sha256(f"[{','.join(said)}]".encode()).hexdigest()


class AsStored(Func):
    """A timestamp as text in UTC, without a driver: SQLite stores it so; PostgreSQL drops trailing zeros."""

    arity = 1
    template = "%(expressions)s"
    output_field = Field()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template="CAST(%(expressions)s AS text)", **extra)

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "CAST(%(expressions)s AT TIME ZONE 'UTC' AS text)"
        return self.as_sql(compiler, connection, template=template, **extra)


def as_text(name: str) -> Cast:
    """A stored JSON value as text."""
    return Cast(name, TextField())


_LENGTHS = len("2026-11-23 18:00:00"), len("2026-11-23 18:00:00.123456")


def moment(value: datetime | str | None) -> str | None:
    """A timestamp in its hashed form; a text is one read from a database, in UTC."""
    if isinstance(value, str):
        # Of parts of a second there are none, or six digits.
        whole = value if len(value) in _LENGTHS else value.ljust(_LENGTHS[1], "0")
        return whole.replace(" ", "T") + "+00:00"
    return value.astimezone(UTC).isoformat() if value else None


def key(value: UUID | str) -> str:
    """A UUID in its hashed form; SQLite stores it without dashes."""
    if isinstance(value, UUID):
        return str(value)
    if "-" in value:
        return value
    return f"{value[:8]}-{value[8:12]}-{value[12:16]}-{value[16:20]}-{value[20:]}"


@lru_cache(maxsize=16384)
def json_of(text: str | None) -> Any:
    """Parse stored JSON; the cached result must not be changed."""
    return None if text is None else json.loads(text)


@lru_cache(maxsize=16384)
def canonical_of(text: str | None) -> str:
    """The canonical form of stored JSON."""
    return canonical(json_of(text))
