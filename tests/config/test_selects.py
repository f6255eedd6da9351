"""A choice, and what is typed, is written as Django writes it, whatever stands in it; only faster."""

from __future__ import annotations

import re

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates

FLAT = [("", "none"), ("1", "Odense & <omegn>"), (2, "“Spadille”")]
GROUPED = [("", "none"), ("Fyn", [("1", "Odense"), ("2", "Nyborg")]), ("3", "Aarhus")]


class SomeShut(forms.Select):
    """Adds to each option what one of Django's own does not have."""

    def create_option(self, *args, **kwargs):
        option = super().create_option(*args, **kwargs)
        option["attrs"] |= {"disabled": option["value"] == "1", "data-number": option["index"]}
        return option


@pytest.mark.parametrize(
    ("widget", "chosen"),
    [
        (forms.Select(choices=FLAT), None),
        (forms.Select({"class": "wide", "required": True}, choices=FLAT), 2),
        (forms.Select(choices=GROUPED), "2"),
        (forms.Select(choices=[]), None),
        (forms.SelectMultiple(choices=FLAT), ["1", "2"]),
        (SomeShut(choices=FLAT), "1"),
        (SomeShut(choices=GROUPED), "3"),
    ],
)
def test_choices_are_written_as_django_writes_them(widget, chosen):
    ours = widget.render("club", chosen, {"id": "club"})
    djangos = widget.render("club", chosen, {"id": "club"}, renderer=DjangoTemplates())
    assert re.sub(r">\s+<", "><", ours) == re.sub(r">\s+<", "><", djangos)


@pytest.mark.parametrize(
    ("widget", "typed"),
    [
        (forms.TextInput({"class": "wide", "required": True, "disabled": False}), "“Spadille” & <omegn>"),
        (forms.NumberInput({"min": 0, "max": 1234}), 1234),
        (forms.TextInput(), None),
        (forms.CheckboxInput(), True),
        (forms.HiddenInput(), "1"),
        (forms.RadioSelect({"class": "wide"}, choices=FLAT), 2),
        (forms.CheckboxSelectMultiple(choices=GROUPED), ["2"]),
    ],
)
def test_what_is_typed_is_written_as_django_writes_it(widget, typed):
    ours, djangos = (
        widget.render("club", typed, {"id": "club"}, renderer=renderer)
        for renderer in (None, DjangoTemplates())
    )
    assert ours == djangos
