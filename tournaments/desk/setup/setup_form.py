"""The forms of the set-up."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club
from clubs.register_models import clubs_in, is_affiliated
from core.forms import NameField, field_of
from scoring import get_rulebook
from tournaments.desk.boards import BoardFields
from tournaments.domain.comparison import plain_factor, read_factor
from tournaments.domain.formats import FORMATS, POINTS, USUAL
from tournaments.draw.tables import CHAIRS, SMALL_TABLE
from tournaments.lifecycle.creating import FROZEN_AT_START, SETUP_FIELDS
from tournaments.models import Season, Tournament
from tournaments.models.events import MOST_BYE_TEAMS, MOST_MATCH_POINTS, MOST_MATCHES_UP, MOST_MOVED, may_have
from tournaments.seasons.season import seasons_for
from tournaments.standings.tie_breaks import DEFAULT_TIE_BREAKS, TIE_BREAKS, tie_break_text
from tournaments.web.fields import KronerField, day_field, whole_number
from tournaments.web.guards import number_in
from tournaments.web.rules_form import RulesForm

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise as StrPromise

    from scoring.rulebook import Rulebook


# Set-up fields of an evening apart from its rules: season, comparison of tables of three.

YEARS = range(2000, 2100)  # anything else is a slip of the keyboard
HALF_A_YEAR = timedelta(days=183)


class EveningFields(forms.Form):
    """The season, and what places go by where tables of three and of four are played."""

    tournament: Tournament | None = None

    season: forms.ModelChoiceField[Season] = forms.ModelChoiceField(
        label=gettext_lazy("Season"), queryset=Season.objects.none(), required=False,
        empty_label=gettext_lazy("none"),
        help_text=gettext_lazy(
            "The evening counts in the ladder of the chosen season; a championship group can do without one. "
            "For pairs and teams, each player’s own tokens count or, if places earn points, the place of the "
            "pair or team."
        ),
        error_messages={"invalid_choice": gettext_lazy("This season no longer exists. Choose another.")},
    )  # fmt: skip
    comparison = forms.ChoiceField(
        label=gettext_lazy("Places go by"), choices=Tournament.Comparison.choices,
        initial=Tournament.Comparison.SUM, widget=forms.RadioSelect, required=False,
        help_text=gettext_lazy(
            "At a table of three nobody sits out. With 30 deals there and 40 at four, everyone plays the "
            "same number of hands and the total is fair; with other numbers use the average or a factor. "
            "Payments always follow the tokens won."
        ),
    )  # fmt: skip
    three_factor = forms.CharField(
        label=gettext_lazy("Factor at a table of three"), initial="3/4", max_length=20, required=False,
        help_text=gettext_lazy("A fraction, such as 3/4 or 0.75. Only used if places go by a factor."),
    )  # fmt: skip

    least_share = forms.IntegerField(
        label=gettext_lazy("Minimum share of the deals, per cent"), initial=50, min_value=0, max_value=100,
        required=False,
        help_text=gettext_lazy(
            "Only used if places go by the average, so that nobody wins by playing three lucky "
"deals and leaving. Players with a smaller share of the deals are placed after all "
"others. 50 is recommended; 0 means no minimum."
        ),
    )  # fmt: skip

    def ask_for_evening(self, hosts: QuerySet[Club], sizes: Collection[int]) -> None:
        """Offer the hosts' seasons; ask how tables compare only where tables of both sizes can be."""
        field = field_of(self, "season")
        may_be = seasons_for(hosts) | Q(pk=self.tournament.season_id if self.tournament else None)
        offered = Season.objects.filter(may_be).filter(self._near()).select_related("host")
        field.queryset = offered
        # Evaluated once: used by the page, and for the selected label.
        field.choices = list(field.choices)
        if not any(season for season, _name in field.choices):
            del self.fields["season"]
        if "comparison" in self.fields and sorted(sizes) != [SMALL_TABLE, CHAIRS]:
            self._ask_for_those_who_sit_out(*sizes)

    def _near(self) -> Q:
        """The seasons about the evening's day and about today, and the one that is chosen, of all there have been."""
        chosen = self["season"].value()
        near = Q(pk=number_in(str(getattr(chosen, "pk", chosen))))
        days = [timezone.localdate()]
        with suppress(ValidationError):
            days.append(self.fields["date"].clean(self["date"].value()))
        for day in days:
            if day.year in YEARS:
                near |= Q(ends__gte=day - HALF_A_YEAR, starts__lte=day + HALF_A_YEAR)
        return near

    def _ask_for_those_who_sit_out(self, size: int) -> None:
        """Adapt the fields for one table size: all deals count the same, but some players may play fewer rounds."""
        del self.fields["three_factor"]
        field = field_of(self, "comparison")
        field.choices = [
            (Tournament.Comparison.SUM, Tournament.Comparison.SUM.label),
            (
                Tournament.Comparison.AVERAGE,
                _("the average per deal played (recommended if some play fewer rounds)"),
            ),
        ]
        field.help_text = _(
            "Players without a place at the tables of %(size)d sit out a round. If some sit out "
            "more often, they play fewer deals, and the average is fair. Payments always follow "
            "the tokens won."
        ) % {"size": size}

    def clean_comparison(self) -> str:
        return str(self.cleaned_data["comparison"] or Tournament.Comparison.SUM)

    def clean_least_share(self) -> int:
        averages = self.cleaned_data.get("comparison") == Tournament.Comparison.AVERAGE
        return (self.cleaned_data["least_share"] or 0) if averages else 0

    def clean_three_factor(self) -> str:
        typed = str(self.cleaned_data["three_factor"] or "3/4")
        try:
            return plain_factor(read_factor(typed))
        except ValueError:
            if self.cleaned_data.get("comparison") == Tournament.Comparison.FACTOR:
                raise ValidationError(_("Type a fraction, such as 3/4 or 0.75.")) from None
            return "3/4"

    def check_season(self) -> None:
        """A season is the host's own, or its union's."""
        season, host = self.cleaned_data.get("season"), self.cleaned_data.get("host")
        is_kept = self.tournament and (season, host) == (self.tournament.season, self.tournament.host)
        if season and host and not is_kept and not may_have(season, host):
            self.add_error("season", _("This season belongs neither to the host nor to its union."))


# Set-up fields that depend on the format; a format's row may omit some.


def offered() -> list[tuple[str, StrPromise]]:
    """Every format, to choose from."""
    return [(row.code, row.name) for row in FORMATS.values()]


class FormatFields(forms.Form):
    """The format and what hangs on it."""

    format = forms.ChoiceField(
        label=gettext_lazy("Who plays against whom"), choices=offered, required=False,
        initial=USUAL, widget=forms.RadioSelect,
    )  # fmt: skip
    takes_over = forms.TypedChoiceField(
        label=gettext_lazy("When the declarer’s partner holds cards"),
        choices=[
            (True, gettext_lazy("the player sitting out takes them over: a declarer always plays against the other "
"team")),
            (False, gettext_lazy("the partner plays them: a declarer can be opposed by a team-mate")),
        ],
        coerce=lambda value: value == "True", empty_value=None, required=False, initial=True,
        widget=forms.RadioSelect,
    )  # fmt: skip
    meetings = forms.TypedChoiceField(
        label=gettext_lazy("Everyone meets everyone"), coerce=int, initial=1, widget=forms.RadioSelect,
        choices=[(1, gettext_lazy("once")), (2, gettext_lazy("twice, at home and away"))],
    )  # fmt: skip
    points_won = whole_number(gettext_lazy("Match points for a win"), 0, MOST_MATCH_POINTS, 2)
    points_drawn = whole_number(gettext_lazy("for a draw"), 0, MOST_MATCH_POINTS, 1)
    points_lost = whole_number(gettext_lazy("for a loss"), 0, MOST_MATCH_POINTS, 0)
    by_average = forms.BooleanField(
        label=gettext_lazy("Rank by the average per match"), required=False,
        help_text=gettext_lazy("If byes leave some with fewer matches than others."),
    )  # fmt: skip
    bye_teams = whole_number(
        gettext_lazy("Teams with a bye each round"), 0, MOST_BYE_TEAMS, 0,
        gettext_lazy(
            "More than the numbers require, so that substitutes are available: for example 2 with"
" 12 teams. 0 if only an odd team is to have a bye."
        ),
    )  # fmt: skip
    promoted = whole_number(
        gettext_lazy("Teams promoted from each division"), 0, MOST_MOVED, 0,
        gettext_lazy("They are marked in the standings; 0 if there is only one division."),
    )  # fmt: skip
    relegated = whole_number(gettext_lazy("Teams relegated from each division"), 0, MOST_MOVED, 0)
    up_limit = whole_number(
        gettext_lazy("Matches for a higher team"), 0, MOST_MATCHES_UP, 0,
        gettext_lazy(
            "After this many matches for a higher team of the club, a player can no longer play for a "
            "lower one. 0 for no limit."
        ),
    )  # fmt: skip

    def ask_for(self, chosen: str) -> None:
        """Leave what does not apply to the chosen format unasked, and say how many rounds it has."""
        asked = FORMATS[chosen].asked
        for name in [name for name in self.fields if name.startswith(asked.left_out)]:
            del self.fields[name]
        rounds = whole_number(_("Rounds"), 1, asked.most_rounds, asked.usual_rounds)
        rounds.help_text = asked.about_rounds
        self.fields["rounds_planned"] = rounds
        self.fields["format"].help_text = " ".join(str(row.about) for row in FORMATS.values())

    def match_points(self) -> list[int]:
        """The three numbers typed: won, drawn, lost."""
        return [self.cleaned_data[name] for name in POINTS]

    def check_match_points(self) -> None:
        """Validate match points: a draw's are between those of a loss and a win, and a win's are the highest."""
        if not all(name in self.cleaned_data for name in POINTS):
            return
        won, drawn, lost = self.match_points()
        if won <= lost:
            self.add_error("points_won", _("A win must give more points than a loss."))
        elif not lost <= drawn <= won:
            self.add_error("points_drawn", _("A draw cannot give more than a win or less than a loss."))


def chosen_format(data: Mapping[str, Any]) -> str:
    """The format in what was sent or is stored; individual where there is none that is known."""
    chosen = data.get("format")
    return str(chosen) if chosen in FORMATS else USUAL


def format_was_shown(data: Mapping[str, Any]) -> bool:
    """Whether the submitted page had the fields of the chosen format; assumed if unknown."""
    return bool(data.get("format_of", chosen_format(data)) == chosen_format(data))


# The one page on which a tournament is set up.

MOST_TIE_BREAKS = 4


class SetupForm(RulesForm, FormatFields, BoardFields, EveningFields):
    """A tournament's set-up form for its `format`, with the options of one `rulebook`; `frozen` has no rules."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(label=gettext_lazy("Name"), max_length=120, initial=gettext_lazy("Club evening"))
    host: forms.ModelChoiceField[Club] = forms.ModelChoiceField(
        label=gettext_lazy("Host"), queryset=None, empty_label=None,
        help_text=gettext_lazy("A club or union you organise for."),
    )  # fmt: skip
    date = day_field(gettext_lazy("Date"))
    begins_at = forms.TimeField(
        label=gettext_lazy("Begins at"), required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        input_formats=["%H:%M", "%H.%M", "%H", "%H:%M:%S"],
        help_text=gettext_lazy("For the calendar (optional)."),
        error_messages={"invalid": gettext_lazy("Type a time like 19:00.")},
    )  # fmt: skip
    place = forms.CharField(label=gettext_lazy("Venue"), max_length=120, required=False)
    held_by: forms.ModelChoiceField[Club] = forms.ModelChoiceField(
        label=gettext_lazy("Played at the club"), queryset=None, required=False, empty_label="–",
        help_text=gettext_lazy(
            "The club at whose venue it is played: its organisers and helpers can help at the desk."
        ),
    )  # fmt: skip
    rules_name = NameField(
        label=gettext_lazy("Name of the club’s own rules"), max_length=80, required=False,
        help_text=gettext_lazy(
            "Filled in when you choose the club’s own rules. Leave it empty if a rulebook is "
"played unchanged."
        ),
    )  # fmt: skip
    draw_mode = forms.ChoiceField(
        label=gettext_lazy("Draw"), choices=Tournament.DrawMode.choices, initial=Tournament.DrawMode.WHOLE,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "“Round by round” suits evenings where people come and go. With “by the standings” the first "
            "round is drawn by lot, and as far as possible nobody meets anybody twice."
        ),
    )  # fmt: skip
    deals_per_round = whole_number(
        gettext_lazy("Deals per round"), 4, 80, 40,
        gettext_lazy("At a table of four, a number divisible by 4 lets everyone deal and sit out equally "
"often."),
    )  # fmt: skip
    deals_at_three = whole_number(
        gettext_lazy("Deals at a table of three"), 3, 80, 30,
        gettext_lazy("30 deals for three give everyone as many hands as 40 for four."),
    )  # fmt: skip
    stake = KronerField(
        label=gettext_lazy("Stake per token, in kroner"), most=100_000, initial=0,
        help_text=gettext_lazy("For example 0.25. Leave it at 0 if you do not play for money."),
    )  # fmt: skip
    entry_fee = KronerField(
        label=gettext_lazy("Entry fee per player, in kroner"), most=10_000_000, initial=0,
        help_text=gettext_lazy("Payment is ticked off at check-in."),
    )  # fmt: skip

    def __init__(
        self,
        *args: Any,
        hosts: QuerySet[Club],
        frozen: bool,
        format: str,  # noqa: A002
        tournament: Tournament | None = None,
        **fields: Any,
    ) -> None:
        """`tournament` is the one that is changed: it may keep what its club could no longer choose."""
        super().__init__(*args, **fields)
        self.tournament = tournament
        self.chosen_format = format
        host = field_of(self, "host")
        host.queryset = hosts
        # Evaluated once: whether the field is required also depends on its first choice.
        host.choices = list(host.choices)
        held_by = Q(pk=tournament.held_by_id if tournament else None)
        of_unions = Club.objects.filter(held_by | Q(pk__in=clubs_in(hosts.order_by().values("pk"))))
        field_of(self, "held_by").queryset = of_unions
        if not of_unions.exists():
            del self.fields["held_by"]
        for place in range(1, MOST_TIE_BREAKS + 1):
            self.fields[f"tie_break_{place}"] = _tie_break_field(self.book, place)
        _ask_for_deals(self.fields, self.book.players)
        self.ask_for(format)
        if "takes_over" in self.fields:
            self.fields["takes_over"].initial = self.book.for_pairs
        self.ask_for_evening(hosts, self.book.players)
        if frozen:
            frozen_prefixes = (*FROZEN_AT_START, *POINTS, "tie_break_", f"{self.book.id}-")
            for name in [name for name in self.fields if name.startswith(frozen_prefixes)]:
                del self.fields[name]

    @property
    def tie_break_fields(self) -> Iterator[forms.BoundField]:
        return (field for field in self if field.name.startswith("tie_break_"))

    def clean_date(self) -> object:
        day = self.cleaned_data["date"]
        if day.year not in YEARS:
            raise ValidationError(_("Check the year again."))
        return day

    def clean_deals_at_three(self) -> int:
        """Require equal turns of dealing where only declarers score: fewer deals would mean a smaller total."""
        deals = int(self.cleaned_data["deals_at_three"])
        if not self.book.zero_sum and deals % SMALL_TABLE:
            near = deals - deals % SMALL_TABLE
            raise ValidationError(
                _("A crocodile session has a number of deals divisible by 3, such as %(less)d or %(more)d.")
                % {"less": max(near, SMALL_TABLE), "more": near + SMALL_TABLE}
            )
        return deals

    def clean_format(self) -> str:
        """Validate the format: some need tables of a size that not every rulebook has."""
        row = FORMATS[self.cleaned_data["format"] or USUAL]
        if row.at_table and row.at_table not in self.book.players:
            raise ValidationError(str(row.no_such_table))
        return row.code

    def clean(self) -> dict[str, Any]:
        self._check_tie_breaks()
        held_by, host = self.cleaned_data.get("held_by"), self.cleaned_data.get("host")
        is_kept = self.tournament and (held_by, host) == (self.tournament.held_by, self.tournament.host)
        if held_by and host and not is_kept and not is_affiliated(held_by, host):
            self.add_error("held_by", _("The hosting club must belong to the union."))
        self.check_match_points()
        self.check_boards(self.book)
        self.check_season()
        if "rulebook" not in self.fields:
            return self.cleaned_data
        cleaned = super().clean()
        self._check_taking_over()
        return cleaned

    def _check_taking_over(self) -> None:
        """Taking over hands is incompatible with some rulebooks, and with a fourth player who plays mort.

        A form without the field defaults to taking over where possible.
        """
        if self.errors:
            return
        row = FORMATS[self.cleaned_data["format"]]
        can_be = get_rulebook(self.book.id, self.options()).for_pairs
        if "takes_over" in self.fields and self.cleaned_data["takes_over"] is None:
            self.cleaned_data["takes_over"] = can_be
        if not can_be and row.takes_over(asked=bool(self.cleaned_data.get("takes_over"))):
            field = "takes_over" if "takes_over" in self.fields else "format"
            self.add_error(field, str(row.cannot_take_over))

    def _check_tie_breaks(self) -> None:
        chosen: set[str] = set()
        for place in range(1, MOST_TIE_BREAKS + 1):
            code = self.cleaned_data.get(f"tie_break_{place}")
            if code and code in chosen:
                self.add_error(f"tie_break_{place}", _("This one is chosen twice."))
            chosen.add(code or "")

    def values(self) -> dict[str, Any]:
        """The values to store, by the tournament's fields, without frozen ones."""
        data = self.cleaned_data
        values = {name: data[name] for name in SETUP_FIELDS if name in data}
        if "rulebook" in values:
            chosen = [data.get(f"tie_break_{place}") for place in range(1, MOST_TIE_BREAKS + 1)]
            values["options"] = self.options()
            if "tie_break_1" in self.fields:
                values["tie_breaks"] = [code for code in chosen if code]
            if POINTS[0] in self.fields:
                values["match_points"] = self.match_points()
        return values


def _ask_for_deals(fields: dict[str, forms.Field], sizes: Collection[int]) -> None:
    """Ask for the deals at tables that the rulebook has; where these have one size, for deals per round alone."""
    if sorted(sizes) == [SMALL_TABLE, CHAIRS]:
        return
    (size,) = sizes
    asked, other = "deals_per_round", "deals_at_three"
    if size == SMALL_TABLE:
        asked, other = other, asked
    del fields[other]
    fields[asked].label = _("Deals per round")
    fields[asked].help_text = _(
        "These rules are played by %(size)d at a table; a number divisible by %(size)d lets "
        "everyone deal equally often."
    ) % {"size": size}


def _tie_break_field(book: Rulebook, place: int) -> forms.ChoiceField:
    names = [(code, tie_break_text(book, code).name) for code in TIE_BREAKS]
    initial = DEFAULT_TIE_BREAKS[place - 1] if place <= len(DEFAULT_TIE_BREAKS) else ""
    return forms.ChoiceField(
        label=_("Tie-break %(place)d") % {"place": place}, required=False, initial=initial,
        choices=[("", _("none")), *names],
    )  # fmt: skip


def initial_values(tournament: Tournament) -> dict[str, Any]:
    """A tournament's set-up as the form's initial values."""
    values: dict[str, Any] = {name: getattr(tournament, name) for name in SETUP_FIELDS}
    values |= {f"{tournament.rulebook}-{name}": value for name, value in values.pop("options").items()}
    if tournament.comparison != Tournament.Comparison.AVERAGE:
        # Not stored where not shown: after a change to averages the recommended value is offered.
        del values["least_share"]
    codes = values.pop("tie_breaks")
    codes = [*codes, *[""] * MOST_TIE_BREAKS][:MOST_TIE_BREAKS]
    values |= dict(zip(POINTS, values.pop("match_points"), strict=True))
    return values | {f"tie_break_{place}": code for place, code in enumerate(codes, start=1)}
