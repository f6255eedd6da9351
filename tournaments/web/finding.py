"""The round, table, player or language that an address names, and the numbers in what was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404

from tournaments.models import Entry, Round, Table, Tournament

if TYPE_CHECKING:
    from django.http import HttpRequest

LONGEST_NUMBER = 15  # digits: the primary keys and versions of any database are shorter


def number_in(text: str) -> int | None:
    """A whole number as it was sent; None where that is no number that anything here can have."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else None


def language_asked(request: HttpRequest) -> str:
    """The language that an address asks for, as `?l=en`; "" where it asks for none that is spoken here."""
    asked = request.GET.get("l", "")
    return asked if asked in dict(settings.LANGUAGES) else ""


def only_with(tournament: Tournament, pages: str) -> None:
    """Raises Http404 where the tournament's format has no such pages."""
    if pages not in tournament.format_row.pages:
        raise Http404


def find_round(tournament: Tournament, number: int) -> Round:
    """Raises Http404 for a round that the tournament has not."""
    return get_object_or_404(
        Round.objects.select_related("tournament__host"), tournament=tournament, number=number
    )


def find_table(tournament: Tournament, round_number: int, number: int) -> Table:
    """A table with its round and tournament; raises Http404 where there is none."""
    tables = Table.objects.select_related("round__tournament__host")
    return get_object_or_404(tables, round__tournament=tournament, round__number=round_number, number=number)


def find_entry(tournament: Tournament, number: int) -> Entry:
    """Raises Http404 for a number that nobody has."""
    entries = Entry.objects.select_related("player", "club", "tournament__host")
    return get_object_or_404(entries, tournament=tournament, number=number)
