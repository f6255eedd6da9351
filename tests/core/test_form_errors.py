"""Forms speak in the program's own words."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from pathlib import Path

import django
import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.urls import get_resolver

FOREIGN = Path(django.__file__).parent / "conf/locale/da/LC_MESSAGES/django.mo"
ONES_OF_DJANGO = ("django.contrib", "django.forms", "tests.")


def _below(form: type) -> Iterator[type[forms.BaseForm]]:
    for one in form.__subclasses__():
        yield one
        yield from _below(one)


def test_no_form_says_anything_in_djangos_words():
    assert get_resolver().url_patterns, "every page, and so every form, has been read"
    with FOREIGN.open("rb") as file:
        catalog = gettext.GNUTranslations(file)._catalog
    foreign = {key if isinstance(key, str) else key[0] for key in catalog}
    found, asked = set(), 0
    for form in {*_below(forms.BaseForm)}:
        if form.__module__.startswith(ONES_OF_DJANGO):
            continue
        for name, field in getattr(form, "base_fields", {}).items():
            if field.widget.is_hidden:
                continue
            asked += 1
            said = field.error_messages | {
                one.code: one.message
                for one in field.validators
                if hasattr(one, "code") and one.code not in field.error_messages
            }
            found |= {
                (form.__name__, name, code, str(text)) for code, text in said.items() if str(text) in foreign
            }
    assert asked > 100
    assert found == set()


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        (forms.IntegerField(min_value=4), "3", "At least 4."),
        (forms.IntegerField(max_value=80), "81", "At most 80."),
        (forms.IntegerField(), "", "Type a whole number."),
        (forms.IntegerField(), "4½", "Type a whole number."),
        (forms.CharField(), "", "Fill this in."),
        (forms.CharField(max_length=3), "Anna", "At most 3 characters; this has 4."),
        (forms.DateField(), "31-02-2026", "This is not a valid date. Write it like 31-12-2025."),
        (forms.ChoiceField(choices=[("a", "A")]), "b", "Choose one of these."),
        (forms.DecimalField(decimal_places=2), "1.234", "At most 2 digits after the decimal point."),
    ],
)
def test_a_field_says_what_is_wrong(field, typed, said):
    with pytest.raises(ValidationError) as refused:
        field.clean(typed)
    assert refused.value.messages == [said]
