"""A round's steps at the desk, each asked back on a page of its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from core.http.steps import posted_data
from tournaments.desk.evening.clock_form import ClockOfRoundForm
from tournaments.desk.evening.evening_form import CloseForm, ReasonForm
from tournaments.desk.evening.readiness import before_start, still_open
from tournaments.lifecycle.playing import (
    close_round,
    missing_at,
    reopen_round,
    start_round,
    take_start_back,
    usual_minutes,
    why_start_stays,
)
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.lookup import find_round

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tournaments.models import Tournament


@desk_view(helper=True)
def desk_start_round(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_, said = find_round(tournament, number), {"number": number}
    usual = {"with_clock": bool(tournament.round_minutes), "minutes": usual_minutes(tournament)}
    form = ClockOfRoundForm(posted_data(request), initial=usual)
    asked = Question(
        title=_("Start round %(number)d") % said,
        does=_("Every table’s link and code become active, and the captains report their deals."),
        button=_("Start round %(number)d now") % said,
        back=reverse("desk_tournament", args=[tournament.code]),
        notes=partial(before_start, round_),
        step=partial(start_round, round_),
        said=_("Round %(number)d is running. The captains can report.") % said,
        leads_to=reverse("desk_board", args=[tournament.code]),
        form=form,
        typed=form.chosen,
        too_late="" if round_.is_drawn else _("Round %(number)d has already been started.") % said,
        instead=reverse("desk_round", args=[tournament.code, number]),
    )
    return ask_first(request, tournament, asked)


@desk_view(helper=True)
def desk_take_start_back(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_, said = find_round(tournament, number), {"number": number}
    asked = Question(
        title=_("Undo the start of round %(number)d") % said,
        does=_(
            "Nothing has been reported yet. Players can be seated, swapped and drawn again; the "
            "captains wait, and printed links and codes stay valid."
        ),
        button=_("Undo the start"),
        back=reverse("desk_round", args=[tournament.code, number]),
        step=partial(take_start_back, round_),
        said=_("The start of round %(number)d has been undone.") % said,
        leads_to=reverse("desk_tournament", args=[tournament.code]),
        too_late=why_start_stays(round_),
    )
    return ask_first(request, tournament, asked)


@desk_view(helper=True)
def desk_close_round(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_, said = find_round(tournament, number), {"number": number}
    asked = Question(
        title=_("Close round %(number)d") % said,
        does=_("The sheets count as they are. Later reports are set aside for you."),
        button=_("Close round %(number)d now") % said,
        back=reverse("desk_round", args=[tournament.code, number]),
        notes=partial(still_open, round_),
        step=partial(close_round, round_),
        said=_("Round %(number)d is closed.") % said,
        leads_to=reverse("desk_tournament", args=[tournament.code]),
        form=CloseForm(posted_data(request), forced=bool(missing_at(round_))),
        too_late="" if round_.is_running else _("Round %(number)d is not running.") % said,
    )
    return ask_first(request, tournament, asked)


@desk_view(helper=True)
def desk_reopen_round(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_, said = find_round(tournament, number), {"number": number}
    board = reverse("desk_round", args=[tournament.code, number])
    asked = Question(
        title=_("Reopen round %(number)d") % said,
        does=_("You and the captains can correct its deals again until you close it once more."),
        button=_("Reopen round %(number)d") % said,
        back=board,
        step=partial(reopen_round, round_),
        said=_("Round %(number)d is open again.") % said,
        leads_to=board,
        form=ReasonForm(posted_data(request)),
        too_late="" if round_.is_closed else _("Round %(number)d is not closed.") % said,
    )
    return ask_first(request, tournament, asked)
