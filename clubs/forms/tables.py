"""A table that somebody gives: as a file, or typed or pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _

from clubs.spreadsheet import MOST_BYTES, too_large

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile
    from django.utils.functional import _StrPromise as StrPromise


class TableForm(forms.Form):
    """One of the two, and neither too large. What they are called is said by who asks."""

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

    def clean_file(self) -> UploadedFile | None:
        file: UploadedFile | None = self.cleaned_data["file"]
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
