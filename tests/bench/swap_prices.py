"""The prices of all swaps of one chosen seat among 250 players, three rounds drawn; seconds of a core."""

from __future__ import annotations

import time

from tests.bench.stage import empty_folder, percentile, setup_django

PLAYERS, ROUNDS, SEATS = 250, 3, 12
WANTED = 0.3


def main() -> None:
    with empty_folder() as folder:
        setup_django(folder)
        from django.test import Client

        from clubs.models import Account
        from tests.factories import make_account, make_club, make_tournament
        from tournaments.desk.draw.swap import find_chosen, price_swaps, seat_name
        from tournaments.lifecycle.seat_plan import seat_plan
        from tournaments.models import Seat

        club = make_club()
        account = make_account("alice", club)
        tournament = make_tournament(PLAYERS, ROUNDS, club=club, account=account, started=False)
        last = tournament.rounds.get(number=ROUNDS)
        client = Client()
        client.force_login(Account.objects.get(pk=account.pk))
        address = f"/desk/t/{tournament.code}/draw/"
        client.get(address)
        priced, pages = [], []
        for seat in Seat.objects.filter(round=last).select_related("table", "entry")[: SEATS * 4 : 4]:
            name = seat_name(seat, seat.entry.number)
            begun = time.process_time()
            (planned,) = seat_plan(tournament, [last])
            chosen = find_chosen(planned, name)
            found = price_swaps(planned, chosen) if chosen else {}
            priced.append(time.process_time() - begun)
            begun = time.process_time()
            answer = client.get(address, {"round": ROUNDS, "seat": name})
            pages.append(time.process_time() - begun)
            assert answer.status_code == 200, answer.status_code
            assert len(found) >= PLAYERS - 4, len(found)
        for what, times in (("prices of one seat", priced), ("the whole page with them", pages)):
            median, most = percentile(times, 0.5), max(times)
            print(
                f"{what}: median {1000 * median:.0f} ms, at most {1000 * most:.0f} ms, wanted {1000 * WANTED:.0f} ms"
            )
