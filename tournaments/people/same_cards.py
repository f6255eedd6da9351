"""A person's play on the same cards over the years, by least squares over all evenings with folders."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from django.core.cache import cache

from tournaments.boards.folders import opened_rounds
from tournaments.boards.luck import Estimate, Fit, Observation
from tournaments.boards.results import lines_of
from tournaments.people import visibility

if TYPE_CHECKING:
    from clubs.models import Player
    from tournaments.models import Tournament

# Seconds that observations and fits are cached; their keys change with the tournaments.
KEPT = 24 * 3600


def play_over_the_years(player: Player) -> Estimate | None:
    """A person's tokens a deal above the others with the same cards; None where too few deals can be compared."""
    if not visibility.own_entries(player).filter(tournament__boards=True).exists():
        return None
    return _fit().estimate(player.pk)


def _fit() -> Fit:
    """The fit over all evenings with folders that count for people's pages."""
    evenings = list(visibility.evenings().filter(boards=True).order_by("pk"))
    versions = ",".join(f"{evening.pk}:{evening.version}" for evening in evenings)
    key = f"play:{sha256(versions.encode()).hexdigest()}"
    fit: Fit | None = cache.get(key)
    if fit is None:
        fit = Fit(row for evening in evenings for row in _observations(evening))
        cache.set(key, fit, KEPT)
    return fit


def _observations(evening: Tournament) -> list[Observation]:
    """The results of an evening that can be compared, by person; a cell is a seat of a folder of a round."""
    key = f"play_observed:{evening.pk}:{evening.version}"
    rows: list[Observation] | None = cache.get(key)
    if rows is None:
        rows = [
            Observation(
                (place.compared.part.cards, place.role.value), place.entry.player_id, float(place.tokens)
            )
            for line in lines_of(opened_rounds(evening))
            for place in line.places
            if place.compared
        ]
        cache.set(key, rows, KEPT)
    return rows
