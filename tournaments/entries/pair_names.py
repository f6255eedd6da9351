"""What a pair without a name of its own is called: its players, no more of them than the hall may show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from clubs.models import Club
from tournaments.domain.formats import FORMATS
from tournaments.models import Team

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Entry

NAME_LENGTH = Team._meta.get_field("name").max_length or 80
BETWEEN_NAMES = " / "


def named_by(entries: Sequence[Entry]) -> str:
    """The players as the hall may show them; first names alone where that is too long."""
    names = [entry.plain_name for entry in entries]
    if len(BETWEEN_NAMES.join(names)) > NAME_LENGTH:
        names = [name.split()[0] for name in names]
    return BETWEEN_NAMES.join(names)[:NAME_LENGTH]


def name_pairs_anew(club: Club) -> None:
    """Call pairs that are called by their players' names by what the hall may show of these now."""
    so_named = [row.code for row in FORMATS.values() if row.named_by_players]
    pairs = Team.objects.filter(tournament__format__in=so_named)
    for pair in pairs.filter(Q(tournament__host=club) | Q(members__club=club)).distinct():
        players = pair.members.select_related("player", "club", "tournament__host")
        entries = list(players.filter(reserve=False).order_by("number"))
        name = named_by(entries)
        if _is_named_by(pair, entries) and not pair.tournament.teams.filter(name=name).exists():
            Team.objects.filter(pk=pair.pk).update(name=name)


def _is_named_by(pair: Team, entries: Sequence[Entry]) -> bool:
    parts = pair.name.split(BETWEEN_NAMES)
    return len(parts) == len(entries) and all(
        part in {entry.player.named(style, entry.number) for style in Club.NameStyle.values}
        for part, entry in zip(parts, entries, strict=True)
    )
