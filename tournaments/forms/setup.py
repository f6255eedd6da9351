"""The one page on which a tournament is set up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import BadOption, get_rulebook, rulebooks
from tournaments.in_words.terms import option_words
from tournaments.models import Tournament
from tournaments.money import in_kroner, read_kroner
from tournaments.setup import FROZEN_AT_START, SETUP_FIELDS
from tournaments.standings import DEFAULT_TIE_BREAKS, TIE_BREAKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise as StrPromise

    from clubs.models import Club
    from scoring.options import OptionSpec

MOST_TIE_BREAKS = 4
YEARS = range(2000, 2100)  # anything else is a slip of the keyboard


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
            raise ValidationError(_("Type kroner and øre like 0,25 or 12.")) from None
        if amount > self.most:
            raise ValidationError(_("That is more than %(most)s kroner.") % {"most": in_kroner(self.most)})
        return amount


def _whole_number(
    label: StrPromise, least: int, most: int, initial: int, help_text: StrPromise | str = ""
) -> forms.IntegerField:
    return forms.IntegerField(
        label=label,
        min_value=least,
        max_value=most,
        initial=initial,
        help_text=help_text,
        error_messages={
            "required": gettext_lazy("Type a whole number."),
            "invalid": gettext_lazy("Type a whole number."),
            "min_value": gettext_lazy("At least %(limit_value)s."),
            "max_value": gettext_lazy("At most %(limit_value)s."),
        },
    )


class SetupForm(forms.Form):
    """A tournament's set-up, with the options of one `rulebook`; with `frozen`, without the rules.

    An option's field is named `<rulebook>-<option>`: two rulebooks never take each other's values.
    """

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(label=gettext_lazy("Name"), max_length=120, initial=gettext_lazy("Club evening"))
    host: forms.ModelChoiceField[Club] = forms.ModelChoiceField(
        label=gettext_lazy("Host"), queryset=None, empty_label=None,
        help_text=gettext_lazy("A club or union that you organise for."),
    )  # fmt: skip
    date = forms.DateField(
        label=gettext_lazy("Date"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d", "%d-%m-%Y", "%d.%m.%Y", "%d/%m/%Y"],
    )
    place = forms.CharField(label=gettext_lazy("Venue"), max_length=120, required=False)
    rulebook = forms.ChoiceField(label=gettext_lazy("Rulebook"))
    rounds_planned = _whole_number(gettext_lazy("Rounds"), 1, 8, 3)
    draw_mode = forms.ChoiceField(
        label=gettext_lazy("Draw"), choices=Tournament.DrawMode.choices, initial=Tournament.DrawMode.WHOLE,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Round by round suits evenings where people come and go."),
    )  # fmt: skip
    deals_per_round = _whole_number(
        gettext_lazy("Deals per round"), 4, 80, 40,
        gettext_lazy("At a table of four a number that 4 divides lets all deal and sit out equally often."),
    )  # fmt: skip
    deals_at_three = _whole_number(
        gettext_lazy("Deals at a table of three"), 3, 80, 30,
        gettext_lazy("30 deals for three give everybody as many hands as 40 for four."),
    )  # fmt: skip
    stake = KronerField(
        label=gettext_lazy("Stake for a token, in kroner"), most=100_000, initial=0,
        help_text=gettext_lazy("For example 0,25. Leave 0 where you play for nothing."),
    )  # fmt: skip
    entry_fee = KronerField(
        label=gettext_lazy("Entry fee for a player, in kroner"), most=10_000_000, initial=0,
        help_text=gettext_lazy("Who has paid is ticked off at the check-in."),
    )  # fmt: skip

    def __init__(self, *args: Any, hosts: QuerySet[Club], rulebook: str, frozen: bool, **fields: Any) -> None:
        super().__init__(*args, **fields)
        books = {book.id: book for book in rulebooks()}
        self.book = books.get(rulebook) or rulebooks()[0]
        self.fields["host"].queryset = hosts  # type: ignore[attr-defined]
        self.fields["rulebook"].choices = [(book.id, _(book.name)) for book in books.values()]  # type: ignore[attr-defined]
        self.fields["rulebook"].initial = self.book.id
        for place in range(1, MOST_TIE_BREAKS + 1):
            self.fields[f"tie_break_{place}"] = _tie_break_field(place)
        for spec in self.book.option_specs:
            self.fields[f"{self.book.id}-{spec.name}"] = _option_field(spec)
        if frozen:
            frozen_prefixes = (*FROZEN_AT_START, "tie_break_", f"{self.book.id}-")
            for name in [name for name in self.fields if name.startswith(frozen_prefixes)]:
                del self.fields[name]

    @property
    def option_fields(self) -> Iterator[forms.BoundField]:
        return (field for field in self if field.name.startswith(f"{self.book.id}-"))

    @property
    def carried(self) -> list[tuple[str, str]]:
        """What was chosen in other rulebooks' options: kept in the page, should the organiser go back."""
        sent = typed(self.data) if self.is_bound else self.initial
        own = f"{self.book.id}-"
        return [(name, value) for name, value in sent.items() if "-" in name and not name.startswith(own)]

    @property
    def tie_break_fields(self) -> Iterator[forms.BoundField]:
        return (field for field in self if field.name.startswith("tie_break_"))

    def clean_date(self) -> object:
        day = self.cleaned_data["date"]
        if day.year not in YEARS:
            raise ValidationError(_("Look at the year once more."))
        return day

    def clean(self) -> dict[str, Any]:
        self._check_tie_breaks()
        try:
            get_rulebook(self.book.id, self._options())
        except BadOption as error:
            self.add_error(f"{self.book.id}-{error.name}", _(error.text).format(**error.params))
        return self.cleaned_data

    def _check_tie_breaks(self) -> None:
        chosen: set[str] = set()
        for place in range(1, MOST_TIE_BREAKS + 1):
            code = self.cleaned_data.get(f"tie_break_{place}")
            if code and code in chosen:
                self.add_error(f"tie_break_{place}", _("This one is chosen twice."))
            chosen.add(code or "")

    def _options(self) -> dict[str, object]:
        prefix = f"{self.book.id}-"
        return {
            name.removeprefix(prefix): value
            for name, value in self.cleaned_data.items()
            if name.startswith(prefix)
        }

    def values(self) -> dict[str, Any]:
        """What to store, by the tournament's fields; what is frozen is left out."""
        data = self.cleaned_data
        values = {name: data[name] for name in SETUP_FIELDS if name in data}
        if "rulebook" in values:
            chosen = [data[f"tie_break_{place}"] for place in range(1, MOST_TIE_BREAKS + 1)]
            values |= {"options": self._options(), "tie_breaks": [code for code in chosen if code]}
        return values


def _tie_break_field(place: int) -> forms.ChoiceField:
    names = [(code, tie_break.name) for code, tie_break in TIE_BREAKS.items()]
    initial = DEFAULT_TIE_BREAKS[place - 1] if place <= len(DEFAULT_TIE_BREAKS) else ""
    return forms.ChoiceField(
        label=_("Tie-break %(place)d") % {"place": place}, required=False, initial=initial,
        choices=[("", _("none")), *names],
    )  # fmt: skip


def _option_field(spec: OptionSpec) -> forms.Field:
    """An option as its title, its explanation, and a control: words to choose from, or a number of tokens."""
    said: dict[str, Any] = {"label": _(spec.title), "help_text": _(spec.explanation), "initial": spec.default}
    match spec.kind:
        case "int":
            return forms.IntegerField(min_value=spec.minimum, max_value=spec.maximum, **said)
        case "bool":
            yes_no = [(value, option_words(value)) for value in (True, False)]
            return forms.TypedChoiceField(
                choices=yes_no, coerce=lambda value: value == "True", widget=forms.RadioSelect, **said
            )
        case "choice":
            words = [(value, option_words(value)) for value in spec.values]
            return forms.ChoiceField(choices=words, widget=forms.RadioSelect, **said)


def stored(tournament: Tournament) -> dict[str, Any]:
    """A tournament's set-up as the form's initial values."""
    values: dict[str, Any] = {name: getattr(tournament, name) for name in SETUP_FIELDS}
    values |= {f"{tournament.rulebook}-{name}": value for name, value in values.pop("options").items()}
    codes = values.pop("tie_breaks")
    codes = [*codes, *[""] * MOST_TIE_BREAKS][:MOST_TIE_BREAKS]
    return values | {f"tie_break_{place}": code for place, code in enumerate(codes, start=1)}


def typed(data: Mapping[str, Any]) -> dict[str, str]:
    """What stands in a sent form, to be shown again without being judged."""
    return {name: value for name, value in data.items() if isinstance(value, str)}


def differences(form: SetupForm, typed_values: Mapping[str, Any], stored_values: Mapping[str, Any]) -> None:
    """Mark each field of `form` whose typed value is not what is stored: `stored_now` says that in words."""
    for field in form:
        if field.name in typed_values and field.name in stored_values:
            value = stored_values[field.name]
            if typed_values[field.name] != value:
                field.stored_now = _in_words(field.field, value)  # type: ignore[attr-defined]


def _in_words(field: forms.Field, value: Any) -> str:
    if isinstance(field, forms.ChoiceField) and not isinstance(field, forms.ModelChoiceField):
        return str(dict(field.choices).get(value, value))  # type: ignore[arg-type]
    if isinstance(field, forms.DateField):
        return date_format(value)
    return str(field.prepare_value(value)) or _("nothing")
