"""Files beside the database: there whole or not at all, also after the plug was pulled; and work done one at a time."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

LOOK_AGAIN = 0.02  # seconds


def write_whole(path: Path, data: bytes) -> None:
    """Write a file for its owner only; when this returns it is on the disk. Raises `OSError`, and leaves nothing."""
    with NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False) as part:
        try:
            part.write(data)
            part.flush()
            put_in_place(Path(part.name), path)
        except BaseException:
            Path(part.name).unlink(missing_ok=True)
            raise


def put_in_place(part: Path, path: Path) -> None:
    """Give a file that is written its name, first having brought what is in it to the disk."""
    _bring_to_disk(part)
    part.replace(path)
    _bring_to_disk(path.parent)


def _bring_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def one_at_a_time(what: str, folder: Path, patience: float) -> Iterator[None]:
    """Hold up everybody else on this machine who does the same. Raises `TimeoutError` after so many seconds."""
    until = time.monotonic() + patience
    with (folder / f".{what}").open("a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise TimeoutError(what) from None
                time.sleep(LOOK_AGAIN)
        yield
