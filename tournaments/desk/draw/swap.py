"""Two players of a round change seats, or one of them a seat for a bye: what it costs, and the change."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _

from clubs.views.steps import pressed
from tournaments import rounds
from tournaments.desk.draw.drawing import draw_said
from tournaments.desk.draw.drawing_form import SwapForm
from tournaments.ledger.scoresheet import SEAT_LETTERS
from tournaments.models import Entry, Round, Seat, Tournament
from tournaments.rounds.seat_plan import may_swap, sitting_out
from tournaments.steps.refusals import NotPossible
from tournaments.web.finding import find_round
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.models import Account
    from tournaments.draw import Quality, SwapChange


@desk_view(helper=True)
def desk_swap(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Choose two seats of a round, see what changing them costs, and change them."""
    round_ = find_round(tournament, number)
    seats = _seats_by_pk(round_)
    over = _byes_by_key(round_)
    form = SwapForm(_swap_data(request), seats=_seat_choices(seats) + _bye_choices(over))
    context: dict[str, Any] = {"tournament": tournament, "round": round_, "form": form}
    if form.is_valid():
        first, second = (
            seats.get(form.cleaned_data[name]) or over[form.cleaned_data[name]]
            for name in ("first", "second")
        )
        if request.method == "POST":
            names = {"first": first.entry.player.name, "second": second.entry.player.name}
            said = _("%(first)s and %(second)s have changed seats.") % names
            to = f"{reverse('desk_draw', args=[tournament.code])}#round-{number}"
            return pressed(request, partial(_change, round_, first, second), said, to)
        before, after = _cost(round_, first, second)
        compared = zip(draw_said(tournament, before), draw_said(tournament, after), strict=True)
        context |= {"first": first, "second": second, "compared": list(compared)}
    elif request.method != "POST" and (seat := _first_alone(form, seats)):
        form.errors.pop("second")  # open on purpose
        context |= {"first": seat, "choices": _swap_options(round_, seat, seats)}
    elif request.method == "POST":
        messages.warning(
            request, _("The draw has changed since you opened the page. Here it is as it stands now.")
        )
        return redirect("desk_draw", tournament.code)
    return render(request, "desk/draw/swap.html", context)


@dataclass(frozen=True, slots=True)
class Over:
    """Who has a bye in the round, in a seat's place; the key is less than 0, as no seat's is."""

    entry: Entry

    @property
    def pk(self) -> int:
        return -self.entry.pk


def _change(
    round_: Round, first: Seat | Over, second: Seat | Over, *, account: Account, now: datetime
) -> None:
    if isinstance(first, Seat) and isinstance(second, Seat):
        rounds.swap(round_, first, second, account=account, now=now)
        return
    seat, over = _seat_and_bye(first, second)
    rounds.sit_in(round_, seat, over.entry, account=account, now=now)


def _cost(round_: Round, first: Seat | Over, second: Seat | Over) -> tuple[Quality, Quality]:
    if isinstance(first, Seat) and isinstance(second, Seat):
        return rounds.swap_cost(round_, first, second)
    seat, over = _seat_and_bye(first, second)
    return rounds.sit_in_cost(round_, seat, over.entry)


def _seat_and_bye(first: Seat | Over, second: Seat | Over) -> tuple[Seat, Over]:
    """The one who sits and the one who has a bye; the form takes no two byes."""
    if isinstance(first, Seat) and isinstance(second, Over):
        return first, second
    if isinstance(second, Seat) and isinstance(first, Over):
        return second, first
    raise NotPossible(_("Both have a bye: choose one who sits at a table."))


def _byes_by_key(round_: Round) -> dict[int, Over]:
    if not may_swap(round_):
        return {}
    found = [Over(entry) for entry in sitting_out(round_)]
    return {over.pk: over for over in found}


def _bye_choices(over: dict[int, Over]) -> list[tuple[str, list[tuple[int, str]]]]:
    if not over:
        return []
    return [(_("A bye in this round"), [(pk, one.entry.player.name) for pk, one in over.items()])]


def _first_alone(form: SwapForm, seats: dict[int, Seat]) -> Seat | None:
    """The one player who is chosen, as long as nobody is chosen to change with."""
    if form.is_bound and not form.data.get("second"):
        return seats.get(form.cleaned_data.get("first", 0))
    return None


def _swap_options(round_: Round, seat: Seat, seats: dict[int, Seat]) -> list[tuple[Seat, SwapChange]]:
    """Whom the player could change seats with, and what it changes; the best first."""
    by_number = {other.entry.number: other for other in seats.values()}
    return [(by_number[change.other], change) for change in rounds.swap_changes(round_, seat)]


def _seats_by_pk(round_: Round) -> dict[int, Seat]:
    if not round_.is_drawn:
        return {}
    seats = Seat.objects.filter(round=round_).select_related("entry__player", "entry__club", "table")
    return {seat.pk: seat for seat in seats.order_by("table__number", "position")}


def _seat_choices(seats: dict[int, Seat]) -> list[tuple[str, list[tuple[int, str]]]]:
    by_table: dict[str, list[tuple[int, str]]] = {}
    for pk, seat in seats.items():
        table = _("Table %(number)d") % {"number": seat.table.number}
        words = f"{seat.table.number}{SEAT_LETTERS[seat.position]} · {seat.entry.player.name}"
        by_table.setdefault(table, []).append((pk, words))
    return list(by_table.items())


def _swap_data(request: DeskRequest) -> dict[str, str] | None:
    """The two seats asked for: by the page's own fields, or as ticked in the seat plan."""
    sent = request.POST if request.method == "POST" else request.GET
    ticked = sent.getlist("seat")
    if ticked:
        return dict(zip(("first", "second"), ticked, strict=False)) if len(ticked) <= 2 else {}  # noqa: PLR2004 - two change
    return {name: sent[name] for name in ("first", "second") if name in sent} or None


urlpatterns = [
    path("desk/t/<str:code>/draw/round/<int:number>/swap/", desk_swap, name="desk_swap"),
]
