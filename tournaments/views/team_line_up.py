"""A team's own page, by its link: its captain says who sits where in the matches to come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournaments import rounds
from tournaments.forms.matches import LineUpForm
from tournaments.models import Team
from tournaments.views.taking_steps import taken

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, QueryDict

    from tournaments.models import Match


def _form(match: Match, team: Team, data: QueryDict | None) -> LineUpForm:
    prefix = f"match{match.pk}"
    sent = data if data is not None and data.get("match") == str(match.pk) else None
    seats, free = rounds.seats_of(match, team), rounds.free_for(match, team)
    return LineUpForm(sent, team=team, seats=seats, free=free, prefix=prefix)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_line_up(request: HttpRequest, secret: str) -> HttpResponse:
    """The team's matches to come; what is chosen for one of them is stored."""
    team = get_object_or_404(Team.objects.select_related("tournament__host"), secret=secret)
    tournament = team.tournament
    if not tournament.in_teams:
        raise Http404
    data = request.POST if request.method == "POST" else None
    matches = [] if tournament.is_finished else rounds.line_ups_to_come(team)
    forms = [(match, _form(match, team, data)) for match in matches]
    for match, form in forms:
        if form.is_valid() and taken(
            request,
            lambda match=match, form=form: rounds.line_up(  # type: ignore[misc]
                match, team, form.players, account=None, now=timezone.now()
            ),
            _("The line-up of %(team)s is set.") % {"team": team},
            form,
        ):
            return redirect("team_line_up", secret)
    return render(request, "captain/line_up.html", {"team": team, "tournament": tournament, "forms": forms})


urlpatterns = [path("c/team/<str:secret>/", team_line_up, name="team_line_up")]
