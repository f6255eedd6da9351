"""Who does not want to share a table: asked for at the desk before the draw."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.http.steps import handle_button, handle_form, posted_data
from tournaments.desk.draw.drawing_form import ApartForm
from tournaments.lifecycle.planning import keep_apart, let_meet
from tournaments.web.choice_field import found_alone, players_of
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import number_in

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tournaments.models import Tournament


@dataclass(frozen=True)
class Wish:
    numbers: str  # as the form that forgets it sends them
    names: list[str]
    strict: bool


def _wishes(tournament: Tournament) -> list[Wish]:
    wishes = tournament.not_together
    asked = {number for wish in wishes for number in wish["entries"]}
    names = dict(tournament.entries.filter(number__in=asked).values_list("number", "player__name"))
    return [
        Wish(
            numbers=" ".join(str(number) for number in wish["entries"]),
            names=[names[number] for number in wish["entries"] if number in names],
            strict=wish["strict"],
        )
        for wish in wishes
    ]


@desk_view(helper=True)
def desk_apart(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """List the wishes, and take another one."""
    form = ApartForm(posted_data(request), players=players_of(tournament))
    if hits := found_alone(request, form):
        return hits

    def typed() -> dict[str, object]:
        return {name: form.cleaned_data[name] for name in ("entries", "strict")}

    step, said = partial(keep_apart, tournament), _("They are kept apart in the next draw.")
    if done := handle_form(request, form, step, said, "desk_apart", tournament.code, typed=typed):
        return done
    context = {"tournament": tournament, "form": form, "wishes": _wishes(tournament)}
    return render(request, "desk/draw/apart.html", context)


@desk_view(helper=True)
@require_POST
def desk_let_meet(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Forget a wish."""
    words = request.POST.get("numbers", "").split()
    numbers = [number for word in words if (number := number_in(word)) is not None]
    step, said = partial(let_meet, tournament, numbers), _("They may share a table again.")
    return handle_button(request, step, said, "desk_apart", tournament.code)


urlpatterns = [
    path("desk/t/<str:code>/draw/apart/", desk_apart, name="desk_apart"),
    path("desk/t/<str:code>/draw/apart/forget/", desk_let_meet, name="desk_let_meet"),
]
