"""Figures of tournaments for the status page and for `/metrics` (`STATUS_PROBES`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max

from clubs.letter_models import Letter
from core.monitoring.metrics import labeled
from core.monitoring.status import MachineStatus, count_by_state, machine_status
from tournaments.changes.push_messages import have_failed_since, tally
from tournaments.models import PushMessage, Report, Round, Table


@dataclass(frozen=True)
class ProgramStatus(MachineStatus):
    """The status of the machine, and how many of each there are now."""

    # How many reports were ever stored; about so many, and never fewer.
    reports: int
    last_report: datetime | None
    tables_playing: int
    letters: Mapping[str, int]
    # Push messages waiting for phones of running tournaments, and outcomes of all deliveries.
    pushes: Mapping[str, int]
    pushes_ended: Mapping[str, int]
    pushes_fail: bool  # whether some did not come through in the last day


def program_status(now: datetime) -> ProgramStatus:
    """Each figure by one query, whose cost does not grow over the years."""
    newest = Report.objects.aggregate(number=Max("pk"))["number"] or 0
    return ProgramStatus(
        **vars(machine_status(now)),
        reports=newest,
        last_report=Report.objects.filter(pk=newest).values_list("recorded_at", flat=True).first(),
        tables_playing=Table.objects.filter(round__state=Round.State.RUNNING).count(),
        letters=count_by_state(Letter),
        pushes=count_by_state(
            PushMessage, subscription__p256dh=""
        ),  # subscriptions without an address have nothing due
        pushes_ended=tally(),
        pushes_fail=have_failed_since(now - timedelta(days=1)),
    )


def metric_families(now: datetime) -> Iterator[Any]:
    """The figures of tournaments as Prometheus reads them."""
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily  # noqa: PLC0415 - seldom wanted

    status = program_status(now)
    yield CounterMetricFamily("spadille_reports_stored", "Reports ever stored, about.", status.reports)
    playing = "Tables of rounds that are running."
    yield GaugeMetricFamily("spadille_tables_playing", playing, float(status.tables_playing))
    pushes = "Messages to phones, of evenings that are on, by their state."
    ended = "Messages to phones that have ended, by how."
    yield labeled(GaugeMetricFamily, "spadille_letters", "Letters, by their state.", "state", status.letters)
    yield labeled(GaugeMetricFamily, "spadille_pushes", pushes, "state", status.pushes)
    yield labeled(CounterMetricFamily, "spadille_pushes_ended", ended, "outcome", status.pushes_ended)
