"""The first three as a podium shows them, with what they have won."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tournaments.formats import Ranked
from tournaments.money.in_kind import in_kind_by_number
from tournaments.money.settling_up import prizes_by_team, reckon
from tournaments.teams.said import places_by_total
from tournaments.values.amounts import in_kroner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.models import Tournament

# Places on a podium; who shares the last of them stands on it too, as far as there is room.
PLACES, ROOM = 3, 6


@dataclass(frozen=True, slots=True)
class Place:
    """One of the first: `total` is what places go by, in the `unit` of pairs and teams.

    `prize` is in kroner, `thing` what is won beside it; each "" for none.
    """

    rank: int
    shared: bool
    name: str
    number: int
    total: str
    unit: str
    prize: str
    thing: str

    @property
    def said(self) -> str:
        return f"{self.rank}{'=' if self.shared else ''}"


@dataclass(frozen=True, slots=True)
class Podium:
    """The first of a division; without a name where there is one division, or everybody plays for themselves."""

    name: str
    winners: str
    places: Sequence[Place]


def podiums(tournament: Tournament) -> list[Podium]:
    """A podium for each division, the first on top; none before anything is played."""
    groups, total = places_by_total(tournament)
    won, things = _prizes(tournament), in_kind_by_number(tournament)
    found = []
    for group in groups:
        first = [row for row in group.rows if row.rank <= PLACES and row.played][:ROOM]
        places = [
            Place(
                row.rank,
                row.shared,
                row.name,
                row.number,
                total.written(row),
                str(total.heading) if tournament.in_teams else "",
                in_kroner(won[row.number]) if won.get(row.number) else "",
                things.get(row.number, ""),
            )
            for row in first
        ]
        if places:
            found.append(Podium(group.name, group.winners, places))
    return found


def _prizes(tournament: Tournament) -> Mapping[int, int]:
    """Each prize in øre, by the number of the player, pair or team."""
    if not (tournament.prize_shares or tournament.prize_amounts):
        return {}
    reckoning = reckon(tournament)
    if tournament.format_row.ranked is Ranked.TEAMS:
        return prizes_by_team(tournament, reckoning.by_place)
    return {balance.row.number: balance.prize for balance in reckoning.balances}
