"""What captains' phones cost while nothing happens: 240 of them, on one server with SQLite.

Those that have a stream, those that ask every four seconds and are answered from what the process was told, and those
whose question goes to the program, as all did before (their version is written with a nought before it).
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress

from core import platform
from tests.bench.stage import cpu_seconds, empty_folder, hall, running
from tests.bench.wire import Wire, get

TABLES, POLL, FOR = 240, 4.0, 24.0
Wait = Callable[[str, str, int], Coroutine[None, None, None]]


def main() -> None:
    platform.allow_files(4 * TABLES)
    with empty_folder() as folder:
        _code, secrets = hall(4 * TABLES, folder)
        with running(folder, BACKUP_MINUTES="0") as (address, server):
            for name, wait in (
                ("with a stream", _listen),
                ("that ask and are answered from what was told", _ask),
                ("whose question goes to the program", _ask_the_program),
            ):
                core = asyncio.run(_idle(server, address, secrets, wait))
                print(f"{TABLES} phones {name}: {core:.4f} of a core", flush=True)


async def _idle(server: int, address: str, secrets: list[str], wait: Wait) -> float:
    """The part of a core that the server takes while all phones wait; they have begun before."""
    states = [await Wire(address).ask(get(f"/c/{secret}/state")) for secret in secrets]
    versions = [json.loads(gzip.decompress(body))["version"] for _status, body in states]
    phones = [asyncio.create_task(wait(address, *about)) for about in zip(secrets, versions, strict=True)]
    await asyncio.sleep(3 * POLL)
    before, begun = cpu_seconds(server), time.perf_counter()
    await asyncio.sleep(FOR)
    used = (cpu_seconds(server) - before) / (time.perf_counter() - begun)
    for phone in phones:
        phone.cancel()
    for phone in phones:
        with suppress(asyncio.CancelledError):
            await phone
    return used


async def _listen(address: str, secret: str, _version: int) -> None:
    port = int(address.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(get(f"/c/{secret}/events"))
    while await reader.read(1 << 16):
        pass


async def _ask(address: str, secret: str, version: int, written: str = "") -> None:
    wire = Wire(address)
    await asyncio.sleep(POLL * random.random())
    while True:
        status, _body = await wire.ask(get(f"/c/{secret}/state?v={written}{version}&seq=0"))
        if status != 204:
            raise RuntimeError(status)
        await asyncio.sleep(POLL)


async def _ask_the_program(address: str, secret: str, version: int) -> None:
    await _ask(address, secret, version, "0")


if __name__ == "__main__":
    main()
