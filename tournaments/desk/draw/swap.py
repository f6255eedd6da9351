"""Two players of a round change seats, or one of them a seat for a bye: what it costs, and the change."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _

from core.errors import NotPossible
from core.http.steps import pressed
from tournaments import rounds
from tournaments.desk.draw.drawing import draw_said
from tournaments.desk.draw.drawing_form import SwapForm
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.entries.entering import entries_found
from tournaments.models import Entry, Round, Seat, Tournament
from tournaments.rounds.seat_plan import may_swap, sitting_out
from tournaments.web.finding import find_round, number_in
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.sought import found_alone

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.models import Account
    from tournaments.draw.quality import Quality


# Of all with whom a player could change seats so many are offered: those who change the least.
MOST_OFFERED = 30


@desk_view(helper=True)
def desk_swap(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Choose two seats of a round, see what changing them costs, and change them."""
    round_ = find_round(tournament, number)
    form = SwapForm(_swap_data(request), seats=Chairs(round_))
    if hits := found_alone(request, form):
        return hits
    context: dict[str, Any] = {"tournament": tournament, "round": round_, "form": form}
    if form.is_valid():
        first, second = form.cleaned_data["first"], form.cleaned_data["second"]
        if request.method == "POST":
            names = {"first": first.entry.player.name, "second": second.entry.player.name}
            said = _("%(first)s and %(second)s have swapped seats.") % names
            to = f"{reverse('desk_draw', args=[tournament.code])}#round-{number}"
            return pressed(request, partial(_change, round_, first, second), said, to)
        before, after = _cost(round_, first, second)
        compared = zip(draw_said(tournament, before), draw_said(tournament, after), strict=True)
        context |= {"first": first, "second": second, "compared": list(compared)}
    elif request.method != "POST" and _is_open(form):
        form.errors.pop("second", None)  # open on purpose
        seat = form.cleaned_data.get("first")
        context |= {"first": seat, **_swap_options(round_, seat)} if isinstance(seat, Seat) else {}
    elif request.method == "POST":
        messages.warning(
            request, _("The draw has changed since you opened the page. Here it is as it is now.")
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
    raise NotPossible(_("Both have a bye: choose someone who sits at a table."))


class Chairs:
    """All who can change seats in a round: who sits, by tables, and who has a bye."""

    def __init__(self, round_: Round) -> None:
        seats = Seat.objects.filter(round=round_) if round_.is_drawn else Seat.objects.none()
        self.seats = seats.select_related("entry__player", "entry__club", "table").order_by(
            "table__number", "position"
        )
        self.over = [Over(entry) for entry in sitting_out(round_)] if may_swap(round_) else []
        self.tournament = round_.tournament

    def first(self, most: int) -> list[Seat | Over]:
        return [*self.seats[:most], *self.over]

    def found(self, query: str, most: int) -> list[Seat | Over]:
        entries = {entry.pk for entry in entries_found(self.tournament, query)}
        over = [one for one in self.over if one.entry.pk in entries]
        found: list[Seat | Over] = [*self.seats.filter(entry__in=entries)[:most], *over]
        return found[:most]

    def get(self, key: str) -> Seat | Over | None:
        over = next((one for one in self.over if str(one.pk) == key), None)
        number = number_in(key)
        return over or (None if number is None else self.seats.filter(pk=number).first())

    def key(self, one: Seat | Over) -> str:
        return str(one.pk)

    def label(self, one: Seat | Over) -> str:
        name = one.entry.player.name
        return name if isinstance(one, Over) else f"{one.table.number}{SEAT_LETTERS[one.position]} · {name}"

    def group(self, one: Seat | Over) -> str:
        if isinstance(one, Over):
            return _("A bye in this round")
        return _("Table %(number)d") % {"number": one.table.number}


def _is_open(form: SwapForm) -> bool:
    """Whether nobody is chosen or sought yet to change with."""
    return bool(form.data) and not form.data.get("second") and not form.data.get("second-q")


def _swap_options(round_: Round, seat: Seat) -> dict[str, Any]:
    """Whom the player could change seats with, and what it changes; the best of them, best first."""
    changes = rounds.swap_changes(round_, seat)
    best = changes[:MOST_OFFERED]
    there = round_.seats.filter(entry__number__in=[change.other for change in best])
    by_number = {other.entry.number: other for other in there.select_related("entry__player")}
    return {
        "choices": [(by_number[change.other], change) for change in best],
        "best_of": len(changes) if len(changes) > MOST_OFFERED else 0,
    }


def _swap_data(request: DeskRequest) -> dict[str, str] | None:
    """The two seats asked for: by the page's own fields, or as ticked in the seat plan."""
    sent = request.POST if request.method == "POST" else request.GET
    ticked = sent.getlist("seat")
    if ticked:
        return dict(zip(("first", "second"), ticked, strict=False)) if len(ticked) <= 2 else {}  # noqa: PLR2004 - two change
    return {name: sent[name] for name in sent if name.startswith(("first", "second"))} or None


urlpatterns = [
    path("desk/t/<str:code>/draw/round/<int:number>/swap/", desk_swap, name="desk_swap"),
]
