"""The form of one deal, with its fields."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import vocabulary
from scoring.choices import choices
from scoring.notation import LETTERS, UnreadableLine, read_words
from scoring.results import MOST_TOKENS, OPPONENTS
from scoring.seats import PLAYING
from scoring.words import BONUS_NAMES
from tournaments.domain.terms import (
    SUIT_SIGNS,
    card_words,
    contract_name,
    outcome_name,
    said_by,
    seat_name,
    sentence,
    suit_name,
)
from tournaments.ledger.seating import names_then
from tournaments.web.fields import VersionedForm, reason_field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scoring.results import DealResult
    from scoring.rulebook import Rulebook
    from scoring.seats import Seating
    from tournaments.domain.terms import ProblemText
    from tournaments.ledger.scoresheet import SeatLine


# The fields in which a deal is typed at the desk: those that a rulebook's reports may have, and no others.

if TYPE_CHECKING:
    Choices = list[tuple[Any, Any]]

ALL_PASSED = "all_passed"
MOST_ESTUCHES = 12  # a red suit has as many trumps
TRIED = (("", gettext_lazy("not tried")), ("won", gettext_lazy("won")), ("failed", gettext_lazy("failed")))

# Form fields of a result by type of value. Those of RARE are present only if the rulebook's reports have them.
SEATS = ("declarer", "foul", "takeover", "partner", "nine_matadors")
SEAT_LISTS = ("joined", "accepted_by", "won_by")
WORDS = ("contract", "trump", "outcome", "tout", "five_first", "turned")
NUMBERS = ("pool", "estuches", "before_trick")
BIDS = "bonus_bid"
FLAGS = ("abandoned", "idle_abandoned", "exchange_repeated", "aces")


@lru_cache(maxsize=64)
def reportable(rulebook: Rulebook, players: int) -> Mapping[str, tuple[str, ...]]:
    """The fields that a captain's report may have at a table of so many, with the words that may stand in them."""
    found: dict[str, dict[str, None]] = {}
    for contract in choices(rulebook, players)["contracts"]:
        for patch in _patches(contract):
            for name, value in patch["set"].items():
                words = found.setdefault(name, {})
                if isinstance(value, str):
                    words[value] = None
        for asked in contract["fields"]:
            found.setdefault(asked["name"], {})
        if contract["takeovers"]:
            found.setdefault("accepted_by", {})
    return {name: tuple(words) for name, words in found.items()}


def _patches(contract: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for kind in ("results", "rare", "extras", "takeovers", "partners"):
        yield from contract[kind]
    for joiner in contract["joiners"]:
        yield from joiner["results"]


def choice(label: Any, offered: Iterable[tuple[Any, Any]], **fields: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=list(offered), required=False, **fields)


def number(label: Any, most: int, **fields: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=most, required=False, **fields)


def flag(label: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


def several(label: Any, offered: Choices) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        label=label, choices=offered, required=False, widget=forms.CheckboxSelectMultiple
    )


def played_fields(rulebook: Rulebook, players: int, declarers: Choices) -> dict[str, forms.Field]:
    contracts: Choices = [(row.id, contract_name(row.id)) for row in rulebook.contracts_at(players)]
    if rulebook.may_be_passed_out(players):
        contracts.append((ALL_PASSED, _("all passed")))
    suits = [(suit, f"{SUIT_SIGNS[suit]} {suit_name(suit)}") for suit in rulebook.pack.suits]
    outcomes = [
        (word, outcome_name(rulebook, word)) for word in reportable(rulebook, players).get("outcome", ())
    ]
    fields: dict[str, forms.Field] = {
        "contract": choice(_("Contract"), [("", _("choose")), *contracts]),
        "declarer": choice(_("Declarer"), [("", _("choose")), *declarers]),
        "trump": choice(_("Trump"), [("", _("none")), *suits]),
        "outcome": choice(_("Result"), [("", _("from the tricks")), *outcomes]),
    }
    if rulebook.pool:
        fields["pool"] = number(_("In the pool, including the ante"), MOST_TOKENS)
    if "estuches" in reportable(rulebook, players):
        fields["estuches"] = number(_("Estuches"), MOST_ESTUCHES)
    return fields


def rare_fields(rulebook: Rulebook, seated: Choices) -> dict[str, forms.Field]:
    """The fields of rare results that these rules allow, in the order of RARE."""
    asked_for = reportable(rulebook, len(seated))
    return {name: make(rulebook, seated) for name, make in RARE.items() if name in asked_for}


def _nobody_or(seated: Choices) -> Choices:
    return [("", _("nobody")), *seated]


def tout_name(rulebook: Rulebook) -> str:
    """The rules' name for winning all tricks."""
    return _("Vole") if rulebook.house.has_vole else _("Tout")


def promised(rulebook: Rulebook, players: int) -> Choices:
    """The numbers of tricks that a declarer may promise, by the number of players."""
    bids = {bid for row in rulebook.contracts_at(players) for bid in row.bonus_bids}
    return [(bid, _(name)) for bid, name in BONUS_NAMES.items() if bid in bids]


def _cards(rulebook: Rulebook) -> Choices:
    return [(card, card_words(card)) for card in rulebook.pack.cards]


RARE: dict[str, Callable[[Rulebook, Choices], forms.Field]] = {
    "tout": lambda rulebook, _seated: choice(tout_name(rulebook), TRIED),
    "five_first": lambda _rulebook, _seated: choice(_("First five tricks announced"), TRIED),
    BIDS: lambda rulebook, seated: several(_("Bonus bids"), promised(rulebook, len(seated))),
    "first_five_by": lambda _rulebook, seated: choice(
        _("First five tricks to"), [*_nobody_or(seated), (OPPONENTS, _("the opponents together"))]
    ),
    "turned": lambda rulebook, _seated: choice(
        _("Card turned up for trumps"), [("", _("not said")), *_cards(rulebook)]
    ),
    "won_by": lambda _rulebook, seated: several(_("Kodille to"), seated),
    "partner": lambda _rulebook, seated: choice(_("Partner of the declarer"), _nobody_or(seated)),
    "foul": lambda _rulebook, seated: choice(_("Fouled the exchange"), _nobody_or(seated)),
    "joined": lambda _rulebook, seated: several(_("Joined the nolo"), seated),
    "abandoned": lambda _rulebook, _seated: flag(_("The declarer gave up")),
    "before_trick": lambda rulebook, _seated: number(_("Gave up before trick"), rulebook.house.tricks),
    "accepted_by": lambda _rulebook, seated: several(_("Surrender accepted by"), seated),
    "takeover": lambda _rulebook, seated: choice(_("Game taken over by"), _nobody_or(seated)),
    "idle_abandoned": lambda _rulebook, _seated: flag(
        _("The fourth player, who joined, gave up before play")
    ),
    "exchange_repeated": lambda _rulebook, _seated: flag(_("The declarer exchanged twice")),
    "aces": lambda _rulebook, _seated: flag(_("Bid on three or four aces")),
    "nine_matadors": lambda _rulebook, seated: choice(_("Held nine matadors"), _nobody_or(seated)),
}


# A deal's result typed at the desk: in fields, or as one line of the notation.

# A letter alone is a seat's.
SHORTEST_NAME = 2
WORD = re.compile(r"\S+")
NUMBER = re.compile(r"\s*([0-9]{1,4})[.:]?(?=\s|$)")
# Where the engine's problems stand when they are not at a field of this form.
FIELD_OF = {ALL_PASSED: "contract", "claimed_after": "tricks", "first_five_by": "tricks", "led_sixth": "tout"}


class DealForm(VersionedForm):
    """A deal's result; a rare field is present only if an option or a contract of the rulebook needs it.

    A typed `line` has precedence over the fields; it may begin with the deal's number. The engine decides whether
    the result is legal, see `add_problems`.
    """

    line = forms.CharField(
        label=gettext_lazy("In one line"), required=False, max_length=120,
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
        self.rulebook = rulebook
        self.fields["line"].help_text = example_of(rulebook, seating)
        self.names = [seat.name for seat in seats]
        self.players = len(seats)
        seated = [(str(seat.position), _seat_words(seat, seating, rulebook)) for seat in seats]
        contracts = rulebook.contracts_at(self.players)
        declare = {role for row in contracts for role in row.declarers_at(self.players)}
        declarers = [seat for seat in seated if seating.role_of(int(seat[0])) in declare]
        self.fields |= played_fields(rulebook, self.players, declarers)
        self.fields |= {
            f"tricks_{seat.position}": forms.IntegerField(
                label=seat.name, required=False, min_value=0, max_value=rulebook.house.tricks
            )
            for seat in seats
        }
        self.fields |= rare_fields(rulebook, seated)
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
        """Whether any of the rare fields is filled or has an error."""
        return any(field.value() or field.errors for field in self.rare)

    def clean_line(self) -> str:
        """The line, whose number, if any, must be this deal's; empty if it has nothing else."""
        line = str(self.cleaned_data["line"])
        self.read = read_typed(line, self.deal, self.seating, self.rulebook, self.names)
        return line if self.read else ""

    @property
    def result(self) -> dict[str, Any]:
        """The report as the engine's JSON: from the line, which may leave the pool out, or from the fields."""
        if self.read is None:
            return self._from_fields()
        pool = self.cleaned_data.get("pool")
        return ({} if pool is None else {"pool": pool}) | self.read.to_json(self.seating)

    def _from_fields(self) -> dict[str, Any]:
        """The fields' result; what is empty is left out."""
        data = self.cleaned_data
        numbers = {name: data[name] for name in NUMBERS if data.get(name) is not None}
        if data["contract"] == ALL_PASSED:
            return {"all_passed": True} | {name: count for name, count in numbers.items() if name == "pool"}
        seats = {name: int(data[name]) for name in SEATS if data.get(name)}
        if first_five := data.get("first_five_by"):
            seats["first_five_by"] = first_five if first_five == OPPONENTS else int(first_five)
        words = {name: data[name] for name in WORDS if data.get(name)}
        flags = {name: True for name in FLAGS if data.get(name)}
        lists: dict[str, Any] = {
            name: [int(position) for position in data[name]] for name in SEAT_LISTS if data.get(name)
        }
        if bids := data.get(BIDS):
            lists[BIDS] = bids
        tricks = {
            str(position): data[f"tricks_{position}"]
            for position in range(self.players)
            if data[f"tricks_{position}"] is not None
        }
        return seats | words | flags | numbers | lists | ({"tricks": tricks} if tricks else {})

    def add_problems(self, problems: Iterable[ProblemText]) -> None:
        """Add the rules' errors to the fields of the result, or to the typed line."""
        for problem in problems:
            field: str | None = FIELD_OF.get(problem.field, problem.field)
            if self.cleaned_data.get("line") and field != "reason":
                field = "line"
            elif field == "tricks":
                field = f"tricks_{self.cleaned_data.get('declarer') or 0}"
            self.add_error(field if field in self.fields else None, problem.message)


def example_of(rulebook: Rulebook, seating: Seating) -> str:
    """Examples of the notation by these rules, with their meaning, and the roles in a deal with this seating."""
    one, other = (LETTERS[seating.position_of(role)] for role in PLAYING[seating.players][:2])
    return said_by(rulebook, rulebook.example).format(one=one, other=other)


def read_typed(
    line: str, deal: int, seating: Seating, rulebook: Rulebook, names: Sequence[str]
) -> DealResult | None:
    """Parse a line of the notation, which may begin with the deal's number; None if it has nothing else.

    A first name that is unique at the table is replaced by its seat's letter. Raises ValidationError.
    """
    number = NUMBER.match(line)
    if number and int(number[1]) != deal:
        raise ValidationError(
            _("This line is for deal %(typed)s, but this is the row of deal %(deal)d.")
            % {"typed": number[1], "deal": deal}
        )
    # Blanks in its place keep the columns that the reader names.
    line = " " * number.end() + line[number.end() :] if number else line
    try:
        return (
            read_words(_with_letters(line, names_then(names, deal)), seating, rulebook)
            if line.strip()
            else None
        )
    except UnreadableLine as error:
        raise ValidationError(sentence(rulebook, error.text, error.params, names, seating)) from None


def _with_letters(line: str, names: Sequence[str]) -> str:
    """A line with the seat's letter for each first name, blanks behind it keep the columns that errors name.

    A name that two players have stays as it is, and so does a word of the notation.
    """
    seats: dict[str, list[int]] = {}
    for position, name in enumerate(names):
        for first in name.split()[:1]:
            seats.setdefault(vocabulary.fold(first), []).append(position)

    def letter(found: re.Match[str]) -> str:
        word = vocabulary.fold(found[0])
        positions = seats.get(word, [])
        if len(found[0]) < SHORTEST_NAME or len(positions) != 1 or word in vocabulary.words():
            return found[0]
        return LETTERS[positions[0]].ljust(len(found[0]))

    return WORD.sub(letter, line)


def _seat_words(seat: SeatLine, seating: Seating, rulebook: Rulebook) -> str:
    role = seat_name(rulebook, seating.role_of(seat.position))
    return f"{seat.letter} {seat.name} ({role})"


def typed_result(result: Mapping[str, Any] | None) -> dict[str, Any]:
    """A stored result as the form's initial values."""
    if not result or "ruled" in result:
        return {}
    typed = {name: value for name, value in result.items() if name not in ("tricks", ALL_PASSED, *SEAT_LISTS)}
    if result.get(ALL_PASSED):
        typed["contract"] = ALL_PASSED
    if isinstance(typed.get(BIDS), str):
        typed[BIDS] = [typed[BIDS]]
    typed |= {f"tricks_{position}": count for position, count in result.get("tricks", {}).items()}
    return typed | {name: [str(seat) for seat in result[name]] for name in SEAT_LISTS if name in result}
