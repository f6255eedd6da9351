"""What the page of a new evening asks of one that repeats, with the days to look at before anything is made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from core.forms import DATE_FORMATS, DayInput
from tournaments.lifecycle.creating import MOST_EVENINGS, holiday, how_many, next_easter, repeated

if TYPE_CHECKING:
    from django.http import QueryDict

EVERY = [
    ("", gettext_lazy("not repeated")),
    ("1", gettext_lazy("every week")),
    ("2", gettext_lazy("every second week")),
    ("3", gettext_lazy("every third week")),
    ("4", gettext_lazy("every fourth week")),
]
MOST_NAMED = 4  # days left out that are told by their dates


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the series: what holiday it is, if one, and whether an evening is made then."""

    day: date
    holiday: str
    ticked: bool


class RepeatForm(forms.Form):
    """Every so many weeks until a day. Asked of the sent page, `judged` where it is to be made, not only shown."""

    repeat_every = forms.ChoiceField(label=gettext_lazy("Repeats"), choices=EVERY, required=False)
    repeat_until = forms.DateField(
        label=gettext_lazy("Until"), widget=DayInput(), input_formats=DATE_FORMATS, required=False
    )

    def __init__(self, sent: QueryDict | None = None, *, judged: bool = False) -> None:
        super().__init__(sent)
        easter = date_format(next_easter(timezone.localdate()), "DATE_FORMAT")
        self.fields["repeat_until"].help_text = _("Until Easter would be %(day)s.") % {"day": easter}
        self.judged = judged
        self.days: list[Day] = []
        if sent is not None:
            self.full_clean()

    def clean(self) -> dict[str, Any]:
        every, until = self.cleaned_data.get("repeat_every"), self.cleaned_data.get("repeat_until")
        if not every or "repeat_until" in self.errors:
            return self.cleaned_data
        first = _read_day(self.data.get("date", ""))
        if until is None:
            if self.judged:
                self.add_error("repeat_until", _("Say until when it repeats."))
        elif first and until < first:
            self.add_error("repeat_until", _("This is before the first evening."))
        elif first:
            self._lay_out(first, int(every), until)
        return self.cleaned_data

    def _lay_out(self, first: date, weeks: int, until: date) -> None:
        count = how_many(first, weeks, until)
        if count > MOST_EVENINGS:  # said before they are listed: they may be all weeks since the year 1
            self.add_error(
                "repeat_until",
                _("These are %(count)d evenings; at most %(most)d can be created at once.")
                % {"count": count, "most": MOST_EVENINGS},
            )
            return
        days = repeated(first, weeks, until)
        sent: Any = self.data
        ticked = set(sent.getlist("repeat_day")) if self._has_seen(days) else None
        for day in days:
            is_holiday = holiday(day)
            self.days.append(
                Day(day, is_holiday, not is_holiday if ticked is None else day.isoformat() in ticked)
            )
        if self.judged and ticked is None:
            self.add_error(None, _("Check the dates below; those ticked are created when you press again."))
        elif self.judged and not self.chosen:
            self.add_error(None, _("Tick at least one date."))

    def _has_seen(self, days: list[date]) -> bool:
        return bool(self.data.get("repeat_seen") == _mark(days))

    @property
    def mark(self) -> str:
        """Which days are shown: what is ticked of others counts for nothing."""
        return _mark([each.day for each in self.days])

    @property
    def chosen(self) -> list[date]:
        return [each.day for each in self.days if each.ticked]

    @property
    def repeats(self) -> bool:
        return bool(self.cleaned_data.get("repeat_every")) if self.is_bound else False

    @property
    def said(self) -> str:
        """The series in a sentence: how often, until when, how many, and which days are left out."""
        if not self.days:
            return str(dict(EVERY)[""]) if not self.repeats else _("no end date given yet")
        weekday = date_format(self.days[0].day, "l")
        count = len(self.chosen)
        said = ngettext("%(count)d evening", "%(count)d evenings", count) % {"count": count}
        said = _("%(weekday)s, %(every)s until %(until)s: %(evenings)s") % {
            "weekday": weekday,
            "every": dict(EVERY)[self.cleaned_data["repeat_every"]],
            "until": date_format(self.cleaned_data["repeat_until"], "DATE_FORMAT"),
            "evenings": said,
        }
        left_out = [date_format(each.day, "MONTH_DAY_FORMAT") for each in self.days if not each.ticked]
        if 0 < len(left_out) <= MOST_NAMED:
            said = _("%(series)s, not %(days)s") % {"series": said, "days": ", ".join(left_out)}
        return said


def _mark(days: list[date]) -> str:
    return f"{days[0]}/{days[-1]}/{len(days)}" if days else ""


def _read_day(typed: str) -> date | None:
    try:
        return forms.DateField(input_formats=DATE_FORMATS).to_python(typed)
    except ValidationError:
        return None  # said at its own field
