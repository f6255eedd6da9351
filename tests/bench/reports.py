"""Reports from 64 tables on SQLite, a deal a request: as fast as they go, and 25 a second as a large hall sends."""

from __future__ import annotations

import http.client
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from tests.bench.stage import empty_folder, percentile, python, served

TABLES, DEALS = 64, 40
FAST = 20  # deals of each table sent as fast as they go; the rest at a steady pace
STEADY = 25.0  # reports a second

SET_UP = """
import django; django.setup()
from django.core.management import call_command
call_command("prepare", verbosity=0)
from tests.factories import make_tournament
from tournaments.models import Table
make_tournament({players})
import json
print(json.dumps(list(Table.objects.order_by("number").values_list("secret", flat=True))))
"""


class Phone:
    """A captain's phone: one connection, kept."""

    def __init__(self, address: str, secret: str) -> None:
        host = address.removeprefix("http://")
        self.connection = http.client.HTTPConnection(host, timeout=30)
        self.path = f"/c/{secret}/reports"

    def report(self, deal: int) -> float:
        """Report a deal; the seconds it took. Anything but "accepted" is an error."""
        result = {"contract": "simple_game", "declarer": deal % 4, "trump": "H", "outcome": "won"}
        body = json.dumps({"reports": [{"key": str(uuid4()), "deal": deal, "base": 0, "result": result}]})
        begun = time.perf_counter()
        self.connection.request("POST", self.path, body, {"Content-Type": "application/json"})
        answer = json.load(self.connection.getresponse())
        took = time.perf_counter() - begun
        status = answer["results"][0]["status"]
        if status != "accepted":
            raise RuntimeError(answer)
        return took


def load(address: str, secrets: list[str]) -> None:
    """The load generator, in a process of its own beside the server."""
    phones = [Phone(address, secret) for secret in secrets]
    with ThreadPoolExecutor(len(phones)) as pool:
        begun = time.perf_counter()
        times = [
            took
            for table in pool.map(lambda phone: [phone.report(deal) for deal in range(1, FAST + 1)], phones)
            for took in table
        ]
        seconds = time.perf_counter() - begun
        show("as fast as they go", times, seconds)
        times = steady(phones, pool)
        show(f"{STEADY:g} a second", times, len(times) / STEADY)


def steady(phones: list[Phone], pool: ThreadPoolExecutor) -> list[float]:
    begun = time.perf_counter()
    waiting = []
    jobs = [(phone, deal) for deal in range(FAST + 1, DEALS + 1) for phone in phones]
    for number, (phone, deal) in enumerate(jobs):
        time.sleep(max(0.0, begun + number / STEADY - time.perf_counter()))
        waiting.append(pool.submit(phone.report, deal))
    return [job.result() for job in waiting]


def show(what: str, times: list[float], seconds: float) -> None:
    print(
        f"{what}: {len(times)} reports, {len(times) / seconds:.0f}/s,"
        f" p50 {percentile(times, 0.5) * 1000:.1f} ms, p99 {percentile(times, 0.99) * 1000:.1f} ms"
    )


def main() -> None:
    with empty_folder() as folder:
        made = python(
            "-c", SET_UP.format(players=4 * TABLES), folder=folder, DJANGO_SETTINGS_MODULE="config.settings"
        )
        secrets = json.loads(made.stdout.splitlines()[-1])
        with served(folder) as address:
            sent = python("-m", "tests.bench.reports", address, *secrets, folder=folder)
        print(sent.stdout, end="")
        verified = python("manage.py", "verify", folder=folder)
        print("recount:", verified.stdout.strip())


if __name__ == "__main__":
    load(sys.argv[1], sys.argv[2:])
