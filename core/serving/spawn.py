"""Serving with uvicorn alone, where no process can be forked: on Windows. Each process imports the program itself."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import uvicorn
from django.conf import settings

from core import platform
from core.serving.options import STOPPED_WITHIN, UVICORN, load_application, processes
from core.serving.sidecars import Sidecars, SpawnedProcess, wait_until_answered

# Seconds in which a process loads the program on a slow machine just booted; then it is restarted.
READ_WITHIN = 120


def serve_pages(host: str, said: str, commands: list[list[str]]) -> None:
    """Serve until stopped, with these commands as sidecars; prints `said` when the server responds."""
    # What is spawned begins with Python alone, in whatever folder the command was typed.
    paths = (str(settings.BASE_DIR), os.environ.get("PYTHONPATH"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    sidecars = Sidecars(commands, SpawnedProcess)
    sidecars.watch(host, settings.PORT)
    if said:
        threading.Thread(target=_announce, args=(host, said), daemon=True).start()
    try:
        uvicorn.run(
            "core.serving.spawn:application",
            factory=True,
            host=host,
            port=settings.PORT,
            workers=processes(),
            timeout_worker_healthcheck=READ_WITHIN,
            **UVICORN,
        )
    finally:
        sidecars.stop()
        sidecars.wait(STOPPED_WITHIN)


def application() -> object:
    """The application of a process for pages, which ends with the one that began it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    platform.leave_group()
    platform.end_with_parent()
    with ThreadPoolExecutor(1) as reading:  # called in the event loop, where Django closes no connection
        return reading.submit(load_application).result()


def _announce(host: str, said: str) -> None:
    if wait_until_answered(host, settings.PORT):
        sys.stdout.write(said)
        sys.stdout.flush()
