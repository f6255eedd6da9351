"""SQL below the ORM: prepared queries, several statements in one round trip, rows to models, bulk insert, snapshot.

    @prepared_query
    def titles(player: int) -> QuerySet[Award]:
        return Award.objects.filter(player=player).order_by("pk")

    titles(player.pk)  # a list
    titles.first(player.pk)  # the first row, or None; `or_404` raises Http404 instead

Building a query and compiling it to SQL takes Django ten times as long as the database needs to answer it. On one page
that is little; in a static site of forty thousand pages it is half of the time. A prepared query may depend on its
keys only, not on the language. Keys are sent as they are, without conversion by the field, and compared with `=`.
`prefetch_related` needs a second query and raises TypeError.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache, update_wrapper
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, ParamSpec, TypeVar
from uuid import UUID

from django.db import connection, connections
from django.db.models import (
    BigIntegerField,
    CharField,
    F,
    Field,
    ForeignKey,
    Func,
    IntegerField,
    Model,
    TextField,
    Value,
)
from django.db.models.expressions import Col
from django.db.transaction import TransactionManagementError
from django.http import Http404

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from django.db.models import QuerySet


Keys = ParamSpec("Keys")
Row = TypeVar("Row")

# A placeholder value of the first key while a query is compiled, the next integer of the next: unlikely elsewhere in a
# query, and within the smallest integer column: for larger ones Django skips the query, since no row has them.
MARK = 31_618
MOST = 2**63 - 1


class prepared_query(Generic[Keys, Row]):  # noqa: N801 - used as a decorator
    """Turn a function that builds a query from keys into one that runs it; prepared once per thread."""

    def __init__(self, build: Callable[Keys, QuerySet[Any, Row]]) -> None:
        self.build = build
        self.known = threading.local()
        update_wrapper(self, build)

    def __call__(self, *keys: Keys.args, **_none: Keys.kwargs) -> list[Row]:
        sentence = getattr(self.known, "sentence", None)
        if sentence is None or not sentence.is_for(connections):
            sentence = self.known.sentence = _Sentence(self.build, len(keys))
        return sentence.answer(keys)

    def first(self, *keys: Keys.args, **none: Keys.kwargs) -> Row | None:
        """The first row, or None."""
        return next(iter(self(*keys, **none)), None)

    def or_404(self, *keys: Keys.args, **none: Keys.kwargs) -> Row:
        """The first row; raises Http404 if there is none."""
        for row in self(*keys, **none):
            return row
        raise Http404


class _Sentence:
    """A compiled query: its SQL, the positions of its keys, and the conversion of its rows."""

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], keys: int) -> None:
        marks = [str(MARK + number) for number in range(keys)]
        self.asked: Any = build(*map(int, marks))
        if self.asked._prefetch_related_lookups:  # type: ignore[attr-defined]
            raise TypeError(f"{build.__qualname__} asks for more than one sentence does (prefetch_related).")
        self.compiler: Any = self.asked.query.get_compiler(self.asked.db)
        self.sql, params = self.compiler.as_sql()
        self.params = list(params)
        self.places = [
            (place, marks.index(str(value))) for place, value in enumerate(self.params) if str(value) in marks
        ]
        if {key for _place, key in self.places} != set(range(keys)):
            raise TypeError(f"{build.__qualname__} does not ask for each of its keys.")
        self.given: Sequence[object] = ()
        # The rows are fetched as of any other query; only its SQL is known already.
        self.compiler.as_sql = lambda *_how, **_more: (self.sql, self.given)
        self.asked.query.get_compiler = lambda *_how, **_more: self.compiler  # type: ignore[method-assign]

    def is_for(self, now: Any) -> bool:
        return now[self.compiler.using] is self.compiler.connection

    def answer(self, keys: Sequence[object]) -> list[Any]:
        """The rows for these keys. Raises TransactionManagementError if it locks rows outside of a transaction."""
        if self.asked.query.select_for_update and not self.compiler.connection.in_atomic_block:
            raise TransactionManagementError("select_for_update cannot be used outside of a transaction.")
        if any(isinstance(key, int) and abs(key) > MOST for key in keys):
            return []  # no row has a number that no column can hold
        given = self.params[:]
        for place, key in self.places:
            given[place] = keys[key]
        self.given = tuple(given)
        again = type(self.asked)(self.asked.model, self.asked.query, self.asked._db, self.asked._hints)
        again._fields, again._iterable_class = self.asked._fields, self.asked._iterable_class
        return list(again)


class Statement(NamedTuple):
    """An SQL statement with its parameters. Columns are named, never `*`: see `_columns`."""

    sql: str
    params: Sequence[Any]


class StatementResult(NamedTuple):
    """Columns and rows of a statement; empty for one that only writes."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def execute_batch(*sentences: Statement) -> list[StatementResult]:
    """Execute statements in order, in PostgreSQL in one round trip, and return their results."""
    if not sentences:
        return []
    with connection.cursor() as cursor:
        # Values that the server itself puts in go with one sentence alone; SQLite knows no other way.
        if getattr(connection.features, "uses_server_side_binding", True):
            return [_execute(cursor, *sentence) for sentence in sentences]
        cursor.execute(
            "; ".join(sentence.sql for sentence in sentences),
            [value for sentence in sentences for value in sentence.params],
        )
        found = [_read_result(cursor, sentences[0].sql)]
        for sentence in sentences[1:]:
            cursor.nextset()
            found.append(_read_result(cursor, sentence.sql))
        return found


def _execute(cursor: Any, sql: str, params: Sequence[Any]) -> StatementResult:
    cursor.execute(sql, params)
    return _read_result(cursor, sql)


def _read_result(cursor: Any, sql: str) -> StatementResult:
    columns = _columns.get(sql)
    if columns is None:
        if len(_columns) >= SENTENCES:
            _columns.clear()
        columns = _columns[sql] = tuple(column[0] for column in cursor.description or ())
    return StatementResult(columns, cursor.fetchall() if columns else [])


# The columns of each sentence, which are the same each time: a driver makes an object of each of them, and a
# tournament has sixty. So many sentences are known at once.
SENTENCES = 256
_columns: dict[str, tuple[str, ...]] = {}


ModelRow = TypeVar("ModelRow", bound=Model)


class _How(NamedTuple):
    """The mapping of a row to a model: fields in order with their positions, other columns, and conversions."""

    fields: list[str]
    places: list[int]
    others: list[tuple[str, int]]
    converted: list[tuple[int, Col, list[Callable[..., Any]]]]


def fetch_models(model: type[ModelRow], sql: str, params: Sequence[Any]) -> list[ModelRow]:
    """All rows of a statement as models: missing fields are deferred, other columns become attributes."""
    (told,) = execute_batch(Statement(sql, params))
    return rows_to_models(model, told)


def rows_to_models(model: type[ModelRow], told: StatementResult) -> list[ModelRow]:
    """The rows of a statement that was executed in a batch, as models."""
    how = _how(model, connection.vendor, told.columns)
    return [_row_to_model(model, how, list(values)) for values in told.rows]


def _row_to_model(model: type[ModelRow], how: _How, values: list[Any]) -> ModelRow:
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


class _Stored(NamedTuple):
    """A field of a row to be inserted, and the types of values that drivers take as they are."""

    field: Field[Any, Any]
    name: str
    as_it_is: tuple[type, ...]


def bulk_insert(instances: Sequence[Model]) -> None:
    """Insert rows of one model in one statement and set their primary keys. Sends no signals."""
    model, here = type(instances[0]), connections[connection.alias]  # the proxy looks it up at each access
    if getattr(here.features, "uses_server_side_binding", True):
        sql, params = _row_by_row(model, instances, here)
    else:
        sql, params = _in_one_value(model, instances)
    with here.cursor() as cursor:
        cursor.execute(sql, params)
        keys = cursor.fetchall()
    for instance, (key,) in zip(instances, keys, strict=True):
        instance.pk = key
        instance._state.adding, instance._state.db = False, here.alias


def _row_by_row(model: type[Model], instances: Sequence[Model], here: Any) -> Statement:
    fields = _fields(model)
    row = f"({', '.join(['%s'] * len(fields))})"
    flat = [
        value if type(value := values[name]) in as_it_is else field.get_db_prep_save(value, here)
        for values in map(vars, instances)
        for field, name, as_it_is in fields
    ]
    rows = ", ".join([row] * len(instances))
    return Statement(
        f"INSERT INTO {model._meta.db_table} ({_columns_of(model)}) VALUES {rows} RETURNING id", flat
    )


def _in_one_value(model: type[Model], instances: Sequence[Model]) -> Statement:
    """The rows as one JSON value: psycopg takes twice as long for the values one by one, and PostgreSQL no less."""
    fields = _fields(model)
    rows = [
        {
            field.column: value if type(value := values[name]) in as_it_is else field.get_prep_value(value)
            for field, name, as_it_is in fields
        }
        for values in map(vars, instances)
    ]
    return Statement(_insert_from_json(model), [json.dumps(rows, default=_to_text)])


def _to_text(value: object) -> str:
    if isinstance(value, (datetime, UUID)):
        return str(value)
    raise TypeError(value)


@lru_cache(maxsize=16)
def _insert_from_json(model: type[Model]) -> str:
    columns = _columns_of(model)
    typed = ", ".join(f"{field.column} {field.db_type(connection)}" for field, *_how in _fields(model))
    return (
        f"INSERT INTO {model._meta.db_table} ({columns}) "
        f"SELECT {columns} FROM json_to_recordset(%s) AS sent({typed}) RETURNING id"
    )


def _columns_of(model: type[Model]) -> str:
    return ", ".join(str(field.column) for field, *_how in _fields(model))


@lru_cache(maxsize=16)
def _fields(model: type[Model]) -> list[_Stored]:
    """The fields that are inserted; the database assigns the primary key."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    return [_Stored(field, field.attname, _taken_as_it_is(field)) for field in fields]


def _taken_as_it_is(field: Field[Any, Any]) -> tuple[type, ...]:
    """The types of values that Django would hand to the driver unchanged; two thirds of a report's columns."""
    stored = field.target_field if isinstance(field, ForeignKey) else field
    if type(stored).get_db_prep_save is not Field.get_db_prep_save:
        return ()
    if isinstance(stored, IntegerField):
        return int, type(None)
    return (str, type(None)) if isinstance(stored, (CharField, TextField)) else ()


def insert_rows(model: type[Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows of plain values in one statement, without instances: a third of what `bulk_create` takes.

    The database sets what `columns` leaves out. Sends no signals.
    """
    if not rows:
        return
    begins = f"INSERT INTO {model._meta.db_table} ({', '.join(columns)}) VALUES"
    row = f"({', '.join(['%s'] * len(columns))})"
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":  # prepared once; one statement would have too many parameters
            cursor.executemany(f"{begins} {row}", rows)
        else:
            cursor.execute(
                f"{begins} {', '.join([row] * len(rows))}", [value for one in rows for value in one]
            )


def copy_rows(rows: QuerySet[Any], **changed: Any) -> None:
    """Insert a copy of each row in its order, with other values in the columns `changed`, in one statement."""
    fields = [field for field in rows.model._meta.concrete_fields if not field.primary_key]
    read = [
        Value(changed[field.name], output_field=field) if field.name in changed else F(field.attname)
        for field in fields
    ]
    sql, params = rows.values_list(*read).query.sql_with_params()
    columns = ", ".join(str(field.column) for field in fields)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {rows.model._meta.db_table} ({columns}) {sql}", params)


def among(values: Collection[object], kind: str) -> Statement:
    """The right side of a SQL condition for membership in `values`; `kind` is their type in PostgreSQL.

    The values are numbers or UUIDs. PostgreSQL gets one array: psycopg parses long statements each time.
    """
    if connection.vendor == "postgresql":
        return Statement(f"= ANY(%s::{kind}[])", [f"{{{','.join(map(str, values))}}}"])
    return Statement(f"IN ({', '.join(['%s'] * len(values))})", list(values))


FEW = 20


class KeySet(Func):
    """Many keys as one JSON parameter: Django handles each item of a list several times, which is slow."""

    template = "(SELECT value FROM json_each(%(expressions)s))"
    arity = 1
    output_field = BigIntegerField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "(SELECT value::bigint FROM jsonb_array_elements_text(%(expressions)s::jsonb))"
        return self.as_sql(compiler, connection, template=template, **extra)


def key_set(keys: Collection[int]) -> Collection[int] | KeySet:
    """The argument of an `…__in` lookup for these keys: as they are if few, since the database then plans best."""
    return keys if len(keys) <= FEW else KeySet(Value(f"[{','.join(map(str, keys))}]", TextField()))


@contextmanager
def snapshot() -> Iterator[None]:
    """Run all queries of the block in one snapshot, without blocking writers; not inside a transaction."""
    if connection.in_atomic_block:
        yield
        return
    kind = " ISOLATION LEVEL REPEATABLE READ READ ONLY" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"BEGIN{kind}")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
