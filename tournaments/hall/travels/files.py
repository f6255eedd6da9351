"""Files for who counts by themselves: a club's rating list, and the results of a year or a season."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.http.responses import file_response
from core.tables.files import CONTENT_TYPES, plain_csv
from tournaments.exports.federation import of_year, rating_table, results_table
from tournaments.hall.club import find_club
from tournaments.hall.findable import unlisted
from tournaments.hall.season import find_season
from tournaments.hall.travels.throttled import so_many_a_minute
from tournaments.people import visibility

if TYPE_CHECKING:
    from django.http import HttpRequest

    from clubs.models import Club

CSV = CONTENT_TYPES["csv"]


@require_safe
@so_many_a_minute("tables")
def hall_rating_file(_request: HttpRequest, slug: str) -> HttpResponse:
    club = find_club(slug)
    if not club.shows_rating:
        raise Http404
    data = plain_csv(rating_table(club, timezone.localdate(), whole=False))
    return _found(file_response(data, CSV, club.slug, "rating", kind="csv", attached=True), club)


@require_safe
@so_many_a_minute("tables")
def hall_results_file(_request: HttpRequest, slug: str, year: int) -> HttpResponse:
    """The evenings of a year that count on the club's pages."""
    club = find_club(slug)
    data = plain_csv(results_table(of_year(visibility.evenings(club), year), whole=False))
    return _found(file_response(data, CSV, club.slug, "results", year, kind="csv", attached=True), club)


@require_safe
@so_many_a_minute("tables")
def hall_season_results(_request: HttpRequest, pk: int) -> HttpResponse:
    season = find_season(pk)
    data = plain_csv(results_table(season.evenings.all(), whole=False))
    answer = file_response(data, CSV, season.host.slug, "results", season.name, kind="csv", attached=True)
    return _found(answer, season.host)


def _found(answer: HttpResponse, club: Club) -> HttpResponse:
    """Search engines list a file where they may list the club's history, of which it tells the same people."""
    return answer if visibility.may_club_be_found(club) else unlisted(answer)
