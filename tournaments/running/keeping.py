"""`python -m tournaments.running.keeping HOST PORT COMMAND…`: a command of `manage.py` beside the server that is there.

It begins when the server answers, since nobody waits for it before, and again where it fails, until told to stop: who
makes sheets and backups would else be gone for the evening when the database was away once.
Only the standard library is read for it: this waits, nothing more.
"""

from __future__ import annotations

import signal
import socket
import sys
import time
from contextlib import suppress
from types import FrameType
from typing import NoReturn

from tournaments.running.system import begin, end_if_held

# Seconds: before it is tried again, between two looks for the server, and for which that is waited for.
PAUSE, LOOK_AGAIN, PATIENCE = 5.0, 0.05, 60.0


def wait_until_answered(host: str, port: int, patience: float = PATIENCE) -> bool:
    """Whether the server there has answered, whatever it said, within so many seconds."""
    until = time.monotonic() + patience
    while (left := until - time.monotonic()) > 0:
        with suppress(OSError), socket.create_connection((host, port), timeout=left) as asking:
            asking.sendall(b"GET /health/ HTTP/1.0\r\nHost: localhost\r\n\r\n")
            if asking.recv(1):
                return True
        time.sleep(LOOK_AGAIN)
    return False


def keep(command: list[str], pause: float = PAUSE) -> int:
    """The exit status where it ended well; what it says goes to where ours goes."""
    signal.signal(signal.SIGTERM, _stop)
    while True:
        child = begin(command)
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
    end_if_held()
    _host, _port, *_command = sys.argv[1:]
    wait_until_answered(_host, int(_port))
    sys.exit(keep([sys.executable, "manage.py", *_command]))
