"""Public pages of a union's published points lists, with PDF and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from core.http.responses import file_response
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from core.tables.files import CONTENT_TYPES
from tournaments.exports.result_tables import published_list_file
from tournaments.hall.about import render_page
from tournaments.hall.club import find_club
from tournaments.models import PublishedList
from tournaments.paper.lists import points_list_pdf
from tournaments.people import visibility
from tournaments.people.points_lists import counted_in, newest_rows_of, rule_in, shown_rows
from tournaments.seasons.points_text import (
    part_in_words,
    points_column,
    points_in_words,
    total_points_text,
)

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from clubs.models import Club, Player

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
