"""Reports stored in a transaction each, and in groups of one transaction: what a writer that groups them could save.

On SQLite, in one process without a server, alternately in both ways on the same tables: the time by the clock has the
disk's part, the time of a core has not. On PostgreSQL with `python -m tests.services` before it.
"""

from __future__ import annotations

import time
from contextlib import nullcontext

from tests.bench.stage import empty_folder, hall, setup_django
from tests.bench.wire import reports_body

TABLES, GROUP = 250, 10
SIZES = {1: 8, 3: 4, 20: 1}  # deals of a request: requests of each table
ALONE, GROUPED = "a transaction each", f"groups of {GROUP} in one transaction"


def main() -> None:
    with empty_folder() as folder:
        _code, secrets = hall(4 * TABLES, folder)
        setup_django(folder)
        first = 1
        for size, times in SIZES.items():
            print(f"requests of {size} deals:", flush=True)
            _compare(secrets, size, range(first, first + size * times, size))
            first += size * times


def _compare(secrets: list[str], size: int, firsts: range) -> None:
    """Store the deals from each of these on at all tables; every other group of tables in one transaction."""
    from django.db import transaction

    groups = [secrets[begin : begin + GROUP] for begin in range(0, len(secrets), GROUP)]
    spent = {ALONE: [0.0, 0.0, 0], GROUPED: [0.0, 0.0, 0]}
    for turn, first in enumerate(firsts):
        for place, group in enumerate(groups):
            way = GROUPED if (place + turn) % 2 else ALONE
            begun, used = time.perf_counter(), time.process_time()
            with transaction.atomic() if way == GROUPED else nullcontext():
                for secret in group:
                    _store(secret, range(first, first + size))
            spent[way][0] += time.perf_counter() - begun
            spent[way][1] += time.process_time() - used
            spent[way][2] += size * len(group)
    for way, (clock, core, deals) in spent.items():
        print(
            f"  {way}: {deals / clock:,.0f} deals a second; {1000 * clock / deals:.2f} ms a deal by the clock,"
            f" {1000 * core / deals:.2f} ms of a core",
            flush=True,
        )


def _store(secret: str, deals: range) -> None:
    import json

    from django.utils import timezone

    from tournaments import ledger
    from tournaments.ledger.queries import table_by_secret
    from tournaments.reporting.captain_page import read_reports

    read = read_reports(json.loads(reports_body(deals)))
    table = table_by_secret(secret, only_which=True)
    settled = ledger.settle(table, read, ledger.Author("captain"), now=timezone.now())
    if any(answer.status != "accepted" for answer in settled.answers):
        raise RuntimeError(settled.answers)


if __name__ == "__main__":
    main()
