"""A backup's file: a zip of the database's own backup, the photographs of slips, and a list of them with their SHA-256.

The list has the sums of what lies in the zip, so that a byte that has turned is found before anything is unpacked.
Older files have the database as zip presses it, or no list, or are the database's own backup alone; all are opened.
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
from zipfile import ZIP_STORED, BadZipFile, ZipFile

from core.files import write_whole
from tournaments.models import SheetPicture
from tournaments.models.ledger import photographs_folder
from tournaments.running.backups.packing import blocks_of, packed_blocks, unpacked_blocks, written
from tournaments.running.backups.problems import BackupProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SUFFIX = "zip"
MAGIC = b"PK\x03\x04"
DATABASE = "database.br"
# As older versions laid it in, and as what its own program has pressed together is laid in still.
PLAIN = "database"
FOLDER = "photographs/"
LIST = "sha256.json"
UNPACKING = ".restore-"
_PICTURE = re.compile(re.escape(FOLDER) + r"[\w-]{1,60}\.jpg")
# What the library raises where a file is cut off or a byte of it is another: it believes what it reads.
_UNREADABLE = (
    *(BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError),
    *(ValueError, KeyError, TypeError, AttributeError),
)


def pictures() -> list[Path]:
    """The photographs that the database knows and that are in this data folder, those that wait to be read too."""
    folder = photographs_folder()
    return [folder / name for name in sorted(SheetPicture.kept()) if (folder / name).is_file()]


def pack(
    database: Path,
    photographs: list[Path],
    target: Path,
    *,
    pressed: bool = False,
    tell: Callable[[int], None] = lambda _bytes: None,
) -> None:
    """Write all of it into one file, then read it back; a picture removed meanwhile is left out.

    `pressed`: the database's own program has pressed it together. `tell` hears how many bytes more are in it.
    """
    sums = {}
    with ZipFile(target, "w", ZIP_STORED) as packed:
        name = PLAIN if pressed else DATABASE
        blocks = blocks_of(database) if pressed else packed_blocks(database, tell)
        with packed.open(name, "w", force_zip64=True) as member:
            sums[name] = written(blocks, member)
        for picture in photographs:
            with suppress(FileNotFoundError):
                data = picture.read_bytes()
                packed.writestr(FOLDER + picture.name, data)
                sums[FOLDER + picture.name] = hashlib.sha256(data).hexdigest()
                tell(len(data))
        packed.writestr(LIST, json.dumps(sums, indent=1))
    with _opened(target) as packed:
        if not pressed and _sum_of_all(packed) != written(blocks_of(database)):
            raise BackupProblem("What was written is not what was there.")


def _sum_of_all(packed: ZipFile) -> str:
    with packed.open(DATABASE) as member:
        return written(unpacked_blocks(member))


@contextmanager
def unpacked(file: Path, folder: Path) -> Iterator[Path]:
    """The database's backup in a file, wherever it is: older backups may be that file itself.

    `folder` is where there is room for it. Raises `BackupProblem` for a file that is not as it was written.
    """
    if not _is_packed(file):
        yield file
        return
    with TemporaryDirectory(dir=folder, prefix=UNPACKING) as place:
        with _opened(file) as packed:
            database = _unpack(packed, Path(place))
        yield database


def _unpack(packed: ZipFile, place: Path) -> Path:
    if PLAIN in packed.namelist():
        return Path(packed.extract(PLAIN, place))
    database = place / PLAIN
    with packed.open(DATABASE) as member, database.open("wb") as opened:
        written(unpacked_blocks(member), opened)
    return database


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


def has_pictures(file: Path) -> bool:
    """Whether photographs are in it, which no timer lays in; False for what cannot be read."""
    try:
        with ZipFile(file) as packed:
            return any(map(_PICTURE.fullmatch, packed.namelist()))
    except (OSError, *_UNREADABLE):
        return False


def _is_packed(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(MAGIC)) == MAGIC


@contextmanager
def _opened(file: Path) -> Iterator[ZipFile]:
    """The packed file, whole and one of ours."""
    try:
        with ZipFile(file) as packed:
            if not {DATABASE, PLAIN} & {*packed.namelist()}:
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
        return _said(min(odd))
    for name, wanted in sums.items():
        with packed.open(name) as member:
            if hashlib.file_digest(cast(BufferedIOBase, member), "sha256").hexdigest() != wanted:
                return _said(name)
    return None


def _said(name: str) -> str:
    return "the database" if name in (DATABASE, PLAIN) else name
