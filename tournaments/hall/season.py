"""A season's ladder in the hall: the page, which shows it in parts; the sheet and the files, which have it whole."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from core.http.responses import file_response
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from tournaments.domain.terms import signed
from tournaments.exports.result_tables import SEASONS_CONTENT_TYPES, season_file
from tournaments.models import Season
from tournaments.paper.season import season_pdf
from tournaments.seasons.deals import has_deals
from tournaments.seasons.ladder_table import Asked, awards_of, season_part, season_table
from tournaments.seasons.season import days_of, season_in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from tournaments.domain.comparison import Amount
    from tournaments.seasons.ladder_table import Placed


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
    asked = Asked(
        request.GET.get("name", "").strip()[:100],
        request.GET.get("page") or "1",
        request.GET.get("evenings") or "1",
    )
    part = season_part(season, asked)
    lines = lines_of(part.rows, season, part.columns, in_parts=part.in_parts)
    context = {
        "season": season,
        "part": part,
        "name": asked.name,
        "players": part.page_of_players(asked),
        "newest_first": part.page_of_evenings(asked),
        "evenings": list(zip(part.evenings, days_of(part.days, part.columns), strict=True)),
        "placed": [line for line in lines if line.row.line.rank],
        "behind": [line for line in lines if not line.row.line.rank],
        "said": season_in_words(season),
        # A site without a server has no such page.
        "has_deals": not getattr(request, "is_for_site", False) and has_deals(season),
        "awards": awards_of(season, part.names),
        "coming": season.evenings.not_called_off()
        .filter(state="setup")
        .select_related("host")
        .order_by("date", "pk"),
    }
    return render(request, "hall/season.html", context)


AWAY = Cell("–")


def lines_of(rows: Sequence[Placed], season: Season, columns: range, *, in_parts: bool) -> list[Shown]:
    """Rows with the texts of these columns; totals as fractions where one of the ladder's is."""
    in_points, language = season.rule == Season.Rule.PLACES, get_language()

    def cell(row: Placed, column: int) -> Cell:
        evening = row.line.evening(column)
        return _cell(evening.worth, evening.counts, in_points, language) if evening else AWAY

    totals = (Fraction(row.line.total) if in_parts else row.line.total for row in rows)
    return [
        Shown(row, amount(total, season), [cell(row, column) for column in columns])
        for row, total in zip(rows, totals, strict=True)
    ]


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

    def lines() -> list[Shown]:
        return lines_of(table.rows, season, range(len(table.evenings)), in_parts=table.in_parts)

    return pdf_answer(
        request,
        lambda: season_pdf(season, table, lines, awards_of(season, table.names), **for_visitor(request)),
        season.host,
        season.name,
        instead=season.get_absolute_url(),
    )


@require_safe
def hall_season_file(_request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    season = find_season(pk)
    if kind not in SEASONS_CONTENT_TYPES:
        raise Http404
    data = season_file(season, season_table(season), kind)
    return file_response(
        data, SEASONS_CONTENT_TYPES[kind], season.host, season.name, kind=kind, attached=True
    )
