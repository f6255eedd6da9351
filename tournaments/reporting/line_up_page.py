"""The page on which a captain names the line-up of a team."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Q
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import NotPossible
from core.http.responses import hide_address
from core.http.steps import add_to_form, as_account, handle_button
from tournaments.domain.terms import signed
from tournaments.lifecycle.home_matches import matches_at_home, running_alone, start_match, why_no_start
from tournaments.lifecycle.line_ups import (
    captains_choice,
    line_up,
    line_ups_in_play,
    line_ups_to_come,
    seats_of,
)
from tournaments.lifecycle.match_results import agree_to_result, confirmations, dispute_result, score_of
from tournaments.lifecycle.postponing import open_proposals
from tournaments.models import Match, Team
from tournaments.standings.team_text import when_of
from tournaments.web.choice_field import found_alone
from tournaments.web.guards import one_by_one
from tournaments.web.lookup import only_with
from tournaments.web.matches_form import LineUpForm, line_up_choices

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse, QueryDict

    from clubs.models import Account


TOKENS = re.compile(r"-?[0-9]{1,7}")

# A team's own page, by its secret link: the captain sets the line-ups of coming matches.


def _form(match: Match, team: Team, data: QueryDict | None) -> LineUpForm:
    seats, free = seats_of(match, team), captains_choice(match, team)
    choices = line_up_choices(team, free, own=free)
    page = reverse("team_line_up", args=[team.secret])
    return LineUpForm(
        data, match=match, team=team, seats=seats, choices=choices, prefix=f"match{match.pk}", page=page
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_line_up(request: HttpRequest, secret: str) -> HttpResponse:
    """The team's matches to come; what is chosen for them is stored."""
    team = find_team(secret)
    if request.method != "POST":
        return _page(request, team, None)
    with one_by_one(team.tournament):
        return _page(request, find_team(secret), request.POST)


def find_team(secret: str) -> Team:
    team = get_object_or_404(Team.objects.select_related("tournament__host"), secret=secret)
    only_with(team.tournament, "matches")
    return team


def _page(request: HttpRequest, team: Team, data: QueryDict | None) -> HttpResponse:
    tournament = team.tournament
    over = tournament.is_finished or tournament.is_called_off
    matches = [] if over else line_ups_to_come(team)
    forms = [_form(match, team, data) for match in matches]
    if hits := found_alone(request, *forms):
        return hide_address(hits)
    if data is not None and lined_up(request, forms, account=None):
        return redirect("team_line_up", team.secret)
    now, coming = timezone.now(), [] if over else matches_at_home(team)
    context = {
        "asked": open_proposals(coming),
        "team": team,
        "tournament": tournament,
        "forms": forms,
        "playing": [(match, seats_of(match, team)) for match in line_ups_in_play(team)],
        "to_start": [(match, when_of(match)) for match in matches if not why_no_start(match, now)],
        "at_home": [(match, when_of(match)) for match in coming],
        "running": [_in_play(match, team) for match in running_alone(team) if not over],
    }
    return hide_address(render(request, "captain/line_up.html", context))


def _in_play(match: Match, team: Team) -> dict[str, Any]:
    """A match that is being played: its score, and which team has agreed to it."""
    score = score_of(match)
    agreed = confirmations(match, score)
    other = match.away_id if team.pk == match.home_id else match.home_id
    return {
        "match": match,
        "score": score,
        "tables": [one.table for one in score.tables],
        "tokens": " : ".join(signed(amount) for amount in score.tokens),
        "is_agreed": team.pk in agreed,
        "other_agreed": other in agreed,
    }


@never_cache
@require_POST
def team_result(request: HttpRequest, secret: str, round_number: int, number: int) -> HttpResponse:
    """Agree to the result of a match that is played to its end, or say what is wrong with it."""
    team = find_team(secret)
    match = own_match(team, round_number, number)
    sent = request.POST
    if "words" in sent:
        step: Callable[..., object] = partial(dispute_result, match, team, words=sent["words"])
        said = _("The organiser has been called.")
    else:
        seen = _number(sent.get("home", "")), _number(sent.get("away", ""))
        step = partial(agree_to_result, match, team, seen=seen)
        said = _("You have agreed to the result.")

    def take(*, now: datetime, **_account: object) -> None:
        step(now=now)

    with one_by_one(team.tournament):
        return handle_button(request, take, said, "team_line_up", secret)


def _number(text: str) -> int | None:
    """A whole number as the page wrote it; None for anything else."""
    return int(text) if TOKENS.fullmatch(text) else None


@never_cache
@require_POST
def team_start_match(request: HttpRequest, secret: str, round_number: int, number: int) -> HttpResponse:
    """Start a match that the team plays at home or away; its captain does so on the day."""
    team = find_team(secret)
    match = own_match(team, round_number, number)
    said = _("The match has started. Open its tables below.")
    step = as_account(partial(start_match, match, team=team), None)
    with one_by_one(team.tournament):
        return handle_button(request, step, said, "team_line_up", secret)


def own_match(team: Team, round_number: int, number: int) -> Match:
    """The team's match of that number; a 404 for one that others play."""
    own = Match.objects.filter(Q(home=team) | Q(away=team), away__isnull=False)
    which = {"round__tournament": team.tournament_id, "round__number": round_number, "number": number}
    return get_object_or_404(own.select_related("round__tournament", "home", "away"), **which)


urlpatterns = [
    path("c/team/<str:secret>/", team_line_up, name="team_line_up"),
    path(
        "c/team/<str:secret>/match/<int:round_number>/<int:number>/start/",
        team_start_match,
        name="team_start_match",
    ),
    path(
        "c/team/<str:secret>/match/<int:round_number>/<int:number>/result/", team_result, name="team_result"
    ),
]


# Line-ups as a page sends them: all that are on it are stored together, or none.


def lined_up(request: HttpRequest, forms: Sequence[LineUpForm], *, account: Account | None) -> bool:
    """Save line-ups from the submitted forms; without an account as the team's captain.

    False if a form has errors, which are shown at its fields.
    """
    sent = [form for form in forms if form.is_bound]
    wrong = [form for form in sent if not form.is_valid()]
    if wrong or not sent:
        return False
    with transaction.atomic():
        for form in sent:
            try:
                line_up(form.match, form.team, form.players, account=account, now=timezone.now())
            except NotPossible as refusal:
                transaction.set_rollback(True)
                if refusal.field in form.fields:
                    add_to_form(form, refusal)
                    return False
                messages.warning(request, refusal.message)
                return True
    messages.success(request, _("The line-up has been saved."))
    return True
