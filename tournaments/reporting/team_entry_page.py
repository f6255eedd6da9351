"""The pages on which a club without an account enters its teams, by the link that the union has sent it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.http.responses import hide_address
from tournaments.models import TeamEntryLink
from tournaments.web.guards import one_by_one
from tournaments.web.lookup import only_with
from tournaments.web.team_entries import ClubSide, show_entries, show_entry

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


def _side(secret: str) -> ClubSide:
    """The side of the club with this link. Raises Http404 for a link that is none, or was replaced."""
    links = TeamEntryLink.objects.select_related("tournament__host", "club")
    link = get_object_or_404(links, secret=secret)
    only_with(link.tournament, "teams")
    return ClubSide(
        link.tournament,
        link.club,
        None,
        ("team_entries", "team_entry"),
        (secret,),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_entries(request: HttpRequest, secret: str) -> HttpResponse:
    side = _side(secret)
    if request.method != "POST":
        return hide_address(show_entries(request, side))
    with one_by_one(side.tournament) as tournament:
        return hide_address(show_entries(request, replace(side, tournament=tournament)))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_entry(request: HttpRequest, secret: str, number: int) -> HttpResponse:
    side = _side(secret)
    if request.method != "POST":
        return hide_address(show_entry(request, side, number))
    with one_by_one(side.tournament) as tournament:
        return hide_address(show_entry(request, replace(side, tournament=tournament), number))


urlpatterns = [
    path("c/teams/<str:secret>/", team_entries, name="team_entries"),
    path("c/teams/<str:secret>/<int:number>/", team_entry, name="team_entry"),
]
