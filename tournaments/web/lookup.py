"""The round, table, player or language that a URL names, numbers in what was sent, and the hall's URL for others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import segno
from django.conf import settings
from django.http import Http404
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from core.errors import NotPossible
from core.serving.addresses import base_url
from core.sql import prepared_query
from tournaments.models import Entry, Round, Table, Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest


LONGEST_NUMBER = 15  # digits: the primary keys and versions of any database are shorter


def number_in(text: str) -> int | None:
    """Parse a whole number; None if it is invalid or out of the range of numbers here."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else None


def as_shown(request: HttpRequest, name: str) -> int | None:
    """Parse a version number that a page submits, by which changes since its rendering are detected.

    None where the page has none: it is of before an upgrade. Raises NotPossible for what no page ever had.
    """
    told = request.POST.get(name)
    number = None if told is None else number_in(told)
    if told is not None and number is None:
        raise NotPossible(_("Something has changed in the meantime. This is how it is now."))
    return number


def language_asked(request: HttpRequest) -> str:
    """The language requested by the URL, as `?l=en`; "" if unsupported."""
    asked = request.GET.get("l", "")
    return asked if asked in dict(settings.LANGUAGES) else ""


def only_with(tournament: Tournament, pages: str) -> None:
    """Raises Http404 where the tournament's format has no such pages."""
    if pages not in tournament.format_row.pages:
        raise Http404


def find_round(tournament: Tournament, number: int) -> Round:
    """Raises Http404 for a round that the tournament has not."""
    return _rounds.or_404(tournament.pk, number)


def find_table(tournament: Tournament, round_number: int, number: int) -> Table:
    """A table with its round and tournament; raises Http404 where there is none."""
    return _tables.or_404(tournament.pk, round_number, number)


def find_entry(tournament: Tournament, number: int) -> Entry:
    """The entry with this number; raises Http404 if there is none."""
    return _entries.or_404(tournament.pk, number)


@prepared_query
def _rounds(tournament: int, number: int) -> QuerySet[Round]:
    rounds = Round.objects.select_related("tournament__host")
    return rounds.filter(tournament=tournament, number=number)


@prepared_query
def _tables(tournament: int, round_number: int, number: int) -> QuerySet[Table]:
    tables = Table.objects.select_related("round__tournament__host")
    return tables.filter(round__tournament=tournament, round__number=round_number, number=number)


@prepared_query
def _entries(tournament: int, number: int) -> QuerySet[Entry]:
    entries = Entry.objects.select_related("player", "club", "tournament__host")
    return entries.filter(tournament=tournament, number=number)


@dataclass(frozen=True, slots=True)
class HallLink:
    """A URL and its QR code as inline SVG."""

    address: str
    svg: SafeString


@lru_cache(maxsize=64)
def square(address: str) -> SafeString:
    """A URL as a QR code, in inline SVG.

    Cached: rendering it takes a sixth of the time of the overview.
    """
    code = segno.make(address, error="m")
    svg = code.svg_inline(scale=5, border=2, omitsize=True, svgclass="qr", lineclass=None)
    return mark_safe(svg)  # noqa: S308 - made of squares by us


def hall_link(request: HttpRequest, tournament: Tournament) -> HallLink:
    address = base_url(request) + tournament.get_absolute_url()
    return HallLink(address, square(address))
