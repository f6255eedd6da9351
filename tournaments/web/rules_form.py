"""The rules of the game on a form: a rulebook, or a club's own rules, with every option and price to set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from core.forms import field_of
from scoring import BadOption, get_rulebook, rulebooks
from tournaments.domain.terms import bad_option_text, option_text, option_words, said_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scoring.rulebook import OptionSpec, Rulebook
    from tournaments.models import ClubRules

PRICES = gettext_noop(
    "A contract’s price covers a win and a plain loss; a kodille costs this much more, in"
    " some contracts for every trick."
)


class RulesForm(forms.Form):
    """The options and prices of what is chosen: a rulebook's id, or the `choice` of one of the sets in `own`.

    An option's field is named `<rulebook>-<option>`: two rulebooks never take each other's values.
    """

    rulebook = forms.ChoiceField(
        label=gettext_lazy("Rulebook"),
        error_messages={"invalid_choice": gettext_lazy("These rules no longer exist. Choose others.")},
    )

    def __init__(self, *args: Any, rulebook: str, own: Iterable[ClubRules] = (), **fields: Any) -> None:
        super().__init__(*args, **fields)
        self.books = {book.id: book for book in rulebooks()}
        self.own = {rules.choice: rules for rules in own if rules.rulebook in self.books}
        chosen = self.own.get(rulebook)
        self.book = self.books.get(chosen.rulebook if chosen else rulebook) or rulebooks()[0]
        self.chosen = rulebook if chosen else self.book.id
        choices = [*self.book_choices, *((code, rules.name) for code, rules in self.own.items())]
        field_of(self, "rulebook").choices = choices
        self.fields["rulebook"].initial = self.chosen
        self.prices = {
            f"{self.book.id}-{spec.name}" for spec in self.book.option_specs if spec.section == "prices"
        }
        for spec in self.book.option_specs:
            self.fields[f"{self.book.id}-{spec.name}"] = _option_field(self.book, spec)

    @property
    def book_choices(self) -> list[tuple[str, str]]:
        return [(book.id, _(book.name)) for book in self.books.values()]

    @property
    def option_fields(self) -> Iterator[forms.BoundField]:
        return (field for field in self._of_book() if field.name not in self.prices)

    @property
    def price_fields(self) -> list[forms.BoundField]:
        return [field for field in self._of_book() if field.name in self.prices]

    @property
    def about_prices(self) -> str:
        """A note about all prices, above them."""
        return " ".join(
            (
                _("In tokens. These are the rulebook’s prices unless you change them."),
                said_by(self.book, PRICES),
            )
        )

    @property
    def has_own_prices(self) -> bool:
        """Whether a price is not the rulebook's, or wrong: then all are shown."""
        return any(
            str(field.value()) != str(field.field.initial) or field.errors for field in self.price_fields
        )

    def _of_book(self) -> Iterator[forms.BoundField]:
        return (field for field in self if field.name.startswith(f"{self.book.id}-"))

    @property
    def carried(self) -> list[tuple[str, str]]:
        """Choices made for other rulebooks: hidden fields, in case the organiser changes back."""
        sent = submitted_values(self.data) if self.is_bound else self.initial
        books = tuple(f"{book}-" for book in self.books if book != self.book.id)
        return [(name, value) for name, value in sent.items() if name.startswith(books)]

    def clean_rulebook(self) -> str:
        return self.book.id

    def clean(self) -> dict[str, Any]:
        """Validate options and prices together; errors are attached to their fields."""
        try:
            get_rulebook(self.book.id, self.options())
        except BadOption as found:
            for error in found.all:
                self.add_error(f"{self.book.id}-{error.name}", bad_option_text(error))
        return self.cleaned_data

    def options(self) -> dict[str, object]:
        """The value of every option that could be read; one that is left empty is as in the rulebook."""
        return {spec.name: spec.default if value in (None, "") else value for spec, value in self._read()}

    def _read(self) -> Iterator[tuple[OptionSpec, Any]]:
        for spec in self.book.option_specs:
            name = f"{self.book.id}-{spec.name}"
            if name in self.cleaned_data:
                yield spec, self.cleaned_data[name]


def _option_field(book: Rulebook, spec: OptionSpec) -> forms.Field:
    """An option as its title, its explanation, and a control: words to choose from, or a number of tokens."""
    said: dict[str, Any] = {
        "label": option_text(book, spec.title, spec.contract),
        # What a contract costs is explained once, above all of them.
        "help_text": "" if spec.contract else option_text(book, spec.explanation, ""),
        "initial": spec.default,
        "required": False,
    }
    field = _control(book, spec, said)
    field.paragraph = "" if spec.contract else spec.paragraph  # type: ignore[attr-defined]
    return field


def _control(book: Rulebook, spec: OptionSpec, said: dict[str, Any]) -> forms.Field:
    match spec.kind:
        case "int":
            return forms.IntegerField(min_value=spec.minimum, max_value=spec.maximum, **said)
        case "bool":
            yes_no = [(value, option_words(book, value)) for value in (True, False)]
            return forms.TypedChoiceField(
                choices=yes_no,
                coerce=lambda value: value == "True",
                empty_value=None,
                widget=forms.RadioSelect,
                **said,
            )
        case "choice":
            words = [(value, option_words(book, value)) for value in spec.values]
            return forms.ChoiceField(choices=words, widget=forms.RadioSelect, **said)


def own_values(rules: ClubRules) -> dict[str, Any]:
    """A club's own rules as a form's initial values."""
    return {f"{rules.rulebook}-{name}": value for name, value in rules.options.items()}


def submitted_values(data: Mapping[str, Any]) -> dict[str, str]:
    """Values of a submitted form, to be shown again without validation."""
    return {name: value for name, value in data.items() if isinstance(value, str)}


def is_judged(data: Mapping[str, Any]) -> bool:
    """Whether a sent form is to be judged: not where the options of what is chosen have not been seen."""
    return "show_options" not in data and shown_options(data) == data.get("rulebook", "")


def shown_options(data: Mapping[str, Any]) -> str:
    """The rulebook whose options were submitted, by a hidden field, else by the fields' names."""
    chosen = data.get("rulebook", "")
    named = chosen if any(name.startswith(f"{chosen}-") for name in data) else ""
    return str(data.get("options_of", named))


def filled_in(data: Mapping[str, Any], own: Iterable[ClubRules]) -> dict[str, Any]:
    """A form without validation: the submitted values, and the options of a newly chosen rulebook.

    A club's own rules bring their options and their name; from these back to the rulebook brings its own.
    """
    sets = {rules.choice: rules for rules in own}
    before, chosen = shown_options(data), str(data.get("rulebook", ""))
    values: dict[str, Any] = dict(submitted_values(data))
    if before == chosen:
        return values
    if chosen in sets:
        return (
            _without(values, sets[chosen].rulebook)
            | own_values(sets[chosen])
            | {"rules_name": sets[chosen].name}
        )
    if before in sets:
        return _without(values, sets[before].rulebook) | {"rules_name": ""}
    return values


def _without(values: dict[str, Any], rulebook: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if not name.startswith(f"{rulebook}-")}
