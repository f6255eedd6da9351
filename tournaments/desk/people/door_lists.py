"""The list for the door, and seat cards: printed, ticked, photographed; what is read is shown before it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from core.http.steps import handle_button
from core.pdf.job import shown_with_titles
from core.serving.addresses import base_url
from tournaments.entries import bulk
from tournaments.models import Tournament
from tournaments.paper.door import DoorPaper
from tournaments.paper.printing import asked_for, made_of
from tournaments.reporting.door_scan import read_lists
from tournaments.reporting.reader.reader import is_available
from tournaments.web.confirming import undo_of
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import as_shown, number_in

if TYPE_CHECKING:
    from django.http import HttpResponse


@desk_view(helper=True, one_transaction=False)
def desk_list(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Door list and cards to print, and reading their photographs; nothing is stored before it is confirmed."""
    pictures = request.FILES.getlist("photograph")
    if request.method == "POST" and not pictures:
        messages.warning(request, _("Choose a photograph first."))
    context = {
        "tournament": tournament,
        "can_read": is_available(),
        "fills": "fills" in request.POST,
        # The newest of what was decided before anything was read, by which what changes meanwhile is known.
        "seen": tournament.chain_count,
        "ready": shown_with_titles(made_of(DoorPaper, tournament)),
        "read": read_lists(tournament, pictures, fills="fills" in request.POST) if pictures else None,
    }
    return render(request, "desk/people/list.html", context)


@desk_view(helper=True)
@require_POST
def desk_list_taken(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Take in what was looked at: who is ticked is here, has paid; who is not stays as they are."""
    here, paid = (
        {number for typed in request.POST.getlist(name) if (number := number_in(typed)) is not None}
        for name in ("here", "paid")
    )

    def step(**by: Any) -> bulk.TickedOff:
        seen, fee = as_shown(request, "seen") or 0, as_shown(request, "fee")
        return bulk.tick_off(tournament, here, paid, seen=seen, fee=fee, **by)

    def success_message(done: bulk.TickedOff) -> str:
        for why in done.refused:
            messages.warning(request, why)
        if not done and done.refused:
            return _("Nothing else on the list was new.")
        if not done:
            return _("The list has been saved: nothing on it was new.")
        come = ngettext("%(count)d player is now here", "%(count)d players are now here", done.here)
        fees = ngettext("%(count)d has paid now", "%(count)d have paid now", done.paid)
        words = [text % {"count": count} for text, count in ((come, done.here), (fees, done.paid)) if count]
        return _("The list has been saved: %(what)s.") % {"what": ", ".join(words)}

    back = reverse("desk_check_in", args=[tournament.code])
    return handle_button(request, step, success_message, back, undo=undo_of(tournament, "list"))


@desk_view(helper=True, one_transaction=False)
def desk_list_print(request: DeskRequest, tournament: Tournament, paper: str) -> HttpResponse:
    """Queue list or cards; a GET request (back button, old link) redirects to the page."""
    return asked_for(request, tournament, DoorPaper, paper, base_url=base_url(request))


urlpatterns = [
    path("desk/t/<str:code>/check-in/list/", desk_list, name="desk_list"),
    path("desk/t/<str:code>/check-in/list/taken/", desk_list_taken, name="desk_list_taken"),
    path("desk/t/<str:code>/check-in/<slug:paper>.pdf", desk_list_print, name="desk_list_print"),
]
