"""New rows of a model: what `Manager.bulk_create` stores, for what every report stores.

Most of the sentence is the same each time: it is thought about once for each model, as in `steps.reading`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import Field, Model


def insert(things: Sequence[Model]) -> None:
    """Store things of one model, not too many for one sentence, and give each its primary key. No signal is sent."""
    begins, fields = _sentence(type(things[0]))
    row = f"({', '.join(['%s'] * len(fields))})"
    values = [
        field.get_db_prep_save(getattr(thing, field.attname), connection)
        for thing in things
        for field in fields
    ]
    with connection.cursor() as cursor:
        cursor.execute(f"{begins} {', '.join([row] * len(things))} RETURNING id", values)
        keys = cursor.fetchall()
    for thing, (key,) in zip(things, keys, strict=True):
        thing.pk = key
        thing._state.adding, thing._state.db = False, connection.alias


@lru_cache(maxsize=16)
def _sentence(model: type[Model]) -> tuple[str, list[Field[Any, Any]]]:
    """How it begins, and the fields in their order; the database gives the primary key."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(str(field.column) for field in fields)
    return f"INSERT INTO {model._meta.db_table} ({columns}) VALUES", fields
