"""A club's desk: the tournaments of its unions in which it enters teams, and its entries there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.views.decorators.http import require_safe

from clubs.register_models import unions_with
from clubs.views.guards import MemberRequest, club_view
from tournaments.lifecycle.team_entries import tournaments_open_to
from tournaments.models import TeamEntry, Tournament
from tournaments.web.guards import one_by_one
from tournaments.web.lookup import only_with
from tournaments.web.team_entries import ClubSide, show_entries, show_entry

if TYPE_CHECKING:
    from django.http import HttpResponse

    from clubs.models import Club


@require_safe
@club_view()
def club_team_tournaments(request: MemberRequest, club: Club) -> HttpResponse:
    """The tournaments in which the club enters teams, and how many it has entered in each."""
    entries = TeamEntry.objects.filter(club=club, state__in=TeamEntry.LIVE)
    entered = Counter(entries.values_list("tournament", flat=True))
    rows = [(one, entered[one.pk]) for one in tournaments_open_to(club)]
    return render(request, "desk/club/team_tournaments.html", {"club": club, "rows": rows})


def _side(request: MemberRequest, club: Club, code: str) -> ClubSide:
    """Raises Http404 for a tournament that is none of the club's unions, or in which clubs enter no teams."""
    hosts = Q(host__in=unions_with(club)) | Q(host=club) | Q(team_entries__club=club)
    there = Tournament.objects.filter(hosts).select_related("host").distinct()
    tournament = get_object_or_404(there, code=code)
    only_with(tournament, "teams")
    if tournament.teams_until is None and not tournament.team_entries.filter(club=club).exists():
        raise Http404
    return ClubSide(
        tournament,
        club,
        request.user,
        ("club_team_entries", "club_team_entry"),
        (club.slug, code),
    )


# The tournament is locked, and not the club: who changes anything of a tournament locks that before any other row.
@club_view(one_transaction=False)
def club_team_entries(request: MemberRequest, club: Club, code: str) -> HttpResponse:
    """The club's entries in a tournament, and a form for another team."""
    side = _side(request, club, code)
    if request.method != "POST":
        return show_entries(request, side)
    with one_by_one(side.tournament) as tournament:
        return show_entries(request, replace(side, tournament=tournament))


@club_view(one_transaction=False)
def club_team_entry(request: MemberRequest, club: Club, code: str, number: int) -> HttpResponse:
    """One of them: change or withdraw it."""
    side = _side(request, club, code)
    if request.method != "POST":
        return show_entry(request, side, number)
    with one_by_one(side.tournament) as tournament:
        return show_entry(request, replace(side, tournament=tournament), number)


urlpatterns = [
    path("clubs/<slug:slug>/teams/", club_team_tournaments, name="club_team_tournaments"),
    path("clubs/<slug:slug>/teams/<str:code>/", club_team_entries, name="club_team_entries"),
    path("clubs/<slug:slug>/teams/<str:code>/<int:number>/", club_team_entry, name="club_team_entry"),
]
