"""The list of entries, and entering players."""

from __future__ import annotations

import io
import random
from functools import partial
from typing import TYPE_CHECKING, Any

import django_tables2 as tables
from django.contrib import messages
from django.db import transaction
from django.http import FileResponse, Http404
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext
from django.views.decorators.http import require_POST, require_safe

from clubs.models import Club
from clubs.names import folded
from core.errors import NotPossible
from core.http.steps import add_to_form, handle_button, handle_form
from core.tables.columns import show_page
from core.tables.files import Table, table_file
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.desk.people import check_in, registration
from tournaments.desk.people.check_in import check_in_counts
from tournaments.desk.people.forms import (
    GuestForm,
    RenameForm,
    WithdrawForm,
    candidates,
    chosen_candidates,
    clubs_listed,
    found_candidates,
    has_members,
    namesakes,
    with_ticks,
)
from tournaments.entries import entering
from tournaments.entries.bulk import enter_all
from tournaments.entries.entering import clubs_near, entries_found
from tournaments.ledger.seating import tables_of
from tournaments.models import Entry, Round
from tournaments.web.guards import DeskRequest, desk_view, find_entry

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponse
    from django.http.response import HttpResponseBase

    from clubs.models import Membership
    from tournaments.models import Tournament


# Entering players at the desk: members by a tick, guests by name.

# Maximum number of members listed; the search narrows it down.
MOST_LISTED = 200


@desk_view(helper=True)
def desk_add_members(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Tick members to enter; ticks are submitted with every search, so that they persist."""
    sent = request.POST if request.method == "POST" else request.GET
    free = candidates(tournament, today=timezone.localdate())
    chosen = chosen_candidates(tournament, request.user, sent.getlist("member"), today=timezone.localdate())
    if request.method == "POST" and chosen:
        return _enter_members(request, tournament, chosen)
    query, club, clubs = sent.get("q", ""), sent.get("club", ""), clubs_listed(tournament, request.user)
    found = found_candidates(
        tournament, query, club, request.user, most=MOST_LISTED + 1, today=timezone.localdate()
    )
    shown = {member.pk: member for member in [*found[:MOST_LISTED], *chosen]}
    members = sorted(shown.values(), key=lambda one: (one.player.sorted_as, one.player_id))
    return render(
        request,
        "desk/people/add_members.html",
        {
            "tournament": tournament,
            "members": members,
            "ticks": with_ticks(members),
            "is_more_found_by_name": len(clubs) < len(clubs_near(tournament.host)),
            "listed": MOST_LISTED,
            "more": len(found) > MOST_LISTED,
            "free": bool(shown) or free.exists(),
            "has_members": bool(shown) or has_members(tournament, today=timezone.localdate()),
            "ticked": set(shown) if "all" in sent else {member.pk for member in chosen},
            "q": query,
            "club": club,
            "clubs": clubs,
            "here": "here" in sent,
            "nobody_ticked": request.method == "POST",
        },
    )


def _in_order_of_entry(members: list[Membership]) -> list[Membership]:
    """Sort entries by name; shuffled where numbers replace names, so that their order reveals nothing."""
    if not any(member.club.name_style == Club.NameStyle.NUMBER for member in members):
        return members
    return random.SystemRandom().sample(members, k=len(members))


def _enter_members(request: DeskRequest, tournament: Tournament, members: list[Membership]) -> HttpResponse:
    here, count = "here" in request.POST, len(members)
    chosen = [(member.player, member.club) for member in _in_order_of_entry(members)]
    step = partial(enter_all, tournament, chosen, here=here)
    said = ngettext("%(count)d player is entered.", "%(count)d players are entered.", count)
    page = "desk_check_in" if here else "desk_entries"
    return handle_button(request, step, said % {"count": count}, page, tournament.code)


@desk_view(helper=True)
def desk_add_guest(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Enter a guest by name. A namesake must be confirmed, so that a double submission does not make two."""
    form = (
        GuestForm(request.POST) if request.method == "POST" else GuestForm.fresh(tournament, "desk_check_in")
    )
    members: list[Membership] = []
    entered: list[Entry] = []
    if form.is_bound and form.is_valid():
        with transaction.atomic():
            locked(tournament)  # the second of two clicks finds the guest of the first
            if not form.cleaned_data["somebody_else"]:
                members, entered = _of_the_name(tournament, form.cleaned_data["name"])
            is_entered = not members and not entered and _enter_guest(request, tournament, form)
        if is_entered:
            back = "desk_entries" if form.cleaned_data["back"] == "desk_entries" else "desk_check_in"
            return redirect(back, tournament.code)
    return render(
        request,
        "desk/people/guest.html",
        {"tournament": tournament, "form": form, "members": members, "entered": entered},
    )


def _of_the_name(tournament: Tournament, name: str) -> tuple[list[Membership], list[Entry]]:
    """Namesakes of a guest: members not entered yet, and players who are."""
    members = namesakes(candidates(tournament, today=timezone.localdate()), name)
    everybody = tournament.entries.select_related("player", "club")
    return members, [entry for entry in everybody if folded(entry.player.name) == folded(name)]


def _enter_guest(request: DeskRequest, tournament: Tournament, form: GuestForm) -> bool:
    now = timezone.now()
    try:
        with transaction.atomic():
            name = form.cleaned_data["name"]
            entry = entering.enter_guest(tournament, name, account=request.user, now=now)
            if form.cleaned_data["here"]:
                entering.check_in(entry, present=True, account=request.user, now=now)
    except NotPossible as refusal:
        add_to_form(form, refusal)
        return False
    said = _("%(name)s is entered as no. %(number)d.") % {"name": entry.player.name, "number": entry.number}
    messages.success(request, said)
    return True


urlpatterns = [
    path("desk/t/<str:code>/entries/add/", desk_add_members, name="desk_add_members"),
    path("desk/t/<str:code>/entries/guest/", desk_add_guest, name="desk_add_guest"),
]


# The players of a tournament at the desk: the list, taking it away, and what is done with one player.

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
            "counts": check_in_counts(tournament),
            "guest": GuestForm.fresh(tournament, "desk_entries"),
        },
    )


@desk_view(helper=True)
@require_safe
def export_entries(request: DeskRequest, tournament: Tournament, kind: str) -> HttpResponseBase:
    if kind not in EXPORT_KINDS:
        raise Http404
    table = entries_table(tournament)
    write_down(
        tournament, request.user, gettext_noop("Saved the list of players as a file"), now=timezone.now()
    )
    players = _("players")
    name = f"{tournament.name} {tournament.date} {players}.{kind}"
    return FileResponse(io.BytesIO(table_file(kind, table)), as_attachment=True, filename=name)


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


def _withdrawn_text(entry: Entry) -> str:
    """Message about a withdrawal, with the chair of the running round that is now empty."""
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
    done = handle_form(request, form, step, _withdrawn_text, "desk_entry", tournament.code, number)
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


urlpatterns += [
    *check_in.urlpatterns,
    *registration.urlpatterns,
    path("desk/t/<str:code>/entries/", desk_entries, name="desk_entries"),
    path("desk/t/<str:code>/entries/export.<str:kind>", export_entries, name="desk_entries_export"),
    path("desk/t/<str:code>/entries/<int:number>/", desk_entry, name="desk_entry"),
    path("desk/t/<str:code>/entries/<int:number>/withdraw/", desk_withdraw, name="desk_withdraw"),
    path("desk/t/<str:code>/entries/<int:number>/back/", desk_bring_back, name="desk_bring_back"),
    path("desk/t/<str:code>/entries/<int:number>/rename/", desk_rename_guest, name="desk_rename_guest"),
]


# The players of a tournament as a table to sort, search and take away.


class EntryTable(tables.Table):
    number = tables.Column(
        verbose_name=gettext_lazy("No."), attrs={"td": {"class": "number"}, "th": {"class": "number"}}
    )
    name = tables.Column(
        accessor="player__name",
        verbose_name=gettext_lazy("Name"),
        linkify=("desk_entry", {"code": tables.A("tournament__code"), "number": tables.A("number")}),
        attrs={"td": {"class": "name"}},
    )
    club = tables.Column(
        accessor="club__name",
        verbose_name=gettext_lazy("Club"),
        default=gettext_lazy("guest"),
        attrs={"td": {"class": "club"}, "th": {"class": "club"}},
    )
    status = tables.Column(verbose_name=gettext_lazy("Status"))
    fee_paid = tables.BooleanColumn(
        verbose_name=gettext_lazy("Fee"), yesno=(gettext_lazy("paid"), gettext_lazy("not paid"))
    )

    class Meta:
        model = Entry
        fields = ("number", "name", "club", "status", "fee_paid")
        order_by = "number"
        empty_text = gettext_lazy("Nobody is entered yet.")

    def __init__(self, *args: Any, with_fee: bool, **options: Any) -> None:
        super().__init__(*args, exclude=() if with_fee else ("fee_paid",), **options)

    def order_name(self, entries: QuerySet[Entry], is_descending: bool) -> tuple[QuerySet[Entry], bool]:
        return entries.order_by("-player__sorted_as" if is_descending else "player__sorted_as"), True

    def render_fee_paid(self, value: bool) -> str:
        return str(gettext_lazy("paid") if value else gettext_lazy("not paid"))


def entries_table(tournament: Tournament) -> Table:
    """The table of all entries by number for a file, from values: a cell of `EntryTable` takes 40 µs."""
    columns = [column for name, column in EntryTable.base_columns.items() if name != "fee_paid"]
    headings = [str(column.verbose_name) for column in columns]
    with_fee = tournament.entry_fee > 0
    statuses = {code: str(label) for code, label in Entry.Status.choices}
    guest, fees = _("guest"), {True: _("paid"), False: _("not paid")}
    found = tournament.entries.order_by("number")
    rows: list[list[str | int]] = [
        [number, name, guest if club is None else club, statuses[status], *([fees[paid]] if with_fee else [])]
        for number, name, club, status, paid in found.values_list(
            "number", "player__name", "club__name", "status", "fee_paid"
        )
    ]
    return Table([*headings, *([_("Fee")] if with_fee else [])], rows)
