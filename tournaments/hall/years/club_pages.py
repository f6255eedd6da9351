"""The pages of a club over the years, and the permission to open them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import Http404

from tournaments.hall.about import render_page
from tournaments.hall.club import find_club
from tournaments.hall.years.span_form import SpanForm
from tournaments.people import visibility
from tournaments.people.history import History, history

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from clubs.models import Club


PAGES = ("hall_history", "hall_records", "hall_clubs", "hall_club_explorer")


@dataclass(frozen=True, slots=True)
class Asked:
    """The requested club and span; `history` is None where the URL is invalid."""

    club: Club
    span_form: SpanForm
    history: History | None

    @property
    def is_union(self) -> bool:
        return len({host for year in self.history.years for host in year.hosts} if self.history else ()) > 1


def club_with_history(slug: str) -> Club:
    """Raises Http404 where the club, and its clubs, have no statistics over the years."""
    club = find_club(slug)
    if not visibility.hosts(club).exists():
        raise Http404
    return club


def asked_of(request: HttpRequest, slug: str) -> Asked:
    club = club_with_history(slug)
    # Years are materialized; arbitrary days would have to be computed from a union's 144,000 results.
    form = SpanForm(request.GET, visibility.evenings(club), by_days=False)
    return Asked(club, form, history(club, form.span) if form.is_valid() else None)


def page_of(request: HttpRequest, page: str, asked: Asked, context: dict[str, Any]) -> HttpResponse:
    """A page, with the ways to the others; search engines list it for all years alone."""
    club = asked.club
    around = {
        "club": club,
        "span_form": asked.span_form,
        "span": asked.span_form.query,
        "is_union": club.clubs.exists(),
        "there": asked.history is not None,
    }
    found = visibility.may_club_be_found(club) and not request.GET
    return render_page(request, f"hall/years/{page}.html", around | context, may_be_found=found)
