"""Reports of 250 tables in one hall: on SQLite, on PostgreSQL, and with two servers on PostgreSQL and Redis.

First every phone comes back at the same moment with 20 deals; then they report as a large hall does, 25 deals a second;
last as fast as they go, one deal a request. The sender is a process of its own beside the server.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack

from tests import services
from tests.bench.stage import cpu_seconds, empty_folder, hall, percentile, python, running
from tests.bench.wire import Wire, accepted, post_reports

TABLES = 250
BATCH = 20  # deals that a phone which was away sends as one request
STEADY, FOR = 25, 15  # reports a second, for so many seconds
FAST = 2  # deals of each table sent as fast as they go

COUNT = """
import django; django.setup()
import json
from tournaments.models import Deal, Report
reports = list(Report.objects.values_list("table", "key"))
print(json.dumps([len(reports), len(reports) - len(set(reports)), Deal.objects.count()]))
"""


async def send(
    servers: Sequence[int], phones: Sequence[Wire], requests: Sequence[bytes], every: float = 0
) -> dict[str, object]:
    """Send a request from each phone in turn, `every` so many seconds; what was stored, and how long each waited."""
    before, begun = sum(map(cpu_seconds, servers)), time.perf_counter()
    waits: list[float] = []

    async def one(number: int) -> int:
        due = begun + number * every
        await asyncio.sleep(due - time.perf_counter())
        stored = accepted(await phones[number % len(phones)].ask(requests[number]))
        waits.append(time.perf_counter() - due)
        return stored

    stored = sum(await asyncio.gather(*(one(number) for number in range(len(requests)))))
    seconds, used = time.perf_counter() - begun, sum(map(cpu_seconds, servers)) - before
    return {"stored": stored, "seconds": seconds, "used": used, "waits": waits}


async def sender(servers: Sequence[int], addresses: Sequence[str], secrets: Sequence[str]) -> None:
    """All that the phones send, one line of JSON for each part."""
    phones = [Wire(addresses[number % len(addresses)]) for number in range(len(secrets))]
    home = [post_reports(secret, range(1, BATCH + 1)) for secret in secrets]
    steady = [
        post_reports(secrets[number % TABLES], [BATCH + 1 + number // TABLES])
        for number in range(STEADY * FOR)
    ]
    last = BATCH + 1 + len(steady) // TABLES
    rounds = [
        [post_reports(secret, [deal]) for secret in secrets] for deal in range(last + 1, last + 1 + FAST)
    ]
    print(json.dumps(await send(servers, phones, home)), flush=True)
    print(json.dumps(await send(servers, phones, steady, 1 / STEADY)), flush=True)
    fast = [await send(servers, phones, requests) for requests in rounds]
    print(json.dumps(_together(fast)), flush=True)


def _together(parts: Sequence[dict]) -> dict[str, object]:
    return {
        "stored": sum(part["stored"] for part in parts),
        "seconds": sum(part["seconds"] for part in parts),
        "used": sum(part["used"] for part in parts),
        "waits": [wait for part in parts for wait in part["waits"]],
    }


def measure(what: str, servers: int, **environment: str) -> None:
    with ExitStack() as stack:
        folder = stack.enter_context(empty_folder())
        _code, secrets = hall(4 * TABLES, folder, **environment)
        started = [
            stack.enter_context(running(folder, BACKUP_MINUTES="0", **environment)) for _one in range(servers)
        ]
        addresses = ",".join(address for address, _process in started)
        processes = ",".join(str(process) for _address, process in started)
        sent = python("-m", "tests.bench.reports", processes, addresses, *secrets, folder=folder)
        home, steady, fast = map(json.loads, sent.stdout.splitlines())
        counted = python("-c", COUNT, folder=folder, DJANGO_SETTINGS_MODULE="config.settings", **environment)
        verified = python("manage.py", "verify", folder=folder, **environment)
    total = sum(part["stored"] for part in (home, steady, fast))
    reports, doubled, deals = json.loads(counted.stdout.splitlines()[-1])
    print(f"{what}:")
    show(f"  {TABLES} phones at once with {BATCH} deals each (bar 1,000/s)", home)
    show(f"  {STEADY} a second (bar p99 50 ms)", steady)
    show("  as fast as they go, one a request", fast)
    print(
        f"  sent {total}, stored {reports}, lost {total - deals}, doubled {doubled}; {verified.stdout.strip()}"
    )


def show(what: str, part: dict) -> None:
    waits = [1000 * wait for wait in part["waits"]]
    rate = f"{part['stored']} in {part['seconds']:.1f} s, {part['stored'] / part['seconds']:.0f}/s"
    used = f"{1000 * part['used'] / part['stored']:.2f} ms of the servers' CPU each"
    print(
        f"{what}: {rate}, p50 {percentile(waits, 0.5):.0f} ms, p99 {percentile(waits, 0.99):.0f} ms, {used}",
        flush=True,
    )


def main() -> None:
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("CACHE_URL", None)
    measure("SQLite, one server", 1)
    with services.both(durable=True) as where:
        measure("PostgreSQL, one server", 1, DATABASE_URL=where["DATABASE_URL"])
    with services.both(durable=True) as where:
        measure("PostgreSQL and Redis, two servers", 2, **where)


if __name__ == "__main__":
    servers, addresses = sys.argv[1].split(","), sys.argv[2].split(",")
    asyncio.run(sender([int(one) for one in servers], addresses, sys.argv[3:]))
