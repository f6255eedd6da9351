"""The players of a tournament at the desk: the list, taking it away, and what is done with one player."""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING

from django.http import FileResponse, Http404
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_POST, require_safe

from core.http.steps import handle_button, handle_form
from core.tables.columns import show_page
from tournaments.changes.log import write_down
from tournaments.desk.people import check_in, door, from_home
from tournaments.desk.people import entering as desk_entering
from tournaments.desk.people import list as door_list
from tournaments.desk.people.check_in import counted
from tournaments.desk.people.entries_form import GuestForm, RenameForm, WithdrawForm
from tournaments.desk.people.tables import EntryTable, as_file
from tournaments.entries import entering
from tournaments.entries.entering import entries_found
from tournaments.ledger.seating import tables_of
from tournaments.models import Round
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import find_entry

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.http.response import HttpResponseBase

    from tournaments.models import Entry, Tournament

PER_PAGE = 50
EXPORT_KINDS = ("csv", "xlsx")


@desk_view(helper=True)
@require_safe
def desk_entries(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    query = request.GET.get("q", "")
    table = EntryTable(
        entries_found(tournament, query).select_related("tournament"), with_fee=tournament.entry_fee > 0
    )
    show_page(table, request, PER_PAGE)
    return render(
        request,
        "desk/people/entries.html",
        {
            "tournament": tournament,
            "table": table,
            "q": query,
            "counts": counted(tournament),
            "guest": GuestForm.fresh(tournament, "desk_entries"),
        },
    )


@desk_view(helper=True)
@require_safe
def export_entries(request: DeskRequest, tournament: Tournament, kind: str) -> HttpResponseBase:
    if kind not in EXPORT_KINDS:
        raise Http404
    table = EntryTable(
        entries_found(tournament, "").select_related("tournament"), with_fee=tournament.entry_fee > 0
    )
    write_down(
        tournament, request.user, gettext_noop("Saved the list of players as a file"), now=timezone.now()
    )
    players = _("players")
    name = f"{tournament.name} {tournament.date} {players}.{kind}"
    return FileResponse(io.BytesIO(as_file(table, kind)), as_attachment=True, filename=name)


def _show_entry(
    request: DeskRequest,
    entry: Entry,
    withdraw: WithdrawForm | None = None,
    rename: RenameForm | None = None,
) -> HttpResponse:
    tables = tables_of(entry).select_related("round").order_by("round__number")
    return render(
        request,
        "desk/people/entry.html",
        {
            "tournament": entry.tournament,
            "entry": entry,
            "tables": tables,
            "withdraw": withdraw or WithdrawForm(),
            "rename": rename or RenameForm(initial={"name": entry.player.name}),
            "is_guest": not entry.player.memberships.exists(),
        },
    )


@desk_view(helper=True)
@require_safe
def desk_entry(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    return _show_entry(request, find_entry(tournament, number))


def _withdrawn_said(entry: Entry) -> str:
    """That somebody has withdrawn, and which chair of the running round is empty now."""
    said = _("%(name)s has withdrawn.") % {"name": entry.player.name}
    seat = entry.seats.filter(round__state=Round.State.RUNNING).select_related("table").first()
    if seat is None:
        return said
    text = _("The chair at table %(number)d is empty: find someone to take over there, or end the table.")
    return f"{said} {text % {'number': seat.table.number}}"


@desk_view(helper=True)
@require_POST
def desk_withdraw(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    entry = find_entry(tournament, number)
    form = WithdrawForm(request.POST)
    step = partial(entering.withdraw, entry)
    done = handle_form(request, form, step, _withdrawn_said, "desk_entry", tournament.code, number)
    return done or _show_entry(request, entry, withdraw=form)


@desk_view(helper=True)
@require_POST
def desk_bring_back(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    entry = find_entry(tournament, number)
    said = _("%(name)s is back.") % {"name": entry.player.name}
    return handle_button(
        request, partial(entering.bring_back, entry), said, "desk_entry", tournament.code, number
    )


@desk_view(helper=True)
@require_POST
def desk_rename_guest(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    entry = find_entry(tournament, number)
    form = RenameForm(request.POST, initial={"name": entry.player.name})
    step, said = partial(entering.rename_guest, entry), _("The name has been changed.")
    done = handle_form(request, form, step, said, "desk_entry", tournament.code, number)
    return done or _show_entry(request, entry, rename=form)


urlpatterns = [
    *desk_entering.urlpatterns,
    *check_in.urlpatterns,
    *from_home.urlpatterns,
    *door.urlpatterns,
    *door_list.urlpatterns,
    path("desk/t/<str:code>/entries/", desk_entries, name="desk_entries"),
    path("desk/t/<str:code>/entries/export.<str:kind>", export_entries, name="desk_entries_export"),
    path("desk/t/<str:code>/entries/<int:number>/", desk_entry, name="desk_entry"),
    path("desk/t/<str:code>/entries/<int:number>/withdraw/", desk_withdraw, name="desk_withdraw"),
    path("desk/t/<str:code>/entries/<int:number>/back/", desk_bring_back, name="desk_bring_back"),
    path("desk/t/<str:code>/entries/<int:number>/rename/", desk_rename_guest, name="desk_rename_guest"),
]
