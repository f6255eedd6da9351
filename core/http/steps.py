"""Run a step of a view: a button or a form was sent, the step runs, its message is shown, the browser is redirected.

Every step is called with `account` and `now`, and with the values of its form. If it is not possible it raises
`UserError`: the message appears at the field that it concerns, with the input preserved, or on the next page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import redirect
from django.utils import timezone

from core.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from django import forms
    from django.http import HttpRequest, HttpResponse, QueryDict

    # The success message of a step, or a function from the step's result to the message.
    Message = str | Callable[[Any], str]
    # The URL that takes back what was done at a moment.
    Undo = Callable[[datetime], str]


def take_step(
    request: HttpRequest,
    step: Callable[..., object],
    message: Message,
    form: forms.BaseForm | None = None,
    arguments: Mapping[str, object] | None = None,
    *,
    stays: bool = False,
    undo: Undo | None = None,
) -> bool:
    """Run a step in its transaction, and show its message; if it is not possible, show why.

    `arguments` are those besides `account` and `now`. `undo` returns the URL that undoes what was done at a time; it is
    offered with the message if the step returns a true value. Returns False only if the error belongs to a field of
    `form`, which is then shown again; with `stays`, after every error. Otherwise a second, late request gets the
    message and continues like the first.
    """
    now = timezone.now()
    try:
        made = step(**(arguments or {}), account=request.user, now=now)
    except UserError as refusal:
        if form is not None and _field_of(form, refusal):
            add_to_form(form, refusal)
            return False
        messages.warning(request, refusal.message)
        return not stays
    # What a message is tagged with is where its button leads, see base.html#messages.
    messages.success(
        request,
        message(made) if callable(message) else message,
        extra_tags=undo(now) if undo and made else "",
    )
    return True


def handle_button(
    request: HttpRequest, step: Callable[..., object], message: Message, *to: Any, undo: Undo | None = None
) -> HttpResponse:
    """Handle a button without a form: run the step, then redirect to `to`."""
    take_step(request, step, message, undo=undo)
    return redirect(*to)


def handle_form(
    request: HttpRequest,
    form: forms.BaseForm,
    step: Callable[..., object],
    message: Message,
    *to: Any,
    arguments: Callable[[], Mapping[str, object]] | None = None,
    stays: bool = False,
) -> HttpResponse | None:
    """Handle a submitted form; None if it was not submitted, or is to be shown again with its errors (see `take_step`).

    The step gets the cleaned data, or `arguments()` where they have other names.
    """
    if not form.is_valid():
        return None
    by_form = arguments() if arguments else form.cleaned_data
    return redirect(*to) if take_step(request, step, message, form, by_form, stays=stays) else None


def as_account(step: Callable[..., object], account: object) -> Callable[..., object]:
    """The step as `account` takes it, or None for nobody's, regardless of who is signed in at the browser."""

    def take(**arguments: object) -> object:
        return step(**arguments | {"account": account})

    return take


def add_to_form(form: forms.BaseForm, refusal: UserError, field: str = "") -> None:
    """Add the error to the field that it concerns, or to `field`; else above the form."""
    form.add_error(_field_of(form, refusal) or field or None, refusal.message)


def _field_of(form: forms.BaseForm, refusal: UserError) -> str:
    """The form field that an error concerns, through `refused_at` if the form maps names; "" if there is none."""
    name = getattr(form, "refused_at", {}).get(refusal.field, refusal.field)
    return name if name in form.fields else ""


def posted_data(request: HttpRequest) -> QueryDict | None:
    """The POST data, or None for a GET."""
    return request.POST if request.method == "POST" else None
