"""A button is pressed or a form sent: the step is taken, what came of it is said, and one goes on from there.

Every step is called with `account` (who asks) and `now`, and with what its form says. What cannot be done is a
`Refusal`: it stands at the field that it concerns, with all that was typed, or is a message on the next page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import redirect
from django.utils import timezone

from core.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from django import forms
    from django.http import HttpRequest, HttpResponse, QueryDict

    # What is said of a step that was taken, or how to say it of what the step has made.
    Said = str | Callable[[Any], str]
    # The address that takes back what was done at a moment.
    Undo = Callable[[datetime], str]


def taken(
    request: HttpRequest,
    step: Callable[..., object],
    said: Said,
    form: forms.BaseForm | None = None,
    typed: Mapping[str, object] | None = None,
    *,
    stays: bool = False,
    undo: Undo | None = None,
) -> bool:
    """Take the step, which does all that it does or nothing, and say so; where it is not possible, say why.

    `typed` is what the step is called with besides `account` and `now`.
    What can be taken back at once is offered beside what is said: `undo` is the address for what was done at a moment,
    by a step that returns to how many.
    False only if the refusal concerns a field of `form`: it stands there, and the form is to be shown again; with
    `stays`, after any refusal. Else whoever comes second with the same wish is told so and goes on like the first.
    """
    now = timezone.now()
    try:
        made = step(**(typed or {}), account=request.user, now=now)
    except Refusal as refusal:
        if form is not None and _field_of(form, refusal):
            say_in_form(form, refusal)
            return False
        messages.warning(request, refusal.message)
        return not stays
    # What a message is tagged with is where its button leads, see _messages.html.
    messages.success(
        request, said(made) if callable(said) else said, extra_tags=undo(now) if undo and made else ""
    )
    return True


def pressed(
    request: HttpRequest, step: Callable[..., object], said: Said, *to: Any, undo: Undo | None = None
) -> HttpResponse:
    """A button that asks for nothing else; `to` is where it leads, as `redirect` takes it."""
    taken(request, step, said, undo=undo)
    return redirect(*to)


def filled_in(
    request: HttpRequest,
    form: forms.BaseForm,
    step: Callable[..., object],
    said: Said,
    *to: Any,
    typed: Callable[[], Mapping[str, object]] | None = None,
    stays: bool = False,
) -> HttpResponse | None:
    """A form that was sent; None where it was not, or is to be shown again with what is wrong (see `taken`).

    The step is called with the form's fields by their names, or with what is `typed` where it calls them otherwise.
    """
    if not form.is_valid():
        return None
    by_form = typed() if typed else form.cleaned_data
    return redirect(*to) if taken(request, step, said, form, by_form, stays=stays) else None


def say_in_form(form: forms.BaseForm, refusal: Refusal, field: str = "") -> None:
    """Say it at the field that it concerns, or at `field`; above the form where that has neither."""
    form.add_error(_field_of(form, refusal) or field or None, refusal.message)


def _field_of(form: forms.BaseForm, refusal: Refusal) -> str:
    """The form's field that a refusal concerns, which a form may call otherwise (`refused_at`); "" if there is none."""
    name = getattr(form, "refused_at", {}).get(refusal.field, refusal.field)
    return name if name in form.fields else ""


def sent(request: HttpRequest) -> QueryDict | None:
    """What a form was sent with; None where the page is only looked at."""
    return request.POST if request.method == "POST" else None
