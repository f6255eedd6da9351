"""A season's rule, its evenings and its awards."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import DATE_FORMATS, DayInput, NameField, SeenForm
from tournaments.models import Season
from tournaments.models.events import MOST_EVENINGS
from tournaments.web.choice_field import AtHand, SoughtField, offer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from clubs.models import Club
    from tournaments.seasons.ladder_table import Placed

MOST_POINTS, MOST_PLACES = 1000, 100
YEARS = range(2000, 2100)  # anything else is a slip of the keyboard


def _number(label: Any, most: int, help_text: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=0,
        max_value=most,
        initial=0,
        help_text=help_text,
        error_messages={
            "required": gettext_lazy("Type a whole number."),
            "invalid": gettext_lazy("Type a whole number."),
            "min_value": gettext_lazy("At least %(limit_value)s."),
            "max_value": gettext_lazy("At most %(limit_value)s."),
        },
    )


def day_field(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label,
        widget=DayInput(),
        input_formats=DATE_FORMATS,
        error_messages={"invalid": gettext_lazy("This is not a valid date. Write it like 31-12-2025.")},
    )


class PointsField(forms.CharField):
    """Points by place, typed as whole numbers with blanks or the like between them; they do not rise."""

    def prepare_value(self, value: object) -> object:
        return " ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: object) -> list[int]:
        typed = super().clean(value)
        if re.search(r"[^0-9\s,;.+]", typed) or re.search(r"[0-9]{5}", typed):
            raise ValidationError(
                _("Type the points for first place, second place and so on, such as 10 8 6 5.")
            )
        # "9,5" may be nine and a half, and is never guessed at.
        if re.search("[0-9][,.][0-9]", typed):
            raise ValidationError(_("Type whole numbers with spaces between them, such as 10 8 6 5."))
        points = [int(number) for number in re.findall("[0-9]+", typed)]
        if len(points) > MOST_PLACES or any(point > MOST_POINTS for point in points):
            raise ValidationError(
                _("At most %(places)d places of at most %(points)d points.")
                % {"places": MOST_PLACES, "points": MOST_POINTS}
            )
        if points != sorted(points, reverse=True):
            raise ValidationError(_("Points must not increase from one place to the next."))
        return points


class SeasonForm(SeenForm, forms.ModelForm):
    """A season of a club, and by which rule it counts."""

    name = NameField(label=gettext_lazy("Name"), max_length=120)
    starts = day_field(gettext_lazy("First day"))
    ends = day_field(gettext_lazy("Last day"))
    best_of = _number(
        gettext_lazy("Evenings that count"), MOST_EVENINGS,
        gettext_lazy("Only this many of a player’s best evenings count. 0: all count."),
    )  # fmt: skip
    least_evenings = _number(
        gettext_lazy("Evenings at least"), MOST_EVENINGS,
        gettext_lazy("Players with fewer are listed below the ladder without a place. 0: no limit."),
    )  # fmt: skip
    least_deals = _number(
        gettext_lazy("Deals at least"), 100_000,
        gettext_lazy("The same, counted in deals the player was dealt. 0: no limit."),
    )  # fmt: skip
    place_points = PointsField(
        label=gettext_lazy("Points by place"), required=False,
        help_text=gettext_lazy("For points by place: those for first place, second place and so on."),
    )  # fmt: skip

    class Meta:
        model = Season
        fields = (
            "name", "starts", "ends", "rule", "best_of", "least_evenings", "least_deals", "place_points",
            "breaks_ties", "counts_withdrawn", "with_guests",
        )  # fmt: skip
        widgets = {"rule": forms.RadioSelect}
        labels = {
            "rule": gettext_lazy("What counts"),
            "breaks_ties": gettext_lazy("Ties are broken by the best evening, then the next best and so on"),
            "counts_withdrawn": gettext_lazy("An evening counts even if the player left early"),
            "with_guests": gettext_lazy("Guests, who play for no club, are in the ladder too"),
        }

    def __init__(self, *args: Any, host: Club, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.host = host

    @property
    def is_of_stored(self) -> bool:
        return self.instance.pk is not None

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        twin = Season.objects.filter(host=self.host, name=name).exclude(pk=self.instance.pk)
        if twin.exists():
            raise ValidationError(_("The club already has a season with this name."))
        return name

    def clean_starts(self) -> date:
        return likely(self.cleaned_data["starts"])

    def clean_ends(self) -> date:
        return likely(self.cleaned_data["ends"])

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        starts, ends = data.get("starts"), data.get("ends")
        if starts and ends and ends < starts:
            self.add_error("ends", _("The last date is before the first."))
        if data.get("rule") == Season.Rule.PLACES and "place_points" in data and not data["place_points"]:
            self.add_error(
                "place_points",
                _("Type the points for first place, second place and so on, such as 10 8 6 5."),
            )
        return data


def likely(day: date) -> date:
    if day.year not in YEARS:
        raise ValidationError(_("Check the year again."))
    return day


class AwardForm(forms.Form):
    """A title for somebody who has played in the season."""

    title = NameField(
        label=gettext_lazy("Title"), max_length=80,
        help_text=gettext_lazy("For example Klubmester or Jokum."),
    )  # fmt: skip
    player = SoughtField(
        label=gettext_lazy("Goes to"),
        error_messages={"invalid_choice": gettext_lazy("Choose one of the players of the season.")},
    )  # fmt: skip
    words = NameField(label=gettext_lazy("What for, if you like"), max_length=200, required=False)

    def __init__(self, *args: Any, season: Season, rows: Sequence[Placed], **fields: Any) -> None:
        super().__init__(*args, **fields)
        players = AtHand(rows, key=attrgetter("player_id"), label=_placed, number=attrgetter("line.rank"))
        page = reverse("club_season", args=[season.host.slug, season.pk])
        offer(self, {"player": players}, page)

    def clean_player(self) -> int:
        found: Placed = self.cleaned_data["player"]
        return found.player_id


def _placed(row: Placed) -> str:
    return f"{row.line.rank}. {row.name}" if row.line.rank else row.name
