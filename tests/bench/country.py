"""A country in small: one hall of 25 tables and 100 watchers on three servers, and what a thousand of them would take.

Three servers on PostgreSQL and Redis behind a proxy (`tests.bench.parts`), all on this machine. The hall reports faster
than a hall does: alone, then with its captains' phones listening, then with its watchers; what they add is divided by
the events that they got. The sum is reckoned: 25,000 captains, 100,000 watchers, a deal a table each two minutes.
"""

from __future__ import annotations

import asyncio
import math
import time
import zlib
from collections.abc import Coroutine
from contextlib import ExitStack
from dataclasses import astuple, dataclass

from core import platform
from tests.bench import parts
from tests.bench.stage import cpu_seconds
from tests.bench.wire import Wire, accepted, get, post_reports

TABLES, WATCHERS = 25, 100
CAPTAINS, WATCHING = 25_000, 100_000  # of a country
EVERY, VISIT = 120, 600  # seconds from deal to deal of a table; from page to page of a watcher
RATE, LASTS = 5.0, 20.0  # reports a second of the hall, and for how long
LISTENERS = 10  # streams of a table here: what one costs is too little to be measured
IDLE, PAGES = 800, 200
HEARTBEAT = 15.0  # seconds of silence after which a stream shows that it is alive
SETTLED = 2.0  # seconds until the last report has reached everybody
UNITS = ("a report", "an event to a captain", "an event to a watcher", "a page", "a stream for a minute")


@dataclass
class Cost:
    """Seconds of a core by part of the installation, and bytes that the phones receive."""

    servers: float = 0.0
    database: float = 0.0
    redis: float = 0.0
    proxy: float = 0.0
    received: float = 0.0

    def plus(self, other: Cost, times: float) -> Cost:
        """This and the other so many times; negative where it is to be taken away."""
        return Cost(*(mine + times * its for mine, its in zip(astuple(self), astuple(other), strict=True)))

    def row(self, what: str) -> str:
        *used, received = astuple(self)
        told = [f"{1000 * max(0.0, one):.2f}" for one in (*used, sum(used))]
        return f"| {what} | {' | '.join(told)} | {received:.0f} |"


class Hall:
    """One hall: its captains, and who listens."""

    def __init__(self, installed: parts.Parts) -> None:
        self.parts, self.received, self.events, self.sent = installed, 0, 0, 0
        self.wires = [Wire(installed.address) for _secret in installed.secrets]
        self.standings = f"/t/{installed.code}/standings/"
        self.watched = f"/t/{installed.code}/events?language=da&part={self.standings}"

    def used(self) -> Cost:
        database, redis = (cpu_seconds(parts.only(name)) for name in ("postgres", "redis-server"))
        servers, proxy = sum(map(cpu_seconds, self.parts.servers)), cpu_seconds(self.parts.proxy.pid)
        return Cost(servers, database, redis, proxy, self.received)

    async def listen(self, address: str) -> None:
        """Read a stream, and count its events and bytes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.parts.port)
        # Of HTTP/1.0, so that it comes without chunks.
        writer.write(get(address).replace(b"HTTP/1.1", b"HTTP/1.0"))
        try:
            await reader.readuntil(b"\r\n\r\n")
            unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
            while piece := await reader.read(1 << 16):
                self.received += len(piece)
                told = unpacker.decompress(piece)
                self.events += told.count(b"event: version") + told.count(b"event: part")
        finally:
            writer.close()

    async def report(self) -> None:
        """Report for a while at the hall's rate."""
        begun = time.perf_counter()
        for one in range(int(RATE * LASTS)):
            await asyncio.sleep(begun + one / RATE - time.perf_counter())
            table, deal = self.sent % TABLES, 1 + self.sent // TABLES
            self.sent += 1
            answer = await self.wires[table].ask(post_reports(self.parts.secrets[table], [deal]))
            self.received += len(answer[1])
            accepted(answer)
        await asyncio.sleep(SETTLED)

    async def look(self) -> None:
        for one in range(PAGES):
            _status, body = await self.wires[one % TABLES].ask(get(self.standings))
            self.received += len(body)

    async def measure(self) -> dict[str, Cost]:
        """What each of `UNITS` costs."""
        await self.report()  # everything has been asked once
        reports, found = RATE * LASTS, {}
        # Processes that nobody asks anything look after jobs and their clocks.
        idle = Cost().plus((await self._used_by(asyncio.sleep(LASTS), [], 0))[0], 1 / LASTS)
        alone = (await self._used_by(self.report(), [], 0))[0]
        for name, addresses in (
            ("an event to a captain", [f"/c/{secret}/events" for secret in self.parts.secrets] * LISTENERS),
            ("an event to a watcher", [self.watched] * WATCHERS),
        ):
            used, events = await self._used_by(self.report(), addresses, 2)
            found[name] = Cost().plus(used.plus(alone, -1), 1 / events)
        found["a report"] = Cost().plus(alone.plus(idle, -LASTS - SETTLED), 1 / reports)
        found["a page"] = Cost().plus((await self._used_by(self.look(), [], 0))[0], 1 / PAGES)
        waiting, _events = await self._used_by(asyncio.sleep(LASTS), [self.watched] * IDLE, 8)
        found["a stream for a minute"] = Cost().plus(waiting.plus(idle, -LASTS), 60 / LASTS / IDLE)
        return found

    async def _used_by(
        self, what: Coroutine[None, None, None], addresses: list[str], before: float
    ) -> tuple[Cost, int]:
        """What is used while something is done and these streams are open, and how many events they got."""
        listening = [asyncio.create_task(self.listen(address)) for address in addresses]
        await asyncio.sleep(before)
        begun, events = self.used(), self.events
        await what
        used = self.used().plus(begun, -1), self.events - events
        for one in listening:
            one.cancel()
        await asyncio.gather(*listening, return_exceptions=True)
        return used


def country() -> dict[str, float]:
    """How many of each unit a country needs a second."""
    reports = CAPTAINS / EVERY
    a_second = (reports, reports, reports * WATCHING / CAPTAINS * TABLES, WATCHING / VISIT)
    silent = CAPTAINS * idle_share(1 / EVERY) + WATCHING * idle_share(TABLES / EVERY)
    return dict(zip(UNITS, (*a_second, silent / 60), strict=True))


def idle_share(events: float) -> float:
    """How many signs of life a stream with so many events a second sends, of those of one without any.

    Each event puts the next sign off, and events come at random.
    """
    awaited = events * HEARTBEAT
    return awaited / math.expm1(awaited)


def main() -> None:
    platform.allow_files(4 * IDLE)
    parts.TABLES = TABLES
    with ExitStack() as stack:
        costs = asyncio.run(Hall(parts.Parts(stack)).measure())
    print(
        "| ms of a core | servers | PostgreSQL | Redis | proxy | together | bytes |\n|---|---|---|---|---|---|---|"
    )
    for name in UNITS:
        print(costs[name].row(name))
    print("\n| a country | a second | cores | Mbit/s |\n|---|---|---|---|")
    cores = megabits = 0.0
    for name, number in country().items():
        *used, received = astuple(costs[name])
        core, megabit = number * max(0.0, sum(used)), 8 * number * received / 1e6
        cores, megabits = cores + core, megabits + megabit
        print(f"| {name} | {number:,.0f} | {core:.2f} | {megabit:.1f} |")
    print(f"| together | | {cores:.2f} | {megabits:.1f} |")


if __name__ == "__main__":
    main()
