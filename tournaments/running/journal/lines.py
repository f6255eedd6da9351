"""How a journal is written: lines of JSON, each step closed by a line with a hash over all of it and the step before.

    {"in": "clubs_player", "row": {"id": 12, "name": "Anna Lund", …}}      a row as it stands after the step
    {"in": "tournaments_seat", "gone": "7"}                                a row that the step took away, by its key
    {"step": 41, "at": "2026-11-23T20:14:03+00:00", "sha256": "…"}         the step is whole

The hash is SHA-256 over the hash before (nothing, in the first file of a book) and every byte since, up to its own
first letter. Lines behind the last closed step were being written when it ended, and count for nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.db import models

ABOUT = (
    "This is a journal of Spadille: all that is stored, step by step, as lines of JSON. A file named beginning has"
    " every row as it was when this book of the journal was begun, those behind it, one a day, what each step changed:"
    " row is a row as it stands after the step, with in its table; gone is the key of a row that was taken away. A line"
    " with step ends a step; its sha256 is over the one before it and every byte since, up to its own first letter."
    " Times are UTC. Pictures lie beside, in spadille-journal-photographs. To bring it back: manage.py restore"
    " --journal FOLDER. It holds members, captains' links, and what passwords were made into: keep it like a key."
)
CLOSING = re.compile(rb'\{"step": (\d+), "at": "([^"]+)", "sha256": "([0-9a-f]{64})"\}\n')
LETTERS = 64


class Chain:
    """The hash that runs through a book; `head` is that of its newest step."""

    def __init__(self, head: str = "") -> None:
        self.head = head
        self._sum = hashlib.sha256(head.encode())

    def add(self, line: bytes) -> None:
        self._sum.update(line)

    def close(self, begun: bytes) -> str:
        """The hash of a step whose closing line begins so."""
        self._sum.update(begun)
        self.head = self._sum.hexdigest()
        self._sum = hashlib.sha256(self.head.encode())
        return self.head

    def closing(self, step: int, at: datetime) -> bytes:
        begun = f'{{"step": {step}, "at": "{_moment(at)}", "sha256": "'.encode()
        return begun + self.close(begun).encode() + b'"}\n'


def begun_of(closing: bytes) -> bytes:
    """A closing line up to its hash."""
    return closing[: -LETTERS - len(b'"}\n')]


def line(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said, ensure_ascii=False, default=_said).encode() + b"\n"


def row_line(model: type[models.Model], values: Iterable[Any]) -> bytes:
    names = (field.column for field in model._meta.concrete_fields)
    return line({"in": model._meta.db_table, "row": dict(zip(names, values, strict=True))})


def gone_line(model: type[models.Model], key: str) -> bytes:
    return line({"in": model._meta.db_table, "gone": key})


def values_of(model: type[models.Model], row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """A row as it was stored, by the names of its attributes. Raises `KeyError` where it is of another version."""
    for field in model._meta.concrete_fields:
        value = row[str(field.column)]
        is_plain = value is None or field.get_internal_type() == "JSONField"
        yield field.attname, value if is_plain else field.to_python(value)


def _said(value: object) -> object:
    """What JSON has no way of its own for, as Django's fields read it back."""
    if isinstance(value, datetime):
        return _moment(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Decimal | UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    raise TypeError(f"{type(value).__name__} has no place in the journal")


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()
