"""Recognise a damaged database and a lack of memory by the error. Standard library only: every start imports it."""

from __future__ import annotations

import errno
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


# SQLite's messages for a file that is damaged or no database, and PostgreSQL's for a page that it cannot read.
DAMAGED = (
    "database disk image is malformed",
    "file is not a database",
    "file is encrypted",
    "malformed database schema",
    "invalid page in block",
    "could not read block",
    "missing chunk number",
)
NO_MEMORY = ("out of memory", "Cannot allocate memory", "can't start new thread", "failed to map segment")
LOW_BYTE = 0xFF  # an extended code of SQLite's has the plain one in it


def is_damaged(error: BaseException) -> bool:
    """Whether the error or its cause means that the database's file is damaged."""
    codes = getattr(sqlite3, "SQLITE_CORRUPT", 11), getattr(sqlite3, "SQLITE_NOTADB", 26)
    return any(
        getattr(one, "sqlite_errorcode", 0) & LOW_BYTE in codes or any(words in str(one) for words in DAMAGED)
        for one in (error, error.__cause__)
        if one is not None
    )


def has_no_memory(error: BaseException) -> bool:
    """Whether the error or one of its causes means that the machine has too little memory."""
    return any(map(_is_out_of_memory, _with_causes(error)))


def _is_out_of_memory(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    # Where memory runs out the system kills a process of a pool.
    is_killed = type(error).__name__ == "BrokenProcessPool"
    return is_killed or isinstance(error, MemoryError) or any(words in str(error) for words in NO_MEMORY)


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and each that it was raised for or while handling."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            waiting += [one.__cause__, one.__context__]
            yield one
