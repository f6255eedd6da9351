"""At the door: who has come, and who has paid."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db import transaction
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.views.steps import pressed
from tournaments.desk.people.entries_form import GuestForm
from tournaments.entries import entering
from tournaments.entries.finding import entries_found
from tournaments.models import Entry, Tournament
from tournaments.steps.refusals import NotPossible
from tournaments.values.amounts import in_kroner
from tournaments.web.finding import find_entry
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse


def counted(tournament: Tournament) -> dict[str, Any]:
    """How many are entered, here and gone, and what they have paid together."""
    rows = Counter(tournament.entries.values_list("status", "fee_paid"))
    statuses = Counter({status: rows[status, True] + rows[status, False] for status in Entry.Status})
    paid = sum(count for (_status, is_paid), count in rows.items() if is_paid)
    return {
        "present": statuses[Entry.Status.PRESENT],
        "missing": statuses[Entry.Status.ENTERED],
        "withdrawn": statuses[Entry.Status.WITHDRAWN],
        "all": statuses[Entry.Status.PRESENT] + statuses[Entry.Status.ENTERED],
        "paid": paid,
        "to_pay": rows[Entry.Status.PRESENT, False] if tournament.entry_fee else 0,
        "kroner": in_kroner(paid * tournament.entry_fee),
    }


@desk_view(helper=True)
@require_safe
def desk_check_in(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    query = request.GET.get("q", "")
    found = entries_found(tournament, query).order_by("player__sorted_as", "number")
    return render(
        request,
        "desk/people/check_in.html",
        {
            "tournament": tournament,
            "entries": found.exclude(status=Entry.Status.WITHDRAWN),
            "withdrawn": found.filter(status=Entry.Status.WITHDRAWN),
            "q": query,
            "counts": counted(tournament),
            "guest": GuestForm.fresh(tournament, "desk_check_in"),
        },
    )


def _row(
    request: DeskRequest, tournament: Tournament, number: int, step: Callable[[Entry], object]
) -> HttpResponse:
    """Take a step for one player, and show their row again: to htmx the row alone, else the page."""
    entry = find_entry(tournament, number)
    refused = ""
    try:
        step(entry)
    except NotPossible as refusal:
        refused = refusal.message
    if not request.htmx:
        if refused:
            messages.warning(request, refused)
        return redirect(f"{reverse('desk_check_in', args=[tournament.code])}#entry-{number}")
    context = {
        "tournament": tournament,
        "entry": find_entry(tournament, number),
        "refused": refused,
        "counts": counted(tournament),
    }
    return render(request, "desk/people/_check_in_row_changed.html", context)


@desk_view(helper=True)
@require_POST
def desk_mark_present(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The button says which state it asks for, so that pressing twice is pressing once."""
    present = request.POST.get("present") == "1"
    return _row(
        request,
        tournament,
        number,
        lambda entry: entering.check_in(entry, present=present, account=request.user, now=timezone.now()),
    )


@desk_view(helper=True)
@require_POST
def desk_mark_paid(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    paid = request.POST.get("paid") == "1"
    return _row(
        request,
        tournament,
        number,
        lambda entry: entering.mark_paid(entry, paid=paid, account=request.user, now=timezone.now()),
    )


@desk_view(helper=True)
@require_POST
def desk_mark_all(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Everybody who is entered has come; or everybody who has come has paid."""
    if "paid" in request.POST:
        found = tournament.entries.filter(status=Entry.Status.PRESENT, fee_paid=False)
        mark, said = partial(entering.mark_paid, paid=True), _("Everybody who is here has paid.")
    else:
        found = tournament.entries.filter(status=Entry.Status.ENTERED)
        mark, said = partial(entering.check_in, present=True), _("Everybody who is entered is here.")

    @transaction.atomic
    def mark_all(**by: Any) -> None:
        for entry in found.order_by("number"):
            mark(entry, **by)

    return pressed(request, mark_all, said, "desk_check_in", tournament.code)


urlpatterns = [
    path("desk/t/<str:code>/check-in/", desk_check_in, name="desk_check_in"),
    path("desk/t/<str:code>/check-in/all/", desk_mark_all, name="desk_mark_all"),
    path("desk/t/<str:code>/entries/<int:number>/present/", desk_mark_present, name="desk_mark_present"),
    path("desk/t/<str:code>/entries/<int:number>/paid/", desk_mark_paid, name="desk_mark_paid"),
]
