"""Files beside the database, as `clubs.jobs.on_disk` writes them all; and work done one at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clubs.jobs.on_disk import bring_all_to_disk, bring_to_disk, put_in_place, write_whole
from tournaments.running.system import hold

__all__ = ["bring_all_to_disk", "bring_to_disk", "one_at_a_time", "put_in_place", "write_whole"]

LOOK_AGAIN = 0.02  # seconds


@contextmanager
def one_at_a_time(what: str, folder: Path, patience: float) -> Iterator[None]:
    """Hold up everybody else on this machine who does the same. Raises `TimeoutError` after so many seconds."""
    until = time.monotonic() + patience
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / f".{what}").open("a") as file:
        while True:
            try:
                hold(file)
                break
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise TimeoutError(what) from None
                time.sleep(LOOK_AGAIN)
        yield
