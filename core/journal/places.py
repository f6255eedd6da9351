"""Places of a journal, a folder or one over SFTP, with their errors; and the books in them: names, order, owner."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Protocol

from core.files import flush_to_disk, write_atomically

AWAY, FULL, READ_ONLY, FOREIGN, OTHER = "away", "full", "read_only", "foreign", "other"
KINDS = {
    errno.ENOSPC: FULL,
    getattr(errno, "EDQUOT", errno.ENOSPC): FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.ENOENT: AWAY,
    errno.ENOTDIR: AWAY,
    errno.ENODEV: AWAY,
    errno.ENXIO: AWAY,
    errno.EIO: AWAY,
}


class PlaceError(Exception):
    """The place of the journal cannot be used; `kind` is one of the codes above, the text is English, for the log."""

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(said)
        self.kind = kind


class JournalError(Exception):
    """A journal cannot be restored; the message is English, for the command line."""


@contextmanager
def place_errors(place: str) -> Iterator[None]:
    """Convert OSError within the block to `PlaceError`."""
    try:
        yield
    except OSError as error:
        kind = KINDS.get(error.errno or 0, OTHER)
        raise PlaceError(kind, f"{place}: {error.strerror or error}") from error


# Of what the journal puts there: nothing else in the folder is looked at.
PREFIX = "spadille-journal-"
PICTURES = PREFIX + "photographs"


class Place(Protocol):
    """A place for journals. Raises `PlaceError` if it cannot be reached, read or written."""

    said: str

    def names(self, under: str = "") -> list[str]:
        """The files of the journal, or of one of its folders."""

    def open_file(self, name: str) -> IO[bytes]: ...

    def size(self, name: str) -> int | None:
        """The size of a file; None if it does not exist."""

    def append(self, name: str, data: bytes) -> None:
        """Append to a file; on return the data is as durable as the place can confirm."""

    def cut(self, name: str, size: int) -> None: ...

    def put(self, name: str, data: bytes) -> None:
        """Write a file atomically, creating its folder if needed."""

    def remove(self, name: str) -> None: ...

    def close(self) -> None: ...


class Folder:
    """A folder that must exist: one created where the stick should be mounted would be on this very disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.said = str(path)

    def names(self, under: str = "") -> list[str]:
        with place_errors(self.said):
            if not self.path.is_dir():
                raise PlaceError(AWAY, f"{self.path}: no such folder.")
            folder = self.path / under
            found = folder.iterdir() if folder.is_dir() else iter(())
            return sorted(each.name for each in found if under or each.name.startswith(PREFIX))

    def open_file(self, name: str) -> IO[bytes]:
        with place_errors(self.said):
            return (self.path / name).open("rb")

    def size(self, name: str) -> int | None:
        with place_errors(self.said):
            self.path.stat()
            return (self.path / name).stat().st_size if (self.path / name).exists() else None

    def append(self, name: str, data: bytes) -> None:
        path = self.path / name
        with place_errors(self.said):
            is_new = not path.exists()
            flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT if is_new else 0) | getattr(os, "O_BINARY", 0)
            with os.fdopen(os.open(path, flags, 0o600), "ab", buffering=0) as file:
                rest = memoryview(data)
                while rest:
                    rest = rest[file.write(rest) :]
                os.fsync(file.fileno())
            if is_new:
                flush_to_disk(self.path)

    def cut(self, name: str, size: int) -> None:
        with place_errors(self.said):
            os.truncate(self.path / name, size)

    def put(self, name: str, data: bytes) -> None:
        with place_errors(self.said):
            (self.path / name).parent.mkdir(mode=0o700, exist_ok=True)
            write_atomically(self.path / name, data)

    def remove(self, name: str) -> None:
        with place_errors(self.said):
            (self.path / name).unlink(missing_ok=True)

    def close(self) -> None:
        """Nothing to close: a stick may be removed at any time."""


STAMP = "%Y%m%dT%H%M%SZ"
NAME = re.compile(
    rf"{PREFIX}(?P<book>(?P<number>\d{{4,}})-(?P<at>\d{{8}}T\d{{6}}Z))-(?:beginning|day-\d{{4}}-\d\d-\d\d)\.jsonl"
)
LONGEST_HEADER = 1 << 20  # bytes


@dataclass
class Book:
    """A book of a journal. Books are ordered by number: a clock may have been set back between two."""

    name: str
    number: int
    begun_at: datetime
    files: list[str] = field(default_factory=list)


def new_name(books: Iterable[Book], now: datetime) -> str:
    """A name for a book after all these."""
    number = max((book.number for book in books), default=0) + 1
    return f"{number:04}-{now.astimezone(UTC).strftime(STAMP)}"


def beginning_of(book: str) -> str:
    return f"{PREFIX}{book}-beginning.jsonl"


def day_of(book: str, day: str) -> str:
    return f"{PREFIX}{book}-day-{day}.jsonl"


def books_in(names: Iterable[str]) -> list[Book]:
    """The books, oldest first; the files of each are its beginning, then its days."""
    found: dict[str, Book] = {}
    for name in sorted(names):
        if told := NAME.fullmatch(name):
            at = datetime.strptime(told["at"], STAMP).replace(tzinfo=UTC)
            found.setdefault(told["book"], Book(told["book"], int(told["number"]), at)).files.append(name)
    return sorted(found.values(), key=lambda book: (book.number, book.name))


def header_of(place: Place, file: str) -> dict[str, Any]:
    """The header in the first line of a file. Raises `JournalError` if it is not a journal's."""
    with place.open_file(file) as opened:
        first = opened.readline(LONGEST_HEADER)
    return read_header(first, file)


def read_header(first: bytes, file: str) -> dict[str, Any]:
    try:
        told = json.loads(first)
        if {"journal", "installation", "book", "step", "sha256", "migrations"} <= told.keys():
            return dict(told)
    except (ValueError, AttributeError):
        pass
    raise JournalError(f"{file} is not a Spadille journal.")


def refuse_foreign(place: Place, books: Iterable[Book], installation: str) -> None:
    """Raise `PlaceError` if the books are of another installation."""
    for book in books:
        try:
            whose = header_of(place, book.files[0])["installation"]
        except JournalError:
            continue  # it was being begun when that ended
        if whose != installation:
            raise PlaceError(FOREIGN, f"{place.said}: another Spadille is writing its journal there.")
