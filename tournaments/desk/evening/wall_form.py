"""What the wall of the hall shows, and for how long each."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy, ngettext

from tournaments.models import base
from tournaments.models.base import SECONDS_OFFERED, Wall

NAMES = {
    base.PODIUM: gettext_lazy("the podium, once play is over"),
    base.SEATS: gettext_lazy("seats, until the first deal, and for the next round"),
    base.STANDINGS: gettext_lazy("standings, once a deal is reported"),
    base.TABLES: gettext_lazy("tables, with the leader at each"),
    base.PROGRESS: gettext_lazy("the progress of each table, with the clock and deals per hour"),
}


def _seconds() -> list[tuple[int, str]]:
    return [
        (each, ngettext("%(count)d second", "%(count)d seconds", each) % {"count": each})
        for each in SECONDS_OFFERED
    ]


class WallForm(forms.Form):
    shows = forms.MultipleChoiceField(
        label=gettext_lazy("It shows"), choices=list(NAMES.items()), widget=forms.CheckboxSelectMultiple,
        error_messages={"required": gettext_lazy("Choose at least one.")},
    )  # fmt: skip
    seconds = forms.TypedChoiceField(label=gettext_lazy("Each for"), choices=_seconds, coerce=int)
    on_paper = forms.BooleanField(
        label=gettext_lazy("Light background, for a weak projector"), required=False
    )

    def chosen(self) -> dict[str, Wall]:
        said = self.cleaned_data
        return {
            "wall": Wall(
                tuple(name for name in base.SLIDES if name in said["shows"]),
                said["seconds"],
                said["on_paper"],
            )
        }
