"""Confirmation pages: explain an action, and perform it when the button is pressed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from core.http.steps import handle_button, handle_form

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django import forms
    from django.http import HttpResponse

    from clubs.views.guards import MemberRequest
    from core.http.steps import Message, Undo
    from tournaments.models import Tournament
    from tournaments.web.guards import DeskRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An action and its confirmation: effect, notes, button, way back.

    `step` is called as in `core.http.steps`, with the `form`'s values if there is one; then the `message` is
    shown and the page `leads_to` opened. `too_late` returns the reason if there is nothing to confirm any more,
    and leads back, or to the page `instead`. `sees` is the state that was confirmed: if it has changed, as after a
    double click, the action is not performed. Without a form, `undo` offers to take it back.
    """

    title: str
    does: str
    button: str
    back: str
    step: Callable[..., object]
    message: Message
    leads_to: str
    notes: Callable[[], Sequence[str]] = tuple
    form: forms.Form | None = None
    arguments: Callable[[], Mapping[str, object]] | None = None
    sees: Mapping[str, str] = field(default_factory=dict)
    too_late: str = ""
    instead: str = ""
    undo: Undo | None = None


def ask_first(
    request: DeskRequest | MemberRequest, tournament: Tournament | None, asked: Question, **around: object
) -> HttpResponse:
    """Render the confirmation page; on POST, run the step. `around` is the template context of a club's pages."""
    answered = _answered(request, asked) if request.method == "POST" else None
    if answered:
        return answered
    if asked.too_late:
        messages.info(request, asked.too_late)
        return redirect(asked.instead or asked.back)
    shown = {"tournament": tournament, "asked": asked, "notes": asked.notes(), "form": asked.form}
    page = "web/confirm.html" if tournament else "desk/club/confirm.html"
    return render(request, page, shown | around)


def _answered(request: DeskRequest | MemberRequest, asked: Question) -> HttpResponse | None:
    """The redirect after confirming; None to show the page again with errors."""
    if any(request.POST.get(name) != value for name, value in asked.sees.items()):
        messages.info(request, _("Something has changed in the meantime. This is how it is now."))
        return redirect(asked.leads_to)
    if asked.form is None:
        return handle_button(request, asked.step, asked.message, asked.leads_to, undo=asked.undo)
    return handle_form(
        request, asked.form, asked.step, asked.message, asked.leads_to, arguments=asked.arguments
    )


# Undo of a batch action, by the button in its message.

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def undo_of(tournament: Tournament, what: str) -> Undo:
    """The URL that takes back what was done at a moment, as `desk_undo` calls it."""
    return lambda at: reverse("desk_undo", args=[tournament.code, what, (at - _BEGIN) // _MICROSECOND])


def moment(told: int) -> datetime:
    """Parse the moment in a URL. Raises OverflowError if it is out of range."""
    return _BEGIN + told * _MICROSECOND
