"""Files that are kept: there whole under their name or not at all, also after the plug was pulled.

Written beside, brought to the disk, given their name, and the name brought there too. Whoever keeps a file writes it by
one of these; nothing of the program writes where a file of that name may be read.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile


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
