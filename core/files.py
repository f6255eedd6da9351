"""Atomic, durable writes of files, and a lock between processes.

A file is written under a temporary name, flushed to the disk, renamed, and its folder flushed too: after a power
failure it is complete or absent. All permanent files are written by these functions.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from core.platform import hold


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file for its owner only, flushed to the disk. Raises `OSError`, and then leaves no file."""
    part = NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False)  # noqa: SIM115 - closed below
    try:
        with part:
            part.write(data)
        move_into_place(Path(part.name), path)  # closed: Windows gives no other name to what is open
    except BaseException:
        Path(part.name).unlink(missing_ok=True)
        raise


def move_into_place(part: Path, path: Path) -> None:
    """Flush a finished file and rename it to its final name."""
    flush_to_disk(part)
    part.replace(path)
    flush_to_disk(path.parent)


def flush_to_disk(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk (fsync); Windows flushes entries of folders itself."""
    flags = os.O_RDONLY if hasattr(os, "O_DIRECTORY") else os.O_RDWR | getattr(os, "O_BINARY", 0)
    if path.is_dir() and not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def flush_folder_to_disk(folder: Path) -> None:
    """Flush all files in a folder to the disk: for thousands of files faster than one by one."""
    if sync := getattr(os, "sync", None):
        sync()
        return
    for path in folder.rglob("*"):
        if path.is_file():
            flush_to_disk(path)


LOOK_AGAIN = 0.02  # seconds


@contextmanager
def exclusive_lock(what: str, folder: Path, patience: float) -> Iterator[None]:
    """Hold a lock against all processes of this machine. Raises `TimeoutError` after `patience` seconds."""
    until = time.monotonic() + patience
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / f".{what}").open("a") as file:
        while True:
            try:
                hold(file)
                break
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise TimeoutError(what) from None
                time.sleep(LOOK_AGAIN)
        yield
