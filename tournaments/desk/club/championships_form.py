"""A championship and its stages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from core.forms import NameField, SeenForm
from tournaments.desk.club.seasons_form import day_field, likely
from tournaments.models import Championship, Season
from tournaments.models.events import MOST_GROUPS, MOST_STAGES
from tournaments.web.fields import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date as Day  # noqa: N812 - a field is called date

    from clubs.models import Club
    from tournaments.models import Tournament


class ChampionshipForm(SeenForm, forms.Form):
    """The championship itself."""

    name = NameField(label=gettext_lazy("Name"), max_length=100)
    date = day_field(gettext_lazy("First day"))

    def __init__(self, *args: Any, host: Club, stored: Championship | None = None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.host, self.stored = host, stored

    @property
    def is_of_stored(self) -> bool:
        return self.stored is not None

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        twin = Championship.objects.filter(host=self.host, name=name).first()
        if twin and twin != self.stored:
            raise ValidationError(_("The club already has a championship with this name."))
        return name

    def clean_date(self) -> Day:
        return likely(self.cleaned_data["date"])


class StageForm(SeenForm, forms.Form):
    """A stage; without a name it is none."""

    name = NameField(label=gettext_lazy("Name of the stage"), max_length=60, required=False)
    groups = whole_number(gettext_lazy("Groups"), 1, MOST_GROUPS, 1)
    sessions = whole_number(gettext_lazy("Sessions"), 1, 8, 3)
    deals = whole_number(gettext_lazy("Deals per session"), 4, 80, 40)
    carried = whole_number(
        gettext_lazy("Carried over from the previous stage, per cent"), 0, 100, 0,
        gettext_lazy("0: everyone starts from zero; 100: everything counts."),
    )  # fmt: skip
    each = whole_number(gettext_lazy("Qualifiers from each group"), 0, 200, 0)
    next_best = whole_number(
        gettext_lazy("and best runners-up of all groups"), 0, 200, 0,
        gettext_lazy("Nobody qualifies from the last stage: 0 and 0."),
    )  # fmt: skip

    def __init__(self, *args: Any, stored: Championship | None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.stored = stored

    @property
    def is_of_stored(self) -> bool:
        return self.stored is not None

    @property
    def is_wanted(self) -> bool:
        return bool(self.cleaned_data.get("name")) if self.is_bound else True


USUAL = (
    {"name": pgettext_lazy("a stage", "Groups"), "groups": 2, "sessions": 3, "each": 8},
    {"name": gettext_lazy("Semifinal"), "groups": 1, "sessions": 2, "each": 8, "carried": 50},
    {"name": gettext_lazy("Final"), "groups": 1, "sessions": 2, "carried": 50},
)


def stage_forms(data: Mapping[str, Any] | None, stored: Championship | None) -> list[StageForm]:
    """A form for each stage, and one more where there is room."""
    if stored is None:
        given: list[dict[str, Any]] = [dict(usual) for usual in USUAL]
    else:
        names = list(StageForm.base_fields)
        given = [{name: getattr(stage, name) for name in names} for stage in stored.stages.all()]
        given += [{"name": ""}] if len(given) < MOST_STAGES else []
    asked = [
        StageForm(data, prefix=f"stage-{number}", initial=one, stored=stored)
        for number, one in enumerate(given, start=1)
    ]
    del asked[0].fields["carried"]  # nothing comes before the first stage
    return asked


def stages_typed(forms_sent: list[StageForm]) -> list[dict[str, Any]]:
    """The stages that have a name, in order; at its form what is missing. Ask only where all forms are valid."""
    wanted = [form for form in forms_sent if form.is_wanted]
    if not wanted:
        forms_sent[0].add_error("name", _("A championship has at least one stage."))
    for form in wanted[:-1]:
        if not (form.cleaned_data["each"] or form.cleaned_data["next_best"]):
            form.add_error("each", _("Say how many qualify: another stage follows."))
    return [form.cleaned_data for form in wanted]


class DrawGroupsForm(forms.Form):
    """Of whom the first groups are made, and what they are seeded by.

    `places` are what places can be had from, by the code that the form sends for each.
    """

    source = forms.ChoiceField(
        label=gettext_lazy("Whose players"),
        help_text=gettext_lazy(
            "A tournament of the club with everyone entered and nothing drawn yet. The groups use"
" its rules; it is called off once they are made."
        ),
        error_messages={"required": gettext_lazy("Choose the tournament with the entries.")},
    )  # fmt: skip
    by = forms.ChoiceField(label=gettext_lazy("Seeded by"), widget=forms.RadioSelect)
    place_in = forms.ChoiceField(
        label=gettext_lazy("Place in"), required=False,
        help_text=gettext_lazy("Only needed when seeding by place. Players without one are seeded below all others."),
    )  # fmt: skip
    seed = forms.IntegerField(
        label=gettext_lazy("Seed of the lot"), required=False, min_value=0, max_value=10**9,
        help_text=gettext_lazy("The lot separates equals. Leave it empty to have a number drawn."),
    )  # fmt: skip

    def __init__(
        self,
        *args: Any,
        sources: Sequence[Tournament],
        places: Mapping[str, Season | Tournament],
        with_rating: bool,
        **fields: Any,
    ) -> None:
        super().__init__(*args, **fields)
        self.sources = {one.code: one for one in sources}
        self.places = places
        named = [(one.code, f"{one.name} · {date_format(one.date)}") for one in sources]
        self.fields["source"].choices = named  # type: ignore[attr-defined]
        ways = [("rating", _("rating")), ("place", _("place")), ("lot", _("lot alone"))]
        ways = [way for way in ways if with_rating or way[0] != "rating"]
        ways = [way for way in ways if places or way[0] != "place"]
        self.fields["by"].choices = ways  # type: ignore[attr-defined]
        self.fields["by"].initial = ways[0][0]
        offered = [(code, _named(place)) for code, place in places.items()]
        self.fields["place_in"].choices = [("", _("choose")), *offered]  # type: ignore[attr-defined]
        if not places:
            del self.fields["place_in"]

    def clean(self) -> dict[str, Any]:
        lacks = "place_in" not in self.errors and not self.cleaned_data.get("place_in")
        if lacks and self.cleaned_data.get("by") == "place":
            self.add_error("place_in", _("Choose the season or tournament whose places count."))
        return self.cleaned_data

    @property
    def chosen_source(self) -> Tournament:
        return self.sources[self.cleaned_data["source"]]

    @property
    def chosen_place(self) -> Season | Tournament | None:
        chosen = self.cleaned_data["by"] == "place"
        return self.places[self.cleaned_data["place_in"]] if chosen else None


def _named(place: Season | Tournament) -> str:
    return place.name if isinstance(place, Season) else f"{place.name} · {date_format(place.date)}"


class NextStageForm(forms.Form):
    """When the next stage is played."""

    day = day_field(gettext_lazy("Date of the next stage"))

    def clean_day(self) -> Day:
        return likely(self.cleaned_data["day"])
