"""Reports on SQLite, or with `python -m tests.services` on PostgreSQL.

A deal a request from 64 tables as fast as they go, and 25 a second as a large hall sends; and 250 phones that come back
at once with 20 deals each.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

from tests.bench.stage import empty_folder, percentile, python, served

TABLES, DEALS = 64, 40
HOMECOMING = 250  # phones that were away and come back at the same moment
BATCH = 20  # deals that each of them sends as one request
FAST = 20  # deals of each table sent as fast as they go; the rest at a steady pace
STEADY = 25.0  # reports a second

SET_UP = """
import django; django.setup()
from django.core.management import call_command
call_command("prepare", verbosity=0)
from tests.factories import make_tournament
from tournaments.models import Table
import json
from datetime import date
def tables(players):
    tournament = make_tournament(players, date=date(2026, 11, 21))
    tables = Table.objects.filter(round__tournament=tournament)
    return list(tables.order_by("number").values_list("secret", flat=True))
steady = tables({players})
# As many tables as there are phones, from tournaments like the first: drawing a thousand players is not measured.
from clubs.models import Membership
home = []
while len(home) < {homecoming}:
    Membership.objects.update(number=None)
    home += tables({players})
print(json.dumps([steady, home[:{homecoming}]]))
"""


class Phone:
    """A captain's phone: one connection, kept."""

    def __init__(self, address: str, secret: str) -> None:
        host = address.removeprefix("http://")
        self.connection = http.client.HTTPConnection(host, timeout=30)
        self.path = f"/c/{secret}/reports"

    def report(self, deal: int) -> float:
        """Report a deal; the seconds it took. Anything but "accepted" is an error."""
        return self.send([deal])

    def send(self, deals: Sequence[int]) -> float:
        result = {"contract": "simple_game", "trump": "H", "outcome": "won"}
        reports = [
            {"key": str(uuid4()), "deal": deal, "base": 0, "result": result | {"declarer": deal % 4}}
            for deal in deals
        ]
        body = json.dumps({"reports": reports})
        begun = time.perf_counter()
        self.connection.request("POST", self.path, body, {"Content-Type": "application/json"})
        answer = json.load(self.connection.getresponse())
        took = time.perf_counter() - begun
        if {settled["status"] for settled in answer["results"]} != {"accepted"}:
            raise RuntimeError(answer)
        return took


def come_back(address: str, secrets: list[str]) -> None:
    """Every phone sends its whole queue at the same moment, on a connection that it has yet to open."""
    with ThreadPoolExecutor(len(secrets)) as pool:
        phones = [Phone(address, secret) for secret in secrets]
        begun = time.perf_counter()
        times = list(pool.map(lambda phone: phone.send(range(1, BATCH + 1)), phones))
        seconds = time.perf_counter() - begun
    rate = len(phones) * BATCH / seconds
    print(
        f"{len(phones)} phones with {BATCH} deals each at once: all stored after {seconds:.1f} s, {rate:.0f} reports/s"
    )
    print(f"a phone waits p50 {percentile(times, 0.5):.2f} s, p99 {percentile(times, 0.99):.2f} s")


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
            "-c",
            SET_UP.format(players=4 * TABLES, homecoming=HOMECOMING),
            folder=folder,
            DJANGO_SETTINGS_MODULE="config.settings",
        )
        steady_tables, home = json.loads(made.stdout.splitlines()[-1])
        print(os.environ.get("DATABASE_URL", "SQLite").partition(":")[0])
        with served(folder) as address:
            for what, secrets in (("load", steady_tables), ("come_back", home)):
                sent = python("-m", "tests.bench.reports", what, address, *secrets, folder=folder)
                print(sent.stdout, end="", flush=True)
        verified = python("manage.py", "verify", folder=folder)
        print("recount:", verified.stdout.strip())


if __name__ == "__main__":
    {"load": load, "come_back": come_back}[sys.argv[1]](sys.argv[2], sys.argv[3:])
