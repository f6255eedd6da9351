"""The page that takes the teams of an earlier season along, with promotion and relegation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext_lazy, ngettext

from core.forms import field_of
from core.http.steps import handle_form
from tournaments.models import Tournament
from tournaments.models.events import MOST_OF_A_CLUB
from tournaments.seasons.next_season import earlier_seasons, move_in_words, places_after, take_teams
from tournaments.web.fields import whole_number
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import only_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse


class EarlierForm(forms.Form):
    """The season, the teams that do not play or decline to go up, and how many of a club may be in a division."""

    earlier = forms.ModelChoiceField(
        Tournament.objects.none(), label=gettext_lazy("The earlier season"), to_field_name="code"
    )
    most_of_club = whole_number(
        gettext_lazy("Maximum number of teams from one club in a division"), 0, MOST_OF_A_CLUB, 0,
        gettext_lazy("No team is promoted into a division where its club already has this many. 0 for no "
        "limit."),
    )  # fmt: skip

    def __init__(self, *args: Any, offered: Sequence[Tournament], **fields: Any) -> None:
        super().__init__(*args, **fields)
        keys = [one.pk for one in offered]
        field_of(self, "earlier").queryset = Tournament.objects.filter(pk__in=keys)
        field_of(self, "earlier").empty_label = None
        if offered:
            self.fields["earlier"].initial = offered[0].code

    def ticked(self, name: str) -> set[int]:
        """The numbers of the teams that are ticked under this name; anything else is none."""
        sent = self.data.getlist(name) if hasattr(self.data, "getlist") else []
        return {int(one) for one in sent if one.isascii() and one.isdigit() and len(one) < len("10000")}

    @property
    def choice(self) -> dict[str, Any]:
        return {
            "away": self.ticked("away"),
            "declined": self.ticked("declined"),
            "most_of_club": self.cleaned_data["most_of_club"],
        }


@desk_view()
def desk_earlier_teams(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Look at where the teams of an earlier season would play, and take them along."""
    only_with(tournament, "teams")
    offered = earlier_seasons(tournament)
    if tournament.teams.exists() or not offered:
        return redirect("desk_teams", tournament.code)
    sent = request.POST if request.method == "POST" else None
    first = {"earlier": offered[0].code, "most_of_club": str(tournament.most_of_club)}
    form = EarlierForm(sent or first, offered=offered)
    if sent and "take" in sent:

        def success_message(count: int) -> str:
            text = ngettext(
                "%(count)d team has been taken over.", "%(count)d teams have been taken over.", count
            )
            return text % {"count": count}

        step, typed = (
            partial(take_teams, tournament=tournament),
            lambda: form.choice | {"earlier": form.cleaned_data["earlier"]},
        )
        if done := handle_form(
            request, form, step, success_message, "desk_teams", tournament.code, arguments=typed
        ):
            return done
    places = places_after(form.cleaned_data["earlier"], **form.choice) if form.is_valid() else None
    context = {
        "tournament": tournament,
        "form": form,
        "places": [(one, move_in_words(one.move)) for one in places.teams] if places else [],
        "crowded": places.crowded if places else [],
        "away": _away(form) if places else [],
        "declined": form.ticked("declined"),
    }
    return render(request, "desk/teams/earlier.html", context)


def _away(form: EarlierForm) -> list[Any]:
    """The teams that are ticked as not playing, so that the tick can be taken back."""
    earlier: Tournament = form.cleaned_data["earlier"]
    return list(earlier.teams.filter(number__in=form.ticked("away"), withdrawn=False).order_by("number"))


urlpatterns = [
    path("desk/t/<str:code>/teams/earlier/", desk_earlier_teams, name="desk_earlier_teams"),
]
