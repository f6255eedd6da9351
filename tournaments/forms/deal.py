"""A deal's result typed at the desk: in fields, or as one line of the notation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cards import SUITS
from scoring.notation import UnreadableLine, read_words
from scoring.outcomes import TRICKS
from scoring.words import OUTCOME_NAMES
from tournaments.forms.evening import VersionedForm, reason_field
from tournaments.in_words.terms import SUIT_SIGNS, contract_name, outcome_name, role_name, sentence, suit_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scoring.results import DealResult
    from scoring.rulebooks import Rulebook
    from scoring.seats import Seating
    from tournaments.in_words.terms import ProblemSaid
    from tournaments.scoresheet import SeatLine

ALL_PASSED = "all_passed"
NUMBER = re.compile(r"\s*([0-9]{1,4})[.:]?(?=\s|$)")
TRIED = (("", gettext_lazy("not tried")), ("won", gettext_lazy("won")), ("failed", gettext_lazy("failed")))
OUTCOMES = [outcome for outcome in OUTCOME_NAMES if outcome != "washout"]
# Where the engine's problems stand when they are not at a field of this form.
FIELD_OF = {ALL_PASSED: "contract", "claimed_after": "tricks", "first_five_by": "tricks", "led_sixth": "tout"}

Choices = list[tuple[Any, Any]]


def _choice(label: Any, choices: Iterable[tuple[Any, Any]], **fields: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=list(choices), required=False, **fields)


class DealForm(VersionedForm):
    """A deal's result; a rare field is there only where an option or a contract of the rulebook asks for it.

    A typed `line` goes before the fields; it may begin with the deal's number. Whether the result is legal is
    the engine's to say, see `add_problems`.
    """

    line = forms.CharField(
        label=gettext_lazy("In one line"), required=False, max_length=120,
        help_text=gettext_lazy("Seat, contract, trump, result: “C solo h won”, “A nolo 2”, “- pass”."),
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}),
    )  # fmt: skip

    def __init__(
        self,
        *args: Any,
        deal: int,
        rulebook: Rulebook,
        seating: Seating,
        seats: Sequence[SeatLine],
        **fields: Any,
    ) -> None:
        super().__init__(*args, **fields)
        self.deal = deal
        self.read: DealResult | None = None
        self.seating = seating
        self.names = [seat.name for seat in seats]
        self.players = len(seats)
        seated: Choices = [(str(seat.position), _seat_words(seat, seating, rulebook)) for seat in seats]
        contracts = rulebook.contracts_at(self.players)
        declare = {role for row in contracts for role in row.declarers_at(self.players)}
        declarers = [seat for seat in seated if seating.role_of(int(seat[0])) in declare]
        self.fields |= _played_fields(rulebook, self.players, declarers)
        self.fields |= {
            f"tricks_{seat.position}": forms.IntegerField(
                label=seat.name, required=False, min_value=0, max_value=TRICKS
            )
            for seat in seats
        }
        self.fields |= _rare_fields(rulebook, seated, fourth_joins=any(row.fourth_joins for row in contracts))
        self.fields["reason"] = reason_field(required=False)

    @property
    def tricks_fields(self) -> list[forms.BoundField]:
        return [self[f"tricks_{position}"] for position in range(self.players)]

    @property
    def tricks_errors(self) -> list[str]:
        return [str(error) for field in self.tricks_fields for error in field.errors]

    @property
    def rare(self) -> list[forms.BoundField]:
        return [self[name] for name in RARE if name in self.fields]

    @property
    def has_rare(self) -> bool:
        """Whether something stands in the rare fields, or is wrong with them."""
        return any(field.value() or field.errors for field in self.rare)

    def clean_line(self) -> str:
        """The line without the deal's number, which must be this deal's if it is typed."""
        line = str(self.cleaned_data["line"])
        number = NUMBER.match(line)
        if number and int(number[1]) != self.deal:
            raise ValidationError(
                _("This line is for deal %(typed)s; here stands deal %(deal)d.")
                % {"typed": number[1], "deal": self.deal}
            )
        # Blanks in its place keep the columns that the reader names.
        line = " " * number.end() + line[number.end() :] if number else line
        try:
            self.read = read_words(line, self.seating) if line.strip() else None
        except UnreadableLine as error:
            raise ValidationError(sentence(error.text, error.params, self.names, self.seating)) from None
        return line.strip()

    @property
    def result(self) -> dict[str, Any]:
        """What is reported, as the engine reads it: the line's, or the fields'."""
        return self.read.to_json(self.seating) if self.read else self._from_fields()

    def _from_fields(self) -> dict[str, Any]:
        """The fields' result; what is empty is left out."""
        data = self.cleaned_data
        if data["contract"] == ALL_PASSED:
            return {"all_passed": True}
        seats = {name: int(data[name]) for name in ("declarer", "foul") if data.get(name)}
        words = {
            name: data[name]
            for name in ("contract", "trump", "outcome", "tout", "five_first")
            if data.get(name)
        }
        flags = {name: True for name in FLAGS if data.get(name)}
        tricks = {
            str(position): data[f"tricks_{position}"]
            for position in range(self.players)
            if data[f"tricks_{position}"] is not None
        }
        joined = [int(position) for position in data.get("joined", ())]
        lists: dict[str, Any] = {"tricks": tricks, "joined": joined}
        return seats | words | flags | {name: value for name, value in lists.items() if value}

    def add_problems(self, problems: Iterable[ProblemSaid]) -> None:
        """Say what the rules have against the result, at its field or at the line that was typed."""
        for problem in problems:
            field: str | None = FIELD_OF.get(problem.field, problem.field)
            if self.cleaned_data.get("line") and field != "reason":
                field = "line"
            elif field == "tricks":
                field = f"tricks_{self.cleaned_data.get('declarer') or 0}"
            self.add_error(field if field in self.fields else None, problem.message)


FLAGS = ("abandoned", "idle_abandoned", "exchange_repeated", "aces")
RARE = ("tout", "five_first", "foul", "joined", *FLAGS)


def _seat_words(seat: SeatLine, seating: Seating, rulebook: Rulebook) -> str:
    role = rulebook.seat_name(seating.role_of(seat.position))
    return f"{seat.letter} {seat.name} ({role_name(role)})"


def _played_fields(rulebook: Rulebook, players: int, declarers: Choices) -> dict[str, forms.Field]:
    contracts: Choices = [(row.id, contract_name(row.id)) for row in rulebook.contracts_at(players)]
    if rulebook.may_be_passed_out(players):
        contracts.append((ALL_PASSED, _("all passed")))
    suits = [(suit, f"{SUIT_SIGNS[suit]} {suit_name(suit)}") for suit in SUITS]
    outcomes = [(outcome, outcome_name(outcome)) for outcome in OUTCOMES]
    return {
        "contract": _choice(_("Contract"), [("", _("choose")), *contracts]),
        "declarer": _choice(_("Declarer"), [("", _("choose")), *declarers]),
        "trump": _choice(_("Trump"), [("", _("none")), *suits]),
        "outcome": _choice(_("Result"), [("", _("from the tricks")), *outcomes]),
    }


def _rare_fields(rulebook: Rulebook, seated: Choices, *, fourth_joins: bool) -> dict[str, forms.Field]:
    house, players = rulebook.house, len(seated)
    contracts = rulebook.contracts_at(players)
    fourth = fourth_joins and players == max(rulebook.players)
    fields: dict[str, tuple[bool, forms.Field]] = {
        "tout": (True, _choice(_("Tout"), TRIED)),
        "five_first": (house.first_five_bonus, _choice(_("First five tricks announced"), TRIED)),
        "foul": (house.fouls, _choice(_("Fouled the exchange"), [("", _("nobody")), *seated])),
        "joined": (
            fourth or any(row.others_may_join for row in contracts),
            forms.MultipleChoiceField(
                label=_("Joined the nolo"),
                choices=seated,
                required=False,
                widget=forms.CheckboxSelectMultiple,
            ),
        ),
        "abandoned": (True, _flag(_("The declarer gave up before play"))),
        "idle_abandoned": (fourth, _flag(_("The fourth player, who joined, gave up before play"))),
        "exchange_repeated": (house.repeat_exchange, _flag(_("The declarer exchanged twice"))),
        "aces": (bool(house.aces_bonus), _flag(_("Bid on three or four aces"))),
    }
    return {name: field for name, (asked_for, field) in fields.items() if asked_for}


def _flag(label: str) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


def typed_result(result: Mapping[str, Any] | None) -> dict[str, Any]:
    """A stored result as the form's initial values."""
    if not result or "ruled" in result:
        return {}
    if result.get("all_passed"):
        return {"contract": ALL_PASSED}
    plain = {name: value for name, value in result.items() if name not in ("tricks", "joined")}
    tricks = {f"tricks_{position}": count for position, count in result.get("tricks", {}).items()}
    return plain | tricks | {"joined": [str(position) for position in result.get("joined", ())]}
