"""A slip as it is sent: a result and the paper's totals for each deal, and one reason for all that is corrected."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.web.fields import reason_field
from tournaments.web.finding import number_in


class SlipForm(forms.Form):
    """`key` is the page's: sending it twice stores it once; `seen` are the revisions of the deals it was typed over."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    reason = reason_field(
        required=False,
        label=gettext_lazy("Why are deals corrected?"),
        help_text=gettext_lazy("Only if a line changes a deal reported earlier; one reason for all of them."),
    )

    def revisions(self, deals: int) -> list[int]:
        """The revision that each deal was typed over; what cannot be read is 0, which goes over nothing."""
        typed = [number_in(word) or 0 for word in self.data.get("seen", "").split(",")]
        return (typed + [0] * deals)[:deals]

    def say_reason_is_missing(self) -> None:
        self.add_error("reason", _("Say why the deal is corrected, in a few words."))
