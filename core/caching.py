"""A file cache shared by all processes, without random eviction; and memoisation within a block."""

from __future__ import annotations

import errno
import time
import zlib
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator


# Seconds after which a full folder is looked through again for what has had its time.
LOOKED = 5.0
# Bytes before what is kept, by which it is known to be whole.
PRINT = 4
MISSING = object()


class LastingFileCache(FileBasedCache):
    """Django's, once full, throws out a third by chance: who guesses from many addresses had all counts begun anew.

    Here only what has had its time goes, and what is damaged, as by a disk that was full or a machine that lost its
    power. Where that makes no room, what is new is not kept: OSError, as of a full disk.
    """

    # Folder -> when this process looked through it: not at each of a flood.
    looked_at: ClassVar[dict[Path, float]] = {}

    def __init__(self, folder: str | Path, params: dict[str, Any]) -> None:
        super().__init__(str(folder), params)
        self.folder = Path(folder)

    def set(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Raises OSError where there is no room for a new one; what is there already is replaced."""
        if not self.has_key(key, version) and not self._has_room():
            raise OSError(errno.ENOSPC, "The cache is full", str(self.folder))
        super().set(key, value, timeout, version)

    def touch(self, key: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Django's writes into the file while others read it."""
        value = self.get(key, MISSING, version)
        if value is not MISSING:
            self.set(key, value, timeout, version)
        return value is not MISSING

    def _write_content(self, file: BinaryIO, timeout: float | None, value: Any) -> None:
        content = BytesIO()
        super()._write_content(content, timeout, value)  # type: ignore[misc]
        file.write(_print_of(content.getvalue()) + content.getvalue())

    def _is_expired(self, file: BinaryIO) -> bool:
        """Also what is damaged: to unpack that may raise anything, and take any amount of memory."""
        told, content = file.read(PRINT), file.read()
        if told == _print_of(content):
            file.seek(PRINT)
            return bool(super()._is_expired(file))  # type: ignore[misc]
        file.close()  # as Django does: Windows removes nothing that is open
        Path(file.name).unlink(missing_ok=True)
        return True

    def _cull(self) -> None:
        """Nothing: `set` has looked."""

    def _has_room(self) -> bool:
        files = self._files()
        if len(files) < self._max_entries:
            return True
        if time.monotonic() - self.looked_at.get(self.folder, -LOOKED) < LOOKED:
            return False
        self.looked_at[self.folder] = time.monotonic()
        for path in files:
            with suppress(FileNotFoundError), path.open("rb") as file:
                self._is_expired(file)  # removes what is
        return len(self._files()) < self._max_entries

    def _files(self) -> list[Path]:
        return list(self.folder.glob(f"*{self.cache_suffix}"))


def _print_of(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(PRINT, "big")


Found = TypeVar("Found")

_found: ContextVar[dict[Hashable, Any] | None] = ContextVar("_found", default=None)


@contextmanager
def one_moment() -> Iterator[None]:
    """What is found inside stays so until its end; outside each page finds for itself."""
    token = _found.set({})
    try:
        yield
    finally:
        _found.reset(token)


def found_once(what: Hashable, find: Callable[[], Found]) -> Found:
    """What was found of it in this moment, or is found now; whatever `find` raises is not kept."""
    known = _found.get()
    if known is None:
        return find()
    if what not in known:
        known[what] = find()
    value: Found = known[what]
    return value
