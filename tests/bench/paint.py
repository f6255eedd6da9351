"""When the largest thing of the captain's page and of each of the hall's is painted on a slow phone's first visit.

400 kbit/s each way, a processor six times slower, nothing kept from before, compressed as browsers take it over plain
http. `PAINT_TIMES` asks each page so often (3): the shortest counts, for this machine has other things to do. Beside it
what it can take at most where nothing else is done, reckoned from what is the same every time: the bytes that painting
waits for, and the seconds of its core that the slow phone needs for the whole page; and all bytes on the wire.
`PAINT_AT` measures a server that runs, with these tournaments of these clubs, and the secret of a captain's page:
`PAINT_AT=http://localhost:8000 PAINT_OF=K9WT9R:stor,KJVSB6:skovby:SECRET`. `PAINT_ONLY="home seats story"` asks
only for the pages whose names begin so.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, sync_playwright

from tests.bench.stage import empty_folder, python, served, setup_django
from tests.browser.windows import CHROMIUM, PHONE, QUIET
from tests.every_address import addresses

BYTES_A_SECOND = 400_000 / 8
# Milliseconds there and back, as on a hall's Wi-Fi.
LATENCY = 20
SLOWER = 6
WANTED = 1.5
# Of what most phones look at in an evening.
WANTED_OF = {"hall": 1.0, "standings": 1.0, "captain": 1.0}
# Answers that wait for one another before anything is painted: the page, what it names, the picture.
IN_TURN = 3
WAITED_FOR = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter(one => one.entryType === "navigation" || one.initiatorType === "img"
    || one.renderBlockingStatus === "blocking")
  .reduce((sum, one) => sum + one.transferSize, 0)"""
LARGEST = """() => new Promise(told => new PerformanceObserver(list => {
  const last = list.getEntries().at(-1);
  const shows = last.element ? `${last.element.tagName.toLowerCase()}.${last.element.className}` : "";
  told([last.startTime / 1000, shows]);
}).observe({type: "largest-contentful-paint", buffered: true}))"""
TOURNAMENTS = """
import django; django.setup()
import json
from tournaments.models import Table, Tournament
of = dict(Table.objects.order_by("pk").values_list("round__tournament__code", "secret"))
rows = Tournament.objects.values_list("code", "host__slug")
print(json.dumps(sorted((code, slug, of.get(code, "")) for code, slug in rows)))
"""


class Painted(NamedTuple):
    """Seconds until the largest thing is painted, as measured and as reckoned; what it is; bytes with headers."""

    seconds: float
    reckoned: float
    shows: str
    bytes: int


def main() -> None:
    times = int(os.environ.get("PAINT_TIMES", "3"))
    only = tuple(os.environ.get("PAINT_ONLY", "").split()) or ("",)
    with _stage() as (address, asked_of), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        late = could_be = 0
        for name, path in sorted(_heaviest(address, asked_of, only).items()):
            every = [_painted(browser, address + path) for _again in range(times)]
            found = min(every)._replace(reckoned=min(each.reckoned for each in every))
            wanted = WANTED_OF.get(name, WANTED)
            late += found.seconds >= wanted
            could_be += found.reckoned >= wanted
            print(
                f"{name:20} {found.seconds:5.2f} s, reckoned {found.reckoned:5.2f} s {found.bytes / 1000:6.1f} kB"
                f"  {found.shows:24} {path}",
                flush=True,
            )
        browser.close()
    print(f"{late} of these took {WANTED} s or more ({WANTED_OF}); by what is reckoned {could_be} would.")


@contextmanager
def _stage() -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """A server's address, and the codes of its tournaments with their clubs' and a captain's."""
    with empty_folder() as folder:
        if at := os.environ.get("PAINT_AT"):
            setup_django(folder)
            asked_of = os.environ["PAINT_OF"].split(",")
            yield (
                at,
                [
                    (code, slug, secret)
                    for code, slug, secret, *_ in (f"{each}::".split(":") for each in asked_of)
                ],
            )
            return
        python("manage.py", "demo", folder=folder)
        found = python("-c", TOURNAMENTS, folder=folder, DJANGO_SETTINGS_MODULE="config.settings").stdout
        setup_django(folder)
        with served(folder) as address:
            yield address, [(code, slug, secret) for code, slug, secret in json.loads(found.splitlines()[-1])]


def _heaviest(address: str, asked_of: list[tuple[str, str, str]], names: tuple[str, ...]) -> dict[str, str]:
    """Of every address of the hall whose name begins so the heaviest page that there is."""
    from tournaments.hall.urls import urlpatterns

    found: dict[str, tuple[int, str]] = {}
    pages = [
        (name, path)
        for name, path in [*addresses(list(urlpatterns)), ("captain", "/c/{secret}/")]
        if path.endswith("/") and name.startswith(names)
    ]
    for name, path in pages:
        for code, slug, secret in asked_of:
            filled = path.format(code=code, slug=slug, secret=secret)
            if size := _size(address + filled):
                found[name] = max(found.get(name, (0, "")), (size, filled))
            if "{" not in path:
                break
    return {name: path for name, (_size, path) in found.items()}


def _size(address: str) -> int:
    """Bytes of a page; 0 where there is none."""
    try:
        with urlopen(Request(address, headers={"Accept-Encoding": "gzip"})) as answer:  # noqa: S310 - our own server
            return len(answer.read()) if answer.headers["Content-Type"].startswith("text/html") else 0
    except HTTPError:
        return 0


def _painted(browser: Browser, address: str) -> Painted:
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, locale="da-DK")
    page = context.new_page()
    phone = context.new_cdp_session(page)
    received: list[int] = []
    phone.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    phone.send("Network.enable")
    phone.send("Network.setExtraHTTPHeaders", {"headers": {"Accept-Encoding": "gzip, deflate"}})
    speed = {"downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND}
    phone.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY, **speed})
    phone.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    phone.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address, wait_until="load")
    page.wait_for_timeout(1000)
    seconds, shows = page.evaluate(LARGEST)
    metrics = {each["name"]: each["value"] for each in phone.send("Performance.getMetrics")["metrics"]}
    waited_for = page.evaluate(WAITED_FOR)
    context.close()
    reckoned = waited_for / BYTES_A_SECOND + IN_TURN * LATENCY / 1000 + metrics["TaskDuration"]
    return Painted(seconds, reckoned, shows, round(sum(received)))


if __name__ == "__main__":
    main()
