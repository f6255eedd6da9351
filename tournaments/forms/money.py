"""How the prize pool is shared, typed as per cents by place."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.payments import read_shares


class SharesField(forms.CharField):
    """Per cents by place, "50 30 20"; nothing typed means no prizes."""

    def prepare_value(self, value: object) -> object:
        return " ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: object) -> list[int]:
        typed = super().clean(value)
        try:
            return read_shares(typed)
        except ValueError:
            raise ValidationError(
                _("Type whole per cents by place like 50 30 20, together at most 100.")
            ) from None


class PrizesForm(forms.Form):
    shares = SharesField(
        label=gettext_lazy("Per cent of the pool for the 1st, 2nd, 3rd … place"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("For example 50 30 20. What is left to 100 stays in the club’s box."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
