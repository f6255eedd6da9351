"""At the door: people show their own code; a camera, a photograph, a hand scanner or typing checks them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import NotPossible
from tournaments.desk.people.check_in import counted
from tournaments.ledger.photographs import squares_in
from tournaments.lifecycle.registration import links
from tournaments.lifecycle.registration.requests import arrive
from tournaments.models import Entry, Tournament
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import find_entry, number_in

if TYPE_CHECKING:
    from django.http import HttpResponse


@desk_view(helper=True)
def desk_door(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """One after the other: who has just come stands above, and the field waits for the next."""
    if request.method == "POST":
        return _came(request, tournament)
    number = number_in(request.GET.get("here", ""))
    context = {
        "tournament": tournament,
        "came": find_entry(tournament, number) if number is not None else None,
        "counts": counted(tournament),
        "typed": request.GET.get("code", "")[:200],
    }
    return render(request, "desk/people/door.html", context)


def _came(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Told as a page, or to the page's camera as JSON."""
    by_camera = request.headers.get("Accept") == "application/json"
    try:
        entry, was_here = _checked_in(request, tournament)
    except NotPossible as refusal:
        if by_camera:
            return JsonResponse({"refused": refusal.message})
        messages.warning(request, refusal.message)
        return redirect("desk_door", tournament.code)
    if by_camera:
        text = _("%(name)s was here already.") if was_here else _("%(name)s is here.")
        fee = _("The entry fee has not been paid.") if tournament.entry_fee and not entry.fee_paid else ""
        return JsonResponse({"said": text % {"name": entry}, "fee": fee, "number": entry.number})
    return redirect(f"{request.path}?here={entry.number}")


def _checked_in(request: DeskRequest, tournament: Tournament) -> tuple[Entry, bool]:
    """Who has come, and whether they were here already. Raises NotPossible."""
    sent = [request.POST.get("code", "")]
    if not sent[0].strip():
        picture = request.FILES.get("photograph")
        sent = squares_in(picture) if picture else []
        if not sent:
            raise NotPossible(
                _("No QR code can be seen in the photograph: go closer, and use better light.")
                if picture
                else _("Scan a code or type it.")
            )
    found = next((one for said in sent if (one := links.found(tournament, said))), None)
    if found is None:
        raise NotPossible(_("This code is not for this evening. Look for the name in the check-in."))
    there = found.entry
    was_here = there is not None and there.status == Entry.Status.PRESENT
    return arrive(found, account=request.user, now=timezone.now()), was_here


urlpatterns = [path("desk/t/<str:code>/door/", desk_door, name="desk_door")]
