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
# Bytes of the checksum before a cached value.
PRINT = 4
MISSING = object()


class LastingFileCache(FileBasedCache):
    """Django's file cache evicts a random third when full, which would reset counters of a guesser with many addresses.

    This one removes expired and damaged entries only. If that makes no room, a new entry is refused with OSError, as on
    a full disk.
    """

    # Folder -> when this process looked through it: not at each of a flood.
    looked_at: ClassVar[dict[Path, float]] = {}

    def __init__(self, folder: str | Path, params: dict[str, Any]) -> None:
        super().__init__(str(folder), params)
        self.folder = Path(folder)

    def set(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Raises OSError if there is no room for a new key; an existing one is replaced."""
        if not self.has_key(key, version) and not self._has_room():
            raise OSError(errno.ENOSPC, "The cache is full", str(self.folder))
        super().set(key, value, timeout, version)

    def touch(self, key: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Rewrite the entry: Django's version writes into a file that others may be reading."""
        value = self.get(key, MISSING, version)
        if value is not MISSING:
            self.set(key, value, timeout, version)
        return value is not MISSING

    def _write_content(self, file: BinaryIO, timeout: float | None, value: Any) -> None:
        content = BytesIO()
        super()._write_content(content, timeout, value)  # type: ignore[misc]
        file.write(_print_of(content.getvalue()) + content.getvalue())

    def _is_expired(self, file: BinaryIO) -> bool:
        """Whether the entry is expired or damaged: unpickling a damaged one could raise anything or exhaust memory."""
        told, content = file.read(PRINT), file.read()
        if told == _print_of(content):
            file.seek(PRINT)
            return bool(super()._is_expired(file))  # type: ignore[misc]
        file.close()  # as Django does: Windows removes nothing that is open
        Path(file.name).unlink(missing_ok=True)
        return True

    def _cull(self) -> None:
        """Not needed: `set` evicts."""

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
def memo_scope() -> Iterator[None]:
    """Within the block, `memoize` returns the same value for the same key; outside it computes each time."""
    token = _found.set({})
    try:
        yield
    finally:
        _found.reset(token)


def memoize(what: Hashable, find: Callable[[], Found]) -> Found:
    """The value for this key, computed once within the surrounding `memo_scope`; exceptions are not cached."""
    known = _found.get()
    if known is None:
        return find()
    if what not in known:
        known[what] = find()
    value: Found = known[what]
    return value


def memoized(what: Hashable) -> Any:
    """The value for this key if it is known within the surrounding `memo_scope`, else None."""
    return (_found.get() or {}).get(what)
