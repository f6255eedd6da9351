"""The meetings of players at the tables of a season, and the pairs that have not met."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.models import Round, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.models import Season
    from tournaments.seasons.ladder_table import Placed

# So many players of the ladder are compared with each other.
MOST_COMPARED = 60


@dataclass(frozen=True)
class Meetings:
    """A player of the ladder: how many of the others they met, and the names of those whom they have not."""

    name: str
    met: int
    not_met: list[str]


def met_in(season: Season) -> Mapping[int, set[int]]:
    """The players with whom each player has sat at a table in a closed round of the season."""
    seats = Seat.objects.filter(
        round__state=Round.State.CLOSED,
        round__tournament__season=season,
        round__tournament__called_off_at=None,
    )
    at_table: dict[int, list[int]] = defaultdict(list)
    for table, player in seats.order_by("table").values_list("table", "entry__player"):
        at_table[table].append(player)
    met: dict[int, set[int]] = defaultdict(set)
    for players in at_table.values():
        for player in players:
            met[player].update(players)
    return met


def meetings_of(season: Season, rows: Sequence[Placed]) -> list[Meetings]:
    """For each of these players of the ladder, the others whom they have met, in the order of the ladder."""
    met = met_in(season)
    return [
        Meetings(
            one.name,
            sum(other.player_id in met[one.player_id] for other in rows if other is not one),
            [other.name for other in rows if other is not one and other.player_id not in met[one.player_id]],
        )
        for one in rows
    ]
