"""Atomic, durable writes of files, and a lock between processes.

A file is written under a temporary name, flushed to the disk, renamed, and its folder flushed too: after a power
failure it is complete or absent. Every file that is kept is written by one of these functions.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from core.platform import hold


def write_whole(path: Path, data: bytes) -> None:
    """Write a file for its owner only; when this returns it is on the disk. Raises `OSError`, and leaves nothing."""
    part = NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False)  # noqa: SIM115 - closed below
    try:
        with part:
            part.write(data)
        put_in_place(Path(part.name), path)  # closed: Windows gives no other name to what is open
    except BaseException:
        Path(part.name).unlink(missing_ok=True)
        raise


def put_in_place(part: Path, path: Path) -> None:
    """Give a file that is written its name, first having brought what is in it to the disk."""
    bring_to_disk(part)
    part.replace(path)
    bring_to_disk(path.parent)


def bring_to_disk(path: Path) -> None:
    """Let what is written be on the disk. Windows cannot be asked for a folder's, and brings its names there itself."""
    flags = os.O_RDONLY if hasattr(os, "O_DIRECTORY") else os.O_RDWR | getattr(os, "O_BINARY", 0)
    if path.is_dir() and not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def bring_all_to_disk(folder: Path) -> None:
    """Let all that was written into a folder be on the disk: of thousands of files sooner than one by one."""
    if sync := getattr(os, "sync", None):
        sync()
        return
    for path in folder.rglob("*"):
        if path.is_file():
            bring_to_disk(path)


LOOK_AGAIN = 0.02  # seconds


@contextmanager
def one_at_a_time(what: str, folder: Path, patience: float) -> Iterator[None]:
    """Hold up everybody else on this machine who does the same. Raises `TimeoutError` after so many seconds."""
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
