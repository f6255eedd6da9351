"""Who has asked for a place from home, in a tournament's file: names and turns, no addresses and no links.

What is nobody's is left out; whoever is taken in here gets a new link from the organiser.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clubs.models import Player
from tournaments.files.things import club_here, club_of, made, plain
from tournaments.lifecycle.registration.links import make_link
from tournaments.models import Application, Entry, Tournament

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def written(tournament: Tournament) -> list[dict[str, Any]]:
    there = tournament.applications.select_related("player", "club__union", "lead", "entry")
    known = [one for one in there.order_by("number") if one.is_known and (not one.lead or one.lead.is_known)]
    return [
        plain(one)
        | {
            "player": one.player.name if one.player else None,
            "club": club_of(one.club) if one.club else None,
            "lead": one.lead.number if one.lead else None,
            "entry": one.entry.number if one.entry else None,
        }
        for one in known
    ]


def take_in(tournament: Tournament, rows: Sequence[dict[str, Any]], entries: Mapping[int, Entry]) -> None:
    """Raises KeyError for an entry or a lead that the file has not."""
    taken: dict[int, Application] = {}
    for fields in sorted(rows, key=lambda row: row["lead"] is not None):
        entry = None if fields["entry"] is None else entries[fields["entry"]]
        club = club_here(fields["club"]) if fields["club"] else None
        new = Application()
        make_link(new)
        taken[fields["number"]] = made(
            Application,
            fields,
            tournament=tournament,
            typed=fields["player"] or fields["name"],
            player=entry.player if entry else _player(fields["player"], club),
            club=club,
            entry=entry,
            lead=None if fields["lead"] is None else taken[fields["lead"]],
            salt=new.salt,
            key_hash=new.key_hash,
        )


def _player(name: str | None, club: Any) -> Player | None:
    """As with entries: the club's member of exactly that name, or somebody new."""
    if name is None:
        return None
    members = Player.objects.filter(memberships__club=club, name=name).order_by("pk") if club else None
    return (members.first() if members is not None else None) or Player.objects.create(name=name)
