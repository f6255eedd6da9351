"""For how long a round is played, and by how much its clock is lengthened."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.values.clock import MOST_MINUTES

# What the buttons offer, in minutes.
LENGTHENED_BY = (-5, 1, 5, 10, 15)


class ClockOfRoundForm(forms.Form):
    """Whether a round that is started has a clock; without one its minutes are not looked at."""

    with_clock = forms.BooleanField(
        label=gettext_lazy("Start the clock with it"), required=False,
        help_text=gettext_lazy("The time left stands above every page of the desk and on the projector."),
    )  # fmt: skip
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"), required=False, min_value=1, max_value=MOST_MINUTES,
        help_text=gettext_lazy("Rounds to come begin with a clock of the same length."),
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        if not self.cleaned_data["with_clock"]:
            self.errors.pop("minutes", None)
            self.cleaned_data["minutes"] = 0
        elif self.cleaned_data.get("minutes") is None and "minutes" not in self.errors:
            self.add_error("minutes", _("From 1 to %(most)d minutes.") % {"most": MOST_MINUTES})
        return self.cleaned_data

    def chosen(self) -> dict[str, int]:
        """What the round is started with."""
        return {"minutes": self.cleaned_data["minutes"]}


class StartForm(forms.Form):
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"), min_value=1, max_value=MOST_MINUTES,
        help_text=gettext_lazy("Rounds to come begin with a clock of the same length."),
    )  # fmt: skip


class LengthenForm(forms.Form):
    """`seen` are the minutes of the clock on the page that was pressed on: twice is once."""

    minutes = forms.TypedChoiceField(choices=[(each, each) for each in LENGTHENED_BY], coerce=int)
    seen = forms.IntegerField(min_value=1, max_value=MOST_MINUTES)
