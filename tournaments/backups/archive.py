"""A backup with the photographs of slips in it: a zip of the database's own backup and the pictures."""

from __future__ import annotations

import os
import re
import shutil
import zlib
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from tournaments.backups.problems import BackupProblem
from tournaments.models import Photograph
from tournaments.models.evidence import photographs_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

SUFFIX = "zip"
MAGIC = b"PK\x03\x04"
DATABASE = "database"
FOLDER = "photographs/"
_PICTURE = re.compile(re.escape(FOLDER) + r"[\w-]{1,60}\.jpg")


def pictures() -> list[Path]:
    """The photographs that the database knows and that are in this data folder."""
    return [photograph.path for photograph in Photograph.objects.all() if photograph.is_there]


def pack(database: Path, photographs: list[Path], target: Path) -> None:
    """Write both into one file, on the disk when it is done; a picture removed meanwhile is left out."""
    with ZipFile(target, "w") as packed:
        packed.write(database, DATABASE, ZIP_DEFLATED, compresslevel=1)
        for picture in photographs:
            if picture.is_file():
                packed.write(picture, FOLDER + picture.name, ZIP_STORED)
    with target.open("rb") as written:
        os.fsync(written.fileno())


@contextmanager
def unpacked(file: Path) -> Iterator[Path]:
    """The database's backup in a file, wherever it is: older backups, and those of the timer, are that file itself."""
    if not _is_packed(file):
        yield file
        return
    with TemporaryDirectory(dir=file.parent, prefix=".restore-") as folder, _opened(file) as packed:
        yield Path(packed.extract(DATABASE, folder))


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
            with packed.open(name) as source, target.open("wb") as copy:
                shutil.copyfileobj(source, copy)
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
            if damaged := packed.testzip():
                raise BackupProblem(f"{file} is damaged: {damaged}.")
            yield packed
    except (BadZipFile, EOFError, zlib.error) as error:
        raise BackupProblem(f"{file} cannot be read: {error}") from error
