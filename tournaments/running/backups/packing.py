"""How the database's own backup lies in a backup's file: by brotli, a third smaller than zip does it in less time.

What the database's program has pressed together already (`PRESSED`) is laid in as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

import brotli

from tournaments.running.backups.problems import BackupProblem

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCK = 1 << 20  # bytes
# 0 to 11: from here on each step costs twice the time of the one before, and brings a twentieth.
QUALITY = 5
WINDOW = 24  # the largest: 16 MB


def packed_blocks(file: Path, tell: Callable[[int], None]) -> Iterator[bytes]:
    """A file pressed together; `tell` hears of each block how long it was before."""
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
    """What was pressed together, block by block. Raises `BackupProblem` where it is cut off or another."""
    press = brotli.Decompressor()
    try:
        while not press.is_finished():
            more = packed.read(BLOCK) if press.can_accept_more_data() else b""
            block = press.process(more, output_buffer_limit=BLOCK)
            if not more and not block and not press.is_finished():
                raise BackupProblem("The database in it ends too early.")
            yield block
    except brotli.error as error:
        raise BackupProblem(f"The database in it cannot be read: {error}") from error


def written(blocks: Iterable[bytes], to: IO[bytes] | None = None) -> str:
    """The SHA-256 of all blocks, which are written one by one."""
    told = hashlib.sha256()
    for block in blocks:
        told.update(block)
        if to is not None:
            to.write(block)
    return told.hexdigest()
