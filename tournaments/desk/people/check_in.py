"""Check-in, at the desk and at the door; lists for the door and seat cards: printed, ticked, photographed, read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from core.errors import NotPossible
from core.http.steps import handle_button, take_step
from core.pdf.files import shown_with_titles
from core.serving.addresses import base_url
from tournaments.desk.people.forms import GuestForm
from tournaments.domain.amounts import in_kroner
from tournaments.entries import bulk, entering
from tournaments.entries.entering import entries_found
from tournaments.ledger.photographs import squares_in
from tournaments.lifecycle.registration import links
from tournaments.lifecycle.registration.requests import arrive
from tournaments.models import Application, Entry, Tournament
from tournaments.paper.door import DoorPaper
from tournaments.paper.printing import asked_for, made_of
from tournaments.reporting.door_scan import read_lists
from tournaments.reporting.reader.reader import is_available
from tournaments.web.confirming import undo_of
from tournaments.web.guards import DeskRequest, as_shown, desk_view, find_entry, number_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet
    from django.http import HttpResponse


# At the door: who has come, and who has paid.

# How many there are of each status, with the fee paid and without.
InEachState = Counter[tuple[str, bool]]
# So many players are shown at a time.
ON_A_PAGE = 100


def check_in_counts(tournament: Tournament, rows: InEachState | None = None) -> dict[str, Any]:
    """The numbers of players entered, present and gone, and the sum paid; `rows` where they are counted already."""
    rows = _in_each_state(tournament.entries.all()) if rows is None else rows
    statuses = {status: rows[status, True] + rows[status, False] for status in Entry.Status}
    paid = sum(count for (_status, is_paid), count in rows.items() if is_paid)
    return {
        "present": statuses[Entry.Status.PRESENT],
        "missing": statuses[Entry.Status.ENTERED],
        "withdrawn": statuses[Entry.Status.WITHDRAWN],
        "all": statuses[Entry.Status.PRESENT] + statuses[Entry.Status.ENTERED],
        "paid": paid,
        "kroner": in_kroner(paid * tournament.entry_fee),
        **(_from_home(tournament) if tournament.from_home.is_on else {}),
    }


def _in_each_state(entries: QuerySet[Entry]) -> InEachState:
    """The number of players of each status, with the fee paid and without."""
    states = entries.order_by().values_list("status", "fee_paid")
    return Counter({(status, paid): count for status, paid, count in states.annotate(Count("pk"))})


def _from_home(tournament: Tournament) -> dict[str, int]:
    """Numbers of applications that wait for the organiser, and for a place."""
    states = tournament.applications.order_by().values_list("state")
    of = dict(states.annotate(count=Count("pk")))
    return {
        "asking": of.get(Application.State.PENDING, 0),
        "waiting": of.get(Application.State.WAITING, 0),
    }


@desk_view(helper=True)
@require_safe
def desk_check_in(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    query = request.GET.get("q", "")
    found = entries_found(tournament, query).order_by("player__sorted_as", "number")
    # Counted once for the whole page.
    statuses = _in_each_state(found)
    gone = statuses[Entry.Status.WITHDRAWN, True] + statuses[Entry.Status.WITHDRAWN, False]
    pages = Paginator(found.exclude(status=Entry.Status.WITHDRAWN), ON_A_PAGE)
    pages.count = statuses.total() - gone
    page = pages.get_page(request.GET.get("page"))
    return render(
        request,
        "desk/people/check_in.html",
        {
            "tournament": tournament,
            "entries": page.object_list,
            "page": page,
            "withdrawn": found.filter(status=Entry.Status.WITHDRAWN)[:ON_A_PAGE] if gone else [],
            "withdrawn_count": gone,
            "q": query,
            "counts": check_in_counts(tournament, None if query.strip() else statuses),
            # Who would be marked by one button: of those found.
            "to_come": statuses[Entry.Status.ENTERED, True] + statuses[Entry.Status.ENTERED, False],
            "to_pay": statuses[Entry.Status.PRESENT, False] if tournament.entry_fee else 0,
            "shows_clubs": shows_clubs(tournament),
            "guest": GuestForm.fresh(tournament, "desk_check_in"),
        },
    )


def shows_clubs(tournament: Tournament) -> bool:
    """Whether to show players' clubs: not if all are of one club."""
    return len(tournament.entries.order_by().values_list("club").distinct()[:2]) > 1


def _back(request: DeskRequest, tournament: Tournament, place: str = "") -> str:
    """The part of the check-in that was seen, with what was sought."""
    asked = {name: value for name in ("q", "page") if (value := request.POST.get(name, ""))}
    page = reverse("desk_check_in", args=[tournament.code])
    return f"{page}?{urlencode(asked)}{place}" if asked else f"{page}{place}"


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
        return redirect(_back(request, tournament, f"#entry-{number}"))
    context = {
        "tournament": tournament,
        "entry": find_entry(tournament, number),
        "refused": refused,
        "counts": check_in_counts(tournament),
        "q": request.POST.get("q", ""),
        "part": request.POST.get("page", ""),
        "shows_clubs": shows_clubs(tournament),
    }
    return render(request, "desk/people/check_in.html#row_changed", context)


@desk_view(helper=True)
@require_POST
def desk_mark_present(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """The button carries the requested state, so a double click is harmless."""
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
        lambda entry: entering.mark_paid(
            entry, paid=paid, fee=as_shown(request, "fee"), account=request.user, now=timezone.now()
        ),
    )


@desk_view(helper=True)
@require_POST
def desk_mark_all(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Check in all players found; or mark the fee as paid for all found who are present."""
    query = request.POST.get("q", "")
    found, sought = entries_found(tournament, query), bool(query.strip())
    pays = "paid" in request.POST

    def step(**by: Any) -> int:
        seen = as_shown(request, "seen")
        if pays:
            fee = as_shown(request, "fee")
            return bulk.mark_all_paid(tournament, found, seen=seen, fee=fee, **by)
        return bulk.check_in_all(tournament, found, seen=seen, **by)

    if pays:
        said = _("Everyone found and checked in has paid.") if sought else _("Everyone here has paid.")
    else:
        said = _("Everyone found is here.") if sought else _("Everyone entered is here.")
    take_step(request, step, said, undo=undo_of(tournament, "paid" if pays else "here"))
    return (
        redirect("desk_tournament", tournament.code)
        if _is_complete(tournament)
        else redirect(_back(request, tournament))
    )


def _is_complete(tournament: Tournament) -> bool:
    """Whether all entered players are checked in, and have paid if there is a fee."""
    missing = tournament.entries.filter(status=Entry.Status.ENTERED)
    unpaid = tournament.entries.playing().filter(fee_paid=False)
    return not missing.exists() and not (tournament.entry_fee and unpaid.exists())


# At the door: people show their own code; a camera, a photograph, a hand scanner or typing checks them in.


@desk_view(helper=True)
def desk_door(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Check-in at the door: the last arrival is shown, and the field is ready for the next."""
    if request.method == "POST":
        return _came(request, tournament)
    number = number_in(request.GET.get("here", ""))
    context = {
        "tournament": tournament,
        "came": find_entry(tournament, number) if number is not None else None,
        "counts": check_in_counts(tournament),
        "typed": request.GET.get("code", "")[:200],
    }
    return render(request, "desk/people/door.html", context)


def _came(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Check in one player; responds with a page, or with JSON to the page's camera."""
    by_camera = request.headers.get("Accept") == "application/json"
    try:
        entry, was_here = _checked_in(request, tournament)
    except NotPossible as refusal:
        if by_camera:
            return JsonResponse({"refused": refusal.message})
        messages.warning(request, refusal.message)
        return redirect("desk_door", tournament.code)
    if by_camera:
        text = _("%(name)s was already here.") if was_here else _("%(name)s is here.")
        fee = _("The entry fee has not been paid.") if tournament.entry_fee and not entry.fee_paid else ""
        return JsonResponse({"said": text % {"name": entry}, "fee": fee, "number": entry.number})
    return redirect(f"{request.path}?here={entry.number}")


def _checked_in(request: DeskRequest, tournament: Tournament) -> tuple[Entry, bool]:
    """Check a player in; returns them, and whether they were checked in before. Raises NotPossible."""
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
    found = next((one for said in sent if (one := links.find_application(tournament, said))), None)
    if found is None:
        raise NotPossible(_("This code is not for this evening. Look for the name in the check-in."))
    there = found.entry
    was_here = there is not None and there.status == Entry.Status.PRESENT
    return arrive(found, account=request.user, now=timezone.now()), was_here


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
    path("desk/t/<str:code>/check-in/", desk_check_in, name="desk_check_in"),
    path("desk/t/<str:code>/check-in/all/", desk_mark_all, name="desk_mark_all"),
    path("desk/t/<str:code>/entries/<int:number>/present/", desk_mark_present, name="desk_mark_present"),
    path("desk/t/<str:code>/entries/<int:number>/paid/", desk_mark_paid, name="desk_mark_paid"),
    path("desk/t/<str:code>/door/", desk_door, name="desk_door"),
    path("desk/t/<str:code>/check-in/list/", desk_list, name="desk_list"),
    path("desk/t/<str:code>/check-in/list/taken/", desk_list_taken, name="desk_list_taken"),
    path("desk/t/<str:code>/check-in/<slug:paper>.pdf", desk_list_print, name="desk_list_print"),
]
