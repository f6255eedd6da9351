"""A result as a question to the referee: whatever the rulebook knows can be told, by roles in place of names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from scoring.notation import UnreadableLine, read_words
from scoring.results import MOST_TOKENS, OPPONENTS
from scoring.seats import ALL_ROLES, ROLES, Role, Seating
from tournaments.domain.rule_text import seat_words, word
from tournaments.domain.terms import SUIT_SIGNS, card_words, outcome_name, suit_name
from tournaments.hall.referee_form import QuestionForm, choice, contract_choices
from tournaments.web.deal_form import (
    ALL_PASSED,
    NUMBERS,
    TRIED,
    example_of,
    flag,
    number,
    promised,
    reportable,
    several,
    tout_name,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scoring.referee import Explanation
    from scoring.results import DealResult

MOST_LETTERS = 200  # of a line that tells all there is to tell
PLAYED = ("contract", "declarer", "trump", "outcome")
# Where a problem stands whose own field is not in the form.
FIELD_OF = {
    ALL_PASSED: "contract",
    "claimed_after": "tricks",
    "led_sixth": "tout",
    "first_five_by": "tricks",
    "declarer_has_played": "abandoned",
}


class ResultForm(QuestionForm):
    """How a deal came out: in one line as on a slip, or field by field; a field is there where the rules know it."""

    def make_fields(self) -> dict[str, forms.Field]:
        line = forms.CharField(
            label=_("In one line"),
            required=False,
            max_length=MOST_LETTERS,
            help_text=" ".join((_("Seat A deals."), example_of(self.rulebook, self.seating))),
            widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}),
        )
        return {"line": line, **self._played_fields(), **self._tricks_fields(), **self._rare_fields()}

    def _seats(self, roles: Iterable[Role]) -> list[tuple[str, str]]:
        return [(role.value, capfirst(seat_words(role, self.rulebook))) for role in roles]

    def _played_fields(self) -> dict[str, forms.Field]:
        contracts = contract_choices(self.rows)
        if self.rulebook.may_be_passed_out(self.players):
            contracts.append((ALL_PASSED, _("all passed")))
        declarers = [
            role
            for role in ROLES[self.players]
            if any(role in row.declarers_at(self.players) for row in self.rows)
        ]
        suits = [(suit, f"{SUIT_SIGNS[suit]} {suit_name(suit)}") for suit in self.rulebook.pack.suits]
        reported = self._reportable().get("outcome", ())
        outcomes = [(outcome, outcome_name(self.rulebook, outcome)) for outcome in reported]
        return {
            "contract": choice(_("Contract"), contracts),
            "declarer": choice(_("Declarer"), [("", _("choose")), *self._seats(declarers)]),
            "trump": choice(_("Trump"), [("", _("none")), *suits]),
            "outcome": choice(_("Result"), [("", _("from the tricks")), *outcomes]),
        }

    def _tricks_fields(self) -> dict[str, forms.Field]:
        most = self.rulebook.house.tricks
        return {
            f"tricks_{role}": forms.IntegerField(
                label=capfirst(seat_words(role, self.rulebook)), required=False, min_value=0, max_value=most
            )
            for role in ROLES[self.players]
        }

    def _reportable(self) -> Mapping[str, tuple[str, ...]]:
        return reportable(self.rulebook, self.players)

    def _rare_fields(self) -> dict[str, forms.Field]:
        """What else may be reported by these rules."""
        seats = self._seats(ROLES[self.players])
        nobody = [("", _("nobody")), *seats]
        winners = [*nobody, (OPPONENTS, _("the opponents together"))]
        fields: dict[str, Callable[[], forms.Field]] = {
            "pool": lambda: number(_("In the pool, including this deal’s ante"), MOST_TOKENS),
            "estuches": lambda: number(_("Estuches, with or without"), MOST_TOKENS),
            "tout": lambda: choice(tout_name(self.rulebook), TRIED),
            "five_first": lambda: choice(_("First five tricks announced"), TRIED),
            "first_five_by": lambda: choice(_("Won the first five tricks"), winners),
            "bonus_bid": lambda: several(_("Bonus bid"), promised(self.rulebook, self.players)),
            "turned": lambda: choice(_("Card turned"), self._cards()),
            "abandoned": lambda: flag(_("The declarer gave up")),
            "before_trick": lambda: number(_("Gave up before trick"), MOST_TOKENS),
            "accepted_by": lambda: several(_("Accept that it is given up"), seats),
            "takeover": lambda: choice(_("Took over"), nobody),
            "won_by": lambda: several(_("Won the kodille"), seats),
            "partner": lambda: choice(_("Partner"), nobody),
            "foul": lambda: choice(_("Fouled the exchange"), nobody),
            "joined": lambda: several(_("Joined the nolo"), seats),
            "idle_abandoned": lambda: flag(_("The fourth player, who joined, gave up before play")),
            "exchange_repeated": lambda: flag(_("The declarer exchanged twice")),
            "aces": lambda: flag(_("Bid on three or four aces")),
            "nine_matadors": lambda: choice(_("Held nine matadors"), nobody),
        }
        asked_for = self._reportable()
        return {name: make() for name, make in fields.items() if name in asked_for}

    def _cards(self) -> list[tuple[str, str]]:
        return [("", "–"), *((card, card_words(card)) for card in self.rulebook.pack.cards)]

    @property
    def seating(self) -> Seating:
        """A table whose first seat deals."""
        return self.rulebook.seating(self.players, 0, in_pairs=self.in_pairs)

    @property
    def lettered(self) -> list[tuple[str, str]]:
        """The seats' letters on slips, and who sits there."""
        return [
            (letter, seat_words(role, self.rulebook))
            for letter, role in zip("ABCDE", self.seating.roles, strict=False)
        ]

    @property
    def played(self) -> list[forms.BoundField]:
        return [self[name] for name in PLAYED]

    @property
    def tricks(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("tricks_")]

    @property
    def tricks_errors(self) -> list[str]:
        return [str(error) for field in self.tricks for error in field.errors]

    @property
    def rare(self) -> list[forms.BoundField]:
        shown = {"line", *PLAYED}
        return [self[name] for name in self.fields if name not in shown and not name.startswith("tricks_")]

    @property
    def has_rare(self) -> bool:
        """Whether something stands in the rare fields, or is wrong with them."""
        return any(field.value() or field.errors for field in self.rare)

    def clean_line(self) -> str:
        line = str(self.cleaned_data["line"]).strip()
        if not line:
            return ""
        try:
            self.read: DealResult = read_words(line, self.seating, self.rulebook)
        except UnreadableLine as error:
            said = {name: word(value, self.rulebook) for name, value in error.params.items()}
            raise forms.ValidationError(_(error.text).format(**said)) from None
        return line

    @property
    def result(self) -> DealResult | dict[str, Any]:
        """The result that the line tells, or the fields', to be read by the engine."""
        return self.read if self.cleaned_data.get("line") else self._from_fields()

    def _from_fields(self) -> dict[str, Any]:
        """What is told, without what is left open."""
        data = self.cleaned_data
        tricks = {
            field.name.removeprefix("tricks_"): data[field.name]
            for field in self.tricks
            if data.get(field.name) is not None
        }
        if data["contract"] == ALL_PASSED:
            told: dict[str, Any] = {ALL_PASSED: True}
        else:
            told = {name: data[name] for name in PLAYED if data[name]}
        rare = {field.name: data[field.name] for field in self.rare}
        told |= {name: value for name, value in rare.items() if value or (name in NUMBERS and value == 0)}
        return told | ({"tricks": tricks} if tricks else {})

    def add_said(self, problem: Explanation, text: str) -> None:
        """Say what the rules have against the result, at its field or at the line that was typed."""
        field: str | None = problem.field if problem.field in self.fields else FIELD_OF.get(problem.field)
        if self.cleaned_data.get("line"):
            field = "line"
        elif "tricks" in (field, problem.field):
            declarer = self.cleaned_data.get("declarer") or ALL_ROLES[0].value
            field = f"tricks_{declarer}"
        self.add_error(field if field in self.fields else None, text)
