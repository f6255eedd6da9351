"""A championship's first groups are drawn: shown first, then made as they were shown."""

from __future__ import annotations

import secrets
from functools import partial
from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils.translation import gettext as _

from clubs.views.guards import MemberRequest, club_view
from core.http.steps import take_step
from tournaments.desk.club.championships import CHAMPIONSHIPS
from tournaments.desk.club.championships_form import DrawGroupsForm
from tournaments.models import Championship, Season, Tournament
from tournaments.seasons.first_groups import (
    By,
    Seeding,
    draw_groups,
    groups_of,
    mark,
    places_for,
    seeded,
    sources_for,
    why_not_draw,
)

if TYPE_CHECKING:
    from django.http import HttpResponse, QueryDict

    from clubs.models import Club
    from tournaments.seasons.first_groups import Seeded


@club_view()
def club_championship_draw(request: MemberRequest, club: Club, pk: int) -> HttpResponse:
    championship = get_object_or_404(club.championships, pk=pk)
    form = _form(championship, _with_seed(request.POST) if request.method == "POST" else None)
    groups: list[list[Seeded]] = []
    if form.is_valid():
        if problem := why_not_draw(form.chosen_source, championship.stages.get(number=1)):
            form.add_error("source", problem)
        elif "make" in request.POST and _made(request, championship, form):
            return redirect("club_championship", club.slug, pk)
        else:
            groups = _drawn(championship, form)
    return CHAMPIONSHIPS.show(
        request,
        "championship_draw",
        club,
        thing=championship,
        championship=championship,
        form=form,
        by=form.cleaned_data.get("by") if form.is_bound else "",
        groups=[(chr(ord("A") + number), group) for number, group in enumerate(groups)],
        seen=mark(groups),
    )


def _form(championship: Championship, sent: QueryDict | None) -> DrawGroupsForm:
    seasons, played = places_for(championship)
    places: dict[str, Season | Tournament] = {f"season-{season.pk}": season for season in seasons}
    places |= {tournament.code: tournament for tournament in played}
    shows_rating = championship.host.shows_rating
    return DrawGroupsForm(sent, sources=sources_for(championship), places=places, with_rating=shows_rating)


def _with_seed(sent: QueryDict) -> QueryDict:
    """What was sent; where no seed was typed, with one that is drawn now and stays in the page."""
    if sent.get("seed", "").strip():
        return sent
    filled = sent.copy()
    filled["seed"] = str(secrets.randbelow(10**6))
    return filled


def _drawn(championship: Championship, form: DrawGroupsForm) -> list[list[Seeded]]:
    line = seeded(form.chosen_source, _seeding(form), championship=championship)
    return groups_of(line, championship.stages.get(number=1))


def _seeding(form: DrawGroupsForm) -> Seeding:
    return Seeding(By(form.cleaned_data["by"]), form.cleaned_data["seed"], form.chosen_place)


def _made(request: MemberRequest, championship: Championship, form: DrawGroupsForm) -> bool:
    seen = request.POST.get("seen", "")
    step = partial(draw_groups, championship, form.chosen_source, _seeding(form), seen=seen)
    said = _("The groups have been made: their tournaments are on your desk.")
    return take_step(request, step, said, stays=True)


urlpatterns = [
    path(
        "clubs/<slug:slug>/championships/<int:pk>/draw/",
        club_championship_draw,
        name="club_championship_draw",
    ),
]
