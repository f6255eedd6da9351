"""`python -m tournaments.running.keeping COMMAND…`: a command of `manage.py`, again where it fails, until told to stop.

Who makes sheets and backups beside the pages would else be gone for the evening when the database was away once.
Only the standard library is read for it: this waits, nothing more.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from types import FrameType
from typing import NoReturn

from tournaments.running.ending import end_with_parent

PAUSE = 5.0  # seconds


def keep(command: list[str], pause: float = PAUSE) -> int:
    """The exit status where it ended well; what it says goes to where ours goes."""
    signal.signal(signal.SIGTERM, _stop)
    while True:
        child = subprocess.Popen(command, preexec_fn=end_with_parent)  # noqa: S603, PLW1509 - our own; no threads here
        try:
            if child.wait() == 0:
                return 0
        except SystemExit:
            child.terminate()
            child.wait()
            raise
        time.sleep(pause)


def _stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(0)


if __name__ == "__main__":
    sys.exit(keep([sys.executable, "manage.py", *sys.argv[1:]]))
