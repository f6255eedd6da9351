"""For how long a round is played, and by how much its clock is lengthened."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.models.base import MOST_MINUTES
from tournaments.web.fields import whole_number

# What the buttons offer, in minutes.
LENGTHENED_BY = (-5, 1, 5, 10, 15)


def _minutes() -> forms.IntegerField:
    said = gettext_lazy("Later rounds start with a clock of the same length.")
    return whole_number(gettext_lazy("Minutes"), 1, MOST_MINUTES, help_text=said)


class ClockOfRoundForm(forms.Form):
    """Whether a round that is started has a clock; without one its minutes are not looked at."""

    with_clock = forms.BooleanField(
        label=gettext_lazy("Start the clock with the round"), required=False,
        help_text=gettext_lazy("The time left is shown at the top of every desk page and on the projector."),
    )  # fmt: skip
    minutes = _minutes()

    def clean(self) -> dict[str, Any]:
        if not self.cleaned_data["with_clock"]:
            self.errors.pop("minutes", None)
            self.cleaned_data["minutes"] = 0
        return self.cleaned_data

    def chosen(self) -> dict[str, int]:
        """What the round is started with."""
        return {"minutes": self.cleaned_data["minutes"]}


class StartForm(forms.Form):
    minutes = _minutes()


class LengthenForm(forms.Form):
    """`seen` are the minutes of the clock on the page that was pressed on: twice is once."""

    minutes = forms.TypedChoiceField(choices=[(each, each) for each in LENGTHENED_BY], coerce=int)
    seen = forms.IntegerField(min_value=1, max_value=MOST_MINUTES)
