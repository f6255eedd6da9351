"""Default error messages of form fields, where the form has none of its own.

Django's "Ensure this value is greater than or equal to 4." is no language for a card table. The messages are set on
the field classes, so all forms have these, model forms too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise as StrPromise

WHOLE_NUMBER, NUMBER, DAY = (
    _("Type a whole number."),
    _("Type a number."),
    _("This is not a valid date. Write it like 31-12-2025."),
)
CHOOSE, FILE = _("Choose one of these."), _("Choose a file.")
WORDS: Mapping[type[forms.Field], Mapping[str, StrPromise]] = {
    forms.Field: {
        "required": _("Fill this in."),
        "min_length": _("At least %(limit_value)d characters; this has %(show_value)d."),
        "max_length": _("At most %(limit_value)d characters; this has %(show_value)d."),
        "min_value": _("At least %(limit_value)s."),
        "max_value": _("At most %(limit_value)s."),
        "null_characters_not_allowed": _("This contains a character that cannot be stored."),
    },
    forms.IntegerField: {"required": WHOLE_NUMBER, "invalid": WHOLE_NUMBER},
    forms.FloatField: {"required": NUMBER, "invalid": NUMBER},
    forms.DecimalField: {
        "required": NUMBER,
        "invalid": NUMBER,
        "max_digits": _("At most %(max)s digits."),
        "max_whole_digits": _("At most %(max)s digits before the decimal point."),
        "max_decimal_places": _("At most %(max)s digits after the decimal point."),
    },
    forms.DateField: {"invalid": DAY},
    forms.DateTimeField: {"invalid": _("This is not a valid date and time.")},
    forms.TimeField: {"invalid": _("Type a time like 19:00.")},
    forms.EmailField: {"invalid": _("This is not an email address.")},
    forms.URLField: {"invalid": _("This is not a web address.")},
    forms.ChoiceField: {"required": CHOOSE, "invalid_choice": CHOOSE},
    forms.MultipleChoiceField: {"required": CHOOSE, "invalid_choice": CHOOSE, "invalid_list": CHOOSE},
    forms.ModelChoiceField: {"required": CHOOSE, "invalid_choice": CHOOSE},
    forms.ModelMultipleChoiceField: {
        "required": CHOOSE,
        "invalid_choice": CHOOSE,
        "invalid_list": CHOOSE,
        "invalid_pk_value": CHOOSE,
    },
    forms.FileField: {
        "required": FILE,
        "invalid": FILE,
        "missing": FILE,
        "empty": _("This file is empty."),
        "max_length": _("The file’s name is too long."),
        "contradiction": _("Either choose a file or tick the box to remove it, not both."),
    },
    forms.ImageField: {"invalid_image": _("This picture cannot be read.")},
}


def use_own_words() -> None:
    """Replace the default error messages of Django's fields; called once, when the program starts."""
    for field, words in WORDS.items():
        field.default_error_messages = {**field.__dict__.get("default_error_messages", {}), **words}
