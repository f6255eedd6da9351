"""What other programs ask: the list of 1,000 players, made and kept; and a thousand programs that wait for news."""

from __future__ import annotations

import asyncio
import json
import time

from tests.bench.stage import cpu_seconds, empty_folder, hall, memory, python, running
from tests.bench.wire import Wire, get, post_reports

PLAYERS, QUESTIONS, MADE = 1000, 400, 20
WAITING, SECONDS = 1000, 10

# The list made anew each time, in the program itself: what nobody has asked before costs that.
MAKE = """
import django; django.setup()
import sys, time
from django.core.cache import cache
from django.test import Client
browser, address, times = Client(), sys.argv[1], []
for _again in range(int(sys.argv[2]) + 1):
    cache.clear()
    begun = time.process_time()
    assert browser.get(address).status_code == 200
    times.append(time.process_time() - begun)
print(1000 * sorted(times[1:])[len(times) // 2])
"""


async def _asked(address: str, question: bytes) -> tuple[list[float], int]:
    """Seconds of each question, one after the other, and the bytes of an answer."""
    wire, times, size = Wire(address), [], 0
    for _again in range(QUESTIONS):
        begun = time.perf_counter()
        _status, body = await wire.ask(question)
        times.append(time.perf_counter() - begun)
        size = len(body)
    wire.close()
    return times, size


async def _all_wait(address: str, code: str, secret: str, process: int) -> None:
    at = f"/api/v1/tournaments/{code}/version"
    version = json.loads((await Wire(address).ask(get(at)))[1])["version"]
    wires = [Wire(address) for _one in range(WAITING)]
    question = get(f"{at}?after={version}&wait=25")

    async def until_news(wire: Wire) -> int:
        while True:
            newest = int(json.loads((await wire.ask(question))[1])["version"])
            if newest > version:
                return newest

    waiting = [asyncio.create_task(until_news(one)) for one in wires]
    await asyncio.sleep(5)
    used = cpu_seconds(process)
    await asyncio.sleep(SECONDS)
    used = cpu_seconds(process) - used
    begun = time.perf_counter()
    await Wire(address).ask(post_reports(secret, [1]))
    await asyncio.gather(*waiting)
    print(
        f"{WAITING} programs wait: {100 * used / SECONDS:.1f} % of a core; news is with all of them"
        f" after {time.perf_counter() - begun:.2f} s; {memory(process):.0f} MB with them"
    )
    for one in wires:
        one.close()


def main() -> None:
    with empty_folder() as folder:
        code, secrets = hall(PLAYERS, folder)
        address = f"/api/v1/tournaments/{code}/entries?limit={PLAYERS}"
        program = {"folder": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        made = python("-c", MAKE, address, str(MADE), **program).stdout
        print(f"list of {PLAYERS} players, made: {float(made.splitlines()[-1]):.1f} ms of a core (median)")
        with running(folder) as (server, process):
            asyncio.run(_asked(server, get(f"/t/{code}/")))
            time.sleep(5)  # what runs beside the pages has begun
            before = memory(process)
            times, size = asyncio.run(_asked(server, get(address)))
            times.sort()
            print(
                f"asked again and again: median {1000 * times[QUESTIONS // 2]:.2f} ms,"
                f" p99 {1000 * times[QUESTIONS * 99 // 100]:.2f} ms, {size} bytes (compressed);"
                f" the server holds {memory(process) - before:.0f} MB more after the first question"
            )
            asyncio.run(_all_wait(server, code, secrets[0], process))
