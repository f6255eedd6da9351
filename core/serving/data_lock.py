"""The lock of the data folder: shared by servers, exclusive while a backup is restored."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from core import platform


@contextmanager
def _lock(refusal: str, *, shared: bool = False) -> Iterator[None]:
    with (settings.DATA_DIR / "in-use").open("w") as file:
        try:
            platform.hold(file, shared=shared)
        except BlockingIOError:
            raise CommandError(refusal) from None
        yield


def nobody_serves() -> AbstractContextManager[None]:
    """Keep the program from being served meanwhile; refuses where it is."""
    return _lock("Spadille is being served from this data folder. Stop it first.")


def somebody_serves() -> AbstractContextManager[None]:
    """Keep backups from being restored meanwhile; refuses where one is."""
    return _lock("A backup is being restored in this data folder. Wait until it is done.", shared=True)


def port_file() -> Path:
    """The file in which the serving process writes its port."""
    return Path(settings.DATA_DIR) / "port"


def served_port() -> int:
    """The port of the server of this data folder."""
    if "PORT" in os.environ:
        return int(settings.PORT)
    with suppress(CommandError, OSError, ValueError), nobody_serves():
        return int(settings.PORT)
    with suppress(OSError, ValueError):
        return int(port_file().read_text("ascii"))
    return int(settings.PORT)
