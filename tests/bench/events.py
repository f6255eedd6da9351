"""A thousand phones that are told of the standings, beside a thousand that ask, on one server with SQLite.

    python -m tests.bench.events [PHONES] [PLAYERS]

Says for each: what they cost while nothing happens, how long after its captain sent it a deal is on a phone, and how
many bytes a phone is sent for one deal. Then what a deal costs as captains' phones live it, with and without asking
for the state behind the report. On loopback only.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
import zlib
from contextlib import suppress
from urllib.parse import quote

from core import platform
from tests.bench.stage import cpu_seconds, empty_folder, hall, percentile, running
from tests.bench.wire import Wire, accepted, get, post_reports

PHONES, PLAYERS = 1000, 500
IDLE, DEALS, EACH = 8, 30, 0.5  # seconds of nothing; deals, and seconds between two
LIVED, CAPTAINS = 12, 8  # deals of each captain, three times; captains


class Told:
    """A phone with a stream; notes when it heard of which version, and how many bytes came."""

    def __init__(self, port: int, code: str, checksum: str) -> None:
        part = quote(f"/t/{code}/standings/")
        self.port, self.heard, self.bytes = port, {}, 0
        self.request = get(
            f"/t/{code}/events?part={part}&sum={checksum}&language=en", "Accept-Encoding: gzip"
        )

    async def listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(self.request)
        await reader.readuntil(b"\r\n\r\n")
        unpack = zlib.decompressobj(31)
        with suppress(asyncio.IncompleteReadError):
            while True:
                size = int(await reader.readline(), 16)
                piece = (await reader.readexactly(size + 2))[:-2]
                self.bytes += len(piece)
                for line in unpack.decompress(piece).split(b"\n"):
                    if line.startswith(b"data: {") and b'"version":' in line:
                        self.heard.setdefault(json.loads(line[6:])["version"], time.perf_counter())


class Asking:
    """A phone that asks for the version, and for the whole part when it has changed."""

    def __init__(self, address: str, code: str) -> None:
        self.wire, self.code, self.heard, self.bytes, self.shown = Wire(address), code, {}, 0, 0
        self.pace = 1.5

    async def listen(self) -> None:
        while True:
            await asyncio.sleep(self.pace)
            _status, body = await self.wire.ask(get(f"/t/{self.code}/version"))
            self.bytes += len(body)
            newest = json.loads(body)["version"]
            if newest > self.shown:
                path = f"/t/{self.code}/standings/?all"
                _status, part = await self.wire.ask(get(path, "HX-Request: true", f"X-Newest: {newest}"))
                self.bytes += len(part)
                now = time.perf_counter()
                for version in range(self.shown + 1, newest + 1):
                    self.heard.setdefault(version, now)
                self.shown, self.pace = newest, 0.6


async def watched(name: str, phones: list, server: int, address: str, code: str, secrets: list[str]) -> None:
    listening = [asyncio.create_task(phone.listen()) for phone in phones]
    await asyncio.sleep(6)
    before, begun = cpu_seconds(server), time.perf_counter()
    await asyncio.sleep(IDLE)
    idle = (cpu_seconds(server) - before) / (time.perf_counter() - begun)
    captain, sent = Wire(address), {}
    _status, body = await captain.ask(get(f"/t/{code}/version"))
    version, counted = json.loads(body)["version"], sum(phone.bytes for phone in phones)
    before = cpu_seconds(server)
    for deal in range(DEALS):
        version += 1
        sent[version] = time.perf_counter()
        accepted(await captain.ask(post_reports(secrets[deal % len(secrets)], [1 + deal // len(secrets)])))
        await asyncio.sleep(EACH)
    await asyncio.sleep(3)
    busy = (cpu_seconds(server) - before) / DEALS
    sizes = (sum(phone.bytes for phone in phones) - counted) / len(phones) / DEALS
    delays = [
        min(at for seen, at in phone.heard.items() if seen >= one) - begun
        for phone in phones
        for one, begun in sent.items()
        if any(seen >= one for seen in phone.heard)
    ]
    missed = len(phones) * DEALS - len(delays)
    print(
        f"  {name}: idle {idle:.3f} of a core; a deal is seen after p50 {percentile(delays, 0.5):.3f},"
        f" p95 {percentile(delays, 0.95):.3f} s, {sizes / 1000:.2f} kB a phone, {1000 * busy:.0f} ms of the server;"
        f" {missed} sights missed",
        flush=True,
    )
    for task in listening:
        task.cancel()


async def lived(server: int, address: str, code: str, secrets: list[str]) -> None:
    """The evenings of some captains: a deal is a report, before that a report and the state behind it.

    And what a deal costs with the standings, drawn once for all, and a page around them for one who comes.
    """
    part = get(f"/t/{code}/standings/", "HX-Request: true", "Accept-Encoding: gzip")
    page = get(f"/t/{code}/standings/", "Accept-Encoding: gzip")
    captain, versions = Wire(address), dict.fromkeys(secrets, 1)
    for place, (name, has_state, shown) in enumerate(
        (
            ("with the state behind it", True, ()),
            ("alone", False, ()),
            ("with the standings for all, and the page for one", False, (part, page)),
        )
    ):
        before = cpu_seconds(server)
        for deal in range(1 + place * LIVED, 1 + (place + 1) * LIVED):
            for secret, version in versions.items():
                _status, body = await captain.ask(post_reports(secret, [deal]))
                versions[secret] = json.loads(body).get("state_version", version)
                if has_state:
                    state = get(f"/c/{secret}/state?v={version}&seq={deal - 1}", "Accept-Encoding: gzip")
                    await captain.ask(state)
                for asked in shown:
                    await captain.ask(asked)
        used = (cpu_seconds(server) - before) / LIVED / len(secrets)
        print(f"  a report {name}: {1000 * used:.2f} ms", flush=True)


def main() -> None:
    phones, players = (int(sys.argv[1]), int(sys.argv[2])) if len(sys.argv) > 2 else (PHONES, PLAYERS)
    platform.allow_files(4 * phones)
    for name in ("told", "asking"):
        with empty_folder() as folder:
            code, secrets = hall(players, folder)
            with running(folder, BACKUP_MINUTES="0") as (address, server):
                port = int(address.rpartition(":")[2])
                made = [
                    Told(port, code, "") if name == "told" else Asking(address, code)
                    for _one in range(phones)
                ]
                asyncio.run(
                    watched(
                        f"{phones} phones {name}, {players} players", made, server, address, code, secrets
                    )
                )
                if name == "told":
                    asyncio.run(lived(server, address, code, secrets[-CAPTAINS:]))


if __name__ == "__main__":
    main()
