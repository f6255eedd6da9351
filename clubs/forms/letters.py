"""News to write, and a letter to try with."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from core.forms import NameField


class NewsForm(forms.Form):
    """Plain text: no sign in it means anything but itself."""

    subject = NameField(label=_("What it is about"), max_length=120)
    text = forms.CharField(
        label=_("The message"),
        max_length=10_000,
        widget=forms.Textarea({"rows": 14}),
        help_text=_("Plain text, exactly as it will be read. An address such as https://… becomes a link."),
    )
    is_public = forms.BooleanField(
        label=_("Everyone may read it"),
        required=False,
        help_text=_(
            "It stays in the club’s feed for six months and is seen by everyone who follows the club."
        ),
    )


class TrialForm(forms.Form):
    to = forms.EmailField(
        label=_("To"),
        max_length=254,
        help_text=_("One of your own addresses, to check that emails arrive."),
    )
