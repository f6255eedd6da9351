"""A cache in files that all processes share, in which nothing makes way for others before its time."""

import errno
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache

# Seconds after which a full folder is looked through again for what has had its time.
LOOKED = 5.0


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

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Nothing where the file is damaged, which goes."""
        try:
            return super().get(key, default, version)
        except OSError:
            raise
        except Exception:  # noqa: BLE001 - what was damaged may be unpacked to anything
            self.delete(key, version)
            return default

    def touch(self, key: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """The same."""
        try:
            return super().touch(key, timeout, version)
        except OSError:
            raise
        except Exception:  # noqa: BLE001 - as above
            self.delete(key, version)
            return False

    def _is_expired(self, file: BinaryIO) -> bool:
        """Also what is damaged."""
        try:
            return bool(super()._is_expired(file))  # type: ignore[misc]
        except OSError:
            raise
        except Exception:  # noqa: BLE001 - as above
            file.close()
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
