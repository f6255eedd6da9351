"""A key for another program, and an address that is told, as organisers make them."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Event, Scope


class KeyForm(forms.Form):
    name = forms.CharField(
        label=_("What for"),
        max_length=80,
        help_text=_(
            "For example “Scoreboard in the hall”. It appears in the log beside what the program does."
        ),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("What everyone can see in the hall needs no key."),
    )


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=_("Address"),
        max_length=300,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
        help_text=_("The address where the other program receives events."),
    )
    events = forms.MultipleChoiceField(
        label=_("When"), choices=Event.choices, widget=forms.CheckboxSelectMultiple
    )
    secret = forms.CharField(
        label=_("Secret"),
        max_length=100,
        required=False,
        help_text=_("Used to sign what is sent. Leave it empty and one is made for you and shown once."),
    )
