"""Sidecars: commands of `manage.py` that run while the server does, started when it responds, restarted when they end.

No request waits for them. Without a restart sheets and backups would stop for the evening after one failure of the
database.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from django.conf import settings
from django.core.management import CommandError, call_command

from core import platform

logger = logging.getLogger(__name__)

# Seconds: before a command is begun again, between two looks for the server, and for which the server is waited for.
PAUSE, LOOK_AGAIN, PATIENCE = 5.0, 0.05, 60.0


def wait_until_answered(host: str, port: int, patience: float = PATIENCE) -> bool:
    """Wait until a server responds, with any status; False after `patience` seconds."""
    until = time.monotonic() + patience
    while (left := until - time.monotonic()) > 0:
        with suppress(OSError), socket.create_connection((host, port), timeout=left) as asking:
            asking.sendall(b"GET /health/ HTTP/1.0\r\nHost: localhost\r\n\r\n")
            if asking.recv(1):
                return True
        time.sleep(LOOK_AGAIN)
    return False


class Process(Protocol):
    def has_ended(self) -> bool: ...

    def terminate(self) -> None: ...

    def kill(self) -> None: ...


class ForkedProcess:
    """A fork of this process that calls `work`, and ends with this one."""

    def __init__(
        self, name: str, work: Callable[[], object], close: Callable[[], None] = lambda: None
    ) -> None:
        """`close` is called first in the fork, for what it must not hold open."""
        sys.stdout.flush()
        sys.stderr.flush()
        self.number = os.fork()
        if self.number == 0:
            self._run(name, work, close)

    def _run(self, name: str, work: Callable[[], object], close: Callable[[], None]) -> None:
        status = 1
        try:
            for stop in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGCHLD):
                signal.signal(stop, signal.SIG_DFL)
            platform.leave_group()
            platform.end_with_parent()
            platform.name_process(name)
            close()
            work()
            status = 0
        except CommandError as error:
            sys.stderr.write(f"CommandError: {error}\n")
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        except Exception:
            logger.exception("%s has failed", name)
        finally:
            logging.shutdown()
            with suppress(OSError, ValueError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)

    def has_ended(self) -> bool:
        try:
            return os.waitpid(self.number, os.WNOHANG) != (0, 0)
        except ChildProcessError:  # reaped by the supervisor of all children
            return True

    def terminate(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.number, signal.SIGTERM)

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.number, signal.SIGKILL)


class SpawnedProcess:
    """A process of its own for a command, where processes cannot be forked; it ends with this one."""

    def __init__(self, command: list[str]) -> None:
        env = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
        # Ctrl-C at the terminal is for the server alone.
        arguments = [sys.executable, "manage.py", *command]
        self.process = platform.begin(arguments, cwd=settings.BASE_DIR, env=env, apart=True)

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def terminate(self) -> None:
        self.process.terminate()

    def kill(self) -> None:
        self.process.kill()


@dataclass
class Sidecar:
    """A command, its process, and when it is to be started."""

    command: list[str]
    process: Process | None = None
    due: float = 0.0


class Sidecars:
    """The sidecars of a server. Only `check`, which is called periodically, starts them."""

    def __init__(
        self, commands: list[list[str]], begin: Callable[[list[str]], Process], pause: float = PAUSE
    ) -> None:
        """`begin` starts the process of a command; `pause`: seconds before it is restarted."""
        self.sidecars = [Sidecar(command) for command in commands]
        self.begin, self.pause = begin, pause
        self.stopping = threading.Event()

    def check(self) -> None:
        """Start the commands that are not running."""
        for sidecar in self.sidecars:
            if sidecar.process is not None:
                if not sidecar.process.has_ended():
                    continue
                sidecar.process, sidecar.due = None, time.monotonic() + self.pause
            if self.stopping.is_set() or time.monotonic() < sidecar.due:
                continue
            try:
                sidecar.process = self.begin(sidecar.command)
            except (OSError, MemoryError):  # no memory for another process just now, say
                logger.exception("%s cannot be started", sidecar.command[0])
                sidecar.due = time.monotonic() + self.pause

    def stop(self) -> None:
        """Ask all of them to end, for good."""
        self.stopping.set()
        for sidecar in self.sidecars:
            if sidecar.process and not sidecar.process.has_ended():
                sidecar.process.terminate()

    def wait(self, seconds: float) -> None:
        """Wait after `stop` until all have ended, and kill those left after so many seconds."""
        left = [sidecar.process for sidecar in self.sidecars if sidecar.process]
        until = time.monotonic() + seconds
        while left := [process for process in left if not process.has_ended()]:
            if time.monotonic() > until:
                for process in left:
                    process.kill()
                return
            time.sleep(LOOK_AGAIN)

    def watch(self, host: str, port: int) -> threading.Thread:
        """Check from a thread of its own, once the server responds; where no process is ever forked off this one."""

        def watch() -> None:
            wait_until_answered(host, port)
            while not self.stopping.wait(LOOK_AGAIN):
                self.check()

        thread = threading.Thread(target=watch, name="sidecars", daemon=True)
        thread.start()
        return thread


def run_when_answered(host: str, port: int, command: list[str]) -> None:
    """Run a command of `manage.py` in this process, once the server responds."""
    wait_until_answered(host, port)
    call_command(*command)
