"""Common form fields: kroner, reason, signed tokens, whole number, and the fingerprint of the state shown."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.errors import REASON_LENGTH
from core.forms import DATE_FORMATS, DayInput, NameField
from tournaments.domain.amounts import in_kroner, read_kroner
from tournaments.ledger.submissions import LARGEST_NUMBER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise as StrPromise


class KronerField(forms.CharField):
    """An amount typed as kroner and øre, in whichever way; its value is øre."""

    def __init__(self, *, most: int, **fields: Any) -> None:
        self.most = most
        super().__init__(
            required=False, widget=forms.TextInput({"inputmode": "decimal", "size": 10}), **fields
        )

    def prepare_value(self, value: object) -> object:
        return in_kroner(value) if isinstance(value, int) else value

    def clean(self, value: object) -> int:
        typed = super().clean(value)
        try:
            amount = read_kroner(typed)
        except ValueError:
            raise ValidationError(_("Type kroner and øre, such as 0.25 or 12.")) from None
        if amount > self.most:
            raise ValidationError(_("That is more than %(most)s kroner.") % {"most": in_kroner(self.most)})
        return amount


def reason_field(**said: Any) -> forms.CharField:
    fields: dict[str, Any] = {
        "label": gettext_lazy("Reason"),
        "error_messages": {"required": gettext_lazy("Say why, in a few words.")},
    } | said
    return NameField(max_length=REASON_LENGTH, widget=forms.TextInput({"autocomplete": "off"}), **fields)


def whole_number(
    label: StrPromise | str,
    least: int,
    most: int,
    initial: int | None = None,
    help_text: StrPromise | str = "",
) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        initial=initial,
        help_text=help_text,
    )


def day_field(label: StrPromise | str, *, required: bool = True, **fields: Any) -> forms.DateField:
    return forms.DateField(
        label=label, required=required, widget=DayInput(), input_formats=DATE_FORMATS, **fields
    )


class SignedTokensField(forms.IntegerField):
    """Tokens as people write them: -1 or +2, with whichever dash their keyboard or another program gives."""

    def __init__(self, **fields: Any) -> None:
        widget = forms.TextInput({"inputmode": "text", "size": 6, "autocomplete": "off"})
        super().__init__(
            widget=widget,
            error_messages={
                "invalid": gettext_lazy("Type a whole number of tokens, such as -1 or +2."),
                "required": gettext_lazy("Type a whole number of tokens, such as -1 or +2."),
            },
            **fields,
        )

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str):
            value = value.replace("\N{MINUS SIGN}", "-").replace("\N{EN DASH}", "-").replace(" ", "")
        return super().to_python(value)


def changed(sent: Mapping[str, Any], field: str, value: int | UUID) -> Mapping[str, Any]:
    """The form's submitted data with one field changed."""
    data: Any = copy(sent)
    data[field] = str(value)
    return cast("Mapping[str, Any]", data)


class VersionedForm(forms.Form):
    """A form of a deal's new version: `base` is the version that it was typed over, `key` its idempotency key."""

    base = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=LARGEST_NUMBER)
    key = forms.UUIDField(widget=forms.HiddenInput)

    def type_over(self, revision: int) -> None:
        """Let the form, as it is shown again, be typed over the version that counts now: it is another report then."""
        self.data = changed(changed(self.data, "base", revision), "key", uuid4())

    def put_cursor(self) -> None:
        """Let typing begin at the first field that is wrong, else at the first one."""
        wrong = (name for name in self.errors if name in self.fields)
        name = next(wrong, "" if self.is_bound else self.visible_fields()[0].name)
        if name:
            self.fields[name].widget.attrs["autofocus"] = True


# A photograph of the paper slip, as it is sent.

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
