"""The fields in which a deal is typed at the desk: those that a rulebook's reports may have, and no others."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.choices import choices
from scoring.results import MOST_TOKENS, OPPONENTS
from scoring.words import BONUS_NAMES
from tournaments.domain.terms import SUIT_SIGNS, card_words, contract_name, outcome_name, suit_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scoring.rulebook import Rulebook

    Choices = list[tuple[Any, Any]]

ALL_PASSED = "all_passed"
MOST_ESTUCHES = 12  # a red suit has as many trumps
TRIED = (("", gettext_lazy("not tried")), ("won", gettext_lazy("won")), ("failed", gettext_lazy("failed")))

# A result's fields by what stands in them. Those of RARE are asked for only where the rulebook's reports have them.
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
    """What is rare and may be in a report by these rules, in the order of RARE."""
    asked_for = reportable(rulebook, len(seated))
    return {name: make(rulebook, seated) for name, make in RARE.items() if name in asked_for}


def _nobody_or(seated: Choices) -> Choices:
    return [("", _("nobody")), *seated]


def tout_name(rulebook: Rulebook) -> str:
    """What these rules call all tricks."""
    return _("Vole") if rulebook.house.has_vole else _("Tout")


def promised(rulebook: Rulebook, players: int) -> Choices:
    """What a declarer may promise to win by at a table of so many."""
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
