"""Old results as they are given: typed for one event, or as a table of many."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import DATE_FORMATS, DayInput, NameField, TableForm
from core.tables.spreadsheet import MOST_BYTES
from tournaments.models import OldEvent
from tournaments.models.club import FIRST_YEAR
from tournaments.people.old_rows import typed


def _kind() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext_lazy("What was it?"),
        choices=OldEvent.Kind.choices,
        initial=OldEvent.Kind.TITLE,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Whoever came first in a season or championship is listed among the champions."
        ),
    )


class OldEventForm(forms.Form):
    """One event with its final standings."""

    name = NameField(label=gettext_lazy("Name of the event"), max_length=120)
    year = forms.IntegerField(label=gettext_lazy("Year"), min_value=FIRST_YEAR)
    date = forms.DateField(
        label=gettext_lazy("Date, if known"),
        required=False,
        input_formats=DATE_FORMATS,
        widget=DayInput(),
        error_messages={"invalid": gettext_lazy("This is not a valid date. Write it like 31-12-2025.")},
    )
    standings = forms.CharField(
        label=gettext_lazy("Final standings, first place first"),
        help_text=gettext_lazy(
            "One player per line, with tokens after the name if known: “Anna Holm 212”. For a "
            "shared place, put them on one line, “Anna Holm / Bo Krogh”, or give them the same "
            "number: “2. Anna Holm”, “2. Bo Krogh”."
        ),
        max_length=MOST_BYTES // 4,
        widget=forms.Textarea(attrs={"rows": 10, "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.fields = {"kind": _kind(), **self.fields}

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        year, day, today = data.get("year"), data.get("date"), timezone.localdate()
        if year and year > today.year:
            self.add_error("year", _("Check the year again."))
        if year and day and day.year != year:
            self.add_error("date", _("The date is in a different year."))
        return data

    def table(self) -> bytes:
        data = self.cleaned_data
        return typed(data["name"], data["year"], data["date"], data["standings"])


class OldTableForm(TableForm):
    """Many events as a table."""

    file_label = gettext_lazy("The table, as Excel (.xlsx), OpenDocument (.ods) or CSV")
    pasted_label = gettext_lazy("Or paste rows here, with their headings")
    nothing_given = gettext_lazy("Choose a file, or paste rows below.")

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.fields = {"kind": _kind(), **self.fields}

    def given(self) -> tuple[str, bytes]:
        """The name and the contents of the table."""
        file = self.cleaned_data["file"]
        if file:
            return file.name, file.read()
        return _("Pasted rows"), self.cleaned_data["pasted"].encode()
