"""A code from a captain's phone: scanned or typed, or photographed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.errors import NotPossible
from tournaments.ledger.photographs import squares_in
from tournaments.ledger.report_codes import MOST_LETTERS


class CodeForm(forms.Form):
    """One of both is needed; `codes` are what was typed, or all that the photograph shows."""

    code = forms.CharField(
        required=False,
        label=gettext_lazy("Code"),
        help_text=gettext_lazy(
            "Scan it with a scanner that types, or type its letters; case and spaces do not matter."
        ),
        max_length=2 * MOST_LETTERS,
        widget=forms.TextInput(
            {
                "autofocus": True,
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "class": "code",
            }
        ),
    )
    photograph = forms.FileField(
        required=False,
        label=gettext_lazy("Or a photograph of the QR code"),
        help_text=gettext_lazy("JPEG, PNG or WebP, at most 10 MB. It is not kept."),
        widget=forms.FileInput({"accept": "image/jpeg,image/png,image/webp"}),
    )

    def clean(self) -> dict[str, Any]:
        sent = super().clean() or {}
        if sent.get("code"):
            return sent | {"codes": [sent["code"]]}
        if "photograph" in self.errors or "code" in self.errors:
            return sent
        if not sent.get("photograph"):
            raise ValidationError({"code": _("Scan the code or type it.")})
        try:
            codes = squares_in(sent["photograph"])
        except NotPossible as refusal:
            raise ValidationError({"photograph": refusal.message}) from None
        if not codes:
            text = _(
                "No QR code can be read in this photograph. Go closer, or type the letters below the code."
            )
            raise ValidationError({"photograph": text})
        return sent | {"codes": codes}
