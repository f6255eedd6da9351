"""Filling an empty database with years of tournaments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

from tests.bench.years.crowds import crowd, large_club
from tests.bench.years.diary import evenings
from tests.bench.years.event import Event, store
from tests.bench.years.formats import Making
from tests.bench.years.people import make_people
from tournaments.people.club_years import keep_what_is_lacking
from tournaments.seasons.results import count_what_is_lacking

if TYPE_CHECKING:
    from tests.bench.years import Size

# So many tournaments are stored at a time.
AT_A_TIME = 100


def make(
    size: Size, seed: int, changing: bool = False, tell: Callable[[str], object] = lambda _text: None
) -> Making:
    """Fill an empty database; the same size and seed give the same years."""
    people = make_people(size.clubs, size.people, Random(f"{seed} people"))
    if changing:
        people.change(Random(f"{seed} changes"))
    making = Making(people, seed)
    waiting = _events(making, size.tournaments)
    done = 0
    while events := list(islice(waiting, AT_A_TIME)):
        store(events)
        done += len(events)
        if done % 1000 == 0:
            tell(f"{done:,} tournaments")
    if size.members:
        large_club(people.union, size.members)
        tell(f"a club of {size.members:,} members")
    for players in size.crowds:
        store([crowd(making, players, Random(f"{seed} crowd {players}"))])
        tell(f"a tournament of {players:,} players")
    count_what_is_lacking()
    keep_what_is_lacking()
    return making


def _events(making: Making, count: int) -> Iterator[Event]:
    for index, (kind, evening) in enumerate(evenings(making.people, count, Random(f"{making.seed} diary"))):
        yield kind.play(making, evening, Random(f"{making.seed} evening {index}"))
