"""Addresses where deals that were played from folders can be played again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.urls import reverse

from tournaments.boards.folders import opened_rounds
from tournaments.models import Table

if TYPE_CHECKING:
    from scoring.seats import Role
    from tournaments.models import Tournament

# Round, table and deal by their numbers, and the seat to take (None to choose) -> URL.
FindAddress = Callable[[int, int, int, "Role | None"], str]


def find_play_addresses(tournament: Tournament) -> FindAddress:
    """A function that returns where a deal is played again; "" for deals without a folder and in sealed rounds."""
    if not tournament.boards:
        return lambda _round, _table, _deal, _seat: ""
    tables = Table.objects.filter(round__in=opened_rounds(tournament))
    folders = {
        (round_, number): played
        for round_, number, played in tables.values_list("round__number", "number", "folders")
    }

    def address(round_: int, table: int, deal: int, seat: Role | None) -> str:
        played = folders.get((round_, table), [])
        if not 1 <= deal <= len(played):
            return ""
        page = reverse("hall_folder_play", args=[tournament.code, round_, played[deal - 1]])
        return f"{page}?seat={seat.value.lower()}" if seat else page

    return address
