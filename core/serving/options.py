"""Options of both servers: timeouts, uvicorn's options, the number of processes, the sidecars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.conf import settings

from core import platform
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
