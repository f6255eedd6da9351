"""How long objections are heard before final standings are final, as it is chosen at the desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.lifecycle.ending import MINUTES_OFFERED, USUAL_MINUTES
from tournaments.web.fields import reason_field

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrPromise as StrPromise

    Choices = Callable[[], list[tuple[int, str]]]

HOUR, DAY = 60, 1440


def minutes_said(minutes: int) -> str:
    if minutes == DAY:
        return _("a day")
    if minutes >= HOUR and minutes % HOUR == 0:
        hours = minutes // HOUR
        return ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours}
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}


def _choices(none: StrPromise) -> Choices:
    return lambda: [(minutes, minutes_said(minutes) if minutes else str(none)) for minutes in MINUTES_OFFERED]


def _minutes(label: StrPromise, none: StrPromise, initial: int) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, choices=_choices(none), coerce=int, initial=initial)


class PostForm(forms.Form):
    """Posting the final standings, or moving the time for objections."""

    minutes = _minutes(
        gettext_lazy("Objections can be made for"),
        gettext_lazy("no objection period: final at once"),
        USUAL_MINUTES,
    )


class ReopenForm(forms.Form):
    """Why standings are not final any more, and whether only objections are heard again, or play goes on."""

    reason = reason_field(help_text=gettext_lazy("It is written in the log."))
    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Afterwards"), required=False, coerce=int, initial=0,
        choices=lambda: [(0, _("play continues, and the tournament is finished again later"))] + [
            (minutes, _("provisional: objections can be made for %(time)s") % {"time": minutes_said(minutes)})
            for minutes in MINUTES_OFFERED if minutes
        ],
    )  # fmt: skip

    def clean_minutes(self) -> int:
        return self.cleaned_data["minutes"] or 0
