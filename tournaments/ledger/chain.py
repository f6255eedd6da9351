"""Each report carries the hash of the one before it at its table, so that a change behind the program's back shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, datetime

from tournaments.chain import is_table_sealed, place_of
from tournaments.models import Report, Table

_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def _moment(value: datetime | None) -> str | None:
    return value.astimezone(UTC).isoformat() if value else None


def report_hash(report: Report, place: str) -> str:
    """SHA-256 over all that a report says and the hash before it."""
    said = [
        place,
        report.previous_hash,
        report.sequence,
        report.deal_number,
        report.revision,
        str(report.key),
        report.result,
        report.dealer,
        report.outcome,
        report.tokens,
        report.parts,
        report.source,
        report.author,
        report.reason,
        _moment(report.made_at),
        _moment(report.recorded_at),
    ]
    return hashlib.sha256(_JSON.encode(said).encode()).hexdigest()


def put_at_end(report: Report, table: Table) -> None:
    """Make a report the newest at its table. Neither is stored."""
    table.reports_count += 1
    report.sequence, report.previous_hash = table.reports_count, table.last_hash
    report.hash = table.last_hash = report_hash(report, place_of(table))


def broken_chain(table: Table, reports: Iterable[Report]) -> str:
    """The first thing wrong with a table's chain of reports (in order of sequence), in English; "" if nothing is."""
    place = place_of(table)
    previous, count = "", 0
    for count, report in enumerate(reports, start=1):
        if report.sequence != count:
            return f"report {count} is missing"
        if report.previous_hash != previous:
            return f"report {count} does not follow the one before it"
        if report.hash != report_hash(report, place):
            return f"report {count} (deal {report.deal_number}) is not what was recorded"
        previous = report.hash
    return _wrong_end(table, count, previous)


def _wrong_end(table: Table, count: int, previous: str) -> str:
    if (count, previous) != (table.reports_count, table.last_hash):
        return f"the chain ends at report {count}, the table counted {table.reports_count}"
    is_new = not table.seal and not count and table.round.is_drawn
    if not is_new and is_table_sealed(table) is False:
        return (
            f"reports were cut off, or written anew, after report {count}: the table's seal is not of these"
        )
    return ""
