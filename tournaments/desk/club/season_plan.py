"""The form of a season's evenings: first day, how often, hosts in turn, and what they have in common."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club, Gives
from clubs.register_models import clubs_in
from core.forms import NameField, field_of
from tournaments.lifecycle.creating import MOST_EVENINGS, how_many
from tournaments.models import Tournament
from tournaments.seasons.season import PlannedEvening, plan_evenings
from tournaments.web.fields import KronerField, day_field

if TYPE_CHECKING:
    from datetime import date

    from django.http import QueryDict

LIKE_OFFERED = 30
EVERY = [
    (1, gettext_lazy("every week")),
    (2, gettext_lazy("every second week")),
    (3, gettext_lazy("every third week")),
    (4, gettext_lazy("every fourth week")),
]


class PlanForm(forms.Form):
    """The evenings of a season that has this `span` of days; without a first one there are none.

    The days are shown before they are made: `is_seen` is False until they have been, and as they are now.
    """

    first = day_field(
        gettext_lazy("First evening"), required=False,
        help_text=gettext_lazy(
            "Evenings are then set up on this weekday until the season’s last day. Empty: none are set up."
        ),
    )  # fmt: skip
    every = forms.TypedChoiceField(label=gettext_lazy("Repeats"), choices=EVERY, coerce=int, required=False)
    evening = NameField(
        label=gettext_lazy("Name of the evenings"), max_length=110, required=False,
        initial=gettext_lazy("Club evening 1"),
        help_text=gettext_lazy("A number at the end goes up by one for each evening."),
    )  # fmt: skip
    begins_at = forms.TimeField(
        label=gettext_lazy("Begins at"), required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        input_formats=["%H:%M", "%H.%M", "%H", "%H:%M:%S"],
        error_messages={"invalid": gettext_lazy("Type a time like 19:00.")},
    )  # fmt: skip
    place = forms.CharField(label=gettext_lazy("Venue"), max_length=120, required=False)
    entry_fee = KronerField(label=gettext_lazy("Entry fee per player, in kroner"), most=10_000_000)
    hosts: forms.ModelMultipleChoiceField = forms.ModelMultipleChoiceField(
        Club.objects.none(), label=gettext_lazy("Hosts, in turn"), required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("If you choose none, the union hosts all evenings."),
    )  # fmt: skip
    like: forms.ModelChoiceField[Tournament] = forms.ModelChoiceField(
        Tournament.objects.none(), label=gettext_lazy("Rules, rounds and deals as at"), required=False,
        empty_label=gettext_lazy("the standard settings"),
    )  # fmt: skip

    def __init__(self, sent: QueryDict | None, *, club: Club, span: tuple[date, date] | None) -> None:
        super().__init__(sent)
        self.club, self.span = club, span
        self.days: list[PlannedEvening] = []
        given = Club.objects.filter(pk__in=clubs_in(club, gives=Gives.EVERYTHING))
        if given.exists():
            field_of(self, "hosts").queryset = given.order_by("name")
        else:
            del self.fields["hosts"]
        newest = Tournament.objects.filter(host=club).order_by("-date", "-pk")
        keys = newest.values_list("pk", flat=True)[:LIKE_OFFERED]
        field_of(self, "like").queryset = newest.filter(pk__in=list(keys))
        field_of(self, "like").label_from_instance = lambda one: f"{one.name}, {one.date}"

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        first = data.get("first")
        if first is None or self.span is None:
            return data
        starts, until = self.span
        if not data.get("evening"):
            self.add_error("evening", _("What are the evenings called?"))
        weeks = data.get("every") or 1
        if not starts <= first <= until:
            self.add_error("first", _("This is not a day of the season."))
        elif how_many(first, weeks, until) > MOST_EVENINGS:
            self.add_error(
                "first",
                _("These are %(count)d evenings; at most %(most)d can be created at once.")
                % {"count": how_many(first, weeks, until), "most": MOST_EVENINGS},
            )
        else:
            hosts = list(data.get("hosts") or []) or [self.club]
            self.days = plan_evenings(self.club, hosts, first, weeks, until)
        return data

    @property
    def days_digest(self) -> str:
        """A digest of the days and their notes, submitted with the form."""
        shown = [(one.day, one.host.pk, one.holiday, one.clashes) for one in self.days]
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]

    @property
    def is_seen(self) -> bool:
        return self.data.get("plan_seen") == self.days_digest

    @property
    def rows(self) -> list[tuple[PlannedEvening, bool]]:
        """The days, each with whether it is ticked: as sent if they were seen, else where nothing speaks against it."""
        sent: Any = self.data
        ticked = set(sent.getlist("plan_day")) if self.is_bound and self.is_seen else None
        return [(one, one.is_free if ticked is None else one.day.isoformat() in ticked) for one in self.days]

    @property
    def chosen(self) -> list[PlannedEvening]:
        return [one for one, is_ticked in self.rows if is_ticked]

    def values(self) -> dict[str, Any]:
        """The values that all evenings share."""
        data = self.cleaned_data
        common = {name: data[name] for name in ("begins_at", "place", "entry_fee")}
        return common | {"name": data["evening"]}

    def check_seen(self) -> bool:
        """Whether the days can be created: unchanged since they were shown, at least one ticked; else adds an error."""
        if not self.days:
            return True
        if not self.is_seen:
            self.add_error(None, _("Check the dates below; those ticked are set up when you save again."))
        elif not self.chosen:
            self.add_error(None, _("Tick at least one date, or clear the first evening."))
        return not self.errors
