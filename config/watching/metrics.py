"""`/metrics`: the figures of this server in the form that Prometheus reads, for who has METRICS_TOKEN."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.version import VERSION
from core.serving.counter_files import FOLDER
from tournaments.running.condition import FIGURES, condition


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Nothing is here where no token is set, and nothing is told without it."""
    if not settings.METRICS_TOKEN:
        raise Http404
    if not constant_time_compare(
        request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}"
    ):
        refused = HttpResponse("Authorization: Bearer METRICS_TOKEN\n", "text/plain", status=401)
        refused["WWW-Authenticate"] = 'Bearer realm="metrics"'
        return refused
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest  # noqa: PLC0415
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

    registry = CollectorRegistry()
    if folder := os.environ.get(FOLDER):  # where no server counts there is only what stands in the database
        _forget_who_is_gone(Path(folder))
        MultiProcessCollector(registry, path=folder)
    registry.register(Standing())
    return HttpResponse(generate_latest(registry), CONTENT_TYPE_LATEST)


def _forget_who_is_gone(folder: Path) -> None:
    """What a process said of itself goes with it; what it has counted stays."""
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
    """How the program stands, asked anew for each reading."""

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import (  # noqa: PLC0415
            CounterMetricFamily,
            GaugeMetricFamily,
            InfoMetricFamily,
        )

        now = condition(timezone.now())
        yield InfoMetricFamily("spadille", "Which Spadille this is.", {"version": VERSION})
        yield CounterMetricFamily("spadille_reports_stored", "Reports ever stored, about.", now.reports)
        for name, (said, figure) in FIGURES.items():
            value = figure(now)
            if value is not None:
                yield GaugeMetricFamily(name, said, float(value))
        pushes = "Messages to phones, of evenings that are on, by their state."
        ended = "Messages to phones that have ended, by how."
        for kind, name, said, label, counted in (
            (GaugeMetricFamily, "spadille_jobs", "Pieces of long work, by their state.", "state", now.jobs),
            (GaugeMetricFamily, "spadille_letters", "Letters, by their state.", "state", now.letters),
            (GaugeMetricFamily, "spadille_pushes", pushes, "state", now.pushes),
            (CounterMetricFamily, "spadille_pushes_ended", ended, "outcome", now.pushes_ended),
        ):
            family = kind(name, said, labels=[label])
            for state, number in counted.items():
                family.add_metric([state], number)
            yield family
