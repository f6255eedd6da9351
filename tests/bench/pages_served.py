"""What a server does, and what has no page: the whole standings page, reports, the start, verifying, settlements."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from django.db import connection

from tests.bench import settlements
from tests.bench.cold import TIMES, cold
from tests.bench.pages import Figure
from tests.bench.stage import cpu_seconds, empty_folder, hall, memory, python, running
from tests.bench.wire import Wire, get
from tests.bench.years.found import Found
from tournaments.models import Report

PROGRAM = ("clubs", "config", "core", "scoring", "tournaments")
# The least that a process of ours is.
SET_UP = "import django; django.setup()"
# So many of a million: what the command costs until it counts is measured by itself, since a million have it once.
VERIFIED = 250_000
PHONES, REQUESTS = 20, 6000
MILLION = 1_000_000

# What a report costs in the server's own process: the deals of a table one by one, each a request. The middle one of
# some tables is told: a database that has just been filled looks through it by itself, on a core that may be half ours.
REPORTS = """
import django; django.setup()
import json, sys, time
from django.db import connection
from django.test import Client
from tests.bench.wire import reports_body
browser, queries = Client(), []
def count(execute, *asked):
    queries.append(1)
    return execute(*asked)
def post(deal):
    answer = browser.post(f"/c/{sys.argv[1]}/reports", reports_body([deal]), content_type="application/json")
    assert b'"accepted"' in answer.content, answer.content
post(1)
begun = time.process_time()
with connection.execute_wrapper(count):
    for deal in range(2, 40):
        post(deal)
took = (time.process_time() - begun) / 38
with connection.cursor() as cursor:
    cursor.execute("CREATE TABLE IF NOT EXISTS bare (said text)")
    begun = time.process_time()
    for deal in range(500):
        cursor.execute("INSERT INTO bare VALUES ('a deal')")
    bare = (time.process_time() - begun) / 500
print(json.dumps([took, bare, len(queries) / 38]))
"""


def served() -> Iterator[Figure]:
    yield from _hall()
    yield from _verified()
    yield from _started()
    for rulebook in ("union", "rasle"):
        seen, _anew, _recounted = settlements.settled(rulebook)
        yield Figure(f"settlements, {rulebook}", 96_000, 250_000, seen, a_second=True)
    yield Figure("settlements through JSON", 19_500, 40_000, settlements.answered(), a_second=True)


def _hall() -> Iterator[Figure]:
    """A hall of 1,000 players: the page that each phone loads first, the floor of the server, and reports."""
    with empty_folder() as folder, _a_database_beside() as where:
        code, secrets = hall(1000, folder, **where)
        with running(folder, BACKUP_MINUTES="0", **where) as (address, process):
            page = get(f"/t/{code}/standings/")
            rate = asyncio.run(_rate(address, process, page))
            floor = asyncio.run(_rate(address, process, get("/health/")))
            yield Figure("whole standings page of 1,000 players", 185, 2000, rate, floor, a_second=True)
        where |= {"DJANGO_SETTINGS_MODULE": "config.settings", "BACKUP_MINUTES": "0"}
        told = [python("-c", REPORTS, secret, folder=folder, **where) for secret in secrets[:TIMES]]
        seconds, bare, queries = sorted(json.loads(one.stdout.splitlines()[-1]) for one in told)[TIMES // 2]
        yield Figure(f"a report, with {queries:.1f} queries", 0.0043, 0.002, seconds, bare)


@contextmanager
def _a_database_beside() -> Iterator[dict[str, str]]:
    """An empty database on the same server, as the environment that a process of ours finds it by."""
    address = os.environ.get("DATABASE_URL")
    if address is None:
        yield {}
        return
    with connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE beside")
        yield {"DATABASE_URL": address.rpartition("/")[0] + "/beside"}
        cursor.execute("DROP DATABASE beside WITH (FORCE)")


async def _rate(address: str, process: int, question: bytes) -> float:
    """Answers for each second of a core that the server uses, while many ask at once.

    One after the other they would take so long, where other work runs too, that all the server does beside counts.
    """
    wires = [Wire(address) for _phone in range(PHONES)]

    async def ask(wire: Wire, times: int) -> None:
        for _time in range(times):
            status, _body = await wire.ask(question)
            if status != 200:
                raise RuntimeError(status)

    await asyncio.gather(*(ask(wire, 10) for wire in wires))
    before = cpu_seconds(process)
    await asyncio.gather(*(ask(wire, REQUESTS // PHONES) for wire in wires))
    used = cpu_seconds(process) - before
    for wire in wires:
        wire.close()
    return REQUESTS / used


def _verified() -> Iterator[Figure]:
    """Some tournaments verified by the command, all its processes together, told for a million deals."""
    found = Found()
    codes = found.finished(VERIFIED)
    deals = Report.objects.filter(table__round__tournament__code__in=codes).count()
    verify = partial(python, "manage.py", "verify", folder=os.environ["SPADILLE_DATA"])
    few = Report.objects.filter(table__round__tournament__code=codes[0]).count()
    begun, seconds = cold(partial(verify, codes[0])), cold(partial(verify, *codes))
    each = (seconds - begun) / (deals - few)
    floor = cold(partial(_read_and_hashed, codes))
    what = "verify, 1,000,000 deals, on one core"
    yield Figure(what, 80, 40, begun + each * (MILLION - few), floor * MILLION / deals)


def _read_and_hashed(codes: list[str]) -> None:
    """Every report of these tournaments read as it stands, and a hash made of it."""
    reports = Report.objects.filter(table__round__tournament__code__in=codes).values_list("pk", flat=True)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM tournaments_report WHERE id IN ({', '.join(map(str, reports))})")
        for row in cursor.fetchall():
            hashlib.sha256(repr(row).encode()).hexdigest()


def _started() -> Iterator[Figure]:
    """The start on all these years, until the first page is served; installed before, as `make install` does."""
    python("-m", "compileall", "-q", *PROGRAM, folder=os.environ["SPADILLE_DATA"])
    with running(os.environ["SPADILLE_DATA"], BACKUP_MINUTES="0") as (_address, process):
        used, held = cpu_seconds(process), memory(process)
    folder = os.environ["SPADILLE_DATA"]
    floor = cold(partial(python, "-c", SET_UP, folder=folder, DJANGO_SETTINGS_MODULE="config.settings"))
    yield Figure(f"start on all of it ({held:.0f} MB, wanted 180 MB)", 2.5, 1.5, used, floor)
