"""Reports of 250 tables answered one by one, and in groups of one transaction, as the server does when they wait.

In one process without a server, in turns in one run: the time by the clock has the disk's part, the time of a core has
not. On PostgreSQL with `SPADILLE_DURABLE=1 python -m tests.services` before it, whose own work is not in the latter.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from tests.bench.stage import empty_folder, hall, setup_django
from tests.bench.wire import reports_body, wsgi_post

if TYPE_CHECKING:
    from core.serving.groups import Groups

TABLES = 250
SIZES = {1: 8, 3: 4, 20: 1}  # deals of a request: requests of each table
ALONE, GROUPED = "one by one", "in groups"


def main() -> None:
    with empty_folder() as folder:
        _code, secrets = hall(4 * TABLES, folder)
        setup_django(folder)
        from config.wsgi import application
        from core.serving.groups import MOST, Groups
        from tournaments.ledger import changed_at_the_end

        print("PostgreSQL" if os.environ.get("DATABASE_URL") else "SQLite", flush=True)
        with ThreadPoolExecutor(1) as lane:
            ways = {
                ALONE: Groups(application, lane, changed_at_the_end, most=1),
                GROUPED: Groups(application, lane, changed_at_the_end),
            }
            first = 1
            for size, times in SIZES.items():
                print(f"requests of {size} deals, {MOST} in a group:", flush=True)
                _compare(
                    ways,
                    secrets,
                    MOST,
                    [range(one, one + size) for one in range(first, first + size * times, size)],
                )
                first += size * times


def _compare(ways: dict[str, Groups], secrets: list[str], most: int, turns: Sequence[range]) -> None:
    """Report these deals at all tables, every other group of tables one by one."""
    groups = [secrets[begin : begin + most] for begin in range(0, len(secrets), most)]
    spent = {way: [0.0, 0.0, 0] for way in ways}
    for turn, deals in enumerate(turns):
        for place, group in enumerate(groups):
            way = GROUPED if (place + turn) % 2 else ALONE
            requests = [wsgi_post(f"/c/{secret}/reports", reports_body(deals)) for secret in group]
            begun, used = time.perf_counter(), time.process_time()
            accepted = asyncio.run(_send(ways[way], requests))
            spent[way][0] += time.perf_counter() - begun
            spent[way][1] += time.process_time() - used
            spent[way][2] += accepted
            if accepted != len(deals) * len(group):
                raise RuntimeError(f"{accepted} of {len(deals) * len(group)} were accepted")
    for way, (clock, core, stored) in spent.items():
        print(
            f"  {way}: {stored / clock:,.0f} deals a second; {1000 * clock / stored:.2f} ms a deal by the clock,"
            f" {1000 * core / stored:.3f} ms of a core",
            flush=True,
        )


async def _send(groups: Groups, requests: Sequence[dict[str, Any]]) -> int:
    """How many reports were accepted of requests that come at the same moment."""
    begun = await asyncio.gather(*map(groups.answer, requests))
    return sum(one.piece.count(b'"accepted"') for one in begun)


if __name__ == "__main__":
    main()
