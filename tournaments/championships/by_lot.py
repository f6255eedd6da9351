"""Whom nothing but the lot keeps from going on in a championship, so that the organiser can be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.championships.qualifying import Qualified, Way

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.championships.stages import Party, StageTable


def left_out_by_lot(table: StageTable, line: Sequence[Qualified]) -> dict[int, list[Party]]:
    """Who of `line` goes on by lot alone, by key, each with those who are their equals and do not go on."""
    going = {one.contender.key for one in line}
    found = {}
    for one in line:
        party = table.parties[one.contender.key]
        found[party.key] = [
            other
            for number, group in enumerate(table.groups)
            for other in group.parties
            if not (other.key in going or other.withdrawn)
            and _are_level(party, other, next_best=one.way is Way.NEXT, same_group=number == one.group)
        ]
    return {key: others for key, others in found.items() if others}


def _are_level(party: Party, other: Party, *, next_best: bool, same_group: bool) -> bool:
    """Whether nothing but the lot tells them apart; teams who share a place stand one below the other."""
    if party.score != other.score:
        return False
    if same_group:
        is_team = len(party.score) > 1
        return party.shared and other.shared and (is_team or party.rank == other.rank)
    return next_best and party.rank == other.rank
