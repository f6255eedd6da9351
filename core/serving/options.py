"""Options of both servers: timeouts, uvicorn's options, the number of processes, the sidecars, the counters' folder.

The program is loaded before workers are forked: that takes far less time than importing it in each, and they share
the memory.
"""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import get_commands
from django.db import connections
from django.template.loader import get_template
from django.urls import get_resolver, reverse
from django.utils import translation
from django.utils.module_loading import import_string

from core import platform
from core.processes import settle_garbage
from core.serving.limits import HEAD_WITHIN, LimitedProtocol

# Phones that may be connected to one process at the same time.
MOST_CONNECTIONS = 4096
# Seconds that requests under way, and the sidecars, have left when the server is stopped.
STOPPED_WITHIN = 8


# Uvicorn's options. Only `core.middleware` trusts a proxy's headers about the client.
UVICORN: dict[str, Any] = {
    "loop": "asyncio",
    "http": LimitedProtocol,
    "ws": "none",
    "lifespan": "off",
    "interface": "asgi3",
    "proxy_headers": False,
    "server_header": False,
    "access_log": False,
    "log_config": None,
    # A stranger's broken requests fill no log.
    "log_level": "error",
    "backlog": MOST_CONNECTIONS,
    "timeout_keep_alive": HEAD_WITHIN,
    # A supervisor would kill this process a second later.
    "timeout_graceful_shutdown": STOPPED_WITHIN - 1,
}


def sidecar_commands() -> Iterator[list[str]]:
    """The commands of ours that run while pages are served."""
    yield ["jobs", "--work"]
    if settings.BACKUP_MINUTES:
        yield ["backup", "--every", str(settings.BACKUP_MINUTES)]
    if settings.JOURNAL:
        yield ["journal", "--follow"]


def processes() -> int:
    """The number of worker processes: at least two, so that a long page blocks no other, at most four."""
    return min(4, max(2, platform.cores()))


# The metrics library reads this environment variable when it is imported.
FOLDER = "PROMETHEUS_MULTIPROC_DIR"


def begin_to_count() -> None:
    """Create an empty folder for this server, before its worker processes; none where metrics are disabled."""
    if not settings.METRICS_TOKEN:
        return
    folder = Path(settings.DATA_DIR) / f"figures-{settings.PORT}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    os.environ[FOLDER] = str(folder)


APPLICATION = "config.asgi.application"
# The templates that nearly every page extends, and the first page of a visit.
TEMPLATES = ("base.html", "hall/home.html")


def load_application(sidecars: Iterable[str] = ()) -> Any:
    """Return the ASGI application, with all imported that its pages and these commands need, and no garbage left.

    Else the first phone waits for half a second, and one report of a hundred for a search for garbage in all functions.
    """
    gc.disable()  # while the program is imported there is none
    application = import_string(APPLICATION)
    _ = get_resolver().url_patterns  # whatever pages need is imported with them
    where = get_commands()
    for command in sidecars:
        import_module(f"{where[command]}.management.commands.{command}")
    for template in TEMPLATES:
        get_template(template)
    for cache in settings.CACHES.values():
        import_string(cache["BACKEND"])  # Redis' library takes a tenth of a second
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            reverse("home")  # catalogues are read, and links looked up, language by language
    connections.close_all()  # a forked one would be two that write to one server
    settle_garbage()
    gc.enable()
    return application
