"""Kill each part of a union's server in turn while phones report, and measure how long reports wait.

The parts are Redis, PostgreSQL, one server of three, the workers of jobs, and the proxy. Three servers on PostgreSQL
and Redis run behind Caddy, all on this machine, with `RATE` reports and as many questions for the tournament's version
a second. A phone whose report is not acknowledged sends it again after `AGAIN` seconds, and it has waited until that is
answered. Killed parts are started again after `DOWN` seconds, the workers by the program itself.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests import services
from tests.bench.reports import COUNT
from tests.bench.stage import children, empty_folder, family, hall, percentile, python, running, wait_for
from tests.bench.wire import Wire, get, post_reports

TABLES, SERVERS = 60, 3
RATE = int(os.environ.get("PARTS_RATE", "10"))
CALM, LASTS, DOWN, RESTART, AGAIN = 8.0, 10.0, 3.0, 1.5, 0.3
PATIENCE = 60.0
WRONG = (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError)


@dataclass
class Phase:
    """What phones met with from when a part was killed until the next."""

    name: str
    reports: list[float] = field(default_factory=list)
    versions: list[float] = field(default_factory=list)
    again: int = 0

    def __str__(self) -> str:
        told = [1000 * wait for wait in self.reports]
        asked = [1000 * wait for wait in self.versions]
        figures = (percentile(told, 0.5), percentile(told, 0.99), max(told), percentile(asked, 0.99))
        return f"| {self.name} | {len(told)} | {' | '.join(f'{one:.0f}' for one in figures)} | {self.again} |"


class Parts:
    """The processes, each with how it is killed; all end with the stack."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack, self.where = stack, stack.enter_context(services.both(durable=True))
        self.folder = stack.enter_context(empty_folder())
        self.code, self.secrets = hall(4 * TABLES, self.folder, **self.where)
        self.ports = [services.free_port() for _one in range(SERVERS)]
        self.servers = [self._serve(port) for port in self.ports]
        self.port = services.free_port()
        servers = " ".join(f"127.0.0.1:{port}" for port in self.ports)
        file = Path(self.folder) / "Caddyfile"
        file.write_text(CADDYFILE % {"port": self.port, "servers": servers})
        self.caddy = ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]
        self.proxy = stack.enter_context(begun(self.caddy))
        self.address = f"http://127.0.0.1:{self.port}"
        wait_for(self.address)

    def _serve(self, port: int) -> int:
        environment = self.where | {"PORT": str(port), "BACKUP_MINUTES": "0"}
        _address, process = self.stack.enter_context(running(self.folder, **environment))
        return process

    def redis(self) -> None:
        self._begin_again(only("redis-server"), signal.SIGKILL)

    def postgresql(self) -> None:
        """Restarted, as by an upgrade of its package; this one, made in haste, takes long to recover from a crash."""
        self._begin_again(only("postgres"), signal.SIGINT, RESTART)

    def one_server_of_three(self) -> None:
        for process in family(self.servers[1]):
            os.kill(process, signal.SIGKILL)
        time.sleep(DOWN)
        self.servers[1] = self._serve(self.ports[1])

    def workers_of_jobs(self) -> None:
        for server in self.servers:
            for process in family(server):
                if name_of(process) == "spadille-jobs":
                    os.kill(process, signal.SIGKILL)

    def proxy_killed(self) -> None:
        self.proxy.kill()
        time.sleep(DOWN)
        self.proxy = self.stack.enter_context(begun(self.caddy))

    def _begin_again(self, process: int, how: signal.Signals, down: float = DOWN) -> None:
        command = Path(f"/proc/{process}/cmdline").read_text().split("\0")[:-1]
        folder = Path(f"/proc/{process}/cwd").resolve()
        if name_of(process) == "redis-server":  # it writes its address there
            command = [*REDIS, command[0].rpartition(":")[2]]
        os.kill(process, how)
        begun_again = time.monotonic() + down
        while not has_ended(process) or time.monotonic() < begun_again:
            time.sleep(0.05)
        self.stack.enter_context(begun([*services.as_owner(), *command], folder))


# Whoever is sent to a server that is not there is sent to another.
CADDYFILE = """
{
    admin off
    auto_https off
}
http://:%(port)d {
    reverse_proxy %(servers)s {
        lb_try_duration 5s
        fail_duration 5s
    }
}
"""
REDIS = ["redis-server", "--save", "", "--appendonly", "no", "--bind", "127.0.0.1", "--port"]


@contextmanager
def begun(command: Sequence[str], folder: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)  # PostgreSQL would wait for its clients otherwise
        process.wait()


def name_of(process: int) -> str:
    return Path(f"/proc/{process}/comm").read_text().strip()


def has_ended(process: int) -> bool:
    """Whether only its entry is left, until whoever started it asks for its status."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def only(name: str) -> int:
    """The process of this name that this one has started."""
    (process,) = (one for one in children(os.getpid()) if name_of(one) == name and not has_ended(one))
    return process


class Hall:
    """Phones behind the proxy."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.phase = parts, Phase("none")
        self.phones = [Wire(parts.address) for _secret in parts.secrets]
        self.looking = [Wire(parts.address) for _one in range(4 * RATE)]
        self.sent = 0

    async def play(self, faults: Sequence[tuple[str, Callable[[], None]]]) -> list[Phase]:
        phases = [self.phase]
        over = asyncio.Event()
        playing = [asyncio.create_task(self._report(over)), asyncio.create_task(self._look(over))]
        await asyncio.sleep(CALM)
        for name, kill in faults:
            self.phase = Phase(name)
            phases.append(self.phase)
            await asyncio.sleep(AGAIN)  # what was sent before is answered
            await asyncio.gather(asyncio.to_thread(kill), asyncio.sleep(LASTS))
        over.set()
        await asyncio.gather(*playing)
        return phases

    async def _report(self, over: asyncio.Event) -> None:
        async with asyncio.TaskGroup() as group:
            while not over.is_set():
                table, deal = self.sent % TABLES, 1 + self.sent // TABLES
                self.sent += 1
                question = post_reports(self.parts.secrets[table], [deal])
                group.create_task(self._until_answered(self.phones[table], question, self.phase.reports))
                await asyncio.sleep(1 / RATE)

    async def _look(self, over: asyncio.Event) -> None:
        question, number = get(f"/t/{self.parts.code}/version"), 0
        async with asyncio.TaskGroup() as group:
            while not over.is_set():
                number += 1
                wire = self.looking[number % len(self.looking)]
                group.create_task(self._until_answered(wire, question, self.phase.versions))
                await asyncio.sleep(1 / RATE)

    async def _until_answered(self, wire: Wire, question: bytes, waits: list[float]) -> None:
        begun, phase = time.perf_counter(), self.phase
        while True:
            try:
                async with asyncio.timeout(PATIENCE):
                    status, body = await wire.ask(question)
            except WRONG:
                status, body = 0, b""
                wire.streams = None
            stored = b'"accepted"' in body or b'"duplicate"' in body
            if status == 200 and (waits is phase.versions or stored):
                break
            phase.again += 1
            await asyncio.sleep(AGAIN * random.uniform(0.7, 1.3))
        waits.append(time.perf_counter() - begun)


def main() -> None:
    os.environ.pop("DATABASE_URL", None)
    os.environ.pop("CACHE_URL", None)
    with ExitStack() as stack:
        parts = Parts(stack)
        hall_ = Hall(parts)
        faults = (
            ("Redis", parts.redis),
            ("PostgreSQL, restarted", parts.postgresql),
            ("one server of three", parts.one_server_of_three),
            ("the workers of jobs", parts.workers_of_jobs),
            ("the proxy", parts.proxy_killed),
        )
        phases = asyncio.run(hall_.play(faults))
        told = {"folder": parts.folder, "DJANGO_SETTINGS_MODULE": "config.settings", **parts.where}
        counted = python("-c", COUNT, **told)
        verified = python("manage.py", "verify", folder=parts.folder, **parts.where).stdout.strip()
    reports, doubled, deals = json.loads(counted.stdout.splitlines()[-1])
    print(
        "| killed | reports | p50, ms | p99 | longest | version, p99 | sent again |\n|---|---|---|---|---|---|---|"
    )
    print(*phases, sep="\n")
    print(
        f"sent {hall_.sent}, stored {reports}, lost {hall_.sent - deals}, doubled {doubled};"
        f" {verified.splitlines()[-1]}; load {os.getloadavg()[0]:.0f}"
    )


if __name__ == "__main__":
    main()
