"""What people are called in lists over the years, and where one is led to from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse

from tournaments.entries.shown_names import Of, shown_names
from tournaments.hall.player_pages import player_pages
from tournaments.models import Entry
from tournaments.people import who

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import date


class Named(NamedTuple):
    """A name as the hall may show it; `page` is the address of the person's own, "" where there is none."""

    name: str
    page: str = ""


class AtEvening(NamedTuple):
    """Somebody at an evening, whose own page there is `address`."""

    who: Named
    evening: str
    code: str
    day: date
    address: str


def people_of(entries: Collection[int]) -> dict[int, Named]:
    """Player -> name, by an entry of each (primary keys)."""
    told = Entry.objects.filter(pk__in=entries).order_by()
    rows = list(told.values_list("player", "club", "tournament__host", "number"))
    names = shown_names(Of(player, club or host, number) for player, club, host, number in rows)
    pages = who.with_page(list(names))
    return {player: Named(name, _page(player, pages)) for player, name in names.items()}


def at_evenings(entries: Collection[int]) -> dict[int, AtEvening]:
    """Entry -> who that was, and at which evening."""
    told = Entry.objects.filter(pk__in=entries).select_related("player", "club", "tournament__host")
    rows = list(told.order_by())
    pages, page_of = who.with_page([row.player_id for row in rows]), player_pages("hall_player")
    return {
        row.pk: AtEvening(
            Named(row.shown_name, _page(row.player_id, pages)),
            row.tournament.name,
            row.tournament.code,
            row.tournament.date,
            page_of(row.tournament.code, row.number),
        )
        for row in rows
    }


def pages_of(players: Iterable[int | None]) -> dict[int, str]:
    """The pages of those who have one."""
    found = who.with_page({player for player in players if player})
    return {player: reverse("person", args=[player]) for player in found}


def _page(player: int, pages: Collection[int]) -> str:
    return reverse("person", args=[player]) if player in pages else ""
