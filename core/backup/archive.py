"""A backup's file: a zip of the database's own backup, the photographs of slips, and a list of them with their SHA-256.

The list has the checksums of the zip's members, so that a flipped byte is found before anything is unpacked.
Older files have the database compressed by zip, or no list, or are the database's own backup alone; all can be parsed.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, cast
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import brotli
from django.db import DatabaseError, connection
from django.db.backends.utils import CursorWrapper

from core.data_hooks import counted_tables, data_hooks
from core.database import of_a_newer_program
from core.errors import BackupError
from core.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable


SUFFIX = "zip"
MAGIC = b"PK\x03\x04"
DATABASE = "database.br"
# As older versions laid it in, and as what its own program has pressed together is laid in still.
PLAIN = "database"
FOLDER = "photographs/"
LIST = "sha256.json"
UNPACKING = ".restore-"
_PICTURE = re.compile(re.escape(FOLDER) + r"[\w-]{1,60}\.jpg")
# What the library raises for a truncated or altered file, whose payload it does not validate.
_UNREADABLE = (
    *(BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError),
    *(ValueError, KeyError, TypeError, AttributeError),
)


def pictures() -> list[Path]:
    """The files that the database refers to and that exist in this data folder."""
    folder = data_hooks().files_folder()
    return [folder / name for name in sorted(data_hooks().files()) if (folder / name).is_file()]


def pack(
    database: Path,
    photographs: list[Path],
    target: Path,
    *,
    pressed: bool = False,
    tell: Callable[[int], None] = lambda _bytes: None,
) -> None:
    """Write everything into one file, then read it back; a picture deleted meanwhile is left out.

    `pressed`: the database's own program has compressed it. `tell` is a callback with the number of bytes written.
    """
    sums = {}
    with ZipFile(target, "w", ZIP_STORED) as packed:
        name = PLAIN if pressed else DATABASE
        blocks = blocks_of(database) if pressed else packed_blocks(database, tell)
        with packed.open(name, "w", force_zip64=True) as member:
            sums[name] = write_blocks(blocks, member)
        for picture in photographs:
            with suppress(FileNotFoundError):
                data = picture.read_bytes()
                packed.writestr(FOLDER + picture.name, data)
                sums[FOLDER + picture.name] = hashlib.sha256(data).hexdigest()
                tell(len(data))
        packed.writestr(LIST, json.dumps(sums, indent=1))
    with _open_packed(target) as packed:
        if not pressed and _sum_of_all(packed) != write_blocks(blocks_of(database)):
            raise BackupError("The backup differs from the database.")


def _sum_of_all(packed: ZipFile) -> str:
    with packed.open(DATABASE) as member:
        return write_blocks(unpacked_blocks(member))


@contextmanager
def unpacked(file: Path, folder: Path) -> Iterator[Path]:
    """The database's backup in a file, wherever it is: older backups may be that file itself.

    `folder` is where there is room for it. Raises `BackupError` for a file that is not as it was written.
    """
    if not _is_packed(file):
        yield file
        return
    with TemporaryDirectory(dir=folder, prefix=UNPACKING) as place:
        with _open_packed(file) as packed:
            database = _unpack(packed, Path(place))
        yield database


def _unpack(packed: ZipFile, place: Path) -> Path:
    if PLAIN in packed.namelist():
        return Path(packed.extract(PLAIN, place))
    database = place / PLAIN
    with packed.open(DATABASE) as member, database.open("wb") as opened:
        write_blocks(unpacked_blocks(member), opened)
    return database


def put_pictures_back(file: Path) -> int:
    """Restore missing files from a backup; returns how many."""
    if not _is_packed(file):
        return 0
    folder, count = data_hooks().files_folder(), 0
    with _open_packed(file) as packed:
        for name in filter(_PICTURE.fullmatch, packed.namelist()):
            target = folder / name.removeprefix(FOLDER)
            if target.exists():
                continue
            write_atomically(target, packed.read(name))
            count += 1
    return count


def has_pictures(file: Path) -> bool:
    """Whether the backup contains files, which scheduled backups do not; False if it cannot be read."""
    try:
        with ZipFile(file) as packed:
            return any(map(_PICTURE.fullmatch, packed.namelist()))
    except (OSError, *_UNREADABLE):
        return False


def _is_packed(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(MAGIC)) == MAGIC


@contextmanager
def _open_packed(file: Path) -> Iterator[ZipFile]:
    """Open the zip of a backup, checked to be complete and one of ours."""
    try:
        with ZipFile(file) as packed:
            if not {DATABASE, PLAIN} & {*packed.namelist()}:
                raise BackupError(f"{file} is not a Spadille backup.")
            if damaged := _first_damaged(packed):
                raise BackupError(f"{file} is damaged: {damaged} has changed since it was written.")
            yield packed
    except _UNREADABLE as error:
        raise BackupError(f"{file} is damaged and cannot be read: {error}") from error


def _first_damaged(packed: ZipFile) -> str | None:
    """The first difference between a backup and its list: a changed, missing or added member."""
    if LIST not in packed.namelist():
        return packed.testzip()
    sums: dict[str, str] = json.loads(packed.read(LIST))
    if odd := {*sums, LIST} ^ {*packed.namelist()}:
        return _describe_member(min(odd))
    for name, wanted in sums.items():
        with packed.open(name) as member:
            if hashlib.file_digest(cast(BufferedIOBase, member), "sha256").hexdigest() != wanted:
                return _describe_member(name)
    return None


def _describe_member(name: str) -> str:
    return "the database" if name in (DATABASE, PLAIN) else name


BLOCK = 1 << 20  # bytes
# 0 to 11: from here on each step costs twice the time of the one before, and brings a twentieth.
QUALITY = 5
WINDOW = 24  # the largest: 16 MB


def packed_blocks(file: Path, tell: Callable[[int], None]) -> Iterator[bytes]:
    """Compress a file; `tell` is a callback with each block's uncompressed length."""
    press = brotli.Compressor(quality=QUALITY, lgwin=WINDOW)
    for block in blocks_of(file):
        tell(len(block))
        yield press.process(block)
    yield press.finish()


def blocks_of(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while block := opened.read(BLOCK):
            yield block


def unpacked_blocks(packed: IO[bytes]) -> Iterator[bytes]:
    """Decompress block by block. Raises `BackupError` where the data is truncated or invalid."""
    press = brotli.Decompressor()
    try:
        while not press.is_finished():
            more = packed.read(BLOCK) if press.can_accept_more_data() else b""
            block = press.process(more, output_buffer_limit=BLOCK)
            if not more and not block and not press.is_finished():
                raise BackupError("The database in it is cut short.")
            yield block
    except brotli.error as error:
        raise BackupError(f"The database in it cannot be read: {error}") from error


def write_blocks(blocks: Iterable[bytes], to: IO[bytes] | None = None) -> str:
    """The SHA-256 of all blocks, which are written one by one."""
    told = hashlib.sha256()
    for block in blocks:
        told.update(block)
        if to is not None:
            to.write(block)
    return told.hexdigest()


MIGRATIONS = "django_migrations"
Counts = dict[str, int]


@dataclass(frozen=True)
class Contents:
    """The contents of a backup: rows of each counted table, and the migrations (app, name) applied to it."""

    counts: Counts
    migrations: frozenset[tuple[str, str]]

    def __str__(self) -> str:
        return data_hooks().describe(self.counts)


def counted_now() -> Counts:
    """The contents of the database in use. Raises `BackupError` if it cannot be counted."""
    try:
        with connection.cursor() as cursor:
            return {table: _count(cursor, table) for table in counted_tables()}
    except DatabaseError as error:
        connection.close()
        raise BackupError(f"The database cannot be read: {error}") from error


def holds_data() -> bool:
    """Whether there is anything to keep, in a database of this version or of an earlier one."""
    root = data_hooks().root._meta.db_table
    with connection.cursor() as cursor:
        return root in connection.introspection.table_names(cursor) and _count(cursor, root) > 0


def _count(cursor: CursorWrapper, table: str) -> int:
    cursor.execute(f'SELECT count(*) FROM "{table}"')
    return int(cursor.fetchone()[0])


def refuse_incomplete(backup: Counts, before: Counts, after: Counts) -> None:
    """Raise `BackupError` if the backup holds fewer or more rows than the database did while it was written."""
    for table in counted_tables():
        least, most = sorted((before[table], after[table]))
        if not least <= backup[table] <= most:
            raise BackupError(
                f"The backup has {backup[table]} rows in {table}, but the database has {after[table]}."
            )


def refuse_unusable(file: Path, contents: Contents) -> None:
    """Raise `BackupError` for a backup that is empty, or of a newer version."""
    if not contents.counts[data_hooks().root._meta.db_table]:
        raise BackupError(f"{file} is empty: {data_hooks().lacking}.")
    if name := of_a_newer_program(contents.migrations):
        raise BackupError(f"{file} was made by a newer version of Spadille ({name}). Upgrade this one first.")
