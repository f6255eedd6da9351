"""What one press of a button has done at the desk is taken back by the button beside what is said of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.http import Http404
from django.urls import path, reverse
from django.views.decorators.http import require_POST

from clubs.views.guards import referring_page
from core.http.steps import handle_button
from tournaments.changes.log import Undone
from tournaments.entries.bulk import take_check_in_back, take_list_back, take_paying_back
from tournaments.ledger.undo import take_setting_aside_back, take_settling_back, take_yeses_back
from tournaments.reporting.scans.page import take_sheets_back
from tournaments.web.confirming import moment
from tournaments.web.guards import DESK, DeskRequest, desk_view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpResponse

    from tournaments.models import Tournament

# How each is taken back, and the page where it was done.
STEPS: Mapping[str, tuple[Callable[..., Undone], str]] = {
    "here": (take_check_in_back, "desk_check_in"),
    "paid": (take_paying_back, "desk_check_in"),
    "list": (take_list_back, "desk_check_in"),
    "settled": (take_settling_back, "desk_board"),
    "signed": (take_yeses_back, "desk_board"),
    "aside": (take_setting_aside_back, "desk_late"),
    "sheet": (take_sheets_back, "desk_paper"),
}


@desk_view(helper=True)
@require_POST
def desk_undo(request: DeskRequest, tournament: Tournament, done: str, at: int) -> HttpResponse:
    """Take back what was `done` at a moment (`at`), in microseconds since 1970; pressed twice it is taken back once."""
    if done not in STEPS:
        raise Http404
    step, page = STEPS[done]
    try:
        done_at = moment(at)
    except OverflowError:
        raise Http404 from None
    back = referring_page(request, reverse(page, args=[tournament.code]))
    return handle_button(request, partial(_undo, partial(step, tournament, done_at)), str, back)


def _undo(step: Callable[..., Undone], **by: object) -> str:
    return step(**by).said


urlpatterns = [path(f"{DESK}undo/<slug:done>/<int:at>/", desk_undo, name="desk_undo")]
