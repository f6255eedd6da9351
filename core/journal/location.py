"""The journal's location: a folder on another disk or a stick, or one of another machine."""

from __future__ import annotations

from pathlib import Path

from core.journal.places import Folder, Place

SFTP = "sftp://"


def place_at(where: str) -> Place:
    if where.startswith(SFTP):
        from core.journal.sftp import Sftp  # noqa: PLC0415 - its library is imported only where it is needed

        return Sftp(where)
    return Folder(Path(where))
