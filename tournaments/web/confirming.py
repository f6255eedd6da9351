"""A page that says what a step means before it is taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.shortcuts import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django import forms
    from django.http import HttpResponse, QueryDict

    from tournaments.models import Tournament
    from tournaments.web.guards import DeskRequest


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What is asked: the title, what the step does, the button's words, the way back, what to know before it.

    `sends` are values that come back with the answer: what the page was about when it was shown.
    """

    title: str
    does: str
    button: str
    back: str
    notes: Sequence[str] = ()
    sends: Mapping[str, str] = field(default_factory=dict)


def confirm(
    request: DeskRequest, tournament: Tournament, asked: Confirmation, form: forms.Form | None = None
) -> HttpResponse:
    return render(request, "web/confirm.html", {"tournament": tournament, "asked": asked, "form": form})


def sent(request: DeskRequest) -> QueryDict | None:
    """What a form was sent with; None where the page is only looked at."""
    return request.POST if request.method == "POST" else None
