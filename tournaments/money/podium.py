"""The first three as a podium shows them, with what they have won."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.boards.folders import sealed_rounds
from tournaments.domain.amounts import in_kroner
from tournaments.domain.terms import people
from tournaments.ledger.queries import is_played_out
from tournaments.money.in_kind import in_kind_by_number
from tournaments.money.settling_up import prizes_by_team, reckon
from tournaments.standings.players import standings
from tournaments.standings.team_text import places_by_total

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.models import Tournament

# Places on a podium; who shares the last of them stands on it too, as far as there is room.
PLACES, ROOM = 3, 6
# A longer word has no room in a third of a phone's width.
LONG_WORD = 11
BETWEEN_WORDS = re.compile(r"[\s/-]+")


@dataclass(frozen=True, slots=True)
class Place:
    """One of the first: `total` is what places go by, in the `unit` of pairs and teams.

    `prize` is in kroner, `thing` what is won beside it, `url` the page in the hall; each "" for none.
    """

    rank: int
    shared: bool
    name: str
    number: int
    total: str
    unit: str
    prize: str
    thing: str
    url: str = ""

    @property
    def said(self) -> str:
        return f"{self.rank}{'=' if self.shared else ''}"


@dataclass(frozen=True, slots=True)
class Podium:
    """The first of a division; without a name where there is one division, or everybody plays for themselves.

    `won` is the sentence a page begins with, `ahead` by how much; "" where that is not counted in tokens.
    """

    name: str
    won: str
    places: Sequence[Place]
    ahead: str = ""

    @property
    def prizes(self) -> list[Place]:
        """Those who have won something beside the place."""
        return [place for place in self.places if place.prize or place.thing]

    @property
    def has_many(self) -> bool:
        """Whether more stand on it than there are steps: then they stand below each other."""
        return len(self.places) > PLACES

    @property
    def has_long(self) -> bool:
        """Whether a name has a word for which a step is too narrow on a phone."""
        words = (word for place in self.places for word in BETWEEN_WORDS.split(place.name))
        return any(len(word) > LONG_WORD for word in words)


def podiums(tournament: Tournament) -> list[Podium]:
    """A podium for each division, the first on top; none before anything is played."""
    groups, total = places_by_total(tournament)
    in_teams = tournament.in_teams
    page = "hall_team" if in_teams else "hall_player"
    by_tokens = not in_teams and standings(tournament).comparison.kind == "sum"
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
                str(total.heading) if in_teams else "",
                in_kroner(won[row.number]) if won.get(row.number) else "",
                things.get(row.number, ""),
                reverse(page, args=[tournament.code, row.number]),
            )
            for row in first
        ]
        if places:
            found.append(Podium(group.name, group.won, places, _ahead(group.rows) if by_tokens else ""))
    return found


def podiums_from_the_last_deal(tournament: Tournament) -> list[Podium]:
    """The same for pages that begin with who won: none while a deal is missing, or a round's results are sealed."""
    if not is_played_out(tournament) or (not tournament.is_played and sealed_rounds(tournament)):
        return []
    return podiums(tournament)


def _ahead(rows: Sequence[Any]) -> str:
    """By how much one winner is before the second; "" where the first place is shared, or nobody is second."""
    second = [row for row in rows if row.rank == 2]  # noqa: PLR2004 - the second
    if not second or not isinstance(gap := second[0].gap, int):
        return ""
    names = people([row.name for row in second])
    if not gap:
        return _("Ahead of %(names)s on the tie-break.") % {"names": names}
    said = ngettext("%(gap)d token ahead of %(names)s.", "%(gap)d tokens ahead of %(names)s.", gap)
    return said % {"gap": gap, "names": names}


def _prizes(tournament: Tournament) -> Mapping[int, int]:
    """Each prize in øre, by the number of the player, pair or team."""
    if not (tournament.prize_shares or tournament.prize_amounts):
        return {}
    reckoning = reckon(tournament)
    if tournament.in_teams:
        return prizes_by_team(tournament, reckoning.by_place)
    return {balance.row.number: balance.prize for balance in reckoning.balances}
