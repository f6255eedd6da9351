"""A tournament is called off at the desk, and taken up again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from core.http.steps import handle_button, posted_data
from tournaments.desk.evening.evening_form import CallOffForm
from tournaments.lifecycle.ending import call_off, take_up_again, why_not
from tournaments.web.confirming import Question, ask_first
from tournaments.web.guards import DeskRequest, desk_view

if TYPE_CHECKING:
    from django.http import HttpResponse

    from tournaments.models import Tournament


@desk_view(called_off=True)
def desk_call_off(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    overview = reverse("desk_tournament", args=[tournament.code])
    if tournament.is_finished and not tournament.is_called_off:
        messages.info(
            request, _("The tournament is finished: it has taken place. Reopen it first, giving a reason.")
        )
        return redirect(overview)
    called_off = _("The tournament has already been called off.") if tournament.is_called_off else ""
    asked = Question(
        title=_("Call the tournament off"),
        does=_(
            "It no longer appears in lists or counts anywhere; its own page in the hall, "
            "calendars and feeds say that it is called off, and why. Nothing is deleted, and you "
            "can reinstate it."
        ),
        button=_("Call it off now"),
        back=overview,
        notes=partial(_notes, tournament),
        step=partial(call_off, tournament),
        said=_(
            "The tournament has been called off. You can reinstate it here, or at the bottom of the desk."
        ),
        leads_to=overview,
        form=CallOffForm(posted_data(request)),
        too_late=called_off or why_not(tournament),
    )
    return ask_first(request, tournament, asked)


def _notes(tournament: Tournament) -> list[str]:
    paid = tournament.entries.filter(fee_paid=True).count() if tournament.entry_fee else 0
    if not paid:
        return []
    text = ngettext(
        "%(count)d entry fee is ticked as paid: give it back.",
        "%(count)d entry fees are ticked as paid: give them back.",
        paid,
    )
    return [text % {"count": paid}]


@desk_view(called_off=True)
@require_POST
def desk_take_up_again(request: DeskRequest, tournament: Tournament) -> HttpResponse:
    said = _("“%(name)s” has been reinstated.") % {"name": tournament}
    return handle_button(
        request, partial(take_up_again, tournament), said, "desk_tournament", tournament.code
    )


urlpatterns = [
    path("desk/t/<str:code>/call-off/", desk_call_off, name="desk_call_off"),
    path("desk/t/<str:code>/take-up-again/", desk_take_up_again, name="desk_take_up_again"),
]
