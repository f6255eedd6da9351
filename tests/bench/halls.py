"""A union's day: 12 halls, 500 phones, two servers on PostgreSQL and Redis, one of them restarted each minute.

    python -m tests.bench.halls [MINUTES]            30 unless given

240 captains report a deal each 45 seconds, as slow as a fast table; the other phones follow the standings. Who gets no
answer, or is refused because the server ends, tries again at the other server with the same key, as phones do behind
one address. Then what was answered is compared with what is stored: lost and doubled are to be 0. The time of a report
is that of the request which was answered; on a quiet machine its p99 is to be 25 ms.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
import sys
import time
from collections import Counter
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any
from uuid import uuid4

from tests import services
from tests.bench.stage import empty_folder, hall, percentile, python, running
from tests.bench.wire import RESULT, Wire, get
from tests.faults.stage import RECOUNT
from tests.services import free_port

HALLS, TABLES_OF_EACH, PHONES, MINUTES = 12, 20, 500, 30
CAPTAINS = HALLS * TABLES_OF_EACH
DEALS, A_DEAL, RESTART = 40, 45.0, 60.0
LOOK, WHOLE_PAGE = 3.0, 30.0
PAUSE, PATIENCE = 0.3, 10.0
AGAIN = (429, 502, 503)
SET_HALLS = """
import django; django.setup()
from tournaments.domain.halls import stored_halls
from tournaments.models import Tournament
halls = stored_halls([(f"Sal {{number}}", "", {tables}) for number in range(1, {halls} + 1)])
Tournament.objects.filter(code={code!r}).update(halls=halls)
"""


@dataclass
class Day:
    """What all phones have in common, and what they saw."""

    code: str
    addresses: list[str]
    until: float
    answered: dict[str, tuple[str, int]] = field(default_factory=dict)
    took: list[float] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    again: Counter[str] = field(default_factory=Counter)
    refused: list[Any] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.until


class Phone:
    """A phone that goes to the other server when one does not answer."""

    def __init__(self, day: Day, number: int) -> None:
        self.day = day
        self.wires = cycle(
            [Wire(address) for address in day.addresses[number % 2 :] + day.addresses[: number % 2]]
        )
        self.wire = next(self.wires)

    async def ask(self, question: bytes) -> tuple[int, bytes, float]:
        """Status and body of the answer, and its milliseconds; asked again until there is one."""
        while True:
            begun = time.perf_counter()
            try:
                status, body = await asyncio.wait_for(self.wire.ask(question), PATIENCE)
            except (OSError, EOFError, TimeoutError) as error:
                self.day.again[type(error).__name__] += 1
            else:
                if status not in AGAIN:
                    return status, body, (time.perf_counter() - begun) * 1000
                self.day.again[str(status)] += 1
            self.wire.close()
            self.wire.streams = None
            self.wire = next(self.wires)
            await asyncio.sleep(PAUSE)

    async def follow(self, place: float) -> None:
        await asyncio.sleep(LOOK * place)
        looked = 0.0
        while not self.day.is_over:
            if time.monotonic() - looked > WHOLE_PAGE:
                looked = time.monotonic()
                await self._look(f"/t/{self.day.code}/standings/")
            await self._look(f"/t/{self.day.code}/version")
            await asyncio.sleep(LOOK)

    async def _look(self, path: str) -> None:
        status, body, _took = await self.ask(get(path))
        if status >= 400:
            self.day.refused.append((path, status, body[:100]))

    async def report(self, secret: str, place: float) -> None:
        """Report each deal under a key of its own, at an even pace."""
        begun = time.monotonic() + A_DEAL * place
        for deal in range(1, DEALS + 1):
            await asyncio.sleep(max(0.0, begun + (deal - 1) * A_DEAL - time.monotonic()))
            if self.day.is_over:
                return
            key, since = str(uuid4()), time.perf_counter()
            result = RESULT | {"declarer": deal % 4}
            body = json.dumps({"reports": [{"key": key, "deal": deal, "base": 0, "result": result}]}).encode()
            head = (
                f"POST /c/{secret}/reports HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            )
            status, answer, took = await self.ask(
                f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
            )
            if status != 200 or not any(word in answer for word in (b'"accepted"', b'"duplicate"')):
                self.day.refused.append((secret, deal, status, answer[:200]))
                continue
            self.day.answered[key] = (secret, deal)
            self.day.took.append(took)
            self.day.waited.append((time.perf_counter() - since) * 1000)


class Servers:
    """Two servers, each on a port of its own, and their restarts."""

    def __init__(self, folder: str, environment: dict[str, str]) -> None:
        self.folder, self.environment = folder, environment
        self.ports = [free_port(), free_port()]
        self.held: list[AbstractContextManager[Any]] = []
        self.restarts = 0

    def start(self, port: int) -> AbstractContextManager[Any]:
        server = running(self.folder, PORT=str(port), BACKUP_MINUTES="0", **self.environment)
        server.__enter__()
        return server

    def start_both(self) -> None:
        self.held = [self.start(port) for port in self.ports]

    def end_both(self) -> None:
        for server in self.held:
            server.__exit__(None, None, None)

    async def restart_in_turn(self, day: Day) -> None:
        for which in cycle((0, 1)):
            await asyncio.sleep(min(RESTART, max(0.0, day.until - time.monotonic())))
            if day.is_over:
                return
            await asyncio.to_thread(self.held[which].__exit__, None, None, None)
            self.held[which] = await asyncio.to_thread(self.start, self.ports[which])
            self.restarts += 1


async def play(day: Day, servers: Servers, secrets: list[str]) -> None:
    dice = random.Random(1)
    captains = [Phone(day, number).report(secret, dice.random()) for number, secret in enumerate(secrets)]
    others = [Phone(day, number).follow(dice.random()) for number in range(PHONES - len(secrets))]
    await asyncio.gather(servers.restart_in_turn(day), *captains, *others)


def main(minutes: float = MINUTES) -> None:
    # Ended from outside, the servers are ended, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with ExitStack() as stack:
        folder = stack.enter_context(empty_folder())
        where = stack.enter_context(services.both(durable=True))
        code, secrets = hall(4 * CAPTAINS, folder, **where)
        told = {"folder": folder, "DJANGO_SETTINGS_MODULE": "config.settings", **where}
        python("-c", SET_HALLS.format(tables=TABLES_OF_EACH, halls=HALLS, code=code), **told)
        servers = Servers(folder, where)
        stack.callback(servers.end_both)
        servers.start_both()
        addresses = [f"http://127.0.0.1:{port}" for port in servers.ports]
        day = Day(code, addresses, time.monotonic() + 60 * minutes)
        asyncio.run(play(day, servers, secrets))
        *_notices, verified, stored = python("-c", RECOUNT, **told).stdout.strip().splitlines()
        tell(day, servers, verified, json.loads(stored)[1])


def tell(day: Day, servers: Servers, verified: str, reports: list[Any]) -> None:
    keys = Counter(key for _secret, key, _deal, _result in reports)
    deals = Counter((secret, deal) for secret, _key, deal, _result in reports)
    lost = [key for key in day.answered if key not in keys]
    doubled = sum(keys.values()) - len(keys) + sum(deals.values()) - len(deals)
    print(f"{HALLS} halls, {CAPTAINS} captains, {PHONES - CAPTAINS} others; {servers.restarts} restarts")
    print(
        f"reports answered {len(day.answered):,}, stored {sum(keys.values()):,}: lost {len(lost)}, doubled {doubled}"
    )
    print(f"asked again: {dict(day.again)}; refused {len(day.refused)} {day.refused[:3]}")
    shares = [
        (share, percentile(day.took, share), percentile(day.waited, share)) for share in (0.5, 0.95, 0.99)
    ]
    for share, took, waited in shares:
        print(f"p{share * 100:.0f}: {took:.0f} ms, from the first attempt {waited:.0f} ms")
    print(f"verify: {verified}")
    if lost or doubled or day.refused:
        raise SystemExit(1)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
