"""What a server does, and what has no page: the whole standings page, reports, the start, verifying, settlements."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from django.core.management import call_command

from tests.bench import settlements
from tests.bench.cold import cold
from tests.bench.pages import Figure
from tests.bench.stage import cpu_seconds, empty_folder, hall, memory, python, running
from tests.bench.wire import Wire, get
from tests.bench.years.found import Found
from tournaments.models import Report

VERIFIED = 50_000
REQUESTS = 3000
MILLION = 1_000_000

# What a report costs in the server's own process: the deals of a table one by one, each a request.
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
print(json.dumps([(time.process_time() - begun) / 38, len(queries) / 38]))
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
    with empty_folder() as folder:
        code, secrets = hall(1000, folder)
        with running(folder, BACKUP_MINUTES="0") as (address, process):
            page = get(f"/t/{code}/standings/")
            rate = asyncio.run(_rate(address, process, page))
            yield Figure("whole standings page of 1,000 players", 185, 2000, rate, a_second=True)
            floor = asyncio.run(_rate(address, process, get("/health/")))
            yield Figure("(the server's floor: its health)", 0, 6000, floor, a_second=True)
        told = python(
            "-c",
            REPORTS,
            secrets[0],
            folder=folder,
            DJANGO_SETTINGS_MODULE="config.settings",
            BACKUP_MINUTES="0",
        )
        seconds, queries = json.loads(told.stdout.splitlines()[-1])
        yield Figure(f"a report, with {queries:.1f} queries", 0.0043, 0.002, seconds)


async def _rate(address: str, process: int, question: bytes) -> float:
    """Answers for each second of a core that the server uses."""
    wire = Wire(address)
    for _warm in range(100):
        await wire.ask(question)
    before = cpu_seconds(process)
    for _request in range(REQUESTS):
        status, _body = await wire.ask(question)
        if status != 200:
            raise RuntimeError(status)
    used = cpu_seconds(process) - before
    wire.close()
    return REQUESTS / used


def _verified() -> Iterator[Figure]:
    """Some tournaments verified, told for a million deals."""
    found = Found()
    codes = found.finished(VERIFIED)
    deals = Report.objects.filter(table__round__tournament__code__in=codes).count()
    with Path(os.devnull).open("w") as unheard:
        seconds = cold(partial(call_command, "verify", *codes, stdout=unheard, stderr=unheard))
    yield Figure("verify, 1,000,000 deals, on one core", 80, 40, seconds * MILLION / deals)


def _started() -> Iterator[Figure]:
    """The start on all these years, until the first page is served."""
    with running(os.environ["SPADILLE_DATA"], BACKUP_MINUTES="0") as (_address, process):
        used, held = cpu_seconds(process), memory(process)
    yield Figure(f"start on all of it ({held:.0f} MB, wanted 180 MB)", 2.5, 1.5, used)
