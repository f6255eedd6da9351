"""A season's ladder in the hall: the page, the sheet, the files."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.files.seasons import CONTENT_TYPES, season_file
from tournaments.hall.rules import for_visitor
from tournaments.models import Season
from tournaments.paper.answers import a_pdf, pdf_answer
from tournaments.paper.season import season_pdf
from tournaments.seasons.said import days_of, season_in_words
from tournaments.seasons.season import awards_of, season_table
from tournaments.web.files import a_file_of
from tournaments.words.terms import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from tournaments.seasons.season import Placed, SeasonTable
    from tournaments.values.comparing import Amount


class Cell(NamedTuple):
    """An evening in a player's line; `dropped` where it does not count."""

    text: str
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A player's line as the page has it."""

    row: Placed
    total: str
    cells: Sequence[Cell]


def find_season(pk: int) -> Season:
    season: Season = get_object_or_404(Season.objects.select_related("host"), pk=pk)
    return season


@require_safe
def hall_season(request: HttpRequest, pk: int) -> HttpResponse:
    season = find_season(pk)
    table = season_table(season)
    days = days_of([evening.date for evening in table.evenings])
    context = {
        "season": season,
        "table": table,
        "evenings": list(zip(table.evenings, days, strict=True)),
        "placed": [shown(row, season, table) for row in table.placed],
        "behind": [shown(row, season, table) for row in table.behind],
        "said": season_in_words(season),
        "awards": awards_of(season, table),
        "coming": season.evenings.not_called_off()
        .filter(state="setup")
        .select_related("host")
        .order_by("date", "pk"),
        "clubs": len({row.club for row in table.rows}) > 1,
    }
    return render(request, "hall/season.html", context)


AWAY = Cell("–")


def shown(row: Placed, season: Season, table: SeasonTable) -> Shown:
    in_points, language = season.rule == Season.Rule.PLACES, get_language()
    cells = [
        _cell(evening.worth, evening.counts, in_points, language) if evening else AWAY
        for evening in row.line.evenings
    ]
    total = Fraction(row.line.total) if table.in_parts else row.line.total
    return Shown(row, amount(total, season), cells)


def amount(worth: Amount, season: Season) -> str:
    return _said(worth, in_points=season.rule == Season.Rule.PLACES)


def _said(worth: Amount, *, in_points: bool) -> str:
    """Tokens with their sign; points for places, which are never less than 0, without."""
    return str(worth) if in_points else signed(worth)


@lru_cache(maxsize=4096, typed=True)  # 5 and 5.00 are said otherwise
def _cell(worth: Amount, counts: bool, in_points: bool, _language: str) -> Cell:
    """One of the thousands of cells of a long season, which say the same numbers again and again."""
    return Cell(_said(worth, in_points=in_points), dropped=not counts)


@a_pdf
@require_safe
def hall_season_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    season = find_season(pk)
    table = season_table(season)
    lines = [shown(row, season, table) for row in table.rows]
    return pdf_answer(
        request,
        lambda: season_pdf(season, table, lines, awards_of(season, table), **for_visitor(request)),
        season.host,
        season.name,
        instead=season.get_absolute_url(),
    )


@require_safe
def hall_season_file(_request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    season = find_season(pk)
    if kind not in CONTENT_TYPES:
        raise Http404
    data = season_file(season, season_table(season), kind)
    return a_file_of(data, CONTENT_TYPES[kind], season.host, season.name, kind=kind, attached=True)
