"""For how long a round is played, and by how much its clock is lengthened."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from tournaments.values.clock import MOST_MINUTES

# What the buttons offer, in minutes.
LENGTHENED_BY = (-5, 1, 5, 10, 15)


class StartForm(forms.Form):
    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"), min_value=1, max_value=MOST_MINUTES,
        help_text=gettext_lazy("Rounds to come begin with a clock of the same length."),
    )  # fmt: skip


class LengthenForm(forms.Form):
    """`seen` are the minutes of the clock on the page that was pressed on: twice is once."""

    minutes = forms.TypedChoiceField(choices=[(each, each) for each in LENGTHENED_BY], coerce=int)
    seen = forms.IntegerField(min_value=1, max_value=MOST_MINUTES)
