"""The format of a book and its steps, as lines: rows as the database has them in one snapshot."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from core.data_hooks import data_hooks
from core.journal.models import followed
from core.journal.places import PICTURES, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

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
    """The hash chain of a book; `head` is the hash of its newest step."""

    def __init__(self, head: str = "") -> None:
        self.head = head
        self._sum = hashlib.sha256(head.encode())

    def add(self, line: bytes) -> None:
        self._sum.update(line)

    def close(self, begun: bytes) -> str:
        """The hash of the step with this closing line."""
        self._sum.update(begun)
        self.head = self._sum.hexdigest()
        self._sum = hashlib.sha256(self.head.encode())
        return self.head

    def closing(self, step: int, at: datetime) -> bytes:
        begun = f'{{"step": {step}, "at": "{_moment(at)}", "sha256": "'.encode()
        return begun + self.close(begun).encode() + b'"}\n'


def begun_of(closing: bytes) -> bytes:
    """The closing line up to its hash."""
    return closing[: -LETTERS - len(b'"}\n')]


def line(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said, ensure_ascii=False, default=_json_default).encode() + b"\n"


def row_line(model: type[models.Model], values: Iterable[Any]) -> bytes:
    names = (field.column for field in model._meta.concrete_fields)
    return line({"in": model._meta.db_table, "row": dict(zip(names, values, strict=True))})


def gone_line(model: type[models.Model], key: str) -> bytes:
    return line({"in": model._meta.db_table, "gone": key})


def values_of(model: type[models.Model], row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The attributes of a row as it was stored. Raises `KeyError` if it is of another version."""
    for field in model._meta.concrete_fields:
        value = row[str(field.column)]
        is_plain = value is None or field.get_internal_type() == "JSONField"
        yield field.attname, value if is_plain else field.to_python(value)


def _json_default(value: object) -> object:
    """The JSON value for types that JSON lacks, in a form that Django's fields parse."""
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


Some = TypeVar("Some")
MOST_KEYS = 500  # in one sentence of SQL


def header(installation: str, book: str, step: int, head: str, now: datetime) -> bytes:
    """The first line of a file: format, installation, and the step it continues from."""
    return line(
        {
            "journal": f"Spadille {settings.VERSION}",
            "about": ABOUT,
            "installation": installation,
            "book": book,
            "at": now,
            "migrations": migrations_now(),
            "step": step,
            "sha256": head,
        }
    )


def migrations_now() -> dict[str, str]:
    """The newest migration of each app."""
    return dict(sorted(MigrationRecorder(connection).applied_migrations()))


def everything() -> Iterator[bytes]:
    """One line for every row, queried in batches."""
    for model in followed():
        last: Any = None
        while rows := _rows(model, last):
            yield from (row_line(model, row) for row in rows)
            last = rows[-1][_key_at(model)]


def _rows(model: type[models.Model], last: Any) -> list[tuple[Any, ...]]:
    found = model._base_manager.order_by("pk").values_list(*_names(model))
    return list((found if last is None else found.filter(pk__gt=last))[:MOST_KEYS])


def lines_of(noted: Iterable[tuple[str, str]]) -> tuple[list[bytes], set[str]]:
    """One line for each changed row (table, key), as it is now or deleted; and the files of these rows."""
    keys: dict[str, dict[str, None]] = defaultdict(dict)
    for place, key in noted:
        keys[place][key] = None
    models_by_table = {model._meta.db_table: model for model in followed()}
    found, pictures = [], set()
    for place, of_place in keys.items():
        model = models_by_table[place]
        for some in parts(list(of_place)):
            there = set()
            for row in model._base_manager.filter(pk__in=some).order_by("pk").values_list(*_names(model)):
                there.add(str(row[_key_at(model)]))
                found.append(row_line(model, row))
                named = dict(zip(_names(model), row, strict=True))
                if data_hooks().has_file(model, named):
                    pictures.add(str(named["file"]))
            found += [gone_line(model, key) for key in some if key not in there]
    return found, pictures


def parts(of: Sequence[Some]) -> Iterator[Sequence[Some]]:
    """The sequence in batches that every database accepts as parameters."""
    for first in range(0, len(of), MOST_KEYS):
        yield of[first : first + MOST_KEYS]


def put_pictures(place: Place, names: Iterable[str]) -> None:
    """Copy files into the journal's folder, each once; files missing in the data folder are skipped."""
    for name in names:
        path, there = data_hooks().files_folder() / name, f"{PICTURES}/{name}"
        if path.is_file() and place.size(there) != path.stat().st_size:
            place.put(there, path.read_bytes())


def _names(model: type[models.Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def _key_at(model: type[models.Model]) -> int:
    return _names(model).index(model._meta.pk.attname)
