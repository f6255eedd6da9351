"""What a bell costs a process that watches the halls of a country: of one with a name and of one without.

`HALLS` evenings of `TABLES` tables in their first round; a process watches all of them and their captains' tables. On
PostgreSQL (`python -m tests.services python -m tests.bench bell`) its own work is not in the time of a core.
"""

from __future__ import annotations

import asyncio
import os
import time

from tests.bench.stage import empty_folder, setup_django

HALLS, TABLES, TIMES = 400, 25, 20


def main() -> None:
    with empty_folder() as folder:
        setup_django(folder)
        from django.utils import timezone

        from core.serving.hub import Hub
        from tests.factories import make_club
        from tournaments.changes.versions import read_versions
        from tournaments.models import Round, Table, Tournament

        club = make_club()
        halls = Tournament.objects.bulk_create(
            Tournament(
                host=club,
                name=f"Hall {number}",
                code=f"H{number:05}",
                date=timezone.localdate(),
                state=Tournament.State.RUNNING,
            )
            for number in range(HALLS)
        )
        rounds = Round.objects.bulk_create(
            Round(tournament=hall, number=1, seed=1, state=Round.State.RUNNING) for hall in halls
        )
        tables = Table.objects.bulk_create(
            Table(round=one, number=number, deals=20) for one in rounds for number in range(1, TABLES + 1)
        )
        topics = [("t", hall.code) for hall in halls] + [("c", table.secret) for table in tables]

        class NoBell:
            hears_all = True

            def listen(self) -> None:
                pass

        async def rings() -> None:
            hub = Hub(read_versions, soonest=0)
            hub.bell = NoBell()
            for topic in topics:
                hub._take(topic)
            await hub.newer(hub.watched[topics[-1]], -1, 60)
            for what, group in (("names its hall", str(halls[0].pk)), ("names nothing", "")):
                taken = [await _ring(hub, group) for _time in range(TIMES)]
                print(f"a bell that {what}: {1000 * sorted(taken)[TIMES // 2]:.2f} ms of a core")
            hub.close()

        async def _ring(hub: Hub, group: str) -> float:
            begun, read = time.process_time(), asyncio.Event()
            note = Hub._note

            def noted(*said: object) -> None:
                note(hub, *said)
                read.set()

            hub._note = noted
            hub._rang(group)
            await read.wait()
            return time.process_time() - begun

        print(f"{len(topics):,} topics of {HALLS:,} halls, load {os.getloadavg()[0]:.0f}")
        asyncio.run(rings())
