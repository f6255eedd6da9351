"""What an organiser allows of entering from home."""

from __future__ import annotations

from datetime import time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import NameField, SeenForm
from tournaments.entries.entering import GUEST_NAME_LENGTH
from tournaments.models.base import MOST_DAYS, MOST_PLACES, FromHome, read_from_home

HOURS = ["%H:%M", "%H.%M", "%H", "%H:%M:%S"]


def _days(label: Any, *, required: bool, help_text: Any = "") -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=0, max_value=MOST_DAYS, required=required, help_text=help_text
    )


def _hour(label: Any) -> forms.TimeField:
    return forms.TimeField(
        label=label,
        input_formats=HOURS,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        error_messages={"invalid": gettext_lazy("Type an hour like 19:00.")},
    )


def _tick(label: Any, help_text: Any = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, help_text=help_text)


class FromHomeForm(SeenForm, forms.Form):
    is_on = _tick(gettext_lazy("People can enter from home"))
    opens_days = _days(
        gettext_lazy("Days before the evening when entry opens"),
        required=False,
        help_text=gettext_lazy("Leave it empty to open it now."),
    )
    opens_hour = _hour(gettext_lazy("Time when it opens"))
    closes_days = _days(gettext_lazy("Days before the evening when entry closes"), required=True)
    closes_hour = _hour(gettext_lazy("Time when it closes"))
    places = forms.IntegerField(
        label=gettext_lazy("Places, in players"),
        min_value=0,
        max_value=MOST_PLACES,
        help_text=gettext_lazy("0 for no limit. Players you enter at the desk take a place too."),
    )
    waits = _tick(
        gettext_lazy("A waiting list when all places are taken"),
        gettext_lazy("It moves up automatically when someone withdraws, until the seats are drawn."),
    )
    guests = _tick(gettext_lazy("Guests who are not on any member list can enter"))
    asks = _tick(gettext_lazy("I approve each entry before it gets a place"))
    own_check_in = _tick(
        gettext_lazy("On the day people can check in by themselves, on their own page"),
        gettext_lazy("Otherwise they show their code at the desk or the door."),
    )

    def clean(self) -> dict[str, Any]:
        if not self.errors:
            try:
                read_from_home(self._said().stored())
            except ValueError:
                text = _("Entry would close before it opens.")
                self.add_error("closes_days", ValidationError(text))
        return self.cleaned_data

    def chosen(self) -> dict[str, FromHome]:
        return {"chosen": self._said()}

    def _said(self) -> FromHome:
        said = {name: self.cleaned_data[name] for name in self.fields}
        hours = {name: value.strftime("%H:%M") for name, value in said.items() if isinstance(value, time)}
        return FromHome(**said | hours)


class WhoForm(forms.Form):
    """A guest's name, for who typed something that is nobody's."""

    name = NameField(label=gettext_lazy("Guest's name"), max_length=GUEST_NAME_LENGTH, required=False)
