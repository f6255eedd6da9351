"""Files for whoever counts for a club or a union: everybody by their full name, with members' numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.db.models import Max, Min, Q
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from clubs.views.guards import MemberRequest, club_view
from core.http.responses import file_response
from core.tables.files import CONTENT_TYPES, plain_csv
from tournaments.exports.federation import of_year, rating_table, results_table
from tournaments.models import Season, Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse

    from clubs.models import Club
    from core.tables.files import Table

CSV = CONTENT_TYPES["csv"]
OF_YEAR, OF_SEASON = re.compile(r"results-([0-9]{1,4})"), re.compile(r"season-([0-9]{1,9})")


@club_view()
@require_safe
def club_files(request: MemberRequest, club: Club) -> HttpResponse:
    over = _evenings(club).filter(state=Tournament.State.FINISHED).aggregate(Min("date"), Max("date"))
    first, last = over["date__min"], over["date__max"]
    context = {
        "club": club,
        "files": [
            *((f"season-{season.pk}", season.name) for season in Season.objects.filter(host=club)),
            *((f"results-{year}", year) for year in (range(last.year, first.year - 1, -1) if last else ())),
        ],
    }
    return render(request, "desk/club/files.html", context)


@club_view()
@require_safe
def club_file(_request: MemberRequest, club: Club, wanted: str) -> HttpResponse:
    return file_response(plain_csv(_table(club, wanted)), CSV, club.slug, wanted, kind="csv", attached=True)


def _table(club: Club, wanted: str) -> Table:
    if wanted == "rating":
        return rating_table(club, timezone.localdate(), whole=True)
    if year := OF_YEAR.fullmatch(wanted):
        return results_table(of_year(_evenings(club), int(year[1])), whole=True)
    if season := OF_SEASON.fullmatch(wanted):
        found = get_object_or_404(Season, pk=season[1], host=club)
        return results_table(found.evenings.all(), whole=True)
    raise Http404


def _evenings(club: Club) -> QuerySet[Tournament]:
    """Of a club, of a union with those of its clubs."""
    return Tournament.objects.not_called_off().filter(Q(host=club) | Q(host__union=club))


urlpatterns = [
    path("clubs/<slug:slug>/files/", club_files, name="club_files"),
    path("clubs/<slug:slug>/files/<slug:wanted>.csv", club_file, name="club_file"),
]
