"""Files beside the database: there whole or not at all, also after the plug was pulled; and work done one at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from tournaments.running.system import bring_to_disk, hold

LOOK_AGAIN = 0.02  # seconds


def write_whole(path: Path, data: bytes) -> None:
    """Write a file for its owner only; when this returns it is on the disk. Raises `OSError`, and leaves nothing."""
    part = NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False)  # noqa: SIM115 - closed below
    try:
        with part:
            part.write(data)
        put_in_place(Path(part.name), path)  # closed: Windows gives no other name to what is open
    except BaseException:
        Path(part.name).unlink(missing_ok=True)
        raise


def put_in_place(part: Path, path: Path) -> None:
    """Give a file that is written its name, first having brought what is in it to the disk."""
    bring_to_disk(part)
    part.replace(path)
    bring_to_disk(path.parent)


@contextmanager
def one_at_a_time(what: str, folder: Path, patience: float) -> Iterator[None]:
    """Hold up everybody else on this machine who does the same. Raises `TimeoutError` after so many seconds."""
    until = time.monotonic() + patience
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
