"""What a book and a step are made of, as lines: rows as the database has them at one moment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tournaments.models import Photograph, SheetPicture
from tournaments.models.journal import followed
from tournaments.models.ledger import photographs_folder
from tournaments.running.journal.lines import ABOUT, gone_line, line, row_line
from tournaments.running.journal.places import PICTURES, Place

if TYPE_CHECKING:
    from datetime import datetime

    from django.db import models

Some = TypeVar("Some")
MOST_KEYS = 500  # in one sentence of SQL


def header(installation: str, book: str, step: int, head: str, now: datetime) -> bytes:
    """The first line of a file: what it is, how it is read, whose, and behind which step it goes on."""
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
    """The newest migration of each app, which says how rows are stored."""
    return dict(sorted(MigrationRecorder(connection).applied_migrations()))


def everything() -> Iterator[bytes]:
    """A line for each row that there is, some at a time."""
    for model in followed():
        last: Any = None
        while rows := _rows(model, last):
            yield from (row_line(model, row) for row in rows)
            last = rows[-1][_key_at(model)]


def _rows(model: type[models.Model], last: Any) -> list[tuple[Any, ...]]:
    found = model._base_manager.order_by("pk").values_list(*_names(model))
    return list((found if last is None else found.filter(pk__gt=last))[:MOST_KEYS])


def lines_of(noted: Iterable[tuple[str, str]]) -> tuple[list[bytes], set[str]]:
    """A line for each row that was noted (table, key), as it stands now or gone; and the pictures with them."""
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
                if _has_picture(model, row):
                    pictures.add(str(row[_names(model).index("file")]))
            found += [gone_line(model, key) for key in some if key not in there]
    return found, pictures


def _has_picture(model: type[models.Model], row: Sequence[Any]) -> bool:
    """Whether a picture that a backup keeps belongs to the row: once it is read it is its photograph's."""
    if model is SheetPicture:
        told = dict(zip(_names(model), row, strict=True))
        return bool(told["state"] != SheetPicture.State.UNREADABLE and told["photograph_id"] is None)
    return model is Photograph


def parts(of: Sequence[Some]) -> Iterator[Sequence[Some]]:
    """As many at once as every database takes."""
    for first in range(0, len(of), MOST_KEYS):
        yield of[first : first + MOST_KEYS]


def put_pictures(place: Place, names: Iterable[str]) -> None:
    """Lay photographs beside the journal, each once; one that is not in this data folder is left out."""
    for name in names:
        path, there = photographs_folder() / name, f"{PICTURES}/{name}"
        if path.is_file() and place.size(there) != path.stat().st_size:
            place.put(there, path.read_bytes())


def _names(model: type[models.Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def _key_at(model: type[models.Model]) -> int:
    return _names(model).index(model._meta.pk.attname)
