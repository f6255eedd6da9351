"""Objections at the desk: the list, writing one down, deciding and withdrawing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from clubs.models import Club
from core.forms import field_of
from core.http.steps import handle_button, handle_form
from tournaments.lifecycle.objections import (
    decide_objection,
    make_objection,
    why_not_object,
    withdraw_objection,
)
from tournaments.models import Objection
from tournaments.web.choice_field import SoughtField, found_alone, offer, players_of, teams_of
from tournaments.web.fields import reason_field
from tournaments.web.guards import DESK, DeskRequest, desk_view
from tournaments.web.matches_form import ObjectionForm

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.models import Account
    from tournaments.models import Tournament


class DeskObjectionForm(ObjectionForm):
    """An objection that the desk writes down, with who makes it: a player, a team or a club."""

    entry = SoughtField(
        label=gettext_lazy("Player who objects"), required=False, empty=gettext_lazy("nobody")
    )
    team = SoughtField(label=gettext_lazy("or team"), required=False, empty=gettext_lazy("none"))
    club = forms.ModelChoiceField(
        Club.objects.none(), label=gettext_lazy("or club"), required=False, empty_label=gettext_lazy("none")
    )

    def __init__(self, *args: Any, tournament: Tournament, **fields: Any) -> None:
        super().__init__(*args, tournament=tournament, **fields)
        offer(self, {"entry": players_of(tournament, by="pk")}, "?")
        if tournament.in_teams:
            offer(self, {"team": teams_of(tournament)}, "?")
        else:
            del self.fields["team"]
        clubs = Club.objects.filter(entries__tournament=tournament).distinct()
        field_of(self, "club").queryset = clubs
        self.order_fields(["entry", "team", "club"])

    def clean(self) -> dict[str, Any]:
        chosen = [name for name in ("entry", "team", "club") if self.cleaned_data.get(name)]
        if len(chosen) != 1 and "entry" not in self.errors:
            self.add_error("entry", _("Choose one who objects: a player, a team or a club."))
        return self.cleaned_data

    def arguments(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        return super().arguments() | {"who": chosen["entry"] or chosen.get("team") or chosen["club"]}


class DecideForm(forms.Form):
    answer = reason_field(
        label=gettext_lazy("Answer"),
        help_text=gettext_lazy("The answer is emailed to whoever made the objection."),
    )


def _page(
    request: DeskRequest, tournament: Tournament, form: DeskObjectionForm | None = None, **more: Any
) -> HttpResponse:
    objections = tournament.objections.select_related("team", "entry__player", "club").order_by("-number")
    context = {
        "tournament": tournament,
        "open": [one for one in objections if one.is_open],
        "decided": [one for one in objections if not one.is_open],
        "closed": why_not_object(tournament),
        "form": form or DeskObjectionForm(tournament=tournament),
        "decide": DecideForm(),
        **more,
    }
    return render(request, "desk/evening/objections.html", context)


@require_safe
@desk_view(helper=True)
def desk_objections_made(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """All objections: open ones first, then those that are decided."""
    form = DeskObjectionForm(tournament=tournament)
    return found_alone(request, form) or _page(request, tournament, form)


@desk_view()
@require_POST
def desk_objection_new(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    form = DeskObjectionForm(request.POST, tournament=tournament)
    said = _("The objection has been recorded.")
    here = "desk_objections_made", tournament.code
    done = handle_form(
        request, form, partial(_make_from_form, tournament), said, *here, arguments=form.arguments
    )
    return done or _page(request, tournament, form)


def _make_from_form(
    tournament: Tournament, *, who: Any, subject: Any, words: str, account: Account, now: datetime
) -> Objection:
    return make_objection(tournament, who, subject, words=words, account=account, now=now)


def _find(tournament: Tournament, number: int) -> Objection:
    found = tournament.objections.select_related("tournament__host", "team", "entry__player", "club")
    objection: Objection = get_object_or_404(found, number=number)
    return objection


@desk_view()
@require_POST
def desk_objection_decide(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    objection, form = _find(tournament, number), DecideForm(request.POST)
    step = partial(decide_objection, objection, upheld="upheld" in request.POST)
    here = "desk_objections_made", tournament.code
    done = handle_form(request, form, step, _("The objection has been decided."), *here)
    return done or _page(request, tournament, decide=form, deciding=number)


@desk_view()
@require_POST
def desk_objection_withdraw(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    step = partial(withdraw_objection, _find(tournament, number))
    said = _("The objection has been withdrawn.")
    return handle_button(request, step, said, "desk_objections_made", tournament.code)


urlpatterns = [
    path(f"{DESK}objections/", desk_objections_made, name="desk_objections_made"),
    path(f"{DESK}objections/new/", desk_objection_new, name="desk_objection_new"),
    path(f"{DESK}objections/<int:number>/decide/", desk_objection_decide, name="desk_objection_decide"),
    path(f"{DESK}objections/<int:number>/withdraw/", desk_objection_withdraw, name="desk_objection_withdraw"),
]
