"""Who may be entered by a tick: the members of the host, of its union, and of that union's clubs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from clubs.models import Club, Membership
from clubs.names import danish_order, folded, matches_search

if TYPE_CHECKING:
    from datetime import date

    from tournaments.models import Tournament


def clubs_near(host: Club) -> list[Club]:
    """The host first, then the clubs it shares a union with or is the union of."""
    near = Q(union=host) | Q(pk=host.union_id)
    if host.union_id:
        near |= Q(union=host.union_id)
    return [host, *Club.objects.filter(near).exclude(pk=host.pk)]


def candidates(tournament: Tournament, *, today: date) -> list[Membership]:
    """Members who are not entered yet, by name; a player in several clubs is listed once, the host first."""
    clubs = clubs_near(tournament.host)
    unions = {club.union_id for club in clubs}
    members = (
        Membership.objects.on(today)
        .filter(club__in=clubs)
        .exclude(player__entries__tournament=tournament)
        .select_related("player", "club")
        .order_by(danish_order("player__name"), "player_id")
    )
    best_last = sorted(members, key=lambda member: _preference(member, tournament.host, unions))
    chosen = {member.player_id: member.pk for member in best_last}
    return [member for member in members if chosen[member.player_id] == member.pk]


def has_members(tournament: Tournament, *, today: date) -> bool:
    """Whether the host, or a club near it, has any member who could be entered, or is."""
    return Membership.objects.on(today).filter(club__in=clubs_near(tournament.host)).exists()


def _preference(member: Membership, host: Club, unions: set[int | None]) -> int:
    """A club means more than its union; the host, where it is a club, most of all."""
    if member.club_id in unions:
        return 0
    return 2 if member.club_id == host.pk else 1


def search(members: list[Membership], query: str, club: str, ticked: set[str]) -> list[Membership]:
    """The members that a name or number finds, in all clubs or the one of that slug; ticked ones always."""
    return [
        member
        for member in members
        if str(member.pk) in ticked
        or ((not club or member.club.slug == club) and _matches(query, member.player.name, member.number))
    ]


def namesakes(members: list[Membership], name: str) -> list[Membership]:
    """Members who may be meant by a typed name."""
    return [member for member in members if folded(member.player.name) == folded(name)]


def _matches(query: str, name: str, number: int | None) -> bool:
    return query.strip() == str(number) or matches_search(query, name)
