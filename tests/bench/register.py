"""A union's register and its lists: CPU seconds of one process, the median of five.

40 clubs, 1,200 members: count and search. 10,000 tournaments of 16 players within the months of the points list: the
list with its places stored a tournament each, as after every evening (in a process that has just been forked); with
none stored, as once after an upgrade; and its clubs by their three best.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from statistics import median

from tests.bench.cold import cold, settle_down
from tests.bench.stage import empty_folder, setup_django

CLUBS, MEMBERS, TOURNAMENTS, PLAYERS, TIMES, SEED = 40, 1_200, 10_000, 16, 5, 31
DAY, DAYS = date(2026, 11, 28), 1_060
SEARCHES = ("anna", "søren and", "407", "klub")


def main() -> None:
    with empty_folder() as folder:
        setup_django(folder)
        _measure()


def _measure() -> None:
    from clubs.register import count_members, register_of
    from tests.bench.union_import import make_members
    from tournaments.models import EveningPlaces
    from tournaments.people.points_lists import list_of
    from tournaments.seasons.points import Scored, rank_clubs

    random = Random(SEED)
    union, clubs, players = make_members(random, CLUBS, MEMBERS)
    print(f"count: {_cpu(lambda: count_members(union, DAY)):.1f} ms")
    for text in SEARCHES:
        taken = _cpu(lambda text=text: list(register_of(union, DAY, text)[:100]))
        print(f"search for “{text}”: {taken:.1f} ms")
    _play(random, clubs, players)
    rule = _rule()
    settle_down()
    nothing_stored = cold(lambda: list_of(union, rule, DAY))
    found = list_of(union, rule, DAY)  # stores the places
    results = [
        Scored(clubs[players.index(line.player) % CLUBS].name, str(line.player), line.total)
        for line in found.lines
    ]
    stored = cold(lambda: list_of(union, rule, DAY))
    print(
        f"points list of {len(found.lines):,} players over {EveningPlaces.objects.count():,} tournaments:"
        f" {stored * 1000:.0f} ms, with no places stored {nothing_stored * 1000:.0f} ms"
    )
    print(f"clubs by their best three: {_cpu(lambda: rank_clubs(results, 3)):.1f} ms")


def _cpu(do: Callable[[], object]) -> float:
    """Milliseconds of a core, the median."""
    do()
    taken = []
    for _time in range(TIMES):
        begun = time.process_time()
        do()
        taken.append(time.process_time() - begun)
    return median(taken) * 1000


def _rule():
    from tournaments.seasons.points import Rule

    steps = [(12, Fraction(1)), (24, Fraction(2, 3)), (36, Fraction(1, 3))]
    return Rule({"evening": [(8, [20, 17, 14, 12, 10, 8, 6, 5, 4, 3, 2, 1])]}, {}, steps, best_of=10)


def _play(random: Random, clubs: list, players: list[int]) -> None:
    """Finished tournaments with their stored results, not the deals."""
    from tests.factories import make_tournament
    from tournaments.models import Entry, EveningResult, Tournament

    like = make_tournament(0, club=clubs[0])
    values = {
        field.attname: getattr(like, field.attname)
        for field in Tournament._meta.concrete_fields
        if not field.primary_key
    }
    for place in range(TOURNAMENTS):
        Tournament(
            **values
            | {
                "code": f"b{place}",
                "host_id": clubs[place % CLUBS].pk,
                "date": DAY - timedelta(days=1 + place * DAYS // TOURNAMENTS),
                "state": Tournament.State.FINISHED,
                "results_kept": True,
            }
        ).save_base(raw=True)
    at = Tournament.objects.filter(state=Tournament.State.FINISHED).values_list("pk", "host")
    for first in range(0, TOURNAMENTS, 500):
        entries = []
        for pk, host in at[first : first + 500]:
            for number, player in enumerate(random.sample(players, PLAYERS), start=1):
                entries.append(Entry(tournament_id=pk, player_id=player, club_id=host, number=number))
        Entry.objects.bulk_create(entries)
        EveningResult.objects.bulk_create(
            EveningResult(
                tournament_id=entry.tournament_id,
                entry=entry,
                place=entry.number,
                field=PLAYERS,
                total=0,
                tokens=0,
                deals=30,
            )
            for entry in entries
        )


if __name__ == "__main__":
    main()
