"""The standings page for 1,000 players and 6 rounds: counted anew, and from the cache."""

from __future__ import annotations

import time

from tests.bench.stage import empty_folder, setup_django

PLAYERS, ROUNDS = 1000, 6


def main() -> None:
    with empty_folder() as folder:
        setup_django(folder)
        from django.core.cache import cache
        from django.test import Client
        from django.utils import timezone

        from clubs.models import Account
        from tests.factories import make_tournament
        from tournaments import rounds
        from tournaments.models import Round, Seat

        tournament = make_tournament(PLAYERS, ROUNDS, tie_breaks=["best_round", "games_won", "lot"])
        organiser = Account.objects.get()
        for round_ in tournament.rounds.order_by("number"):
            if round_.state != Round.State.RUNNING:
                rounds.start_round(round_, account=organiser, now=timezone.now())
            seats = list(Seat.objects.filter(round=round_))
            for index, seat in enumerate(seats):
                seat.tokens = (index * 37) % 61 - 30
            Seat.objects.bulk_update(seats, ["tokens"])
            rounds.close_round(round_, account=organiser, now=timezone.now(), force_reason="bench")
        page = f"/t/{tournament.code}/standings/"
        client = Client()
        client.get("/")
        for what, forget in (("counted anew", True), ("from the cache", False)):
            times = []
            for _again in range(5):
                if forget:
                    cache.clear()
                begun = time.perf_counter()
                answer = client.get(page)
                times.append(time.perf_counter() - begun)
            size = len(answer.content)
            print(f"{what}: {answer.status_code}, median {sorted(times)[2] * 1000:.0f} ms, {size // 1024} kB")
