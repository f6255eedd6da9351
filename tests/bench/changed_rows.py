"""Bytes that one deal sends to an open page of each kind: the rows that changed, beside the complete part.

    python -m tests.bench changed_rows        halls of 500 and 2,000 players (PLAYERS=500,2000)

Gzip as on the wire; pages of the hall by their stream, the desk's by a request. Each table has reported `EACH` deals;
the median of `DEALS` more is printed, and the largest.
"""

from __future__ import annotations

import gzip
import os
import statistics
import sys

from django.test import Client

from core.serving.streams import Message, Part, attribute
from tests.bench.stage import empty_folder, hall, setup_django
from tests.bench.wire import reports_body

PLAYERS = "500,2000"
EACH, DEALS = 3, 8
HALL = ("", "standings/", "standings/?all", "seats/", "tables/", "round/1/", "story/", "projector/")
DESK = ("standings/", "board/", "", "clock/")
PART = {"HX-Request": "true"}


def main() -> None:
    for players in map(int, os.environ.get("PLAYERS", PLAYERS).split(",")):
        # A process has one data folder.
        if child := os.fork():
            os.waitpid(child, 0)
            continue
        with empty_folder() as folder:
            code, secrets = hall(players, folder)
            setup_django(folder)
            _measure(players, code, secrets)
        sys.stdout.flush()
        os._exit(0)


def _measure(players: int, code: str, secrets: list[str]) -> None:
    from clubs.models import Account

    browser, desk, sent = Client(), Client(), 0
    desk.force_login(Account.objects.get(roles__club__tournaments__code=code))

    def report() -> None:
        nonlocal sent
        address, deal = f"/c/{secrets[sent % len(secrets)]}/reports", 1 + sent // len(secrets)
        sent += 1
        answer = browser.post(address, reports_body([deal]), content_type="application/json")
        if b'"accepted"' not in answer.content:
            raise RuntimeError(answer.content)

    for _deal in range(EACH * len(secrets)):
        report()
    parts = {page: Part({}) for page in HALL}
    bases = dict.fromkeys(DESK, "")
    found: dict[str, list[tuple[int, int]]] = {}
    for _deal in range(DEALS + 1):
        for page, part in parts.items():
            base, html = part.sum, browser.get(f"/t/{code}/{page}", headers=PART).content
            part.take(html.decode())
            sizes = len(part.message(base).packed), len(Message.compressed_from(html).packed)
            found.setdefault(page or "front", []).append(sizes)
        for page, base in bases.items():
            address = f"/desk/t/{code}/{page}"
            told = desk.get(address, headers=PART | {"X-Sum": base}).content
            html = desk.get(address, headers=PART).content
            bases[page] = attribute(html.decode(), "sum")
            sizes = len(gzip.compress(told)), len(gzip.compress(html))
            found.setdefault(f"desk: {page or 'overview'}", []).append(sizes)
        report()
    print(
        f"\n{players:,} players\n\n| page | one deal, bytes (median; largest) | complete part |\n|---|---|---|"
    )
    for name, all_sizes in found.items():
        changed, whole = zip(*all_sizes[1:], strict=True)
        print(
            f"| {name} | {statistics.median(changed):,.0f}; {max(changed):,} | {statistics.median(whole):,.0f} |"
        )
