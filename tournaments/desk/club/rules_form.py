"""A club's own rules under a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import NameField, differences
from tournaments.web.rules_form import RulesForm, own_values

if TYPE_CHECKING:
    from clubs.models import Club
    from tournaments.models import ClubRules


class ClubRulesForm(RulesForm):
    """A new set of rules for `club`, or a change to `stored`. `seen` says what the page that was sent showed."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    name = NameField(
        label=gettext_lazy("Name"),
        max_length=80,
        help_text=gettext_lazy(
            "The name the club uses for these rules. It appears on sheets and in the hall."
        ),
    )
    field_order = ("seen", "name", "rulebook")

    def __init__(self, *args: Any, club: Club, stored: ClubRules | None = None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.club = club
        self.stored = stored
        # The same under the same name: what the first of two clicks has stored.
        self.twin: ClubRules | None = None

    def clean_seen(self) -> str:
        seen: str = self.cleaned_data["seen"]
        if self.stored and seen != mark(self.stored):
            # The next try is for what is stored now.
            self.data = {**self.data.dict(), "seen": mark(self.stored)}  # type: ignore[attr-defined]
            raise ValidationError(
                _(
                    "Someone else has changed these rules since you opened the page. Saving again stores "
                    "yours."
                )
            )
        return seen

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.stored and "seen" in self.errors:
            differences(self, self.cleaned_data, stored_values(self.stored))
        others = self.club.own_rules.filter(name__iexact=data["name"]) if "name" in data else ()
        for other in others:
            if not self.stored and not self.errors and vars(other).items() >= self.values().items():
                self.twin = other
            elif other != self.stored:
                self.name_is_taken()
        return data

    def name_is_taken(self) -> None:
        self.add_error("name", _("The club already has rules with this name."))

    def values(self) -> dict[str, Any]:
        return {"name": self.cleaned_data["name"], "rulebook": self.book.id, "options": self.options()}


def mark(rules: ClubRules) -> str:
    """When it was changed: another mark means that it says something else now."""
    return rules.changed_at.isoformat()


def stored_values(rules: ClubRules) -> dict[str, Any]:
    """A stored set as the form's initial values."""
    return own_values(rules) | {"name": rules.name, "seen": mark(rules)}
