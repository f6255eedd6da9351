"""Who is meant by a member's number or e-mail address, among those whom the host's desk could enter."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db.models.functions import Lower

from clubs.models import Club, Membership, Player
from clubs.names import is_number
from tournaments.entries.entering import clubs_near

if TYPE_CHECKING:
    from datetime import date

    from tournaments.models import Tournament

MOST_AT_AN_ADDRESS = 4  # of a family, say
LARGEST_NUMBER = 2**31 - 1


class Meant(NamedTuple):
    """A member, and the club that they would play for."""

    player: Player
    club: Club


def meant_by(tournament: Tournament, typed: str, *, today: date) -> list[Meant]:
    """One for a number, all who share an address, nobody for what is neither's.

    Numbers are the host's. The same is asked of the database whatever is found.
    """
    clubs = clubs_near(tournament.host)
    members = Membership.objects.on(today).select_related("player", "club")
    if is_number(typed):
        number = int(typed)
        found = members.filter(club=tournament.host, number=number if number <= LARGEST_NUMBER else -1)
    else:
        found = members.filter(club__in=clubs).alias(address=Lower("player__email"))
        found = found.filter(address=typed.lower() or "-")  # type: ignore[misc] # an alias
    first: dict[int, Meant] = {}
    for held in sorted(found[: 2 * MOST_AT_AN_ADDRESS], key=lambda held: held.club_id != tournament.host_id):
        first.setdefault(held.player_id, Meant(held.player, held.club))
    return list(first.values())[:MOST_AT_AN_ADDRESS]
