"""A command of `manage.py` kept beside the server: it begins when the server answers, and again whenever it has ended.

Nobody waits for it before the first page; and who makes sheets and backups would else be gone for the evening when the
database was away once. Where a process can be copied it is one more copy of who has read the program.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
import time
from contextlib import suppress
from typing import Protocol

from django.conf import settings
from django.core.management import CommandError, call_command

from core import platform

logger = logging.getLogger(__name__)

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


class Process(Protocol):
    def terminate(self) -> None: ...

    def kill(self) -> None: ...

    def wait(self) -> int | None:
        """Its exit status, once it has ended."""


def begin(command: list[str]) -> Process:
    """A process of ours for a command of `manage.py`; it ends with this one."""
    if platform.COPIES:
        from tournaments.running.copying import Copy  # noqa: PLC0415 - not every system has what it needs

        copy = Copy(target=run_command, args=(command,))
        copy.start()
        return copy
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    # Ctrl-C at the terminal is for the server alone.
    return platform.begin([sys.executable, "manage.py", *command], cwd=settings.BASE_DIR, env=env, apart=True)


def run_command(command: list[str]) -> None:
    """What a copy does: Django is set up, and the program checked, by who has read it."""
    platform.end_with_parent()
    try:
        call_command(*command)
    except CommandError as error:
        sys.exit(f"CommandError: {error}")


class Keeper(threading.Thread):
    """Keeps a command at work until `stop`."""

    def __init__(self, address: tuple[str, int], command: list[str], pause: float = PAUSE) -> None:
        """`address`: host and port of the server, which is waited for first; `pause`: seconds before another try."""
        super().__init__(name=f"keeps {command[0]}", daemon=True)
        self.address, self.command, self.pause = address, command, pause
        self.stopping = threading.Event()
        self.beginning = threading.Lock()
        self.process: Process | None = None

    def run(self) -> None:
        wait_until_answered(*self.address)
        while process := self._begin():
            process.wait()
            self.stopping.wait(self.pause)

    def _begin(self) -> Process | None:
        """None once it is to stop."""
        while not self.stopping.is_set():
            try:
                with self.beginning:
                    if not self.stopping.is_set():
                        self.process = begin(self.command)
                        return self.process
            except Exception:  # no memory for another process just now, say
                logger.exception("%s cannot be begun", self.name)
                self.stopping.wait(self.pause)
        return None

    def stop(self) -> None:
        self.stopping.set()
        with self.beginning:
            if self.process:
                self.process.terminate()

    def wait_for_end(self, seconds: float) -> None:
        """After `stop`, until the command has ended; then it is ended. One not begun yet has nothing to end."""
        if self.process:
            self.join(seconds)
            if self.is_alive():
                self.process.kill()
