"""Serving with gunicorn: one process loads the program, then forks the workers for pages and the sidecars."""

from __future__ import annotations

import logging
import signal
import sys
from contextlib import suppress
from functools import partial
from queue import Empty
from typing import Any

from django.conf import settings
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from uvicorn_worker import UvicornWorker

from core import platform
from core.serving.limits import HEAD_WITHIN
from core.serving.options import MOST_CONNECTIONS, STOPPED_WITHIN, UVICORN, load_application, processes
from core.serving.sidecars import (
    ForkedProcess,
    Process,
    Sidecars,
    SpawnedProcess,
    run_when_answered,
    wait_until_answered,
)

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT)


def serve_pages(host: str, said: str, commands: list[list[str]]) -> None:
    """Serve until stopped, with these commands as sidecars; prints `said` once the server responds."""
    keeper = Keeper(Program(host, commands), commands, said)
    with suppress(SystemExit):  # how it ends, with what it did not survive as its code
        keeper.run()
        return
    if keeper.failed:
        sys.exit(1)


class Log(Logger):
    """Sends the messages of gunicorn and uvicorn to the handlers of `settings.LOGGING`."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        self.error_log.handlers = list(logging.getLogger().handlers)


class Program(BaseApplication):
    """The program as gunicorn wants it."""

    def __init__(self, host: str, commands: list[list[str]]) -> None:
        self.host, self.commands = host, commands
        super().__init__()

    def load_config(self) -> None:
        options = {
            "bind": f"[{self.host}]:{settings.PORT}" if ":" in self.host else f"{self.host}:{settings.PORT}",
            "worker_class": PageWorker,
            "workers": processes(),
            "preload_app": True,
            "post_fork": begin_worker,
            "timeout": 0,  # no heartbeat timeout: a laptop may have slept for hours
            "graceful_timeout": STOPPED_WITHIN,
            "keepalive": HEAD_WITHIN,
            "backlog": MOST_CONNECTIONS,
            "logger_class": Log,
            "loglevel": "error",
            "control_socket_disable": True,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return load_application(command for command, *_options in self.commands)


class PageWorker(UvicornWorker):
    """A process for pages."""

    CONFIG_KWARGS = UVICORN


def begin_worker(_keeper: Arbiter, _worker: PageWorker) -> None:
    """Prepare a new worker to end with its parent.

    Ctrl-C reaches every process of the terminal's group; only the first one acts on it.
    """
    for stop in STOPS:
        signal.signal(stop, signal.SIG_DFL)
    platform.leave_group()
    platform.end_with_parent()
    platform.name_process("spadille-pages")


class Keeper(Arbiter):
    """Gunicorn's arbiter, which also restarts the sidecars."""

    SIGNALS = list(STOPS)
    failed = False

    def __init__(self, program: Program, commands: list[list[str]], said: str) -> None:
        super().__init__(program)
        self.address, self.said = (program.host, settings.PORT), said
        self.sidecars = Sidecars(commands, self.begin)
        # Closing the terminal stops the server, except under nohup.
        if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
            self.SIGNALS = [*STOPS, signal.SIGHUP]

    def begin(self, command: list[str]) -> Process:
        """The process of a sidecar."""
        if not platform.COPIES:
            return SpawnedProcess(command)
        run = partial(run_when_answered, *self.address, command)
        return ForkedProcess(f"spadille-{command[0]}", run, self.close_sockets)

    def close_sockets(self) -> None:
        """Close, in a fork, what is the server's."""
        for listener in self.LISTENERS:
            listener.close()

    def manage_workers(self) -> None:
        super().manage_workers()
        if self.said:
            said, self.said = self.said, ""
            ForkedProcess("spadille-start", lambda: self.announce(said), self.close_sockets)
        self.sidecars.check()

    def announce(self, said: str) -> None:
        """Print the start message once the server responds."""
        if wait_until_answered(*self.address):
            sys.stdout.writelines(said.splitlines(keepends=True))

    def handle_int(self) -> None:
        self.handle_term()

    def handle_quit(self) -> None:
        self.handle_term()

    def handle_hup(self) -> None:
        self.handle_term()

    def stop(self, graceful: bool = True) -> None:
        """End all processes. A second Ctrl-C changes nothing: running requests get their response."""
        del graceful
        for stop in self.SIGNALS:
            signal.signal(stop, signal.SIG_IGN)
        with suppress(Empty):
            while True:
                self.SIG_QUEUE.get_nowait()
        self.sidecars.stop()
        super().stop()
        self.sidecars.wait(STOPPED_WITHIN)

    def halt(self, reason: str | None = None, exit_status: int = 0) -> None:
        self.failed = bool(exit_status)
        if reason:
            logging.getLogger(__name__).error(reason)
        super().halt(reason, exit_status)
