"""Prizes by place, typed as per cents of the entry fees or as kroner; and how everybody settles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import SeenForm
from core.text import clean_text
from tournaments.domain.amounts import read_amounts, to_type
from tournaments.domain.prizes import MOST_LETTERS, MOST_PRIZES, are_amounts, are_things, read_shares

if TYPE_CHECKING:
    from tournaments.models import Tournament

SHARES, AMOUNTS = "shares", "amounts"
CASHIER, EACH_OTHER = "cashier", "each_other"


class PrizesForm(SeenForm, forms.Form):
    """`prizes()` is what the places win, of one kind or the other, and beside it; nothing typed means no prizes."""

    unit = forms.ChoiceField(
        label=gettext_lazy("Prizes are"),
        choices=[
            (SHARES, gettext_lazy("per cent of the entry fees")),
            (AMOUNTS, gettext_lazy("fixed amounts in kroner")),
        ],
        widget=forms.RadioSelect,
    )
    by_place = forms.CharField(
        label=gettext_lazy("For the 1st, 2nd, 3rd … place"),
        required=False,
        max_length=400,
        help_text=gettext_lazy(
            "For example 50 30 20 per cent, or 300 200 100 kroner. Entry fees left over stay in "
            "the club’s cash box; the club covers any shortfall."
        ),
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    things = forms.CharField(
        label=gettext_lazy("Prizes other than money, one line per place"),
        required=False,
        help_text=gettext_lazy(
            "For example “Challenge cup” on the first line. An empty line means no such prize for that place."
        ),
        widget=forms.Textarea({"rows": 3, "autocomplete": "off"}),
    )

    def clean_things(self) -> list[str]:
        lines = [clean_text(line) for line in self.cleaned_data["things"].splitlines()]
        while lines and not lines[-1]:
            lines.pop()
        if not are_things(lines):
            said = {"most": MOST_PRIZES, "letters": MOST_LETTERS}
            raise forms.ValidationError(
                _("At most %(most)d lines of at most %(letters)d letters each."), params=said
            )
        return lines

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        typed = cleaned.get("by_place", "")
        try:
            if cleaned.get("unit") == SHARES:
                cleaned[SHARES], cleaned[AMOUNTS] = read_shares(typed), []
            elif cleaned.get("unit") == AMOUNTS:
                cleaned[SHARES], cleaned[AMOUNTS] = [], _amounts(typed)
        except ValueError:
            self.add_error("by_place", self._how())
        return cleaned

    def _how(self) -> str:
        if self.cleaned_data.get("unit") == SHARES:
            return _("Type whole percentages by place, such as 50 30 20, adding up to at most 100.")
        return _("Type kroner by place with spaces between them, such as 300 200 100.")

    def prizes(self) -> dict[str, list[Any]]:
        return {kind: self.cleaned_data[kind] for kind in (SHARES, AMOUNTS, "things")}


def _amounts(typed: str) -> list[int]:
    amounts = read_amounts(typed)
    if not are_amounts(amounts):
        raise ValueError(typed)
    return amounts


def prizes_typed(tournament: Tournament) -> dict[str, str]:
    """A tournament's prizes as the form has them."""
    things = {"things": "\r\n".join(tournament.prize_things)}  # as browsers send lines
    if tournament.prize_amounts:
        return things | {"unit": AMOUNTS, "by_place": " ".join(map(to_type, tournament.prize_amounts))}
    return things | {"unit": SHARES, "by_place": " ".join(map(str, tournament.prize_shares))}


class WayForm(forms.Form):
    """How everybody settles: with the club's cashier, or with each other."""

    way = forms.ChoiceField(
        choices=[
            (CASHIER, gettext_lazy("Everyone settles with the club’s cashier")),
            (EACH_OTHER, gettext_lazy("Players pay each other")),
        ]
    )
