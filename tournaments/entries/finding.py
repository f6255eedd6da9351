"""Players of a tournament, found by what somebody types of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from clubs.members import found_by
from clubs.models import Club

if TYPE_CHECKING:
    from tournaments.models import Tournament
    from tournaments.models.play import EntryQuerySet


def clubs_near(host: Club) -> list[Club]:
    """The host first, then the clubs it shares a union with or is the union of."""
    near = Q(union=host) | Q(pk=host.union_id)
    if host.union_id:
        near |= Q(union=host.union_id)
    return [host, *Club.objects.filter(near).exclude(pk=host.pk)]


def entries_found(tournament: Tournament, query: str) -> EntryQuerySet:
    """The entries whose name, club or number a search finds; case and accents do not matter."""
    entries: EntryQuerySet = tournament.entries.select_related("player", "club")
    if not query.strip():
        return entries
    return entries.filter(found_by(query, Club.objects.filter(entries__tournament=tournament).distinct()))
