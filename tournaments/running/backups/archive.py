"""A backup's file: a zip of the database's own backup, the photographs of slips, and a list of them with their SHA-256.

Older files have no such list, or are the database's own backup alone; they are opened and counted all the same.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from contextlib import contextmanager, suppress
from io import BufferedIOBase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from tournaments.models import Photograph
from tournaments.models.evidence import photographs_folder
from tournaments.running.backups.problems import BackupProblem
from tournaments.running.on_disk import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIX = "zip"
MAGIC = b"PK\x03\x04"
DATABASE = "database"
FOLDER = "photographs/"
LIST = "sha256.json"
_PICTURE = re.compile(re.escape(FOLDER) + r"[\w-]{1,60}\.jpg")
# What the library raises where a file is cut off or a byte of it is another: it believes what it reads.
_UNREADABLE = (
    *(BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError),
    *(ValueError, KeyError, TypeError, AttributeError),
)


def pictures() -> list[Path]:
    """The photographs that the database knows and that are in this data folder."""
    return [photograph.path for photograph in Photograph.objects.all() if photograph.is_there]


def pack(database: Path, photographs: list[Path], target: Path) -> None:
    """Write all of it into one file, then read it back; a picture removed meanwhile is left out."""
    sums = {}
    with ZipFile(target, "w") as packed:
        sums[DATABASE] = _sum(database)
        packed.write(database, DATABASE, ZIP_DEFLATED, compresslevel=1)
        for picture in photographs:
            with suppress(FileNotFoundError):
                name = FOLDER + picture.name
                sums[name] = _sum(picture)
                packed.write(picture, name, ZIP_STORED)
        there = set(packed.namelist())
        packed.writestr(LIST, json.dumps({name: sums[name] for name in sums if name in there}, indent=1))
    with _opened(target):
        pass


def _sum(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


@contextmanager
def unpacked(file: Path, folder: Path) -> Iterator[Path]:
    """The database's backup in a file, wherever it is: older backups may be that file itself.

    `folder` is where there is room for it. Raises `BackupProblem` for a file that is not as it was written.
    """
    if not _is_packed(file):
        yield file
        return
    with TemporaryDirectory(dir=folder, prefix=".restore-") as place:
        with _opened(file) as packed:
            database = Path(packed.extract(DATABASE, place))
        yield database


def put_pictures_back(file: Path) -> int:
    """Put the photographs of a backup where they are missing; returns how many."""
    if not _is_packed(file):
        return 0
    folder, count = photographs_folder(), 0
    with _opened(file) as packed:
        for name in filter(_PICTURE.fullmatch, packed.namelist()):
            target = folder / name.removeprefix(FOLDER)
            if target.exists():
                continue
            write_whole(target, packed.read(name))
            count += 1
    return count


def _is_packed(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(MAGIC)) == MAGIC


@contextmanager
def _opened(file: Path) -> Iterator[ZipFile]:
    """The packed file, whole and one of ours."""
    try:
        with ZipFile(file) as packed:
            if DATABASE not in packed.namelist():
                raise BackupProblem(f"{file} is no backup of Spadille.")
            if damaged := _first_damaged(packed):
                raise BackupProblem(f"{file} is damaged: {damaged} is not as it was written.")
            yield packed
    except _UNREADABLE as error:
        raise BackupProblem(f"{file} is damaged and cannot be read: {error}") from error


def _first_damaged(packed: ZipFile) -> str | None:
    """The first thing in a backup that is not as the list says: another, missing, or put in since."""
    if LIST not in packed.namelist():
        return packed.testzip()
    sums: dict[str, str] = json.loads(packed.read(LIST))
    if odd := {*sums, LIST} ^ {*packed.namelist()}:
        return min(odd)
    for name, wanted in sums.items():
        with packed.open(name) as member:
            if hashlib.file_digest(cast(BufferedIOBase, member), "sha256").hexdigest() != wanted:
                return name
    return None
