"""Running the program: processes for pages, and beside them one each for jobs, for backups and for the journal.

The process that keeps them all is there as long as they are: it reads what it needs for that, and neither the program
nor Django's models. What a terminal is told before is in `telling.py`, and `afresh.py` forgets what that took.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.utils.module_loading import import_string
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer, WorkerProcess

from core import platform
from core.files import write_whole
from tournaments.running.counting import begin_to_count
from tournaments.running.ending import end_at_once
from tournaments.running.in_use import port_file, somebody_serves
from tournaments.running.keeping import Keeper, wait_until_answered

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

ORIGINAL = "tournaments.running.original"
# Phones that may be connected to one process at the same time.
MOST_CONNECTIONS = 4096
# Milliseconds within which a request's head is here, and within which a silent connection is asked something again.
HEAD_WITHIN = 20_000
# Seconds for requests that are being answered, or sent, when the server is stopped, and for what runs beside it.
STOPPED_WITHIN = 8


def serve(host: str, say: Callable[[], None] | None = None) -> None:
    """Serve until stopped; `say` is called when the server answers, and no address told before."""
    with somebody_serves():
        begin_to_count()
        beside = [Keeper((host, settings.PORT), command) for command in beside_pages()]
        write_whole(port_file(), str(settings.PORT).encode())
        if say:
            threading.Thread(target=_once_answered, args=(host, say), daemon=True).start()
        for keeper in beside:
            keeper.start()
        try:
            _serve_pages(host)
        finally:
            for keeper in beside:
                keeper.stop()
            until = time.monotonic() + STOPPED_WITHIN
            for keeper in beside:
                keeper.wait_for_end(max(0.0, until - time.monotonic()))


def _once_answered(host: str, say: Callable[[], None]) -> None:
    if wait_until_answered(host, settings.PORT):
        say()


def beside_pages() -> Iterator[list[str]]:
    """The commands of ours that run while pages are served."""
    yield ["jobs", "--work"]
    if settings.BACKUP_MINUTES:
        yield ["backup", "--every", str(settings.BACKUP_MINUTES)]
    if settings.JOURNAL:
        yield ["journal", "--follow"]


def processes() -> int:
    """How many processes for pages: two at least, so that a long page holds nobody up, and four at most."""
    return min(4, max(2, platform.cores()))


def allow_connections() -> None:
    """Let a process hold a connection for each phone in the hall; systems allow 1,024 open files unless asked."""
    platform.allow_files(2 * MOST_CONNECTIONS)


def _serve_pages(host: str) -> None:
    allow_connections()
    # What is copied begins with Python alone, in whatever folder the command was typed.
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, (str(settings.BASE_DIR), os.environ.get("PYTHONPATH")))
    )
    if platform.COPIES:
        from tournaments.running.copying import copied_off  # noqa: PLC0415 - not every system has what it needs

        WorkerProcess._spawn = copied_off  # type: ignore[method-assign] # begun anew each would read the program
    else:
        multiprocessing.set_start_method("spawn", force=True)
    server = Server(
        f"{ORIGINAL}:application",
        address=host,
        port=settings.PORT,
        interface=Interfaces.ASGINL,
        workers=processes(),
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEAD_WITHIN),
        websockets=False,
        backlog=MOST_CONNECTIONS,
        backpressure=MOST_CONNECTIONS,
        respawn_failed_workers=True,
        workers_kill_timeout=STOPPED_WITHIN,
        log_access=False,
        log_level=LogLevels.warning,
    )
    server.serve(target_loader=application_out_of_reach)


class Server(MPServer):
    """Granian, which may be told to stop more than once, as who presses Ctrl-C until something happens does.

    Told again in the instant in which it notes the first time, it would wait for itself for ever.
    """

    def signal_handler_interrupt(self, *args: Any, **kwargs: Any) -> None:
        for stop in (signal.SIGINT, signal.SIGTERM):
            signal.signal(stop, signal.SIG_IGN)
        super().signal_handler_interrupt(*args, **kwargs)  # type: ignore[no-untyped-call] # as it is there


def application_out_of_reach(target: str) -> WSGIApplication:
    """The application of a process for pages, in a group of its own.

    Ctrl-C goes to the whole group at the terminal. The first process then stops the others; a process for pages
    that hears both at once would wait for itself for ever. Until the server listens to signals here, what the first
    process does on one would be done, which ends nothing.
    """
    platform.leave_group()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    platform.end_with_parent()
    end_at_once()
    application = import_string(target.replace(":", "."))
    application.connections.watch(settings.PORT)
    return cast("WSGIApplication", application)
