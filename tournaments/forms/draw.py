"""What is typed about the draw: a seed, and who changes seats with whom."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

CHOOSE = {
    "required": _("Choose a player."),
    "invalid_choice": _("Choose a player who sits in this round now."),
}


class SeedForm(forms.Form):
    """A draw, with a seed or one that the program picks; `drawn` is the mark of the draw it replaces."""

    seed = forms.IntegerField(
        label=_("Seed"),
        required=False,
        min_value=0,
        max_value=999_999_999,
        widget=forms.NumberInput({"inputmode": "numeric", "autocomplete": "off"}),
        help_text=_(
            "Leave it empty, and the program picks one. The same players and seed always give the same seats."
        ),
    )
    drawn = forms.CharField(required=False, widget=forms.HiddenInput)


class SwapForm(forms.Form):
    """Two seats of one round that are to change players."""

    first = forms.TypedChoiceField(label=_("One player"), coerce=int, error_messages=CHOOSE)
    second = forms.TypedChoiceField(label=_("Another player"), coerce=int, error_messages=CHOOSE)

    def __init__(self, *args: Any, seats: list[tuple[str, list[tuple[int, str]]]], **fields: Any) -> None:
        super().__init__(*args, **fields)
        for name in ("first", "second"):
            self.fields[name].choices = [("", _("choose")), *seats]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        if chosen.get("first") is not None and chosen.get("first") == chosen.get("second"):
            self.add_error("second", _("Choose two different players."))
        return chosen
