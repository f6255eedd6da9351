"""Finishing a tournament, and penalties."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.db.models import Max
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.errors import NotPossible
from core.http.steps import handle_form, posted_data
from tournaments.desk.evening.forms import PenaltyForm, ReasonForm
from tournaments.desk.evening.next_step import last_steps
from tournaments.desk.evening.readiness import before_finish
from tournaments.domain.terms import signed
from tournaments.ledger.queries import current_round
from tournaments.lifecycle.ending import (
    MINUTES_OFFERED,
    USUAL_MINUTES,
    hear_objections,
    post,
    reopen_tournament,
    why_not_finish,
)
from tournaments.lifecycle.money import podiums, reckon
from tournaments.lifecycle.rulings import cancel_penalty, penalise
from tournaments.web.choice_field import found_alone
from tournaments.web.confirming import Question, ask_first
from tournaments.web.fields import reason_field
from tournaments.web.guards import DESK, DeskRequest, desk_view
from tournaments.web.prizes_form import PrizesForm, prizes_last_time, prizes_typed, proposed_prizes

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpResponse
    from django.utils.functional import _StrPromise as StrPromise

    from clubs.models import Account
    from tournaments.models import Penalty, Tournament


# The end of an evening at the desk: posting the standings, the podium, what is still to be done, opening again.


def _success_message(tournament: Tournament) -> str:
    if tournament.is_finished:
        return _("The tournament is finished; the standings are final.")
    text = _("The final standings are published. Objections can be made until %(time)s.")
    return text % {"time": tournament.objections_said}


def _end_of(tournament: Tournament) -> dict[str, str]:
    """The end that a question is about, so that a double click moves it once."""
    until = tournament.objections_until
    return {"end": f"{tournament.state} {until.isoformat() if until else ''}"}


@desk_view()
def desk_finish(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Ask how long objections are heard; afterwards the podium, and what is left to do."""
    here, overview = (reverse(name, args=[tournament.code]) for name in ("desk_finish", "desk_tournament"))
    if tournament.is_played and request.method != "POST":
        return render(request, "desk/evening/finish.html", _finish_page(tournament))
    asked = Question(
        title=_("Finish the tournament"),
        does=_(
            "The final standings are published as provisional on every page and sheet, and become"
            " final if nobody objects in time. You can reopen the tournament, giving a reason."
        ),
        button=_("Finish the tournament now"),
        back=overview,
        notes=partial(before_finish, tournament),
        step=partial(post, tournament),
        message=_success_message,
        leads_to=here if tournament.is_played or not why_not_finish(tournament) else overview,
        form=PostForm(posted_data(request)),
        too_late=why_not_finish(tournament),
    )
    return ask_first(request, tournament, asked)


def _finish_page(tournament: Tournament) -> dict[str, object]:
    steps, won = last_steps(tournament), podiums(tournament)
    left = sum(not step.done for step in steps)
    awards = steps[0].is_open  # the prizes are the first of them
    pool = reckon(tournament).pool if awards else 0
    return {
        "tournament": tournament,
        "podiums": won,
        "prizes": PrizesForm(initial=prizes_typed(tournament)) if awards else None,
        "pool": pool,
        "rows": proposed_prizes(pool, won) if awards else [],
        "last_prizes": prizes_last_time(tournament) if awards else None,
        "last": steps,
        "left": left,
        "notes": before_finish(tournament) if tournament.is_posted else [],
    }


@desk_view()
def desk_objections(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Hear objections for longer, or shorter, or not at all."""
    finish = reverse("desk_finish", args=[tournament.code])
    at_once = "final" in request.GET
    asked = Question(
        title=_("Make the standings final") if at_once else _("The objection period"),
        does=_("It starts now. Every page shows until when the standings are provisional."),
        button=_("Make them final now") if at_once else _("Save the time"),
        back=finish,
        step=partial(hear_objections, tournament),
        message=_success_message,
        leads_to=finish,
        form=PostForm(posted_data(request), initial={"minutes": 0} if at_once else None),
        sees=_end_of(tournament),
        too_late="" if tournament.is_posted else _("There is no longer an objection period."),
        instead=finish if tournament.is_played else reverse("desk_tournament", args=[tournament.code]),
    )
    return ask_first(request, tournament, asked)


@desk_view()
def desk_reopen(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    overview = reverse("desk_tournament", args=[tournament.code])
    asked = Question(
        title=_("Reopen the tournament"),
        does=_("The standings are no longer final: rounds can be reopened and penalties given."),
        button=_("Reopen the tournament"),
        back=reverse("desk_finish", args=[tournament.code]),
        step=partial(reopen_tournament, tournament),
        message=_("The tournament is open again."),
        leads_to=overview,
        form=ReopenForm(posted_data(request)),
        sees=_end_of(tournament),
        too_late="" if tournament.is_played else _("The tournament is not finished."),
        instead=overview,
    )
    return ask_first(request, tournament, asked)


urlpatterns = [
    path(f"{DESK}finish/", desk_finish, name="desk_finish"),
    path(f"{DESK}finish/objections/", desk_objections, name="desk_objections"),
    path(f"{DESK}reopen/", desk_reopen, name="desk_reopen"),
]


# How long objections are heard before final standings are final, as it is chosen at the desk.

if TYPE_CHECKING:
    Choices = Callable[[], list[tuple[int, str]]]

HOUR, DAY = 60, 1440


def minutes_text(minutes: int) -> str:
    if minutes == DAY:
        return _("a day")
    if minutes >= HOUR and minutes % HOUR == 0:
        hours = minutes // HOUR
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}


def _choices(none: StrPromise) -> Choices:
    return lambda: [(minutes, minutes_text(minutes) if minutes else str(none)) for minutes in MINUTES_OFFERED]


def _minutes(label: StrPromise, none: StrPromise, initial: int) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, choices=_choices(none), coerce=int, initial=initial)


class PostForm(forms.Form):
    """Posting the final standings, or moving the time for objections."""

    minutes = _minutes(
        gettext_lazy("Objections can be made for"),
        gettext_lazy("no objection period: final at once"),
        USUAL_MINUTES,
    )


class ReopenForm(forms.Form):
    """The reason for reopening, and whether for objections only or for further play."""

    reason = reason_field(help_text=gettext_lazy("It will be recorded in the log."))
    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Afterwards"), required=False, coerce=int, initial=0,
        choices=lambda: [(0, _("play continues, and the tournament is finished again later"))] + [
            (minutes, _("provisional: objections can be made for %(time)s") % {"time": minutes_text(minutes)})
            for minutes in MINUTES_OFFERED if minutes
        ],
    )  # fmt: skip

    def clean_minutes(self) -> int:
        return self.cleaned_data["minutes"] or 0


# Penalties: tokens or match points by ruling, signed and reasoned, in their own column of the standings.


@desk_view(helper=True)
def desk_penalties(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    """Every penalty, cancelled ones too; an organiser adds one here."""
    current = current_round(tournament)
    initial = {
        "round": current if current and not current.is_drawn else None,
        "seen": newest_penalty(tournament),
    }
    form = PenaltyForm(
        posted_data(request) if request.organises else None, tournament=tournament, initial=initial
    )
    if hits := found_alone(request, form):
        return hits
    step, said = partial(_penalise, tournament), _("The penalty now counts.")
    to = ("desk_penalties", tournament.code)
    if done := handle_form(request, form, step, said, *to, arguments=lambda: {"form": form}):
        return done
    if form.is_bound:
        form.look_again(newest_penalty(tournament))
    penalties = tournament.penalties.select_related("entry__player", "team", "round").order_by("-pk")
    context = {
        "tournament": tournament,
        "form": form,
        "active": [penalty for penalty in penalties if penalty.cancelled_at is None],
        "cancelled": [penalty for penalty in penalties if penalty.cancelled_at],
    }
    return render(request, "desk/evening/penalties.html", context)


def newest_penalty(tournament: Tournament) -> int:
    """The primary key of the last penalty ruled; 0 if there is none."""
    return tournament.penalties.aggregate(newest=Max("pk"))["newest"] or 0


def _penalise(tournament: Tournament, *, form: PenaltyForm, account: Account, now: datetime) -> Penalty:
    data = form.cleaned_data
    newer = tournament.penalties.filter(pk__gt=data["seen"]).select_related("entry__player", "team").last()
    if newer:
        said = {"player": newer.whom, "tokens": signed(newer.amount), "reason": newer.reason}
        raise NotPossible(
            _(
                "A penalty has been given in the meantime: %(player)s, %(tokens)s, “%(reason)s”. "
                "Press again only if you mean another one."
            )
            % said,
            "entry",
        )
    return penalise(
        form.whom,
        **form.amount,
        reason=data["reason"],
        round_=data["round"],
        account=account,
        now=now,
    )


@desk_view()
def desk_cancel_penalty(request: DeskRequest, tournament: Tournament, penalty: int) -> HttpResponse:
    ruled: Penalty = get_object_or_404(
        tournament.penalties.select_related("entry__player", "team"), pk=penalty
    )
    penalties = reverse("desk_penalties", args=[tournament.code])
    if ruled.cancelled_at:  # a second reason would be lost
        messages.info(request, _("This penalty has already been cancelled."))
        return redirect(penalties)
    asked = Question(
        title=_("Cancel a penalty"),
        does=_does(ruled),
        button=_("Cancel the penalty"),
        back=penalties,
        step=partial(cancel_penalty, ruled),
        message=_("The penalty no longer counts; it remains in the list."),
        leads_to=penalties,
        form=ReasonForm(posted_data(request)),
    )
    return ask_first(request, tournament, asked)


def _does(ruled: Penalty) -> str:
    text = _(
        "%(player)s: %(tokens)s tokens for “%(reason)s” will no longer count. The ruling can still be read."
    )
    if ruled.match_points:
        text = _(
            "%(player)s: %(points)s match points for “%(reason)s” will no longer count. The ruling can "
            "still be read."
        )
    amount = signed(ruled.amount)
    return text % {"player": ruled.whom, "tokens": amount, "points": amount, "reason": ruled.reason}
