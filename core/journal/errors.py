"""Why nothing can be written to the journal, or a journal not be read."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

AWAY, FULL, READ_ONLY, FOREIGN, OTHER = "away", "full", "read_only", "foreign", "other"
KINDS = {
    errno.ENOSPC: FULL,
    getattr(errno, "EDQUOT", errno.ENOSPC): FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.ENOENT: AWAY,
    errno.ENOTDIR: AWAY,
    errno.ENODEV: AWAY,
    errno.ENXIO: AWAY,
    errno.EIO: AWAY,
}


class PlaceError(Exception):
    """The place of the journal cannot be used; `kind` is one of the codes above, the text is English, for the log."""

    def __init__(self, kind: str, said: str) -> None:
        super().__init__(said)
        self.kind = kind


class JournalError(Exception):
    """A journal cannot be restored; the message is English, for the command line."""


@contextmanager
def place_errors(place: str) -> Iterator[None]:
    """Convert OSError within the block to `PlaceError`."""
    try:
        yield
    except OSError as error:
        kind = KINDS.get(error.errno or 0, OTHER)
        raise PlaceError(kind, f"{place}: {error.strerror or error}") from error
