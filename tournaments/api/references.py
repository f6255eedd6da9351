"""References to people and clubs: their ids and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clubs.models import Club
from tournaments.api.base import ClubRef
from tournaments.people import visibility

if TYPE_CHECKING:
    from collections.abc import Collection

    from tournaments.models import Tournament


class Reference(NamedTuple):
    """A player of a tournament: the person's id where they have a page, and their club; None for a guest."""

    person: int | None
    club: ClubRef | None


NOBODY = Reference(None, None)


def ref(club: Club) -> ClubRef:
    return ClubRef(id=club.pk, slug=club.slug, name=club.name)


def club_refs(clubs: Collection[int]) -> dict[int, ClubRef]:
    """The clubs with these primary keys."""
    found = Club.objects.filter(pk__in=set(clubs)).values_list("pk", "slug", "name")
    return {pk: ClubRef(id=pk, slug=slug, name=name) for pk, slug, name in found}


def player_refs(tournament: Tournament) -> dict[int, Reference]:
    """Number in the tournament -> person and club."""
    pages = people_with_page(tournament)
    entries = tournament.entries.order_by().values_list(
        "number", "player", "club", "club__slug", "club__name"
    )
    return {
        number: Reference(
            player if player in pages else None,
            ClubRef(id=club, slug=slug, name=name) if club else None,
        )
        for number, player, club, slug, name in entries
    }


def team_refs(tournament: Tournament) -> dict[int, ClubRef | None]:
    """Number of the pair or team -> its club."""
    teams = tournament.teams.order_by().values_list("number", "club", "club__slug", "club__name")
    return {
        number: ClubRef(id=club, slug=slug, name=name) if club else None for number, club, slug, name in teams
    }


def people_with_page(tournament: Tournament, players: Collection[int] | None = None) -> set[int]:
    """The players with a page over the years that lists this tournament, among these or all."""
    found = visibility.with_names(visibility.entries()).filter(tournament=tournament)
    if players is not None:
        found = found.filter(player__in=players)
    return set(found.values_list("player", flat=True))
