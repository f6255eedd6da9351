"""A season's plan at the desk: its dates, the teams' wishes, and which of them the schedule does not grant."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from core.forms import DATE_FORMATS, field_of
from core.http.steps import handle_button, handle_form
from tournaments.lifecycle.fixtures import (
    add_wish,
    away_kilometres,
    refused_wishes,
    remove_wish,
    team_journeys,
    wish_alike_journeys,
)
from tournaments.lifecycle.home_matches import plan_season
from tournaments.models import FixtureWish, Match, Round, Team
from tournaments.web.fields import day_field
from tournaments.web.guards import DeskRequest, desk_view, only_with
from tournaments.web.matches_form import YEARS

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.models import Account
    from tournaments.models import Tournament

MOST_WEEKS = 8
BETWEEN_DATES = re.compile(r"[,;\s]+")


class PlanForm(forms.Form):
    """The form of the dates of rounds that have not started."""

    first = day_field(gettext_lazy("The first date"))
    weeks = forms.IntegerField(
        label=gettext_lazy("Weeks between rounds"), min_value=1, max_value=MOST_WEEKS, initial=1
    )
    left_out = forms.CharField(
        label=gettext_lazy("Weeks without matches"),
        required=False,
        max_length=1000,
        help_text=gettext_lazy(
            "One date in each of these weeks, separated by commas: 12/10/2026, 21/12/2026."
        ),
    )
    alike_journeys = forms.BooleanField(
        label=gettext_lazy("Equal travel"),
        required=False,
        help_text=gettext_lazy(
            "As many journeys for each team, and home and away matches in turn. The teams’ own wishes come first. "
            "Kilometres are shown, not evened out."
        ),
    )
    at_home = forms.BooleanField(
        label=gettext_lazy("Home matches, each on its own day"), required=False, initial=True
    )

    def clean_first(self) -> date:
        day: date = self.cleaned_data["first"]
        if day.year not in YEARS:
            raise ValidationError(_("Check the year again."))
        return day

    def clean_left_out(self) -> list[date]:
        field = forms.DateField(input_formats=DATE_FORMATS)
        return [field.clean(part) for part in BETWEEN_DATES.split(self.cleaned_data["left_out"]) if part]


class WishForm(forms.Form):
    """A team that wishes not to be at home in the week of a day, or when another team is."""

    team = forms.ModelChoiceField(Team.objects.none(), label=gettext_lazy("Team"), to_field_name="number")
    day = day_field(gettext_lazy("Not at home in the week of"), required=False)
    other = forms.ModelChoiceField(
        Team.objects.none(),
        label=gettext_lazy("or not on the same day as"),
        required=False,
        to_field_name="number",
    )
    is_hard = forms.BooleanField(label=gettext_lazy("Required, not just preferred"), required=False)

    def __init__(self, *args: Any, tournament: Tournament, **fields: Any) -> None:
        super().__init__(*args, **fields)
        teams = tournament.teams.filter(withdrawn=False).order_by("number")
        for name in ("team", "other"):
            field_of(self, name).queryset = teams


def _show(
    request: DeskRequest, tournament: Tournament, plan: PlanForm | None = None, wish: WishForm | None = None
) -> HttpResponse:
    refused = refused_wishes(tournament)
    wishes = tournament.fixture_wishes.select_related("team", "other")
    drawn = tournament.rounds.filter(state=Round.State.DRAWN)
    context = {
        "tournament": tournament,
        "plan": plan
        or PlanForm(initial={"first": _first_date(tournament), "alike_journeys": tournament.alike_journeys}),
        "journeys": _journeys(tournament) if tournament.alike_journeys else [],
        "wish": wish or WishForm(tournament=tournament),
        "wishes": [(one, refused.get(one.pk, "")) for one in wishes],
        "refused": len(refused),
        "is_drawn": drawn.exists(),
        "has_own_days": Match.objects.filter(round__in=drawn, day__isnull=False).exists(),
    }
    return render(request, "desk/teams/fixtures.html", context)


def _journeys(tournament: Tournament) -> list[dict[str, object]]:
    kilometres = away_kilometres(tournament)
    return [
        {
            "name": name,
            "away": one.away,
            "breaks": one.breaks,
            "more": more,
            "km": kilometres.get(one.team, 0),
        }
        for name, one, more in team_journeys(tournament)
    ]


def _first_date(tournament: Tournament) -> date:
    """A week after the last round that has started, else the tournament's day, but not before tomorrow."""
    started = tournament.rounds.exclude(state=Round.State.DRAWN).exclude(date=None).order_by("number").last()
    day = started.date + timedelta(weeks=1) if started and started.date else tournament.date
    return max(day, timezone.localdate() + timedelta(days=1))


@desk_view()
def desk_fixtures(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """The plan as it is, and making another one."""
    only_with(tournament, "matches")
    if request.method != "POST":
        return _show(request, tournament)
    form = PlanForm(request.POST)
    said = _("The season has been planned. Wishes that could not be met are marked below.")
    done = handle_form(request, form, partial(_plan, tournament), said, "desk_fixtures", tournament.code)
    return done or _show(request, tournament, plan=form)


@transaction.atomic
def _plan(
    tournament: Tournament, *, alike_journeys: bool, account: Account, now: datetime, **dates: Any
) -> object:
    wish_alike_journeys(tournament, wished=alike_journeys, account=account, now=now)
    return plan_season(tournament, **dates, account=account, now=now)


@desk_view()
@require_POST
def desk_fixture_wish(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    only_with(tournament, "matches")
    form = WishForm(request.POST, tournament=tournament)
    said = _("The wish has been noted. It counts when the season is planned.")
    done = handle_form(request, form, partial(add_wish, tournament), said, "desk_fixtures", tournament.code)
    return done or _show(request, tournament, wish=form)


@desk_view()
@require_POST
def desk_fixture_wish_remove(request: DeskRequest, tournament: Tournament, wish: int) -> HttpResponse:
    found = get_object_or_404(
        FixtureWish.objects.select_related("tournament", "team"), tournament=tournament, pk=wish
    )
    said = _("The wish has been removed.")
    return handle_button(request, partial(remove_wish, found), said, "desk_fixtures", tournament.code)


PLAN = "desk/t/<str:code>/matches/plan/"
urlpatterns = [
    path(PLAN, desk_fixtures, name="desk_fixtures"),
    path(f"{PLAN}wish/", desk_fixture_wish, name="desk_fixture_wish"),
    path(f"{PLAN}wish/<int:wish>/remove/", desk_fixture_wish_remove, name="desk_fixture_wish_remove"),
]
