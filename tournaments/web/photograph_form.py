"""A photograph of the paper slip, as it is sent."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

PICTURES = {"accept": "image/jpeg,image/png,image/webp"}


class PhotographForm(forms.Form):
    photograph = forms.FileField(
        label=gettext_lazy("Photograph of the paper slip"),
        help_text=gettext_lazy("JPEG, PNG or WebP, at most 10 MB. Only organisers can see it."),
        error_messages={
            "required": gettext_lazy("Choose a photograph first."),
            "empty": gettext_lazy("This photograph cannot be read: choose a JPEG, PNG or WebP file."),
        },
        widget=forms.FileInput(PICTURES),
    )


class SheetForm(PhotographForm):
    """A photograph of a ticked sheet: a phone opens its camera at once."""

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **fields)
        field = self.fields["photograph"]
        field.label = _("Photograph of the ticked sheet")
        field.help_text = _("The whole sheet, all four corners in the picture, in good light.")
        field.widget.attrs.update({"accept": "image/*", "capture": "environment"})
