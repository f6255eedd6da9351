"""A server for hours: what it holds in memory, open files and connections, and on the disk, minute by minute.

`python -m tests.bench.soak [MINUTES]`, two hours unless told. Captains report all the time, a hall of phones follows,
somebody reads all tables, backups are made. What grows though it need not is a leak: the last quarter is compared with
the second.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from tests.bench.stage import empty_folder, family, hall, memory, percentile, running
from tests.bench.wire import Wire, accepted, get, post_reports

MINUTES = 120
REPORTS = 2  # a second
PHONES = 60  # that follow
ASK_EVERY, LOOK_EVERY = 2.0, 30.0  # seconds: what is new, and the whole page
DEALS = 40


@dataclass
class Sample:
    """One minute."""

    minute: int
    megabytes: float
    processes: int
    handles: int
    database: float  # megabytes
    reports: int
    p99: float  # milliseconds of a report


def handles(process: int) -> int:
    """How many files and connections a process has open, and all that it has started."""
    return sum(len(list(Path(f"/proc/{one}/fd").iterdir())) for one in family(process))


def stored(folder: str) -> float:
    """Megabytes of the database with its log."""
    return sum(file.stat().st_size for file in Path(folder).glob("*.sqlite3*")) / 1e6


class Evening:
    """All who are in the hall."""

    def __init__(self, address: str, code: str, secrets: list[str]) -> None:
        self.address, self.code, self.secrets = address, code, secrets
        self.took: list[float] = []
        self.reports = self.faults = 0
        self.is_over = asyncio.Event()

    async def report(self) -> None:
        """Each table in turn, a deal each time round."""
        wire, begun, number = Wire(self.address), time.monotonic(), 0
        for deal in range(1, DEALS + 1):
            for secret in self.secrets:
                await asyncio.sleep(max(0.0, begun + number / REPORTS - time.monotonic()))
                if self.is_over.is_set():
                    return
                asked = time.perf_counter()
                self.reports += accepted(await wire.ask(post_reports(secret, [deal])))
                self.took.append((time.perf_counter() - asked) * 1000)
                number += 1

    async def follow(self, which: int) -> None:
        """A phone in the hall: is there something new, and now and then the whole page."""
        wire, looked = Wire(self.address), 0.0
        await asyncio.sleep(which * ASK_EVERY / PHONES)
        while not self.is_over.is_set():
            if time.monotonic() - looked > LOOK_EVERY:
                looked = time.monotonic()
                await self._fetch(wire, f"/t/{self.code}/standings/")
            await self._fetch(wire, f"/t/{self.code}/version")
            await asyncio.sleep(ASK_EVERY)

    async def read_all(self) -> None:
        """Somebody goes through tables, and has a sheet made of one now and then."""
        wire = Wire(self.address)
        while not self.is_over.is_set():
            for number in range(1, len(self.secrets) + 1):
                await self._fetch(wire, f"/t/{self.code}/round/1/table/{number}/")
                await asyncio.sleep(1)
                if self.is_over.is_set():
                    return
            await self._fetch(wire, f"/t/{self.code}/story/")

    async def _fetch(self, wire: Wire, path: str) -> None:
        status, _body = await wire.ask(get(path))
        self.faults += status >= 400


async def live_through(evening: Evening, process: int, folder: str, minutes: int) -> list[Sample]:
    people = [evening.report(), evening.read_all(), *map(evening.follow, range(PHONES))]
    tasks = [asyncio.create_task(one) for one in people]
    samples = []
    for minute in range(1, minutes + 1):
        before, evening.took = evening.reports, []
        await asyncio.sleep(60)
        samples.append(
            Sample(
                minute,
                memory(process),
                len(family(process)),
                handles(process),
                stored(folder),
                evening.reports - before,
                percentile(evening.took or [0.0], 0.99),
            )
        )
        tell(samples[-1])
    evening.is_over.set()
    await asyncio.gather(*tasks)
    return samples


def tell(sample: Sample) -> None:
    print(
        f"{sample.minute:4} min {sample.megabytes:8.1f} MB {sample.processes:3} processes {sample.handles:5} open"
        f" {sample.database:8.2f} MB stored {sample.reports:5} reports, p99 {sample.p99:6.1f} ms",
        flush=True,
    )


def compare(samples: list[Sample]) -> None:
    """What the last quarter has more than the second; the first warms up."""
    quarter = max(1, len(samples) // 4)
    second, last = samples[quarter : 2 * quarter] or samples, samples[-quarter:]
    for name in ("megabytes", "handles", "database", "p99"):
        before, after = (mean(getattr(one, name) for one in some) for some in (second, last))
        print(f"{name:10} {before:10.2f} -> {after:10.2f}  x {after / before if before else 1:.2f}")


def main(minutes: int = MINUTES) -> None:
    tables = -(-minutes * 60 * REPORTS // DEALS)
    with empty_folder() as folder:
        code, secrets = hall(4 * tables, folder)
        with running(folder, BACKUP_MINUTES="5") as (address, process):
            evening = Evening(address, code, secrets)
            compare(asyncio.run(live_through(evening, process, folder, minutes)))
            print(f"{evening.reports} reports stored, {evening.faults} faults")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
