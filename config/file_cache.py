"""A cache in files that all processes share, in which nothing makes way for others before its time."""

import errno
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache

# Seconds after which a full folder is looked through again for what has had its time.
LOOKED = 5.0


class LastingFileCache(FileBasedCache):
    """Django's, once full, throws out a third by chance: who guesses from many addresses had all counts begun anew.

    Here only what has had its time goes. Where that makes no room, what is new is not kept: OSError, as of a full disk.
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
                self._is_expired(file)  # type: ignore[attr-defined]  # removes what is
        return len(self._files()) < self._max_entries

    def _files(self) -> list[Path]:
        return list(self.folder.glob(f"*{self.cache_suffix}"))
