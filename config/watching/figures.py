"""What each process for pages counts while it answers: requests by page and outcome, and how long they took.

The processes keep it in files of one folder (`core.serving.counter_files`), of which any of them tells the sum.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.serving.asgi import lane_of

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# Where a request's page is named for who counts it; what was answered before has none.
PAGE = "spadille.page"
KEPT = "kept"
LOOK_AT_MYSELF = 10.0  # seconds between two looks at a process's own size
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Counted:
    """The program, with somebody who counts beside it."""

    def __init__(self, program: WSGIApplication) -> None:
        from prometheus_client import Counter, Gauge, Histogram  # noqa: PLC0415 - large, and seldom wanted

        self.program = program
        self.requests = Counter(
            "spadille_requests",
            "Requests answered, by page, method and status.",
            ["page", "method", "status"],
        )
        self.seconds = Histogram(
            "spadille_request_seconds",
            "Seconds until the program had answered, by lane.",
            ["lane"],
            buckets=SECONDS,
        )
        self.memory = Gauge(
            "spadille_process_resident_bytes",
            "Memory of a process for pages; what it shares with others is in each.",
            multiprocess_mode="liveall",
        )
        self.files = Gauge(
            "spadille_process_open_files",
            "Files and connections that a process for pages has open.",
            multiprocess_mode="liveall",
        )
        self.looked = 0.0

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        begun, told = time.perf_counter(), "500"

        def hear(status: str, headers: list[tuple[str, str]], *error: Any) -> Callable[[bytes], object]:
            nonlocal told
            told = status[:3]
            return start_response(status, headers, *error)

        try:
            return self.program(environ, hear)
        finally:
            now = time.perf_counter()
            method = environ["REQUEST_METHOD"]
            known = method if method in ("GET", "HEAD", "POST") else "other"
            self.requests.labels(environ.get(PAGE, KEPT), known, told).inc()
            self.seconds.labels(lane_of(environ)).observe(now - begun)
            if now - self.looked > LOOK_AT_MYSELF:
                self.looked = now
                self._look_at_myself()

    def _look_at_myself(self) -> None:
        """Where the system tells it: Linux does."""
        try:
            pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
            self.memory.set(pages * os.sysconf("SC_PAGE_SIZE"))
            self.files.set(sum(1 for _file in Path("/proc/self/fd").iterdir()))
        except (OSError, ValueError, AttributeError):
            self.looked = float("inf")
