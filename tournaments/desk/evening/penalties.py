"""Penalties: tokens or match points by ruling, signed and reasoned, in their own column of the standings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.db.models import Max
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from core.errors import NotPossible
from core.http.steps import handle_form, posted_data
from tournaments.desk.evening.evening_form import PenaltyForm, ReasonForm
from tournaments.domain.terms import signed
from tournaments.ledger.queries import current_round
from tournaments.lifecycle.rulings import cancel_penalty, penalise
from tournaments.web.choice_field import found_alone
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from clubs.models import Account
    from tournaments.models import Penalty, Tournament


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
    if done := handle_form(request, form, step, said, *to, typed=lambda: {"form": form}):
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
        said=_("The penalty no longer counts; it stays in the list."),
        leads_to=penalties,
        form=ReasonForm(posted_data(request)),
    )
    return ask_first(request, tournament, asked)


def _does(ruled: Penalty) -> str:
    text = _("%(player)s: %(tokens)s tokens for “%(reason)s” no longer count. The ruling stays readable.")
    if ruled.match_points:
        text = _(
            "%(player)s: %(points)s match points for “%(reason)s” no longer count. The ruling stays readable."
        )
    amount = signed(ruled.amount)
    return text % {"player": ruled.whom, "tokens": amount, "points": amount, "reason": ruled.reason}
