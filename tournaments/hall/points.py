"""Public pages of published points lists and of clubs ranked by their best players: HTML, CSV, Excel and PDF."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from core.http.responses import file_response
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from core.tables.files import CONTENT_TYPES, Table, table_file
from tournaments.domain.terms import signed, unsigned
from tournaments.exports.result_tables import published_list_file
from tournaments.hall.about import render_page
from tournaments.hall.club import find_club
from tournaments.hall.live import find_tournament
from tournaments.hall.seasons import find_season
from tournaments.models import PublishedList, Season
from tournaments.paper.lists import club_ranking_pdf, points_list_pdf
from tournaments.people import visibility
from tournaments.people.points_lists import (
    counted_in,
    newest_rows_of,
    part_in_words,
    points_column,
    points_in_words,
    rule_in,
    shown_rows,
    total_points_text,
)
from tournaments.seasons.ladder_table import season_table
from tournaments.seasons.points import Scored, rank_clubs
from tournaments.standings.players import standings
from tournaments.web.fields import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from django.http import HttpRequest, HttpResponse

    from clubs.models import Club, Player
    from tournaments.domain.comparison import Amount
    from tournaments.seasons.points import RankedClub


ON_A_PAGE = 100


def find_list(slug: str, pk: int) -> PublishedList:
    found: PublishedList = get_object_or_404(
        PublishedList.objects.select_related("union"), union__slug=slug, pk=pk
    )
    return found


@require_safe
def hall_points(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest list of a union."""
    union = find_club(slug)
    newest = union.published_lists.select_related("union").first()
    if newest is None:
        raise Http404
    return _show(request, union, newest)


@require_safe
def hall_points_list(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    published = find_list(slug, pk)
    return _show(request, published.union, published)


def _show(request: HttpRequest, union: Club, published: PublishedList) -> HttpResponse:
    page = Paginator(published.rows.all(), ON_A_PAGE).get_page(request.GET.get("page"))
    rows = shown_rows(published, page.object_list)
    context = {
        "club": union,
        "published": published,
        "lists": union.published_lists.all(),
        "page": page,
        "rows": list(zip(rows, points_column([row.points for row in rows]), strict=True)),
        "said": points_in_words(rule_in(published)),
    }
    return render_page(request, "hall/points.html", context, may_be_found=visibility.may_club_be_found(union))


@require_safe
def hall_points_file(_request: HttpRequest, slug: str, pk: int, kind: str) -> HttpResponse:
    published = find_list(slug, pk)
    if kind not in CONTENT_TYPES:
        raise Http404
    data = published_list_file(kind, shown_rows(published, published.rows.all()))
    return file_response(
        data, CONTENT_TYPES[kind], published.union, str(published.day), kind=kind, attached=True
    )


@a_pdf
@require_safe
def hall_points_pdf(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    published = find_list(slug, pk)
    return pdf_answer(
        request,
        lambda: points_list_pdf(
            published,
            shown_rows(published, published.rows.all()),
            points_in_words(rule_in(published)),
            **for_visitor(request),
        ),
        published.union,
        str(published.day),
        instead=published.get_absolute_url(),
    )


def points_of(player: Player) -> list[dict[str, Any]]:
    """A player's places in the newest lists of unions, with each number explained, for the player's page."""
    return [
        {
            "published": published,
            "place": row.place,
            "players": published.players,
            "points": total_points_text(row.points),
            "played": row.played,
            "parts": [part_in_words(*counted) for counted in counted_in(row)],
        }
        for published, row in newest_rows_of(player)
    ]


# Clubs ranked by their best players, as a page, CSV, Excel and PDF: of a tournament, a season or a points list.

USUAL_COUNT, MOST_COUNT = 3, 50


@dataclass(frozen=True, slots=True)
class Ranked:
    """The rows of the ranking of clubs: results with public names, and how they are formatted."""

    title: str
    host: Club
    day: date
    address: str
    results: Sequence[Scored]
    amount_text: Callable[[Amount], str]
    # The URLs' name of the page, and what it is filled in with.
    page: str
    args: tuple[object, ...]


def ranked_tournament(code: str) -> Ranked:
    """Players by what they have won themselves, also where pairs or teams are ranked; who withdrew does not count."""
    tournament = find_tournament(code)
    rows = [row for row in standings(tournament).rows if not row.withdrawn]
    results = [Scored(row.club, row.name, row.total) for row in rows]
    address = reverse("standings", args=[code])
    return Ranked(
        *(tournament.name, tournament.host, tournament.date, address, results, signed),
        "hall_tournament_clubs",
        (code,),
    )


def ranked_season(pk: int) -> Ranked:
    """Players who have a place in the ladder."""
    season = find_season(pk)
    results = [Scored(row.club, row.name, row.line.total) for row in season_table(season).placed]
    text = unsigned if season.rule == Season.Rule.PLACES else signed
    address = season.get_absolute_url()
    return Ranked(
        *(season.name, season.host, season.ends, address, results, text), "hall_season_clubs", (pk,)
    )


def ranked_list(slug: str, pk: int) -> Ranked:
    published = find_list(slug, pk)
    rows = shown_rows(published, published.rows.all())
    results = [Scored(row.club.name, row.name, row.points) for row in rows]
    return Ranked(
        *(_("Points list"), published.union, published.day, published.get_absolute_url(), results, unsigned),
        "hall_points_clubs",
        (slug, pk),
    )


class CountForm(forms.Form):
    """The form of the number of results that count per club."""

    best = whole_number(gettext_lazy("Players of each club who count"), 1, MOST_COUNT)


def _parse_count(request: HttpRequest) -> tuple[CountForm, int]:
    """The form, and how many players of a club count: three where the query has no valid number."""
    form = CountForm({"best": request.GET.get("best", str(USUAL_COUNT))})
    return form, form.cleaned_data["best"] if form.is_valid() else USUAL_COUNT


def _page(request: HttpRequest, found: Ranked) -> HttpResponse:
    form, count = _parse_count(request)
    rows = rank_clubs(found.results, count)
    context = {
        "found": found,
        "club": found.host,
        "form": form,
        "count": count,
        "rows": [(row, found.amount_text(row.total), _names(row, found)) for row in rows],
        "said": _count_text(count),
        "links": {
            kind: reverse(f"{found.page}_file", args=[*found.args, kind]) for kind in (*CONTENT_TYPES, "pdf")
        },
    }
    return render_page(
        request, "hall/club_ranking.html", context, may_be_found=visibility.may_club_be_found(found.host)
    )


def _names(row: RankedClub, found: Ranked) -> str:
    return ", ".join(f"{one.name} {found.amount_text(one.amount)}" for one in row.best)


def _count_text(count: int) -> str:
    text = ngettext(
        "A club’s total is the result of its best player.",
        "A club’s total is the sum of its %(count)d best results. Clubs with fewer players come after all "
        "others, without a place.",
        count,
    )
    return text % {"count": count}


def _place(row: RankedClub) -> str:
    return f"{row.place}{'=' if row.shared else ''}" if row.place else "–"


def _file(request: HttpRequest, found: Ranked, kind: str) -> HttpResponse:
    """The table as "csv", "xlsx" or "pdf"."""
    _form, count = _parse_count(request)
    rows = rank_clubs(found.results, count)
    if kind == "pdf":
        lines = [(_place(row), row.club, _names(row, found), found.amount_text(row.total)) for row in rows]
        return pdf_answer(
            request,
            lambda: club_ranking_pdf(
                found.title, found.host.name, found.day, lines, _count_text(count), **for_visitor(request)
            ),
            found.title,
            _("clubs"),
            instead=reverse(found.page, args=found.args),
        )
    if kind not in CONTENT_TYPES:
        raise Http404
    heads = [_("Place"), _("Club"), _("Total"), _("Players who count"), _("Players"), _("Names")]
    cells = [
        [row.place or None, row.club, row.total, len(row.best), row.players, _names(row, found)]
        for row in rows
    ]
    data = table_file(kind, Table(heads, cells, _("Clubs by their best")))
    return file_response(data, CONTENT_TYPES[kind], found.title, _("clubs"), kind=kind, attached=True)


@require_safe
def hall_tournament_clubs(request: HttpRequest, code: str) -> HttpResponse:
    return _page(request, ranked_tournament(code))


@require_safe
def hall_season_clubs(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, ranked_season(pk))


@require_safe
def hall_points_clubs(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _page(request, ranked_list(slug, pk))


@a_pdf
@require_safe
def hall_tournament_clubs_file(request: HttpRequest, code: str, kind: str) -> HttpResponse:
    return _file(request, ranked_tournament(code), kind)


@a_pdf
@require_safe
def hall_season_clubs_file(request: HttpRequest, pk: int, kind: str) -> HttpResponse:
    return _file(request, ranked_season(pk), kind)


@a_pdf
@require_safe
def hall_points_clubs_file(request: HttpRequest, slug: str, pk: int, kind: str) -> HttpResponse:
    return _file(request, ranked_list(slug, pk), kind)
