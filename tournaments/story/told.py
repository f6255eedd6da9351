"""All that is counted of an evening, once for each version of its tournament."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.cache import cache

from tournaments.ledger.queries import rulebook_of
from tournaments.standings.players import standings
from tournaments.story.moments import (
    Counted,
    Tempo,
    best_game,
    count,
    deal_of_the_evening,
    dearest_game,
    longest_run,
    tempo,
    touts,
)
from tournaments.story.race import Race, race_of
from tournaments.story.reading import evening_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from tournaments.models import Tournament
    from tournaments.story.evening import ToldDeal


@dataclass(frozen=True, slots=True)
class Story:
    """An evening counted. Players are entries; `dearest` is None where it is the deal of the evening itself."""

    race: Race
    counted: Counted
    run: tuple[list[int], int]
    deal: ToldDeal | None
    best: ToldDeal | None
    dearest: ToldDeal | None
    touts: dict[int, int]
    tempo: Tempo | None


def story_of(tournament: Tournament, sealed: Collection[int] = ()) -> Story:
    """The story as the ledger tells it now; the caller's `tournament` must be fresh, its version is the cache's key."""
    key = f"story-told:{tournament.pk}:{tournament.version}"
    told: Story | None = cache.get(key)
    if told is None:
        told = _count(tournament, sealed)
        cache.set(key, told, 300)
    return told


def _count(tournament: Tournament, sealed: Collection[int]) -> Story:
    evening = evening_of(tournament, standings(tournament).rows, sealed)
    contracts = [contract.id for contract in rulebook_of(tournament).contracts]
    deal, dearest = deal_of_the_evening(evening.deals), dearest_game(evening.deals)
    return Story(
        race=race_of(evening),
        counted=count(evening.deals, contracts),
        run=longest_run(evening.deals),
        deal=deal,
        best=best_game(evening.deals),
        dearest=None if dearest == deal else dearest,
        touts=touts(evening.deals),
        tempo=tempo(evening.paces),
    )
