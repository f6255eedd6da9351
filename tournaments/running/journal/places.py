"""What a place of the journal can do, and a folder as one, on another disk or a stick; `sftp` is another."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Protocol

from core.files import bring_to_disk, write_whole
from tournaments.running.journal.problems import AWAY, PlaceProblem, told_as_of

# Of what the journal puts there: nothing else in the folder is looked at.
PREFIX = "spadille-journal-"
PICTURES = PREFIX + "photographs"


class Place(Protocol):
    """Raises `PlaceProblem` wherever it cannot be reached, read or written."""

    said: str

    def names(self, under: str = "") -> list[str]:
        """The files of the journal in it, or of one folder of it."""

    def opened(self, name: str) -> IO[bytes]: ...

    def size(self, name: str) -> int | None:
        """None where there is no such file."""

    def append(self, name: str, data: bytes) -> None:
        """Write at a file's end; when this returns it is there as safely as the place knows."""

    def cut(self, name: str, size: int) -> None: ...

    def put(self, name: str, data: bytes) -> None:
        """Write a file whole, in a folder that is made where it is not there."""

    def remove(self, name: str) -> None: ...

    def close(self) -> None: ...


class Folder:
    """A folder that must be there: one that was made where the stick should be would lie on this very disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.said = str(path)

    def names(self, under: str = "") -> list[str]:
        with told_as_of(self.said):
            if not self.path.is_dir():
                raise PlaceProblem(AWAY, f"{self.path}: there is no such folder.")
            folder = self.path / under
            found = folder.iterdir() if folder.is_dir() else iter(())
            return sorted(each.name for each in found if under or each.name.startswith(PREFIX))

    def opened(self, name: str) -> IO[bytes]:
        with told_as_of(self.said):
            return (self.path / name).open("rb")

    def size(self, name: str) -> int | None:
        with told_as_of(self.said):
            self.path.stat()
            return (self.path / name).stat().st_size if (self.path / name).exists() else None

    def append(self, name: str, data: bytes) -> None:
        path = self.path / name
        with told_as_of(self.said):
            is_new = not path.exists()
            flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT if is_new else 0) | getattr(os, "O_BINARY", 0)
            with os.fdopen(os.open(path, flags, 0o600), "ab", buffering=0) as file:
                rest = memoryview(data)
                while rest:
                    rest = rest[file.write(rest) :]
                os.fsync(file.fileno())
            if is_new:
                bring_to_disk(self.path)

    def cut(self, name: str, size: int) -> None:
        with told_as_of(self.said):
            os.truncate(self.path / name, size)

    def put(self, name: str, data: bytes) -> None:
        with told_as_of(self.said):
            (self.path / name).parent.mkdir(mode=0o700, exist_ok=True)
            write_whole(self.path / name, data)

    def remove(self, name: str) -> None:
        with told_as_of(self.said):
            (self.path / name).unlink(missing_ok=True)

    def close(self) -> None:
        """Nothing is held open: a stick may be pulled out at any time."""
