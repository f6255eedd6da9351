"""Late players and substitutes after the start of a round: the fourth at a table of three, or for another player."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _

from core.http.steps import handle_button, handle_form, posted_data
from tournaments.desk.evening.forms import ReasonForm
from tournaments.ledger.scoresheet import score_sheet
from tournaments.lifecycle.seat_changes import (
    first_deal_for,
    free_to_play,
    get_up,
    is_newest_there,
    play_on_for,
    sit_down_late,
    tables_waiting,
    take_substitute_back,
    why_no_chair,
    without_seat,
)
from tournaments.reporting.seats_page import LateSeatForm, SubstituteForm
from tournaments.web.choice_field import found_alone, name_and_number
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import DeskRequest, desk_view, find_entry, find_round, find_table

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tournaments.ledger.scoresheet import ScoreSheet
    from tournaments.models import Table, Tournament


@desk_view(helper=True)
def desk_seat_late(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    """Give a late player a seat in the running round, or show the alternatives."""
    round_, entry = find_round(tournament, round_number), find_entry(tournament, number)
    waiting = tables_waiting(round_, entry)
    form = LateSeatForm(posted_data(request), tables=waiting)
    by_number = {str(table.number): table for table in waiting}
    if form.is_valid():
        table = by_number[form.cleaned_data["table"]]
        told = {"name": entry.player.name, "number": table.number}
        said = _("%(name)s sits at table %(number)d as D. Print its sheet again.") % told
        step = partial(sit_down_late, table, entry)
        return handle_button(request, step, said, "desk_round", tournament.code, round_number)
    if entry not in without_seat(round_):
        messages.info(request, _("%(name)s already has a seat, or is not here.") % {"name": entry})
        return redirect("desk_round", tournament.code, round_number)
    context = {
        "tournament": tournament,
        "round": round_,
        "entry": entry,
        "form": form,
        "waiting": waiting,
        "why_no_chair": "" if waiting else why_no_chair(round_),
        "tables": round_.tables.order_by("number"),
    }
    return render(request, "desk/evening/seat_late.html", context)


@desk_view(helper=True, in_hall=True)
def desk_get_up(request: DeskRequest, tournament: Tournament, round_number: int, number: int) -> HttpResponse:
    """Undo seating a late player."""
    table = find_table(tournament, round_number, number)
    asked = Question(
        title=_("Remove the fourth player from table %(number)d") % {"number": number},
        does=_("The latecomer then has no seat in this round, and the table is one of three again."),
        button=_("Remove from the table"),
        back=reverse("desk_seats", args=[tournament.code, round_number, number]),
        step=partial(get_up, table),
        message=_("The table is one of three again."),
        leads_to=reverse("desk_table", args=[tournament.code, round_number, number]),
    )
    return ask_first(request, tournament, asked)


@desk_view(helper=True, in_hall=True)
def desk_play_on(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int
) -> HttpResponse:
    """Substitute a player from a deal on, with a preview of each one's tokens."""
    table = find_table(tournament, round_number, number)
    sheet, free = score_sheet(table), free_to_play(table)
    initial = {"deal": sheet.next_deal or table.deals}
    form = SubstituteForm(
        posted_data(request), seats=sheet.seats, free=free, deals=table.deals, initial=initial
    )
    if hits := found_alone(request, form):
        return hits
    context: dict[str, Any] = {"tournament": tournament, "round": table.round, "table": table}
    if form.is_valid():
        shares = _shares(table, sheet, form)
        done = request.POST.get("shown") == shares["shown"] and _save(request, table, form)
        if done:
            return done
        context |= {} if form.errors else {"shares": shares}
    return render(request, "desk/evening/play_on.html", context | {"form": form, "free": free})


def _save(request: DeskRequest, table: Table, form: SubstituteForm) -> HttpResponse | None:
    typed, round_ = form.cleaned_data, table.round
    newcomer = typed["newcomer"]
    said = _("%(name)s takes over from deal %(deal)d.") % {
        "name": newcomer.player.name,
        "deal": typed["deal"],
    }
    return handle_form(
        request,
        form,
        partial(play_on_for, table, int(typed["first"]), newcomer),
        said,
        *("desk_table", round_.tournament.code, round_.number, table.number),
        arguments=lambda: {name: typed[name] for name in ("deal", "leaves", "reason")},
    )


def _shares(table: Table, sheet: ScoreSheet, form: SubstituteForm) -> dict[str, Any]:
    """Tokens of each player by the current sheet: before the chosen deal, and from it on."""
    typed = form.cleaned_data
    position, deal = int(typed["first"]), typed["deal"]
    first = first_deal_for(table, position)
    before, after = [
        sum(line.tokens[position] for line in sheet.lines if line.reported and line.number in deals)
        for deals in (range(first, deal), range(deal, table.deals + 1))
    ]
    return {
        "leaves": sheet.seats[position].name,
        "comes": name_and_number(typed["newcomer"]),
        "first": first,
        "last": deal - 1,
        "deal": deal,
        "deals": table.deals,
        "before": before,
        "after": after,
        "shown": f"{table.version} {position} {typed['newcomer'].number} {deal}",
    }


@desk_view(helper=True, in_hall=True)
def desk_substitute_back(
    request: DeskRequest, tournament: Tournament, round_number: int, number: int, place: int
) -> HttpResponse:
    table = find_table(tournament, round_number, number)
    page = reverse("desk_seats", args=[tournament.code, round_number, number])
    newest = is_newest_there(table, place)
    asked = Question(
        title=_("Undo the substitution"),
        does=_("The player who left gets the seat and all its deals back, as if nobody had taken over."),
        button=_("Undo the deal"),
        back=page,
        step=partial(take_substitute_back, table, place),
        message=_("The player who left has the seat again."),
        leads_to=page,
        form=ReasonForm(posted_data(request)),
        too_late="" if newest else _("This has already been undone, or something was changed after it."),
    )
    return ask_first(request, tournament, asked)


ROUND = "desk/t/<str:code>/round/<int:round_number>/"
SEATS = f"{ROUND}table/<int:number>/seats/"

urlpatterns = [
    path(f"{ROUND}late/<int:number>/", desk_seat_late, name="desk_seat_late"),
    path(f"{SEATS}substitute/", desk_play_on, name="desk_play_on"),
    path(f"{SEATS}substitute/<int:place>/back/", desk_substitute_back, name="desk_substitute_back"),
    path(f"{SEATS}get-up/", desk_get_up, name="desk_get_up"),
]
