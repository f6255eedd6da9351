"""The form of an objection: what it is about, and what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy

from core.forms import NameField
from tournaments.lifecycle.objections import Subject
from tournaments.models import Objection
from tournaments.models.objections import LONGEST_WORDS

if TYPE_CHECKING:
    from tournaments.models import Tournament

NUMBERS = ("round_number", "table_number", "deal_number")


class ObjectionForm(forms.Form):
    """The form of an objection; the required numbers depend on its subject."""

    about = forms.ChoiceField(label=gettext_lazy("What it is about"), choices=Objection.About.choices)
    round_number = forms.TypedChoiceField(
        label=gettext_lazy("Round"), required=False, coerce=int, empty_value=None
    )
    table_number = forms.IntegerField(
        label=gettext_lazy("Table"), required=False, min_value=1, max_value=999,
        help_text=gettext_lazy("For a deal."),
    )  # fmt: skip
    deal_number = forms.IntegerField(
        label=gettext_lazy("Deal"), required=False, min_value=1, max_value=80,
        help_text=gettext_lazy("For a deal."),
    )  # fmt: skip
    words = NameField(
        label=gettext_lazy("What is wrong"), max_length=LONGEST_WORDS, widget=forms.Textarea({"rows": 4})
    )

    def __init__(self, *args: Any, tournament: Tournament, **fields: Any) -> None:
        super().__init__(*args, **fields)
        numbers = tournament.rounds.order_by("number").values_list("number", flat=True)
        self.fields["round_number"].choices = [("", "–"), *((one, one) for one in numbers)]  # type: ignore[attr-defined]

    def arguments(self) -> dict[str, Any]:
        """The arguments of `make_objection` from a valid form."""
        chosen = self.cleaned_data
        return {
            "subject": Subject(chosen["about"], *(chosen[name] for name in NUMBERS)),
            "words": chosen["words"],
        }
