"""Form fields, the check for edits at the same time, and the form that takes a table as a file or pasted.

Edits at the same time: a form of something stored sends a digest of the values it was opened with. Where something else
is stored by now, and differs from what was typed, nothing is saved: each such field shows the stored value
(`stored_now`) next to the typed one, and saving again stores it.
"""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _

from core.tables.spreadsheet import MOST_BYTES, too_large
from core.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.core.files.uploadedfile import UploadedFile
    from django.utils.functional import _StrPromise as StrPromise
    from django.utils.safestring import SafeString


# As browsers send dates, and as Danes type them where a browser knows no dates.
DATE_FORMATS = ["%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y", "%d/%m/%Y"]
AHEAD = timedelta(days=366)


def field_of(form: forms.BaseForm, name: str) -> Any:
    """A field of the form, to set what it offers: `choices` and `queryset` are unknown to the type of `fields`."""
    return form.fields[name]


class DayInput(forms.DateInput):
    """The browser's date input; shows a rejected date as typed, in Danish format too."""

    def __init__(self) -> None:
        super().__init__(attrs={"type": "date"}, format="%Y-%m-%d")

    def format_value(self, value: Any) -> str | None:
        if isinstance(value, str) and value:
            try:
                value = forms.DateField(input_formats=DATE_FORMATS).to_python(value)
            except ValidationError:
                return str(value)
        shown: str | None = super().format_value(value)
        return shown


class NameField(forms.CharField):
    """A name, cleaned by `clean_text`."""

    def to_python(self, value: Any) -> str:
        return clean_text(super().to_python(value) or "")


class DayField(forms.DateField):
    """A date in a member's life: from 1900 to a year ahead."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("widget", DayInput())
        super().__init__(input_formats=DATE_FORMATS, **options)

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value and not value.year >= EARLIEST_YEAR:
            raise ValidationError(_("This year cannot be right."))
        if value and value > timezone.localdate() + AHEAD:
            raise ValidationError(_("This is more than a year ahead."))


class SeenForm(forms.BaseForm):
    """A form of stored values, given as initial, also when bound. The template renders `seen_input` in the form."""

    not_stored: tuple[str, ...] = ()
    """Fields that are asked anew each time, such as a reason."""

    @property
    def is_of_stored(self) -> bool:
        """Whether it changes something stored; a form for something new has nothing to compare."""
        return True

    @property
    def seen_name(self) -> str:
        return self.add_prefix("seen")

    @property
    def stored_mark(self) -> str:
        """A short digest of the stored values."""
        shown = [(name, self._as_text(name)) for name in self.fields if name not in self.not_stored]
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]

    @property
    def seen_input(self) -> SafeString | str:
        """The hidden input with the digest of the values on the page."""
        if not self.is_of_stored:
            return ""
        waits = self.is_bound and not self.was_changed
        seen = self.data.get(self.seen_name, "") if waits else self.stored_mark
        return format_html('<input type="hidden" name="{}" value="{}">', self.seen_name, seen)

    @property
    def was_changed(self) -> bool:
        """Whether the stored values have changed since the page was rendered."""
        return self.is_bound and self.data.get(self.seen_name, self.stored_mark) != self.stored_mark

    def full_clean(self) -> None:
        super().full_clean()
        if not (self.is_bound and self.is_of_stored and self.was_changed):
            return
        differing = [
            name
            for name in self.changed_data
            if name not in self.not_stored and self._as_text(name) != self._as_sent(name)
        ]
        for name in differing:
            self[name].stored_now = in_words(  # type: ignore[attr-defined]
                self.fields[name], self.get_initial_for_field(self.fields[name], name)
            )
        if differing:
            self.add_error(None, self.changed_meanwhile)

    @property
    def changed_meanwhile(self) -> str:
        return _(
            "Someone else has changed this since you opened the page. Your entries are below; where "
            "something else is now saved, it is shown beside them. Save to keep what you see in the fields."
        )

    def _as_text(self, name: str) -> str:
        field = self.fields[name]
        value = field.prepare_value(self.get_initial_for_field(field, name))
        return "" if value is None else str(value)

    def _as_sent(self, name: str) -> str:
        value = self[name].data
        return "" if value is None else str(value)


def differences(
    form: forms.BaseForm, typed_values: Mapping[str, Any], stored_values: Mapping[str, Any]
) -> None:
    """Set `stored_now` on each field of the form whose typed value differs from the stored one."""
    for field in form:
        if field.name in typed_values and field.name in stored_values:
            value = stored_values[field.name]
            if typed_values[field.name] != value:
                field.stored_now = in_words(field.field, value)  # type: ignore[attr-defined]


def in_words(field: forms.Field, value: Any) -> str:
    """A field's stored value as text; fields that are not Django's have a method `in_words`."""
    if hasattr(field, "in_words"):
        return str(field.in_words(value))
    if isinstance(field, forms.BooleanField):
        return _("yes") if value else _("no")
    if isinstance(field, forms.ModelChoiceField):
        there = field.queryset.filter(pk=getattr(value, "pk", value)) if field.queryset is not None else ()
        found = next(iter(there), None)
        return str(found or value or field.empty_label or _("nothing"))
    if isinstance(field, forms.ChoiceField):
        return str(dict(_flat(field.choices)).get(value, value) or _("nothing"))
    if isinstance(field, forms.DateField) and value:
        return date_format(value)
    return str(field.prepare_value(value) or "") or _("nothing")


def _flat(choices: Any) -> list[tuple[Any, Any]]:
    """The choices without their groups."""
    return [
        choice
        for value, label in choices
        for choice in (label if isinstance(label, (list, tuple)) else [(value, label)])
    ]


class TableForm(forms.Form):
    """A table as a file or pasted, neither too large. Subclasses set the labels."""

    file_label: StrPromise
    pasted_label: StrPromise
    pasted_help: StrPromise | str = ""
    nothing_given: StrPromise

    file = forms.FileField(
        allow_empty_file=True,
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx,.ods"}),
    )
    pasted = forms.CharField(
        required=False,
        max_length=MOST_BYTES // 4,
        widget=forms.Textarea(attrs={"rows": 6, "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.fields["file"].label = self.file_label
        self.fields["pasted"].label = self.pasted_label
        self.fields["pasted"].help_text = self.pasted_help

    def clean_file(self) -> UploadedFile[Any] | None:
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file and (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(too_large().message)
        return file

    def clean(self) -> dict[str, Any]:
        file, pasted = self.cleaned_data.get("file"), self.cleaned_data.get("pasted")
        if file and pasted:
            self.add_error("pasted", _("Choose either the file or the text typed here, not both."))
        elif not file and not pasted and not self.errors:
            self.add_error("file", self.nothing_given)
        return self.cleaned_data


EARLIEST_YEAR = 1900
