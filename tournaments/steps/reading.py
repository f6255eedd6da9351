"""Rows that a sentence of SQL gives, as a model's: what `Manager.raw` does, for what every report asks.

Which column is which field's, and how a database's value becomes Python's, is the same each time: it is thought about
once for each sentence's columns, where `raw` takes longer over it than the database over the sentence.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model
from django.db.models.expressions import Col

from tournaments.steps.sentences import Sentence, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.steps.sentences import Told

Row = TypeVar("Row", bound=Model)


class _How(NamedTuple):
    """How a row is read: its fields in their order, with the place of each; what is no field's; what is converted."""

    fields: list[str]
    places: list[int]
    others: list[tuple[str, int]]
    converted: list[tuple[int, Col, list[Callable[..., Any]]]]


def rows(model: type[Row], sql: str, params: Sequence[Any]) -> list[Row]:
    """All rows; fields that are not asked for are read when they are needed, and other columns are attributes."""
    (told,) = tell(Sentence(sql, params))
    return made(model, told)


def made(model: type[Row], told: Told) -> list[Row]:
    """The same of what a sentence gave that was told with others."""
    how = _how(model, connection.vendor, told.columns)
    return [_made(model, how, list(values)) for values in told.rows]


def _made(model: type[Row], how: _How, values: list[Any]) -> Row:
    for place, column, converters in how.converted:
        for convert in converters:
            values[place] = convert(values[place], column, connection)
    made = model.from_db(connection.alias, how.fields, [values[place] for place in how.places])
    for name, place in how.others:
        setattr(made, name, values[place])
    return made


@lru_cache(maxsize=64)
def _how(model: type[Model], _vendor: str, columns: tuple[str, ...]) -> _How:
    there = {column: place for place, column in enumerate(columns)}
    fields = [field for field in model._meta.concrete_fields if field.column in there]
    converted = []
    for field in fields:
        column = Col(model._meta.db_table, field)
        converters = connection.ops.get_db_converters(column) + column.get_db_converters(connection)
        if converters:
            converted.append((there[str(field.column)], column, converters))
    known = {field.column for field in fields}
    return _How(
        [field.attname for field in fields],
        [there[str(field.column)] for field in fields],
        [(column, place) for column, place in there.items() if column not in known],
        converted,
    )
