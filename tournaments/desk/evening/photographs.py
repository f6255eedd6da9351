"""Photographs of a table's paper slip, for organisers only."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.http.steps import handle_button, take_step
from tournaments.ledger.photographs import attach, remove
from tournaments.models import Photograph
from tournaments.web.guards import TABLE, DeskRequest, desk_view
from tournaments.web.lookup import find_table

if TYPE_CHECKING:
    from tournaments.models import Tournament


def _find(tournament: Tournament, round_number: int, number: int, pk: int) -> Photograph:
    table = find_table(tournament, round_number, number)
    photograph = get_object_or_404(table.photographs, pk=pk)
    photograph.table = table
    return photograph


@desk_view(one_transaction=False)
@require_POST
def desk_attach_photograph(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    upload = request.FILES.get("photograph")
    if upload is None:
        messages.warning(request, _("Choose a photograph first."))
    else:
        take_step(request, partial(attach, table, upload), _("The photograph is attached."))
    return redirect("desk_table", tournament.code, round_number, number)


@desk_view()
@require_POST
def desk_remove_photograph(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int, pk: int
) -> HttpResponse:
    photograph = _find(tournament, round_number, number, pk)
    to = ("desk_table", tournament.code, round_number, number)
    return handle_button(request, partial(remove, photograph), _("The photograph is removed."), *to)


@desk_view()
@require_safe
def desk_photograph(
    _request: DeskRequest, tournament: Tournament, round_number: int, number: int, pk: int
) -> FileResponse:
    """The picture itself: shown as one, never run as anything else."""
    photograph = _find(tournament, round_number, number, pk)
    if not photograph.is_there:
        raise Http404
    name = f"{tournament.code}-{round_number}-{number}-{pk}.jpg"
    response = FileResponse(photograph.path.open("rb"), content_type="image/jpeg", filename=name)
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


urlpatterns = [
    path(f"{TABLE}photograph/", desk_attach_photograph, name="desk_attach_photograph"),
    path(f"{TABLE}photograph/<int:pk>/", desk_photograph, name="desk_photograph"),
    path(f"{TABLE}photograph/<int:pk>/remove/", desk_remove_photograph, name="desk_remove_photograph"),
]
