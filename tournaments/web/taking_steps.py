"""A button is pressed: take the step, and say what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages

from tournaments.steps.refusals import NotPossible

if TYPE_CHECKING:
    from collections.abc import Callable

    from django import forms
    from django.http import HttpRequest


def taken(
    request: HttpRequest, step: Callable[[], object], said: str, form: forms.Form | None = None
) -> bool:
    """Take `step` and say `said`; where it is not possible, say why.

    False only if the refusal concerns a field of `form`: it stands there, and the form is to be shown again.
    Whoever comes second with the same wish is told so and goes on like the first.
    """
    try:
        step()
    except NotPossible as refusal:
        if form is not None and refusal.field in form.fields:
            form.add_error(refusal.field, refusal.message)
            return False
        messages.warning(request, refusal.message)
    else:
        messages.success(request, said)
    return True
