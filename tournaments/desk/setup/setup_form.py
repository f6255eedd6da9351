"""The one page on which a tournament is set up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club
from core.forms import DATE_FORMATS, DayInput, NameField
from scoring import get_rulebook
from tournaments.desk.boards.folders_form import BoardFields
from tournaments.desk.setup.evening_form import YEARS, EveningFields
from tournaments.desk.setup.formats_form import FormatFields
from tournaments.domain.amounts import in_kroner, read_kroner
from tournaments.domain.formats import FORMATS, POINTS, USUAL
from tournaments.draw.tables import CHAIRS, SMALL_TABLE
from tournaments.lifecycle.creating import FROZEN_AT_START, SETUP_FIELDS
from tournaments.models import Tournament
from tournaments.standings.tie_breaks import DEFAULT_TIE_BREAKS, TIE_BREAKS, tie_break_said
from tournaments.web.fields import whole_number
from tournaments.web.rules_form import RulesForm

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from django.db.models import QuerySet

    from scoring.rulebook import Rulebook

MOST_TIE_BREAKS = 4


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
            raise ValidationError(_("Type kroner and øre, such as 0,25 or 12.")) from None
        if amount > self.most:
            raise ValidationError(_("That is more than %(most)s kroner.") % {"most": in_kroner(self.most)})
        return amount


class SetupForm(RulesForm, FormatFields, BoardFields, EveningFields):
    """A tournament's set-up as its `format` asks, with the options of one `rulebook`; `frozen`, without the rules."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(label=gettext_lazy("Name"), max_length=120, initial=gettext_lazy("Club evening"))
    host: forms.ModelChoiceField[Club] = forms.ModelChoiceField(
        label=gettext_lazy("Host"), queryset=None, empty_label=None,
        help_text=gettext_lazy("A club or union you organise for."),
    )  # fmt: skip
    date = forms.DateField(
        label=gettext_lazy("Date"),
        widget=DayInput(),
        input_formats=DATE_FORMATS,
    )
    begins_at = forms.TimeField(
        label=gettext_lazy("Begins at"), required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        input_formats=["%H:%M", "%H.%M", "%H", "%H:%M:%S"],
        help_text=gettext_lazy("For the calendar; may be left empty."),
        error_messages={"invalid": gettext_lazy("Type an hour like 19:00.")},
    )  # fmt: skip
    place = forms.CharField(label=gettext_lazy("Venue"), max_length=120, required=False)
    held_by: forms.ModelChoiceField[Club] = forms.ModelChoiceField(
        label=gettext_lazy("Played at the club"), queryset=None, required=False, empty_label="–",
        help_text=gettext_lazy(
            "The union’s club in whose hall it is played: its organisers and helpers help at the desk."
        ),
    )  # fmt: skip
    rules_name = NameField(
        label=gettext_lazy("Name of the club's own rules"), max_length=80, required=False,
        help_text=gettext_lazy(
            "Filled in when you choose the club’s own rules. Leave it empty if a rulebook is "
"played unchanged."
        ),
    )  # fmt: skip
    draw_mode = forms.ChoiceField(
        label=gettext_lazy("Draw"), choices=Tournament.DrawMode.choices, initial=Tournament.DrawMode.WHOLE,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Round by round suits evenings where people come and go. By the standings, the first "
"round is drawn by lot and nobody meets anybody twice as long as that is possible."
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
        help_text=gettext_lazy("For example 0,25. Leave 0 if you do not play for money."),
    )  # fmt: skip
    entry_fee = KronerField(
        label=gettext_lazy("Entry fee per player, in kroner"), most=10_000_000, initial=0,
        help_text=gettext_lazy("Payment is ticked off at the check-in."),
    )  # fmt: skip

    def __init__(self, *args: Any, hosts: QuerySet[Club], frozen: bool, format: str, **fields: Any) -> None:  # noqa: A002
        super().__init__(*args, **fields)
        self.chosen_format = format
        host = self.fields["host"]
        host.queryset = hosts  # type: ignore[attr-defined]
        # Asked for once: whether it must be answered, too, is asked of its first choice.
        host.choices = list(host.choices)  # type: ignore[attr-defined]
        of_unions = Club.objects.filter(union__in=hosts.order_by().values("pk"))
        self.fields["held_by"].queryset = of_unions  # type: ignore[attr-defined]
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
        """Where only declarers score, all deal equally often: the total of who deals less would be a smaller one."""
        deals = int(self.cleaned_data["deals_at_three"])
        if not self.book.zero_sum and deals % SMALL_TABLE:
            near = deals - deals % SMALL_TABLE
            raise ValidationError(
                _("A crocodile session has a number of deals divisible by 3, such as %(less)d or %(more)d.")
                % {"less": max(near, SMALL_TABLE), "more": near + SMALL_TABLE}
            )
        return deals

    def clean_format(self) -> str:
        """Some formats need tables of a size that not every rulebook has."""
        row = FORMATS[self.cleaned_data["format"] or USUAL]
        if row.at_table and row.at_table not in self.book.players:
            raise ValidationError(str(row.no_such_table))
        return row.code

    def clean(self) -> dict[str, Any]:
        self._check_tie_breaks()
        held_by, host = self.cleaned_data.get("held_by"), self.cleaned_data.get("host")
        if held_by and host and held_by.union_id != host.pk:
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
        """A hand that is taken over does not go with every rulebook, nor with a fourth player who plays mort.

        Who was not asked about teams' hands has them taken over where that can be.
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
        """What to store, by the tournament's fields; what is frozen is left out."""
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
    names = [(code, tie_break_said(book, code).name) for code in TIE_BREAKS]
    initial = DEFAULT_TIE_BREAKS[place - 1] if place <= len(DEFAULT_TIE_BREAKS) else ""
    return forms.ChoiceField(
        label=_("Tie-break %(place)d") % {"place": place}, required=False, initial=initial,
        choices=[("", _("none")), *names],
    )  # fmt: skip


def stored(tournament: Tournament) -> dict[str, Any]:
    """A tournament's set-up as the form's initial values."""
    values: dict[str, Any] = {name: getattr(tournament, name) for name in SETUP_FIELDS}
    values |= {f"{tournament.rulebook}-{name}": value for name, value in values.pop("options").items()}
    if tournament.comparison != Tournament.Comparison.AVERAGE:
        # Nothing is stored where it is not asked: whoever changes to averages is offered what is recommended.
        del values["least_share"]
    codes = values.pop("tie_breaks")
    codes = [*codes, *[""] * MOST_TIE_BREAKS][:MOST_TIE_BREAKS]
    values |= dict(zip(POINTS, values.pop("match_points"), strict=True))
    return values | {f"tie_break_{place}": code for place, code in enumerate(codes, start=1)}
