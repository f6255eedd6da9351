"""A hall's Wi-Fi of 20 Mbit/s and 30 ms each way, shared by 500 phones: how late each page has what was reported.

The link is a proxy of ours, a process of its own: without `netem` in the kernel no network namespace has a delay. Each
direction carries so many bits a second for all connections together, in the order in which they came. Half of the
phones have their page open before; the others open it one after the other while deals are reported.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from core import platform
from tests.bench.stage import ROOT, cpu_seconds, empty_folder, hall, percentile, running, wait_for
from tests.bench.wire import Wire, accepted, get, post_reports
from tests.services import free_port

PHONES, TABLES = 500, 125
BITS, LATENCY = 20_000_000, 0.030
RATE, LASTS = 2.0, 30.0  # reports a second (125 tables have one), and seconds
SOON_ENOUGH = 5.0


class Link:
    """One direction of the Wi-Fi."""

    def __init__(self) -> None:
        self.free, self.carried = 0.0, 0

    def carry(self, size: int) -> float:
        """Until when so many bytes that come now are on their way."""
        self.free = max(self.free, time.monotonic()) + 8 * size / BITS
        self.carried += size
        return self.free + LATENCY


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: Link) -> None:
    """Pass on what comes, each piece when the link has carried it."""
    loop = asyncio.get_running_loop()
    with suppress(OSError):
        while piece := await reader.read(1460):
            due = link.carry(len(piece))
            loop.call_later(due - time.monotonic(), writer.write, piece)
            await asyncio.sleep(max(0.0, due - LATENCY - time.monotonic()))
    loop.call_later(max(0.0, link.free + LATENCY - time.monotonic()) + 0.01, writer.close)


async def serve(port: int, to: int) -> None:
    down, up = Link(), Link()
    kept = set()  # nobody else does

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        kept.add(asyncio.current_task())
        there, back = await asyncio.open_connection("127.0.0.1", to)
        await asyncio.gather(pump(reader, back, up), pump(there, writer, down))

    async with await asyncio.start_server(connected, "127.0.0.1", port, backlog=PHONES) as server:
        await server.serve_forever()


@contextmanager
def wifi(to: int) -> Iterator[int]:
    """The port of a link to a server."""
    port = free_port()
    link = subprocess.Popen([sys.executable, "-m", "tests.bench.hall_wifi", str(port), str(to)], cwd=ROOT)
    try:
        wait_for(f"http://127.0.0.1:{port}")
        yield port
    finally:
        link.kill()
        link.wait()


class Phones:
    """The hall's phones: which version each page shows, and how late it came."""

    def __init__(self, port: int, code: str, secrets: list[str]) -> None:
        self.port, self.code, self.secrets = port, code, secrets
        self.sent: dict[int, float] = {}
        self.shown = [0] * PHONES
        self.delays: list[float] = []
        self.opened: list[float] = []
        self.received = 0

    async def watch(self, number: int, after: float) -> None:
        """Open the standings, then take what the stream tells."""
        await asyncio.sleep(after)
        begun, wire = time.perf_counter(), Wire(f"http://127.0.0.1:{self.port}")
        _status, page = await wire.ask(get(f"/t/{self.code}/standings/"))
        self.opened.append(time.perf_counter() - begun)
        self.received += len(page)
        wire.close()
        text = zlib.decompress(page, 16 + zlib.MAX_WBITS).decode()
        attributes = dict(re.findall(r'data-(version|sum)="([^"]*)"', text))
        self.shown[number] = int(attributes["version"])
        part = f"part=/t/{self.code}/standings/&sum={attributes['sum']}&language=da"
        await self._listen(number, f"/t/{self.code}/events?{part}")

    async def _listen(self, number: int, address: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(get(address))
        try:
            await reader.readuntil(b"\r\n\r\n")
            unpacker, text = zlib.decompressobj(16 + zlib.MAX_WBITS), b""
            while size := int(await reader.readline(), 16):  # the body comes in chunks
                text += unpacker.decompress(await reader.readexactly(size))
                await reader.readline()
                self.received += size
                *events, text = text.split(b"\n\n")
                for one in events:
                    if b'"version":' in one:
                        self._take(number, int(re.search(rb'"version":(\d+)', one)[1]))
        finally:
            writer.close()

    def _take(self, number: int, version: int) -> None:
        now = time.perf_counter()
        self.delays += [
            now - self.sent[seen] for seen in range(self.shown[number] + 1, version + 1) if seen in self.sent
        ]
        self.shown[number] = max(self.shown[number], version)

    async def report(self, version: int, used: Callable[[], float]) -> tuple[float, float]:
        """Report from the tables; the part of a core that the server took, and megabits a second to the phones."""
        captains = [Wire(f"http://127.0.0.1:{self.port}") for _table in range(TABLES)]
        begun, before, received = time.perf_counter(), used(), self.received
        for one in range(int(RATE * LASTS)):
            await asyncio.sleep(begun + one / RATE - time.perf_counter())
            self.sent[version + 1 + one] = time.perf_counter()
            table = one % TABLES
            accepted(await captains[table].ask(post_reports(self.secrets[table], [1 + one // TABLES])))
        took = time.perf_counter() - begun
        return (used() - before) / took, 8 * (self.received - received) / took / 1e6


async def play(port: int, code: str, secrets: list[str], server: int) -> None:
    phones = Phones(port, code, secrets)
    early = PHONES // 2
    # Those who are there come within ten seconds; the others while deals are reported.
    begins = [10 * one / early for one in range(early)]
    begins += [14 + LASTS * one / (PHONES - early) for one in range(PHONES - early)]
    watching = [asyncio.create_task(phones.watch(number, after)) for number, after in enumerate(begins)]
    await asyncio.sleep(14)
    _status, body = await Wire(f"http://127.0.0.1:{port}").ask(get(f"/t/{code}/version"))
    version = json.loads(body)["version"]
    core, megabits = await phones.report(version, lambda: cpu_seconds(server))
    await asyncio.sleep(SOON_ENOUGH)
    late = sum(shown < version + int(RATE * LASTS) for shown in phones.shown)
    for one in watching:
        one.cancel()
    ended = await asyncio.gather(*watching, return_exceptions=True)
    if wrong := [one for one in ended if not isinstance(one, asyncio.CancelledError)]:
        print(f"{len(wrong)} phones were cut off: {wrong[0]!r}")
    for what, waits in (("a deal is on a page after", phones.delays), ("a page is opened in", phones.opened)):
        told = [1000 * wait for wait in waits]
        p50, p95, p99 = (percentile(told, share) for share in (0.5, 0.95, 0.99))
        print(
            f"{what} p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f}, at most {max(told):.0f} ms, {len(told):,} times"
        )
    print(f"pages without the last deal after {SOON_ENOUGH:.0f} s: {late}")
    print(f"{megabits:.2f} Mbit/s to the phones, {core:.2f} of a core")


def main() -> None:
    platform.allow_files(8 * PHONES)
    with empty_folder() as folder:
        code, secrets = hall(4 * TABLES, folder)
        with (
            running(folder, BACKUP_MINUTES="0") as (address, server),
            wifi(int(address.rpartition(":")[2])) as port,
        ):
            asyncio.run(play(port, code, secrets, server))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        platform.allow_files(8 * PHONES)
        asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
    else:
        main()
