"""Metrics: `/metrics` for Prometheus (METRICS_TOKEN), requests counted by each process, and a log of slow pages.

Processes count in files of one folder (`core.serving.options`); any of them returns the sum. Queries of a slow
page are logged with placeholders in place of values: no personal data is in the log.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connections
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.monitoring.status import FIGURES, machine_status
from core.serving.asgi import lane_of
from core.serving.options import FOLDER

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The metrics; 404 if no token is configured, 401 without the right one."""
    if not settings.METRICS_TOKEN:
        raise Http404
    if not constant_time_compare(
        request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}"
    ):
        refused = HttpResponse("Authorization: Bearer METRICS_TOKEN\n", "text/plain", status=401)
        refused["WWW-Authenticate"] = 'Bearer realm="metrics"'
        return refused
    import prometheus_client.multiprocess  # noqa: PLC0415 - large, and seldom wanted

    registry = prometheus_client.CollectorRegistry()
    if folder := os.environ.get(FOLDER):  # without a server's counters only the database's figures exist
        _forget_who_is_gone(Path(folder))
        prometheus_client.multiprocess.MultiProcessCollector(registry, path=folder)
    registry.register(Standing())
    return HttpResponse(prometheus_client.generate_latest(registry), prometheus_client.CONTENT_TYPE_LATEST)


def _forget_who_is_gone(folder: Path) -> None:
    """Remove gauges of processes that ended; their counters stay."""
    from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415

    for file in folder.glob("gauge_live*_*.db"):
        number = file.stem.rpartition("_")[2]
        with suppress(ValueError):
            if not _is_there(int(number)):
                mark_process_dead(int(number), str(folder))


def _is_there(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


class Standing:
    """A collector of the present status, queried at each scrape."""

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import (  # noqa: PLC0415
            GaugeMetricFamily,
            InfoMetricFamily,
        )

        now = timezone.now()
        status = machine_status(now)
        yield InfoMetricFamily("spadille", "Which Spadille this is.", {"version": settings.VERSION})
        for name, (said, figure) in FIGURES.items():
            value = figure(status)
            if value is not None:
                yield GaugeMetricFamily(name, said, float(value))
        yield labeled(
            GaugeMetricFamily, "spadille_jobs", "Background jobs, by their state.", "state", status.jobs
        )
        for probe in settings.STATUS_PROBES:
            yield from import_string(probe)(now)


def labeled(kind: Any, name: str, said: str, label: str, counted: Mapping[str, int]) -> Any:
    """A family of metrics with one label: a number for each of its values."""
    family = kind(name, said, labels=[label])
    for value, number in counted.items():
        family.add_metric([value], number)
    return family


# The request attribute with the page's name for metrics; cached responses have none.
PAGE = "spadille.page"
KEPT = "kept"
LOOK_AT_MYSELF = 10.0  # seconds between two looks at a process's own size
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Counted:
    """WSGI middleware that counts requests."""

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
        """Update the gauges of this process, where the system provides them (Linux)."""
        try:
            pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
            self.memory.set(pages * os.sysconf("SC_PAGE_SIZE"))
            self.files.set(sum(1 for _file in Path("/proc/self/fd").iterdir()))
        except (OSError, ValueError, AttributeError):
            self.looked = float("inf")


logger = logging.getLogger(__name__)

COLUMNS = re.compile(r"^SELECT .+? FROM")
SHOWN, LONGEST = 3, 300  # questions that are written out, the slowest first; characters of one


class Asked:
    """Queries of one request, recorded by an execute wrapper of Django."""

    def __init__(self) -> None:
        self.questions: list[tuple[float, str]] = []

    def __call__(self, execute: Callable[..., Any], sql: str, *told: Any) -> Any:
        begun = time.perf_counter()
        try:
            return execute(sql, *told)
        finally:
            self.questions.append((time.perf_counter() - begun, sql))

    def in_words(self) -> str:
        slowest = sorted(self.questions, reverse=True)[:SHOWN]
        shown = "".join(f"\n  {seconds:.3f} s  {_in_a_line(sql)}" for seconds, sql in slowest)
        return (
            f"{len(self.questions)} queries, {sum(seconds for seconds, _sql in self.questions):.2f} s{shown}"
        )


def _in_a_line(sql: str) -> str:
    """The SQL on one line without its column list."""
    text = COLUMNS.sub("SELECT … FROM", " ".join(sql.split()), count=1)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def watch(
    answer: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: log requests that take longer than SLOW_SECONDS (0: none), and name the page for the counters."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        begun, asked = time.perf_counter(), Asked()
        with ExitStack() as stack:
            for connection in connections.all(initialized_only=True):
                stack.enter_context(connection.execute_wrapper(asked))
            response = answer(request)
        if request.resolver_match:
            request.META[PAGE] = request.resolver_match.url_name
        took = time.perf_counter() - begun
        if 0 < settings.SLOW_SECONDS <= took:
            logger.warning("%s %s took %.2f s: %s", request.method, request.path, took, asked.in_words())
        return response

    return middleware
