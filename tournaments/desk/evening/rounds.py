"""A round's and a tournament's steps at the desk, each asked back on a page of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments import rounds
from tournaments.desk.evening.evening_form import CloseForm, ReasonForm
from tournaments.desk.evening.readiness import before_finish, before_start, still_open
from tournaments.web.confirming import Confirmation, confirm, sent
from tournaments.web.finding import find_round
from tournaments.web.guards import DeskRequest, desk_view
from tournaments.web.taking_steps import taken

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tournaments.models import Tournament


@desk_view(helper=True)
def desk_start_round(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_ = find_round(tournament, number)
    if request.method == "POST":
        taken(
            request,
            lambda: rounds.start_round(round_, account=request.user, now=timezone.now()),
            _("Round %(number)d is running. The captains can report.") % {"number": number},
        )
        return redirect("desk_board", tournament.code)
    if not round_.is_drawn:
        messages.info(request, _("Round %(number)d has been started already.") % {"number": number})
        return redirect("desk_round", tournament.code, number)
    asked = Confirmation(
        title=_("Start round %(number)d") % {"number": number},
        does=_("Every table's link and code begin to work, and the captains report their deals."),
        button=_("Start round %(number)d now") % {"number": number},
        back=reverse("desk_tournament", args=[tournament.code]),
        notes=before_start(round_),
    )
    return confirm(request, tournament, asked)


@desk_view(helper=True)
def desk_take_start_back(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_ = find_round(tournament, number)
    if request.method == "POST":
        taken(
            request,
            lambda: rounds.take_start_back(round_, account=request.user, now=timezone.now()),
            _("Round %(number)d has not been started after all.") % {"number": number},
        )
        return redirect("desk_tournament", tournament.code)
    if why := rounds.why_start_stays(round_):
        messages.info(request, why)
        return redirect("desk_round", tournament.code, number)
    asked = Confirmation(
        title=_("Take the start of round %(number)d back") % {"number": number},
        does=_(
            "Nothing has been reported yet. Players can be seated, swapped and drawn again; the captains wait, "
            "and the links and codes that are printed stay good."
        ),
        button=_("Take the start back"),
        back=reverse("desk_round", args=[tournament.code, number]),
    )
    return confirm(request, tournament, asked)


@desk_view(helper=True)
def desk_close_round(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_ = find_round(tournament, number)
    board = reverse("desk_round", args=[tournament.code, number])
    form = CloseForm(sent(request), forced=bool(rounds.missing_at(round_)))
    if form.is_valid() and taken(
        request,
        lambda: rounds.close_round(
            round_, account=request.user, now=timezone.now(), force_reason=form.reason
        ),
        _("Round %(number)d is closed.") % {"number": number},
        form,
    ):
        return redirect("desk_tournament", tournament.code)
    if not round_.is_running:
        messages.info(request, _("Round %(number)d is not running.") % {"number": number})
        return redirect(board)
    asked = Confirmation(
        title=_("Close round %(number)d") % {"number": number},
        does=_("The sheets count as they stand. Reports that come later are kept aside for you."),
        button=_("Close round %(number)d now") % {"number": number},
        back=board,
        notes=still_open(round_),
    )
    return confirm(request, tournament, asked, form)


@desk_view(helper=True)
def desk_reopen_round(request: DeskRequest, tournament: Tournament, number: int) -> HttpResponse:
    round_ = find_round(tournament, number)
    board = reverse("desk_round", args=[tournament.code, number])
    form = ReasonForm(sent(request))
    if form.is_valid() and taken(
        request,
        lambda: rounds.reopen_round(
            round_, reason=form.cleaned_data["reason"], account=request.user, now=timezone.now()
        ),
        _("Round %(number)d is open again.") % {"number": number},
        form,
    ):
        return redirect(board)
    if not round_.is_closed:
        messages.info(request, _("Round %(number)d is not closed.") % {"number": number})
        return redirect(board)
    asked = Confirmation(
        title=_("Reopen round %(number)d") % {"number": number},
        does=_("Its deals can be corrected again, by you and by the captains, until you close it once more."),
        button=_("Reopen round %(number)d") % {"number": number},
        back=board,
    )
    return confirm(request, tournament, asked, form)


@desk_view()
def desk_finish(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    overview = reverse("desk_tournament", args=[tournament.code])
    if request.method == "POST":
        taken(
            request,
            lambda: rounds.finish(tournament, account=request.user, now=timezone.now()),
            _("The tournament is finished; the standings are final."),
        )
        return redirect(overview)
    if problem := rounds.why_not_finish(tournament):
        messages.info(request, problem)
        return redirect(overview)
    asked = Confirmation(
        title=_("Finish the tournament"),
        does=_("The standings become final. You can reopen the tournament with a reason."),
        button=_("Finish the tournament now"),
        back=overview,
        notes=before_finish(tournament),
    )
    return confirm(request, tournament, asked)


@desk_view()
def desk_reopen(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    overview = reverse("desk_tournament", args=[tournament.code])
    form = ReasonForm(sent(request))
    if form.is_valid() and taken(
        request,
        lambda: rounds.reopen_tournament(
            tournament, reason=form.cleaned_data["reason"], account=request.user, now=timezone.now()
        ),
        _("The tournament is open again."),
        form,
    ):
        return redirect(overview)
    if not tournament.is_finished:
        messages.info(request, _("The tournament is not finished."))
        return redirect(overview)
    asked = Confirmation(
        title=_("Reopen the tournament"),
        does=_("The standings are no longer final: rounds can be reopened and players penalised."),
        button=_("Reopen the tournament"),
        back=overview,
    )
    return confirm(request, tournament, asked, form)
