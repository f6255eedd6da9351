"""What serving has in common wherever it runs: limits, uvicorn's options, the number of processes, what runs beside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings

from core import platform
from core.serving.limits import HEAD_WITHIN, LimitedProtocol

# Phones that may be connected to one process at the same time.
MOST_CONNECTIONS = 4096
# Seconds for requests that are being answered, or sent, when the server is stopped, and for what runs beside it.
STOPPED_WITHIN = 8


# What uvicorn is told wherever it runs. Only `core.middleware` believes a proxy about who asks.
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
    # Whoever keeps this process would kill it a second later.
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
    """How many processes for pages: two at least, so that a long page holds nobody up, and four at most."""
    return min(4, max(2, platform.cores()))
