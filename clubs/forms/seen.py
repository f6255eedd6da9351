"""Two people with the same form open: whoever saves second is shown what the first has stored, beside what they typed.

A form of something stored sends back a mark of what it was opened on. Where something else is stored by now, and what
was typed is not just that, nothing is saved: each field that differs says what is stored (`stored_now`), what was typed
stays, and saving again stores it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.safestring import SafeString


class SeenForm(forms.BaseForm):
    """Made with what is stored as its initial values, also where it was sent. A page shows `seen_input` in the form."""

    not_stored: tuple[str, ...] = ()
    """Fields that are asked anew each time, such as a reason."""

    @property
    def is_of_stored(self) -> bool:
        """Whether it changes something; a form for something new has nothing to compare."""
        return True

    @property
    def seen_name(self) -> str:
        return self.add_prefix("seen")

    @property
    def stored_mark(self) -> str:
        """A short mark of what is stored: another mark means that it says something else now."""
        shown = [(name, self._as_text(name)) for name in self.fields if name not in self.not_stored]
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]

    @property
    def seen_input(self) -> SafeString | str:
        """What the form sends back: the mark of what is seen on the page as it is shown now."""
        if not self.is_of_stored:
            return ""
        waits = self.is_bound and not self.was_changed
        seen = self.data.get(self.seen_name, "") if waits else self.stored_mark
        return format_html('<input type="hidden" name="{}" value="{}">', self.seen_name, seen)

    @property
    def was_changed(self) -> bool:
        """Whether something else is stored than was seen, which this form has said now."""
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
            "Someone else has changed this since you opened the page. Your entries are below, and"
            " anything now stored differently is shown beside them. Saving stores what you see in"
            " the fields."
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
    """Mark each field of `form` whose typed value is not what is stored: `stored_now` says that in words."""
    for field in form:
        if field.name in typed_values and field.name in stored_values:
            value = stored_values[field.name]
            if typed_values[field.name] != value:
                field.stored_now = in_words(field.field, value)  # type: ignore[attr-defined]


def in_words(field: forms.Field, value: Any) -> str:
    """A field's stored value as a reader says it; one that is no field of Django's says so itself (`in_words`)."""
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
    """Choices without the groups that they stand in."""
    return [
        choice
        for value, label in choices
        for choice in (label if isinstance(label, (list, tuple)) else [(value, label)])
    ]
