"""A standings page for 1,000 players and what they have played: recomputed, and from the cache; seconds of a core."""

from __future__ import annotations

import time
from random import Random

from tests.bench.stage import empty_folder, setup_django

PLAYERS = 1000


def main() -> None:
    with empty_folder() as folder:
        setup_django(folder)
        from django.core.cache import cache
        from django.test import Client

        from tests.bench.years.found import Found
        from tests.bench.years.people import make_people
        from tournaments.models import Deal

        make_people(1, 8, Random(1))
        tournament = Found().crowd(PLAYERS)
        page = f"/t/{tournament.code}/standings/"
        client = Client()
        client.get("/")
        print(f"{PLAYERS:,} players, {Deal.objects.count():,} deals")
        for what, forget in (("recomputed", True), ("from the cache", False)):
            times = []
            for _again in range(5):
                if forget:
                    cache.clear()
                begun = time.process_time()
                answer = client.get(page)
                times.append(time.process_time() - begun)
            size = len(answer.content)
            print(f"{what}: {answer.status_code}, median {sorted(times)[2] * 1000:.0f} ms, {size // 1024} kB")
