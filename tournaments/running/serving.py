"""Running the program: processes for pages, and beside them one each for jobs, for backups and for the journal."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

import segno
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.module_loading import import_string
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import WorkerProcess

from tournaments.running import system
from tournaments.running.addresses import lan_address
from tournaments.running.counting import begin_to_count
from tournaments.running.database import wait_until_it_answers
from tournaments.running.ending import end_at_once
from tournaments.running.keeping import Keeper, wait_until_answered
from tournaments.running.on_disk import write_whole

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

ORIGINAL = "tournaments.running.original"
# Phones that may be connected to one process at the same time.
MOST_CONNECTIONS = 4096
# Milliseconds within which a request's head is here, and within which a silent connection is asked something again.
HEAD_WITHIN = 20_000
# Seconds for requests that are being answered, or sent, when the server is stopped, and for what runs beside it.
STOPPED_WITHIN = 8


def desk_address() -> str:
    if settings.HTTPS:
        return f"{settings.PUBLIC_URL}/desk/"
    return f"http://localhost:{settings.PORT}/desk/"


def hall_address(port: int | None = None) -> str:
    """What phones on the hall's network type; `port` where it is another than this command was told."""
    return settings.PUBLIC_URL or f"http://{lan_address()}:{port or settings.PORT}"


def served_port() -> int:
    """The port that this data folder is served on now, which a command beside the server need not be told."""
    if "PORT" in os.environ:
        return int(settings.PORT)
    with suppress(CommandError, OSError, ValueError), nobody_serves():
        return int(settings.PORT)
    with suppress(OSError, ValueError):
        return int(_port_file().read_text("ascii"))
    return int(settings.PORT)


def _port_file() -> Path:
    return Path(settings.DATA_DIR) / "port"


def print_qr(address: str) -> None:
    segno.make_qr(address).terminal(compact=True)


def refuse_taken_port(host: str) -> None:
    """Say in words that something else answers on our port, before anything is started."""
    with socket.socket() as probe:
        system.ask_for_port_alone(probe)
        try:
            probe.bind((host, settings.PORT))
        except OSError as error:
            raise CommandError(
                f"Cannot serve on port {settings.PORT} ({error.strerror}). Is Spadille running already?"
                f" Another port: PORT={settings.PORT + 1}"
            ) from None


def refuse_empty_folder() -> None:
    """Say in words that the data folder has nothing to read, as when the wrong one is named; it stays empty."""
    if _has_database():
        wait_until_it_answers()
    if not _has_database() or not MigrationRecorder(connection).has_table():
        raise CommandError(
            f"There is no Spadille in {settings.DATA_DIR}. Name the folder: SPADILLE_DATA=data/club"
        )


def _has_database() -> bool:
    """Whether there is a database to ask: SQLite makes an empty one when it is asked."""
    name = str(connection.settings_dict["NAME"])
    return connection.vendor != "sqlite" or not Path(name).is_absolute() or Path(name).exists()


@contextmanager
def _lock(refusal: str, *, shared: bool = False) -> Iterator[None]:
    """Hold the data folder: many may serve it at once, nobody serves it while a backup is restored."""
    with (settings.DATA_DIR / "in-use").open("w") as file:
        try:
            system.hold(file, shared=shared)
        except BlockingIOError:
            raise CommandError(refusal) from None
        yield


def nobody_serves() -> AbstractContextManager[None]:
    """Keep the program from being served meanwhile; refuses where it is."""
    return _lock("Spadille is being served from this data folder. Stop it first.")


def serve(host: str, say: Callable[[], None] | None = None) -> None:
    """Serve until stopped; `say` is called when the server answers, and no address told before."""
    with _lock("A backup is being restored in this data folder. Wait until it is done.", shared=True):
        begin_to_count()
        beside = [Keeper((host, settings.PORT), command) for command in _beside()]
        write_whole(_port_file(), str(settings.PORT).encode())
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


def _beside() -> Iterator[list[str]]:
    """The commands of ours that run while pages are served."""
    yield ["jobs", "--work"]
    if settings.BACKUP_MINUTES:
        yield ["backup", "--every", str(settings.BACKUP_MINUTES)]
    if settings.JOURNAL:
        yield ["journal", "--follow"]


def processes() -> int:
    """How many processes for pages: two at least, so that a long page holds nobody up, and four at most."""
    return min(4, max(2, system.cores()))


def allow_connections() -> None:
    """Let a process hold a connection for each phone in the hall; systems allow 1,024 open files unless asked."""
    system.allow_files(2 * MOST_CONNECTIONS)


def _serve_pages(host: str) -> None:
    allow_connections()
    # What is copied begins with Python alone, in whatever folder the command was typed.
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, (str(settings.BASE_DIR), os.environ.get("PYTHONPATH")))
    )
    if system.COPIES:
        from tournaments.running.copying import copied_off  # noqa: PLC0415 - not every system has what it needs

        WorkerProcess._spawn = copied_off  # type: ignore[method-assign] # begun anew each would read the program
    else:
        multiprocessing.set_start_method("spawn", force=True)
    server = Granian(
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


def application_out_of_reach(target: str) -> WSGIApplication:
    """The application of a process for pages, in a group of its own.

    Ctrl-C goes to the whole group at the terminal. The first process then stops the others; a process for pages
    that hears both at once would wait for itself for ever. Until the server listens to signals here, what the first
    process does on one would be done, which ends nothing.
    """
    system.leave_group()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    system.end_with_parent()
    end_at_once()
    return cast("WSGIApplication", import_string(target.replace(":", ".")))
