"""A club's own page: its name, its union, how it names its players."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from clubs.clubs import club_named
from clubs.models import Club
from clubs.roles import Visitor, unions_of
from core.forms import NameField, SeenForm


class ClubForm(SeenForm, forms.ModelForm):
    """A new club, or a change to one. Only the program's owner moves a club from union to union."""

    name = NameField(label=_("Name of the club"), max_length=120)

    class Meta:
        model = Club
        fields = [
            "name",
            "town",
            "name_style",
            "shows_rating",
            "statistics",
            "shows_achievements",
            "is_findable",
            "language",
            "union",
        ]
        labels = {
            "town": _("Town"),
            "name_style": _("How players are named in the hall"),
            "shows_rating": _("The hall shows ratings"),
            "statistics": _("Evenings and players are counted over the years"),
            "shows_achievements": _("Achievements are shown"),
            "is_findable": _("Search engines may list the club’s history and its players’ pages"),
            "union": _("Union"),
        }
        help_texts = {
            "name_style": _("On seat plans, standings and sheets that everyone can see."),
            "shows_rating": _("Compares players across all tournaments. It decides nothing."),
            "statistics": _(
                "Records, winners, and what each player declared and won over all evenings. Players "
                "who want no such page can opt out on their member page."
            ),
            "shows_achievements": _(
                "A first tout, ten evenings in a row: a dozen light-hearted badges, earned only by "
                "playing, on a player’s pages for the evening and for all years."
            ),
            "is_findable": _(
                "Otherwise only people with the address or a link can see them. A player’s page is "
                "listed only if all of their clubs allow it."
            ),
            "union": _("A union’s organisers can do everything for its clubs."),
        }

    def __init__(self, *args: Any, visitor: Visitor, **options: Any) -> None:
        super().__init__(*args, **options)
        # A form without it leaves it as it is.
        self.fields["statistics"].required = False
        self.fields["language"] = forms.ChoiceField(
            label=_("Language of emails"),
            choices=settings.LANGUAGES,
            required=False,
            help_text=_("For members whose own language is not known."),
        )
        usual = settings.FIRST_LANGUAGE if self.instance.pk else get_language()
        self.initial["language"] = self.initial.get("language") or usual
        self.fields["town"] = NameField(label=_("Town"), max_length=80, required=False)
        unions = unions_of(visitor).exclude(pk=self.instance.pk)
        union = self.fields["union"]
        union.queryset = unions  # type: ignore[attr-defined]
        owner = bool(getattr(visitor, "is_superuser", False))
        if (self.instance.pk and not owner) or not unions:
            del self.fields["union"]
        elif owner:
            union.empty_label = _("none")  # type: ignore[attr-defined]
        else:
            union.required, union.initial = True, unions[0]

    @property
    def is_of_stored(self) -> bool:
        return self.instance.pk is not None

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        other = club_named(name)
        if other and other != self.instance:
            raise forms.ValidationError(_("A club with this name already exists."))
        return name

    def clean_language(self) -> str:
        return self.cleaned_data["language"] or self.instance.language

    def clean_union(self) -> Club | None:
        union: Club | None = self.cleaned_data["union"]
        if union and self.instance.pk and self.instance.clubs.exists():
            raise forms.ValidationError(_("This club is itself a union with clubs."))
        return union
