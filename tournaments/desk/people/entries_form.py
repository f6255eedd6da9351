"""What is typed about players at the desk: a guest's name, why somebody goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.forms import NameField, SeenForm
from tournaments.entries.entering import GUEST_NAME_LENGTH

if TYPE_CHECKING:
    from tournaments.models import Tournament


class GuestForm(forms.Form):
    """A guest, by name; `somebody_else` says that a namesake is not meant."""

    name = NameField(
        label=_("Guest's name"),
        max_length=GUEST_NAME_LENGTH,
        error_messages={"required": _("Type the guest’s name.")},
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    here = forms.BooleanField(label=_("Is here already"), required=False)
    somebody_else = forms.BooleanField(required=False, widget=forms.HiddenInput)
    back = forms.CharField(required=False, widget=forms.HiddenInput)

    @classmethod
    def fresh(cls, tournament: Tournament, back: str) -> GuestForm:
        """An empty form that leads to the page named `back`; on the day itself a guest stands at the door."""
        here = tournament.is_running or tournament.date <= timezone.localdate()
        return cls(initial={"here": here, "back": back})


class WithdrawForm(forms.Form):
    reason = NameField(
        label=_("Why"),
        max_length=200,
        error_messages={"required": _("Say why, in a few words.")},
        help_text=_("For example: ill, did not come, entered by mistake."),
    )


class RenameForm(SeenForm, forms.Form):
    name = NameField(
        label=_("Guest's name"),
        max_length=GUEST_NAME_LENGTH,
        error_messages={"required": _("Type the guest’s name.")},
    )
