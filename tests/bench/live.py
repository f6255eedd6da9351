"""A thousand phones that wait for the standings of a thousand players, as `static/js/live.js` does it.

First nothing happens, then 25 deals a second are reported. A deal's delay is from the moment its captain sends it to
the moment a phone has the standings with it; over all deals and phones. On SQLite with one server, then on PostgreSQL
and Redis with two, between which phones and captains are divided.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import random
import re
import sys
import time
from array import array
from collections.abc import Sequence
from contextlib import ExitStack

from tests import services
from tests.bench.stage import ROOT, cpu_seconds, empty_folder, hall, memory, percentile, python, running
from tests.bench.wire import Wire, accepted, get, post_reports

PHONES, TABLES = 1000, 250
STEADY = 25  # reports a second
IDLE, WARM, BUSY = 8, 3, 12  # seconds: nothing happens; reports come in unmeasured; measured
SOON_ENOUGH = 5  # seconds after the last report until every phone should have seen it
# What takes long is asked for more seldom: on a machine that others use too, a phone may wait so long, and is not lost.
AT_LAST = 60

PAGE = dict(re.findall(r"const ([A-Z]+) = (\d+);", (ROOT / "static/js/live.js").read_text()))
SOON, SELDOM, SLOWEST, PATIENCE = (
    int(PAGE[name]) / 1000 for name in ("SOON", "SELDOM", "SLOWEST", "PATIENCE")
)
SHARE = int(PAGE["SHARE"])


class Hall:
    """What all phones have in common: when which version was sent, and how long each took to be seen."""

    def __init__(self, code: str) -> None:
        self.version = get(f"/t/{code}/version")
        self.page = f"/t/{code}/standings/"
        self.pace = SELDOM
        self.sent: dict[int, float] = {}
        self.delays = array("d")
        self.measured_from = 0
        self.open = True
        self.unanswered = 0
        self.seen: dict[bytes, int] = {}

    def version_of(self, part: bytes) -> int:
        """The version of a page's part; most phones get the same bytes."""
        if part not in self.seen:
            text = gzip.decompress(part).decode()
            self.seen = {part: int(re.search(r'data-version="(\d+)"', text)[1])} | dict(
                [*self.seen.items()][:8]
            )
        return self.seen[part]


class Phone:
    def __init__(self, hall_: Hall, address: str) -> None:
        self.hall, self.address, self.wire, self.shown = hall_, address, Wire(address), 0

    async def look(self) -> None:
        """Ask as long as the hall is open, a little off the beat as the page does.

        Without an answer it asks again on another connection, as a browser does.
        """
        wait = self.hall.pace
        await asyncio.sleep(random.random() * wait)
        while self.hall.open:
            begun = time.perf_counter()
            try:
                await asyncio.wait_for(self.ask(), PATIENCE)
            except (OSError, EOFError, TimeoutError):
                self.hall.unanswered += 1
                self.wire.close()
                self.wire = Wire(self.address)
                wait *= 2
            else:
                wait = max(self.hall.pace, SHARE * (time.perf_counter() - begun))
            wait = min(wait, SLOWEST)
            await asyncio.sleep(wait * (0.9 + random.random() * 0.2))
        self.wire.close()

    async def ask(self) -> None:
        _status, body = await self.wire.ask(self.hall.version)
        newest = json.loads(body)["version"]
        if newest <= self.shown:
            return
        asked = get(self.hall.page, "HX-Request: true", f"X-Newest: {newest}")
        _status, part = await self.wire.ask(asked)
        version, now = self.hall.version_of(part), time.perf_counter()
        for seen in range(max(self.shown + 1, self.hall.measured_from), version + 1):
            self.hall.delays.append(now - self.hall.sent[seen])
        self.shown = max(self.shown, version)


async def busy(hall_: Hall, captains: Sequence[Wire], requests: Sequence[bytes], version: int) -> None:
    """Send reports at an even pace; each makes the tournament's next version."""
    begun = time.perf_counter()

    async def one(number: int) -> None:
        due = begun + number / STEADY
        await asyncio.sleep(due - time.perf_counter())
        hall_.sent[version + 1 + number] = due
        accepted(await captains[number % len(captains)].ask(requests[number]))

    await asyncio.gather(*(one(number) for number in range(len(requests))))


async def listen(
    processes: Sequence[int], addresses: Sequence[str], code: str, secrets: Sequence[str]
) -> None:
    def used() -> float:
        return sum(map(cpu_seconds, processes))

    hall_ = Hall(code)
    phones = [Phone(hall_, addresses[number % len(addresses)]) for number in range(PHONES)]
    captains = [Wire(addresses[number % len(addresses)]) for number in range(TABLES)]
    _status, body = await Wire(addresses[0]).ask(hall_.version)
    version = json.loads(body)["version"]
    hall_.measured_from = version + 1 + WARM * STEADY
    number = (WARM + BUSY) * STEADY
    requests = [post_reports(secrets[one % TABLES], [1 + one // TABLES]) for one in range(number)]
    waiting = asyncio.gather(*(phone.look() for phone in phones))
    await asyncio.sleep(2 * SELDOM)

    before, begun = used(), time.perf_counter()
    await asyncio.sleep(IDLE)
    idle = (used() - before) / (time.perf_counter() - begun)
    hall_.pace = SOON
    before, begun = used(), time.perf_counter()
    await busy(hall_, captains, requests, version)
    working = (used() - before) / (time.perf_counter() - begun)
    held = sum(map(memory, processes))
    # All that was reported reaches every phone.
    begun = time.perf_counter()
    await asyncio.sleep(SOON_ENOUGH)
    late = sum(phone.shown < version + number for phone in phones)
    while lost := sum(phone.shown < version + number for phone in phones):
        if time.perf_counter() - begun > AT_LAST:
            raise RuntimeError(f"{lost} phones have not heard of the last deal")
        await asyncio.sleep(0.2)
    reached = time.perf_counter() - begun
    hall_.open = False
    await waiting
    delays = list(hall_.delays)
    print(f"  {PHONES} idle phones: {idle:.3f} of a core (bar 0.25)")
    print(
        f"  {STEADY} reports a second: seen after p50 {percentile(delays, 0.5):.2f} s,"
        f" p95 {percentile(delays, 0.95):.2f} s (bar 3 s, aim 1 s), {len(delays):,} sights"
    )
    print(
        f"  phones without all after {SOON_ENOUGH} s: {late}; with all after {reached:.1f} s: every one;"
        f" {hall_.unanswered} questions were not answered, and asked again"
    )
    print(f"  servers: {working:.2f} of a core meanwhile, {held:.0f} MB")


def measure(what: str, servers: int, **environment: str) -> None:
    with ExitStack() as stack:
        folder = stack.enter_context(empty_folder())
        code, secrets = hall(4 * TABLES, folder, **environment)
        started = [
            stack.enter_context(running(folder, BACKUP_MINUTES="0", **environment)) for _one in range(servers)
        ]
        addresses = ",".join(address for address, _process in started)
        processes = ",".join(str(process) for _address, process in started)
        print(f"{what}:", flush=True)
        told = python("-m", "tests.bench.live", processes, addresses, code, *secrets, folder=folder)
        print(told.stdout, end="", flush=True)


def main() -> None:
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("CACHE_URL", None)
    measure("SQLite, one server", 1)
    with services.both(durable=True) as where:
        measure("PostgreSQL and Redis, two servers", 2, **where)


if __name__ == "__main__":
    processes, addresses = sys.argv[1].split(","), sys.argv[2].split(",")
    asyncio.run(listen([int(one) for one in processes], addresses, sys.argv[3], sys.argv[4:]))
