"""What the projector shows, chosen at the desk or on whatever phone an organiser or helper has."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.http.steps import handle_form, posted_data
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.desk.evening.wall_form import WallForm
from tournaments.web.guards import DESK, DeskRequest, desk_view

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.models import Account
    from tournaments.models import Tournament
    from tournaments.models.base import Wall


@desk_view(helper=True)
def desk_wall(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    form = WallForm(posted_data(request), initial=tournament.wall.stored())
    step, here = partial(_choose, tournament), ("desk_wall", tournament.code)
    if done := handle_form(request, form, step, _("The projector shows it now."), *here, typed=form.chosen):
        return done
    return render(request, "desk/evening/wall.html", {"tournament": tournament, "form": form})


@transaction.atomic
def _choose(tournament: Tournament, *, wall: Wall, account: Account, now: datetime) -> None:
    tournament = locked(tournament)
    if tournament.wall != wall:
        tournament.projector = wall.stored()
        tournament.save(update_fields=["projector"])
        write_down(tournament, account, gettext_noop("Chose what the projector shows"), now=now)


urlpatterns = [path(f"{DESK}projector/", desk_wall, name="desk_wall")]
