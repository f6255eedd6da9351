"""A club's crest and colour, as its organisers choose them."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.colours import safe_colour
from core.forms import SeenForm


class CrestForm(SeenForm, forms.Form):
    """A picture may be left out: the one that the club has stays."""

    not_stored = ("picture",)

    picture = forms.FileField(
        label=_("Crest"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        help_text=_(
            "A PNG, JPEG or WebP of at most 2 MB. Without one, the club’s initial is shown on a shield."
        ),
    )
    colour = forms.CharField(
        label=_("Colour"),
        max_length=7,
        widget=forms.TextInput(attrs={"type": "color"}),
        help_text=_("The hue is kept, and made dark enough for white text to be readable on it."),
    )

    def clean_colour(self) -> str:
        try:
            return safe_colour(self.cleaned_data["colour"])
        except ValueError:
            raise forms.ValidationError(_("Choose a colour, such as #7a1f2b.")) from None
