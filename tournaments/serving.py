"""Running the program: two processes for pages, and one beside them that makes sheets."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, cast

import segno
from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.module_loading import import_string
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from tournaments.addresses import lan_address

if TYPE_CHECKING:
    from django.core.handlers.wsgi import WSGIHandler


def desk_address() -> str:
    return f"http://localhost:{settings.PORT}/desk/"


def hall_address() -> str:
    """Where phones on the hall's network find this machine."""
    return settings.PUBLIC_URL or f"http://{lan_address()}:{settings.PORT}"


def print_qr(address: str) -> None:
    segno.make_qr(address).terminal(compact=True)


def refuse_taken_port(host: str) -> None:
    """Say in words that something else answers on our port, before anything is started."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, settings.PORT))
        except OSError as error:
            raise CommandError(
                f"Cannot serve on port {settings.PORT} ({error.strerror}). Is Spadille running already?"
                f" Another port: PORT={settings.PORT + 1}"
            ) from None


def refuse_empty_folder() -> None:
    """Say in words that the data folder has nothing to read, as when the wrong one is named."""
    if not MigrationRecorder(connection).has_table():
        raise CommandError(
            f"There is no Spadille in {settings.DATA_DIR}. Name the folder: SPADILLE_DATA=data/club"
        )


def serve(host: str) -> None:
    """Serve until stopped. One blocking thread a process: the database's writer is one at a time anyway."""
    maker = subprocess.Popen(
        [sys.executable, "manage.py", "db_worker", "--interval", "0.5", "--no-startup-delay"],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        process_group=0,
    )
    server = Granian(
        "config.wsgi:application",
        address=host,
        port=settings.PORT,
        interface=Interfaces.WSGI,
        workers=2,
        blocking_threads=1,
        respawn_failed_workers=True,
        log_access=False,
        log_level=LogLevels.warning,
    )
    try:
        server.serve(target_loader=application_out_of_reach)
    finally:
        maker.terminate()
        maker.wait(10)


def application_out_of_reach(target: str) -> WSGIHandler:
    """Load the application in a process for pages, in a group of its own.

    Ctrl-C goes to the whole group at the terminal. The first process then stops the others; a process for pages
    that hears both at once would wait for itself for ever.
    """
    os.setpgrp()
    return cast("WSGIHandler", import_string(target.replace(":", ".")))
