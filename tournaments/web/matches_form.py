"""Forms of matches: line-ups, another day, a ruling, the days of the rounds."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.forms import NameField, SeenForm, field_of
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.lifecycle.objections import Subject
from tournaments.models import Objection
from tournaments.models.events import MOST_MATCH_POINTS
from tournaments.models.leagues import LONGEST_WORDS
from tournaments.standings.team_text import when_of
from tournaments.web.choice_field import AtHand, SoughtField, name_and_number, offer
from tournaments.web.fields import day_field, reason_field, whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from tournaments.models import Entry, Match, Round, Seat, Team, Tournament


YEARS = range(2000, 2100)  # anything else is a slip of the keyboard


def hour_field() -> forms.TimeField:
    return forms.TimeField(
        label=gettext_lazy("Begins at"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )


def _known_year(day: date | None) -> date | None:
    if day is not None and day.year not in YEARS:
        raise ValidationError(_("Check the year again."))
    return day


def line_up_choices(team: Team, free: Sequence[Entry], own: Sequence[Entry]) -> AtHand[Entry]:
    """Choices for a seat: `free`, of whom those of `own` need no ruling."""
    without_ruling = {entry.pk for entry in own}

    def group(entry: Entry) -> str:
        if entry.pk not in without_ruling:
            return _("By a ruling")
        return str(team) if entry.team_id == team.pk else _("Substitutes")

    return AtHand(free, key=attrgetter("number"), label=_entry_label, group=group)


class LineUpForm(SeenForm, forms.Form):
    """A player of `choices` for each of a team's seats in a match.

    It is bound if anything of it was sent: a page has several.
    """

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        match: Match,
        team: Team,
        seats: Sequence[Seat],
        choices: AtHand[Entry],
        prefix: str,
        page: str,
    ) -> None:
        sent = any(name.startswith(f"{prefix}-") for name in data or ())
        super().__init__(data if sent else None, prefix=prefix)
        self.match, self.team, self.seats = match, team, seats
        for place, seat in enumerate(seats, 1):
            where = {"table": seat.table.number, "seat": SEAT_LETTERS[seat.position]}
            self.fields[f"player_{place}"] = SoughtField(
                label=_("Table %(table)d, seat %(seat)s") % where,
                initial=seat.entry.number,
                error_messages={
                    "invalid_choice": gettext_lazy(
                        "This player is no longer available. Check the list again."
                    )
                },
            )
        offer(self, dict.fromkeys(self.fields, choices), page)

    @property
    def when(self) -> str:
        """Time and place of the match, in the reader's language."""
        return when_of(self.match)

    @property
    def players(self) -> list[Entry]:
        """The chosen players, in the order of the seats."""
        return [self.cleaned_data[name] for name in self.fields]


def _entry_label(entry: Entry) -> str:
    name = name_and_number(entry)
    return _("%(name)s, reserve") % {"name": name} if entry.reserve else name


class PostponeForm(SeenForm, forms.Form):
    """The form of a match's own day and place."""

    day = day_field(gettext_lazy("Played on"))
    begins_at = hour_field()
    place = forms.CharField(
        label=gettext_lazy("Venue"),
        required=False,
        max_length=120,
        help_text=gettext_lazy("Leave it empty for where the home team plays."),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, match: Match) -> None:
        initial = {"day": match.own_day, "begins_at": match.begins_at, "place": match.place}
        super().__init__(data, initial=initial)

    def clean_day(self) -> date | None:
        return _known_year(self.cleaned_data["day"])


class AwardForm(forms.Form):
    """Match points by ruling, and why."""

    home = whole_number(gettext_lazy("Home"), 0, MOST_MATCH_POINTS, 0)
    away = whole_number(gettext_lazy("Away"), 0, MOST_MATCH_POINTS, 0)
    reason = reason_field(help_text=gettext_lazy("Everyone can read it beside the match."))

    def __init__(self, *args: Any, home: Team, away: Team | None, **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.fields["home"].label = _("Match points for %(team)s") % {"team": home}
        self.fields["away"].label = _("Match points for %(team)s") % {"team": away}

    @property
    def points(self) -> dict[str, int]:
        return {side: self.cleaned_data[side] for side in ("home", "away")}


class DaysForm(SeenForm, forms.Form):
    """The day of each round, where a season is played on many."""

    def __init__(self, *args: Any, rounds: Sequence[Round], **fields: Any) -> None:
        super().__init__(*args, **fields)
        for round_ in rounds:
            field = day_field(_("Round %(number)d") % {"number": round_.number}, required=False)
            field.initial = round_.date
            self.fields[f"day_{round_.number}"] = field

    def clean(self) -> dict[str, Any]:
        for name, day in list(self.cleaned_data.items()):
            try:
                _known_year(day)
            except ValidationError as error:
                self.add_error(name, error)
        return self.cleaned_data

    @property
    def days(self) -> dict[int, date | None]:
        return {int(name.removeprefix("day_")): day for name, day in self.cleaned_data.items()}


NUMBERS = ("round_number", "table_number", "deal_number")


class ObjectionForm(forms.Form):
    """The form of an objection; the required numbers depend on its subject."""

    about = forms.ChoiceField(label=gettext_lazy("What it is about"), choices=Objection.About.choices)
    round_number = forms.TypedChoiceField(
        label=gettext_lazy("Round"), required=False, coerce=int, empty_value=None
    )
    table_number = forms.IntegerField(
        label=gettext_lazy("Table"), required=False, min_value=1, max_value=999,
        help_text=gettext_lazy("For a deal."),
    )  # fmt: skip
    deal_number = forms.IntegerField(
        label=gettext_lazy("Deal"), required=False, min_value=1, max_value=80,
        help_text=gettext_lazy("For a deal."),
    )  # fmt: skip
    words = NameField(
        label=gettext_lazy("What is wrong"), max_length=LONGEST_WORDS, widget=forms.Textarea({"rows": 4})
    )

    def __init__(self, *args: Any, tournament: Tournament, **fields: Any) -> None:
        super().__init__(*args, **fields)
        numbers = tournament.rounds.order_by("number").values_list("number", flat=True)
        field_of(self, "round_number").choices = [("", "–"), *((one, one) for one in numbers)]

    def arguments(self) -> dict[str, Any]:
        """The arguments of `make_objection` from a valid form."""
        chosen = self.cleaned_data
        return {
            "subject": Subject(chosen["about"], *(chosen[name] for name in NUMBERS)),
            "words": chosen["words"],
        }
