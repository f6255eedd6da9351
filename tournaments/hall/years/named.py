"""What people are called in lists over the years, and where one is led to from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.urls import reverse

from clubs.models import Club
from tournaments.hall.player_pages import player_pages
from tournaments.models import Entry
from tournaments.models.names import Of, shown_names
from tournaments.people import visibility

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
    numbers = clubs_showing_numbers()
    names = shown_names(Of(player, club or host, number) for player, club, host, number in rows)
    # A number that led to somebody's page would tell whose it is.
    pages = visibility.with_page(
        [player for player, club, host, _number in rows if (club or host) not in numbers]
    )
    return {player: Named(name, _page(player, pages)) for player, name in names.items()}


def at_evenings(entries: Collection[int]) -> dict[int, AtEvening]:
    """Entry -> who that was, and at which evening."""
    told = Entry.objects.filter(pk__in=entries).select_related("player", "club", "tournament__host")
    rows = list(told.order_by())
    numbers, page_of = clubs_showing_numbers(), player_pages("hall_player")
    by_name = {row.pk for row in rows if (row.club_id or row.tournament.host_id) not in numbers}
    pages = visibility.with_page([row.player_id for row in rows if row.pk in by_name])
    return {
        row.pk: AtEvening(
            Named(row.shown_name, _page(row.player_id, pages if row.pk in by_name else ())),
            row.tournament.name,
            row.tournament.code,
            row.tournament.date,
            page_of(row.tournament.code, row.number),
        )
        for row in rows
    }


def pages_of(players: Iterable[int | None]) -> dict[int, str]:
    """The pages of those who have one."""
    found = visibility.with_page({player for player in players if player})
    return {player: reverse("person", args=[player]) for player in found}


def clubs_showing_numbers() -> set[int]:
    """The clubs (primary keys) that show their players as numbers."""
    return set(Club.objects.filter(name_style=Club.NameStyle.NUMBER).values_list("pk", flat=True))


def _page(player: int, pages: Collection[int]) -> str:
    return reverse("person", args=[player]) if player in pages else ""
