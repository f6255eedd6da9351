"""Fields as people fill them in."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.member_fields import EARLIEST_YEAR
from core.text import tidy

# As browsers send dates, and as Danes type them where a browser knows no dates.
DATE_FORMATS = ["%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y", "%d/%m/%Y"]
AHEAD = timedelta(days=366)


class DayInput(forms.DateInput):
    """A browser's own field for a day. What was typed as Danes write it, and refused, is not lost in it."""

    def __init__(self) -> None:
        super().__init__(attrs={"type": "date"}, format="%Y-%m-%d")

    def format_value(self, value: Any) -> str | None:
        if isinstance(value, str) and value:
            try:
                value = forms.DateField(input_formats=DATE_FORMATS).to_python(value)
            except ValidationError:
                return value
        return super().format_value(value)


class NameField(forms.CharField):
    """A name without double blanks and control characters."""

    def to_python(self, value: Any) -> str:
        return tidy(super().to_python(value) or "")


class DayField(forms.DateField):
    """A day in a member's life: since 1900, and a year ahead at most."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("widget", DayInput())
        super().__init__(input_formats=DATE_FORMATS, **options)
        self.error_messages["invalid"] = gettext_lazy("This is not a valid date. Write it like 31-12-2025.")

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value and not value.year >= EARLIEST_YEAR:
            raise ValidationError(_("This year cannot be right."))
        if value and value > timezone.localdate() + AHEAD:
            raise ValidationError(_("This is more than a year ahead."))
