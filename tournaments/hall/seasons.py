"""Public pages of seasons and championships."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.http.responses import streamed_file
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from tournaments.boards.analysis import analysis_text
from tournaments.boards.text import folder_texts, line_texts, seat_titles, seats_in, with_names_of_gains
from tournaments.domain.terms import people, signed, unsigned
from tournaments.exports.result_tables import SEASONS_CONTENT_TYPES, season_file
from tournaments.ledger.queries import rulebook_of
from tournaments.models import Championship, Season, Tournament
from tournaments.paper.season import championship_pdf, season_deals_pdf, season_pdf
from tournaments.people.evening_cards import best_hand_of, card_for, earns_card
from tournaments.seasons.championships import StageTable, Way, tables_of
from tournaments.seasons.deals import has_deals, line_text, reason_text, shown_deals
from tournaments.seasons.ladder_table import Asked, awards_of, part_of, season_part, season_table
from tournaments.seasons.season import days_of, season_in_words
from tournaments.seasons.team_ladder import has_teams, team_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.domain.comparison import Amount
    from tournaments.seasons.championships import Group, Party
    from tournaments.seasons.deals import ShownDeal
    from tournaments.seasons.ladder_table import Placed, SeasonTable


# A season's ladder in the hall: the page in parts, print and files complete.


class Cell(NamedTuple):
    """An evening in a player's line; `dropped` where it does not count, `card` that of the evening, as `SK`, or ""."""

    text: str
    dropped: bool = False
    card: str = ""


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
    of_teams = "teams" in request.GET
    part = part_of(team_table(season), asked, set()) if of_teams else season_part(season, asked)
    most_deals = dict(zip(part.columns, (evening.most_deals for evening in part.evenings), strict=True))
    lines = lines_of(part.rows, season, part.columns, in_parts=part.in_parts, most_deals=most_deals)
    today = timezone.localdate()
    to_come = season.evenings.not_called_off().filter(state=Tournament.State.SETUP)
    coming = list(to_come.select_related("host").order_by("date", "pk"))
    next_one = next((one for one in coming if one.date >= today), None)
    is_over = season.ends < today and not (part.provisional or next_one)
    context = {
        "season": season,
        "part": part,
        "count": len(part.days) + len(coming),
        "playing": len(part.days) - part.over,
        "next": next_one,
        "first_said": _first_said(lines, is_over=is_over),
        "best": best_hand_of(season) if is_over and not of_teams else None,
        "of_teams": of_teams,
        "has_teams": of_teams or has_teams(season),
        "name": asked.name,
        "players": part.page_of_players(asked),
        "newest_first": part.page_of_evenings(asked),
        "evenings": list(zip(part.evenings, days_of(part.days, part.columns), strict=True)),
        "has_cards": any(most_deals.values()),
        "placed": [line for line in lines if line.row.line.rank],
        "behind": [line for line in lines if not line.row.line.rank],
        "said": season_in_words(season, of_teams=of_teams),
        "has_deals": has_deals(season),
        "awards": [] if of_teams else awards_of(season, part.names),
        "coming": coming,
    }
    return render(request, "hall/season.html", context)


def _first_said(lines: Sequence[Shown], *, is_over: bool) -> str:
    """The leader or winner of the season, as text; "" where the page begins further down."""
    first = [line for line in lines if line.row.line.rank == 1]
    if not first:
        return ""
    words = {"names": people([line.row.name for line in first]), "total": first[0].total}
    if is_over:
        said = ngettext(
            "%(names)s won the season with %(total)s.",
            "%(names)s share first place in the season with %(total)s.",
            len(first),
        )
    else:
        said = ngettext(
            "%(names)s leads with %(total)s.", "%(names)s share the lead with %(total)s.", len(first)
        )
    return said % words


AWAY = Cell("–")


def lines_of(
    rows: Sequence[Placed],
    season: Season,
    columns: range,
    *,
    in_parts: bool,
    most_deals: Mapping[int, int] | None = None,
) -> list[Shown]:
    """Rows with the texts of these columns; totals as fractions where one of the ladder's is.

    With `most_deals` of a player by column, cells have the cards of the evening.
    """
    in_points, language = season.rule == Season.Rule.PLACES, get_language()

    def cell(row: Placed, column: int) -> Cell:
        evening = row.line.evening(column)
        if evening is None:
            return AWAY
        result, most = evening.result, most_deals.get(column, 0) if most_deals else 0
        has_card = most and result.rank and earns_card(result.deals, most)
        card = card_for(result.rank, result.field, row.suits[column]) if has_card else ""
        return _cell(evening.worth, evening.counts, card, in_points, language)

    totals = (Fraction(row.line.total) if in_parts else row.line.total for row in rows)
    return [
        Shown(row, amount(total, season), [cell(row, column) for column in columns])
        for row, total in zip(rows, totals, strict=True)
    ]


def amount(worth: Amount, season: Season) -> str:
    return _format_worth(worth, in_points=season.rule == Season.Rule.PLACES)


def _format_worth(worth: Amount, *, in_points: bool) -> str:
    """Tokens with their sign; points for places, which are never less than 0, without."""
    return str(worth) if in_points else signed(worth)


@lru_cache(maxsize=4096, typed=True)  # 5 and 5.00 are formatted differently
def _cell(worth: Amount, counts: bool, card: str, in_points: bool, _language: str) -> Cell:
    """Render a cell, cached: the thousands of cells of a long season repeat the same numbers."""
    return Cell(_format_worth(worth, in_points=in_points), dropped=not counts, card=card)


def _asked_table(request: HttpRequest, season: Season) -> SeasonTable:
    """The complete ladder of players, or with `?teams` that of pairs and teams."""
    return team_table(season) if "teams" in request.GET else season_table(season)


@a_pdf
@require_safe
def hall_season_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    season = find_season(pk)
    table = _asked_table(request, season)

    def lines() -> list[Shown]:
        most_deals = {column: evening.most_deals for column, evening in enumerate(table.evenings)}
        return lines_of(
            table.rows, season, range(len(table.evenings)), in_parts=table.in_parts, most_deals=most_deals
        )

    return pdf_answer(
        request,
        lambda: season_pdf(
            season,
            table,
            lines,
            [] if table.of_teams else awards_of(season, table.names),
            **for_visitor(request),
        ),
        *_file_name(season, table),
        instead=season.get_absolute_url(),
    )


@require_safe
def hall_season_file(request: HttpRequest, pk: int, kind: str) -> HttpResponseBase:
    season = find_season(pk)
    if kind not in SEASONS_CONTENT_TYPES:
        raise Http404
    table = _asked_table(request, season)
    data, name = season_file(season, table, kind), _file_name(season, table)
    return streamed_file(data, SEASONS_CONTENT_TYPES[kind], *name, kind=kind)


def _file_name(season: Season, table: SeasonTable) -> list[object]:
    """The parts of a file's name."""
    return [season.host, season.name, *([_("pairs and teams")] if table.of_teams else [])]


# A championship in the hall: every stage with its groups, and who qualifies.


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a group.

    `way` is how the party qualifies, or why it does not ("withdrew", "declined"); `line_below` marks the last that
    does by place.
    """

    party: Party
    amounts: Sequence[str]
    way: str
    line_below: bool

    @property
    def goes_on(self) -> bool:
        return self.way in {Way.GROUP, Way.NEXT, "moved up"}


def find_championship(pk: int) -> Championship:
    championship: Championship = get_object_or_404(Championship.objects.select_related("host"), pk=pk)
    return championship


@require_safe
def hall_championship(request: HttpRequest, pk: int) -> HttpResponse:
    championship = find_championship(pk)
    context = {"championship": championship, "stages": shown_stages(championship)}
    return render(request, "hall/championship.html", context)


@a_pdf
@require_safe
def hall_championship_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    championship = find_championship(pk)
    return pdf_answer(
        request,
        lambda: championship_pdf(championship, shown_stages(championship), **for_visitor(request)),
        championship.host,
        championship.name,
        instead=championship.get_absolute_url(),
    )


def shown_stages(championship: Championship) -> list[tuple[StageTable, list[tuple[Group, list[Line]]]]]:
    """Every stage with its groups, each with its lines."""
    found = []
    for table in tables_of(championship):
        heads = [_("Match points"), _("Tokens")] if table.of_teams else [_("Total")]
        along = any(any(party.carried) for group in table.groups for party in group.parties)
        table.heads = [*heads, _("Carried over")] if along else heads  # type: ignore[attr-defined]
        found.append((table, [(group, _lines(table, group, along=along)) for group in table.groups]))
    return found


def _lines(table: StageTable, group: Group, *, along: bool) -> list[Line]:
    by_place = [
        place
        for place, party in enumerate(group.parties)
        if party.key in table.going and table.going[party.key].way is Way.GROUP
    ]
    last = by_place[-1] if by_place else None
    return [
        Line(
            party,
            [*_amounts(party.score), *([_along(party)] if along else [])],
            _way(table, party),
            place == last,
        )
        for place, party in enumerate(group.parties)
    ]


def _way(table: StageTable, party: Party) -> str:
    """How the party qualifies, or why not; "" if it is not a candidate."""
    if not table.entered.get(party.key, True):
        return "withdrew"
    if party.key in table.going:
        return str(table.going[party.key].way)
    if party.key in table.declined:
        return "declined"
    return "moved up" if party.key in table.entered else ""


def _amounts(score: Sequence[Amount]) -> list[str]:
    """A player's total; a team's match points, which have no sign, and its tokens."""
    if len(score) == 1:
        return [signed(score[0])]
    points, tokens = score
    return [unsigned(points), signed(tokens)]


def _along(party: Party) -> str:
    """The text of points carried over; a team's tokens in brackets."""
    points, *tokens = _amounts(party.carried)
    return " ".join([points, *(f"({amount})" for amount in tokens)])


# The booklet of a season's most instructive deals in the hall: a page, and a PDF to read or to fold.


@require_safe
def hall_season_deals(request: HttpRequest, pk: int) -> HttpResponse:
    season = find_season(pk)
    deals = [_deal_context(deal) for deal in shown_deals(season)]
    if not deals:
        raise Http404
    return render(request, "hall/season_deals.html", {"season": season, "deals": deals})


def _deal_context(deal: ShownDeal) -> dict[str, Any]:
    rulebook = rulebook_of(deal.round.tournament)
    roles = seats_in(deal.lines)
    return {
        "row": deal.row,
        "round": deal.round,
        "folder": folder_texts(deal.folder, rulebook),
        "reason": reason_text(rulebook, deal.row),
        "best": analysis_text(rulebook, deal.folder.number, deal.makes, deal.lines).best
        if deal.makes
        else "",
        "seats": seat_titles(rulebook, roles),
        "lines": [with_names_of_gains(line_texts(rulebook, line, roles)) for line in deal.lines],
        "line": line_text(rulebook, deal.row),
    }


@a_pdf
@require_safe
def hall_season_deals_pdf(request: HttpRequest, pk: int) -> HttpResponse:
    """The booklet; `folded` puts two pages on each side."""
    season = find_season(pk)
    deals = shown_deals(season)
    if not deals:
        raise Http404
    folded = "folded" in request.GET
    return pdf_answer(
        request,
        lambda: season_deals_pdf(season, deals, folded=folded, **for_visitor(request)),
        season.host,
        season.name,
        _("deals"),
        instead=reverse("hall_season_deals", args=[season.pk]),
    )
