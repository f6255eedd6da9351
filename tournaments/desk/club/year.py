"""The year of a club or union at the desk: its dates with what clashes, and the page to print."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.views.guards import MemberRequest, club_view
from core.pdf.store import a_pdf, for_visitor, pdf_answer
from tournaments.paper.year import year_pdf
from tournaments.seasons.year import clashes_in, dates_of, people_twice, public_holidays
from tournaments.web.lookup import number_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from django.http import HttpResponse

    from clubs.models import Club
    from tournaments.seasons.year import YearDate

YEARS = range(2000, 2100)
# So many clashes are listed.
MOST_CLASHES = 200


class YearFilter(NamedTuple):
    """The filter of the year's page: the year, and whether with the evenings of a union's clubs."""

    year: int
    with_clubs: bool

    def chosen(self, dates: Sequence[YearDate]) -> list[YearDate]:
        return [one for one in dates if self.with_clubs or not one.is_of_club]


def _parse_filter(request: MemberRequest) -> YearFilter:
    year = number_in(request.GET.get("year", "")) or 0
    return YearFilter(year if year in YEARS else timezone.localdate().year, "clubs" in request.GET)


@club_view(helper=True)
@require_safe
def club_year(request: MemberRequest, club: Club) -> HttpResponse:
    asked = _parse_filter(request)
    dates = dates_of(club, asked.year)
    clashes = sorted([*clashes_in(dates), *people_twice(dates)])
    context = {
        "club": club,
        "asked": asked,
        "months": list(_months(asked.chosen(dates))),
        "holidays": public_holidays(asked.year),
        "has_clubs": any(one.is_of_club for one in dates),
        "clashes": clashes[:MOST_CLASHES],
        "more": len(clashes[MOST_CLASHES:]),
        "before": asked.year - 1,
        "after": asked.year + 1,
    }
    return render(request, "desk/club/year.html", context)


def _months(dates: Sequence[YearDate]) -> Iterator[tuple[date, list[YearDate]]]:
    """The dates of each month, with its first one's day."""
    for _month, some in groupby(dates, key=lambda one: one.day.month):
        there = list(some)
        yield there[0].day, there


@a_pdf
@club_view(helper=True)
@require_safe
def club_year_pdf(request: MemberRequest, club: Club) -> HttpResponse:
    asked = _parse_filter(request)
    dates = asked.chosen(dates_of(club, asked.year))
    return pdf_answer(
        request,
        lambda: year_pdf(club, asked.year, dates, public_holidays(asked.year), **for_visitor(request)),
        club,
        _("The year %(year)s") % {"year": asked.year},
        instead=reverse("club_year", args=[club.slug]),
    )


urlpatterns = [
    path("clubs/<slug:slug>/year/", club_year, name="club_year"),
    path("clubs/<slug:slug>/year/year.pdf", club_year_pdf, name="club_year_pdf"),
]
