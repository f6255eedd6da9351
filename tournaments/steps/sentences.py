"""Sentences of SQL that are told together, one after the other.

PostgreSQL takes them all at once: each way to it and back costs this process more than most answers. They are done in
their order, within the transaction, and each sees what is stored when it is its turn: what stands behind one that waits
for a lock is read when the lock is held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Sequence


class Sentence(NamedTuple):
    """What is asked, and with what values. Columns are asked for by their names, not by `*`: see `_columns`."""

    sql: str
    params: Sequence[Any]


class Told(NamedTuple):
    """What a sentence gives: its columns and its rows; nothing of one that only writes."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def tell(*sentences: Sentence) -> list[Told]:
    """What each of them gives; after the first that fails none is done."""
    if not sentences:
        return []
    with connection.cursor() as cursor:
        # Values that the server itself puts in go with one sentence alone; SQLite knows no other way.
        if getattr(connection.features, "uses_server_side_binding", True):
            return [_told(cursor, *sentence) for sentence in sentences]
        cursor.execute(
            "; ".join(sentence.sql for sentence in sentences),
            [value for sentence in sentences for value in sentence.params],
        )
        found = [_given(cursor, sentences[0].sql)]
        for sentence in sentences[1:]:
            cursor.nextset()
            found.append(_given(cursor, sentence.sql))
        return found


def _told(cursor: Any, sql: str, params: Sequence[Any]) -> Told:
    cursor.execute(sql, params)
    return _given(cursor, sql)


def _given(cursor: Any, sql: str) -> Told:
    columns = _columns.get(sql)
    if columns is None:
        if len(_columns) >= SENTENCES:
            _columns.clear()
        columns = _columns[sql] = tuple(column[0] for column in cursor.description or ())
    return Told(columns, cursor.fetchall() if columns else [])


# The columns of each sentence, which are the same each time: a driver makes an object of each of them, and a
# tournament has sixty. So many sentences are known at once.
SENTENCES = 256
_columns: dict[str, tuple[str, ...]] = {}
