"""Putting what is new into a site's folder, so that whoever reads it meanwhile, or after a power cut, finds a site.

Everything is written beside first and brought to the disk. Then what was not there before is put in place, then what is
otherwise than before, and at last what is no more is taken away: no page ever leads to what is not there.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from core.files import exclusive_lock, flush_folder_to_disk
from tournaments.published.kept import Folder, Kept, read_kept, write_kept

if TYPE_CHECKING:
    from collections.abc import Iterator

NEW = ".spadille-new"
LOCK = "spadille-lock"


class Busy(Exception):  # noqa: N818 - says what it is
    """Somebody else publishes into the folder; in English, for the command line."""


@contextmanager
def held(folder: Path) -> Iterator[tuple[Folder, Path]]:
    """What is in the folder, and where what is new is put; nobody else publishes there meanwhile."""
    read_kept(folder)  # nothing is put beside what is somebody else's
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with exclusive_lock(LOCK, folder, 0):
            before = read_kept(folder)  # as whoever was here last has left it
            new = folder / NEW
            shutil.rmtree(new, ignore_errors=True)  # of a run that was ended
            new.mkdir()
            try:
                yield before, new
            finally:
                shutil.rmtree(new, ignore_errors=True)
    except TimeoutError:
        raise Busy(f"{folder} is being published to already.") from None


def put_in_place(folder: Path, before: Folder, now: Folder) -> tuple[int, int]:
    """Put what is new in its place; how many files were written, and taken away."""
    new = folder / NEW
    written = [path.relative_to(new) for path in new.rglob("*") if path.is_file()]
    gone = files_of(before).keys() - files_of(now).keys()
    if written or gone:
        flush_folder_to_disk(new)
        # Whatever ends this, the next run knows of every file, and makes anew what was not put in place.
        write_kept(folder, _under_way(before, now))
        there = {path for path in written if (folder / path).exists()}
        for path in (*(one for one in written if one not in there), *there):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (new / path).replace(folder / path)
        for file in gone:
            (folder / file).unlink(missing_ok=True)
        for above in sorted(
            {above for file in gone for above in PurePosixPath(file).parents[:-1]}, reverse=True
        ):
            with suppress(OSError):  # unless something is left in it
                (folder / above).rmdir()
        flush_folder_to_disk(folder)
    write_kept(folder, now)
    return len(written), len(gone)


def files_of(told: Folder) -> dict[str, str]:
    """Digest by file, of a folder."""
    return {
        (f"{language}/{file}" if language else file): digest
        for language, kept in told.items()
        for file, digest in kept.files.items()
    }


def _under_way(before: Folder, now: Folder) -> Folder:
    """Every file that was or will be there, made from nothing that is known."""
    return {"": Kept(others=dict.fromkeys({**files_of(before), **files_of(now)}, ""))}
