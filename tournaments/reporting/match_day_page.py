"""The page on which captains agree on another day or place for a match, by their teams' links."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.forms import field_of
from core.http.responses import hide_address
from core.http.steps import handle_form
from tournaments.lifecycle.postponing import (
    accept_day,
    closes_at,
    day_text,
    move_place,
    open_proposal,
    propose_days,
    refuse_days,
    why_closed,
    withdraw_proposal,
)
from tournaments.models import Postponement
from tournaments.models.leagues import MOST_DAYS_PROPOSED, ProposedDay
from tournaments.reporting.line_up_page import find_team, own_match
from tournaments.standings.team_text import when_of
from tournaments.web.fields import day_field, reason_field
from tournaments.web.guards import one_by_one
from tournaments.web.matches_form import hour_field

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Match, Team


class ProposeForm(forms.Form):
    """Up to three days, each with an hour if it is another than the usual one; the reason; another place."""

    reason = reason_field(help_text=gettext_lazy("The other team and the organiser can read it."))
    place = forms.CharField(
        label=gettext_lazy("Venue"),
        required=False,
        max_length=120,
        help_text=gettext_lazy("Only if it will then be played elsewhere."),
    )

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        of_days: dict[str, forms.Field] = {}
        for number in range(1, MOST_DAYS_PROPOSED + 1):
            of_days[f"day_{number}"] = day_field(
                _("Day %(number)d") % {"number": number}, required=number == 1
            )
            of_days[f"hour_{number}"] = hour_field()
        self.fields = of_days | self.fields

    @property
    def days(self) -> list[ProposedDay]:
        given = ((self.cleaned_data[f"day_{n}"], self.cleaned_data[f"hour_{n}"]) for n in self._numbers)
        return [ProposedDay(day, hour) for day, hour in given if day]

    @property
    def _numbers(self) -> range:
        return range(1, MOST_DAYS_PROPOSED + 1)

    def clean(self) -> dict[str, Any]:
        """Refuse days after an empty field, with an error at their own field."""
        gap = False
        for number in self._numbers:
            has_day = bool(self.cleaned_data.get(f"day_{number}"))
            if has_day and gap:
                self.add_error(f"day_{number}", gettext_lazy("Fill in the days above first."))
            gap = gap or not has_day
        return self.cleaned_data


class AnswerForm(forms.Form):
    """The form to accept one of the other team's proposed days, by its index in the list."""

    day = forms.TypedChoiceField(
        label=gettext_lazy("Which day suits you?"), coerce=int, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, proposal: Postponement, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.proposal = proposal
        field_of(self, "day").choices = [
            (number, day_text(day)) for number, day in enumerate(proposal.proposed)
        ]

    @property
    def chosen(self) -> ProposedDay:
        number: int = self.cleaned_data["day"]
        return self.proposal.proposed[number]


class RefuseForm(forms.Form):
    answer = forms.CharField(
        label=gettext_lazy("Reason, if you wish to give one"), required=False, max_length=200
    )


class PlaceForm(forms.Form):
    place = forms.CharField(
        label=gettext_lazy("Venue"),
        required=False,
        max_length=120,
        help_text=gettext_lazy("Leave it empty for where the home team plays."),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_match_day(request: HttpRequest, secret: str, round_number: int, number: int) -> HttpResponse:
    """A match of the team: when and where, what is proposed, and the forms to propose and answer."""
    team = find_team(secret)
    if request.method != "POST":
        return _page(request, team, own_match(team, round_number, number))
    with one_by_one(team.tournament):
        return _take(request, team, own_match(team, round_number, number))


def _forms(match: Match, team: Team, request: HttpRequest) -> dict[str, forms.Form]:
    """The forms of the page by what they do, the one that was sent bound."""
    sent = request.POST.get("do") if request.method == "POST" else None
    proposal = open_proposal(match)
    found: dict[str, forms.Form] = {
        "propose": ProposeForm(request.POST if sent == "propose" else None),
        "withdraw": forms.Form(request.POST if sent == "withdraw" else None),
        "refuse": RefuseForm(request.POST if sent == "refuse" else None),
    }
    if proposal is not None:
        found["accept"] = AnswerForm(request.POST if sent == "accept" else None, proposal=proposal)
    if team.pk == match.home_id:
        found["place"] = PlaceForm(
            request.POST if sent == "place" else None, initial={"place": match.place}, prefix="home"
        )
    return found


def _take(request: HttpRequest, team: Team, match: Match) -> HttpResponse:
    """Run the submitted step; the answer to a proposal names the one that the page showed."""
    what, of_page = request.POST.get("do", ""), _forms(match, team, request)
    here = ("team_match_day", team.secret, match.round.number, match.number)
    form: Any = of_page.get(what)
    if form is None:
        return redirect(*here)
    seen = request.POST.get("proposal", "")
    number = int(seen) if seen.isascii() and seen.isdigit() and len(seen) < len("1" * 18) else 0
    proposal = Postponement.objects.filter(pk=number, match=match).select_related("match__round__tournament")
    asked = proposal.first()
    if asked is None and what in ("accept", "refuse", "withdraw"):
        return redirect(*here)
    steps: dict[str, tuple[Callable[[datetime], object], str]] = {
        "propose": (
            lambda now: propose_days(match, team, form.days, now=now, **_fields(form, "reason", "place")),
            _("The other team has been asked. It can answer through its own link."),
        ),
        "place": (
            lambda now: move_place(match, team, now=now, **_fields(form, "place")),
            _("The place has been saved. The other team can see it."),
        ),
    }
    if asked is not None:
        proposed = asked
        steps |= {
            "accept": (
                lambda now: accept_day(proposed, team, form.chosen, now=now),
                _("The match has been moved. Both teams can see the new day."),
            ),
            "refuse": (
                lambda now: refuse_days(proposed, team, now=now, **_fields(form, "answer")),
                _("You have refused: the match stays on its day."),
            ),
            "withdraw": (
                lambda now: withdraw_proposal(proposed, team, now=now),
                _("Your proposal has been withdrawn."),
            ),
        }
    do, said = steps[what]
    step = partial(_by_link, do)
    done = handle_form(request, form, step, said, *here, arguments=dict)
    return done or _page(request, team, match, of_page)


def _by_link(do: Callable[[datetime], object], *, now: datetime, **_account: object) -> object:
    """Take a step of a team by its link, regardless of the account signed in at this browser."""
    return do(now)


def _fields(form: forms.Form, *names: str) -> dict[str, Any]:
    return {name: form.cleaned_data[name] for name in names}


def _page(
    request: HttpRequest, team: Team, match: Match, of_page: dict[str, forms.Form] | None = None
) -> HttpResponse:
    now, proposal = timezone.now(), open_proposal(match)
    context = {
        "team": team,
        "tournament": team.tournament,
        "match": match,
        "when": when_of(match),
        "closes": closes_at(match),
        "closed": why_closed(match, now),
        "proposal": proposal,
        "is_own": proposal is not None and proposal.team_id == team.pk,
        "days": [day_text(day) for day in proposal.proposed] if proposal else [],
        "earlier": match.postponements.exclude(state=Postponement.State.OPEN).select_related("team"),
        "forms": of_page or _forms(match, team, request),
    }
    return hide_address(render(request, "captain/match_day.html", context))


urlpatterns = [
    path("c/team/<str:secret>/match/<int:round_number>/<int:number>/", team_match_day, name="team_match_day"),
]
