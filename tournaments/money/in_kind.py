"""Prizes that are no money: a challenge cup, a bottle of wine; who has won each."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tournaments.domain.prizes import things_won
from tournaments.standings.team_text import places_by_total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Tournament


def prizes_in_kind(tournament: Tournament) -> list[tuple[str, Sequence[tuple[int, str]]]]:
    """Each such prize with the numbers and names of who holds its place, in the order of the places.

    Who share a place share what it wins; the same place in several divisions is one place that is shared.
    """
    if not tournament.prize_things:
        return []
    groups, _total = places_by_total(tournament)
    ranked = sorted((row.rank, row.number, row.name) for group in groups for row in group.rows if row.played)
    places = [
        [(number, name) for _rank, number, name in equals]
        for _rank, equals in groupby(ranked, key=lambda row: row[0])
    ]
    return things_won(tournament.prize_things, places)


def in_kind_by_number(tournament: Tournament) -> dict[int, str]:
    """What each has won that is no money, by the number of the player, pair or team."""
    won: dict[int, list[str]] = {}
    for thing, holders in prizes_in_kind(tournament):
        for number, _name in holders:
            won.setdefault(number, []).append(thing)
    return {number: ", ".join(things) for number, things in won.items()}


def in_kind_said(tournament: Tournament) -> list[str]:
    """A line for each: "Challenge cup: Anna Holm"."""
    return [
        f"{thing}: {', '.join(name for _number, name in holders)}"
        for thing, holders in prizes_in_kind(tournament)
    ]
