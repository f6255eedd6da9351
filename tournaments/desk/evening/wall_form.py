"""What the wall of the hall shows, and for how long each."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy, ngettext

from tournaments.models import base
from tournaments.models.base import SECONDS_OFFERED, Wall

NAMES = {
    base.PODIUM: gettext_lazy("the podium, when play is over"),
    base.SEATS: gettext_lazy("seats, until the first deal, and of the round to come"),
    base.STANDINGS: gettext_lazy("standings, once a deal is reported"),
    base.TABLES: gettext_lazy("tables with who leads there"),
    base.PROGRESS: gettext_lazy("how far each table is, with the clock and deals an hour"),
}


def _seconds() -> list[tuple[int, str]]:
    return [
        (each, ngettext("%(count)d second", "%(count)d seconds", each) % {"count": each})
        for each in SECONDS_OFFERED
    ]


class WallForm(forms.Form):
    shows = forms.MultipleChoiceField(
        label=gettext_lazy("It shows"), choices=list(NAMES.items()), widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose one at least.")},
    )  # fmt: skip
    seconds = forms.TypedChoiceField(label=gettext_lazy("Each for"), choices=_seconds, coerce=int)
    on_paper = forms.BooleanField(label=gettext_lazy("A light ground, for a weak lamp"), required=False)

    def chosen(self) -> dict[str, Wall]:
        said = self.cleaned_data
        return {
            "wall": Wall(
                tuple(name for name in base.SLIDES if name in said["shows"]),
                said["seconds"],
                said["on_paper"],
            )
        }
