"""The forms of the referee's questions, and of a result to be ruled on."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import BadOption, UnknownRulebook, get_rulebook, rulebooks
from scoring.cards import FULL_PACK, SUITS, Kind
from scoring.notation import UnreadableLine, read_words
from scoring.referee import UnreadableQuestion, call_of, four_may_play
from scoring.results import MOST_TOKENS, OPPONENTS
from scoring.seats import ALL_ROLES, PLAYING, ROLES, WITH_FOURTH, Role, Seating
from tournaments.domain.rule_text import seat_words, word
from tournaments.domain.terms import (
    SUIT_SIGNS,
    card_words,
    contract_name,
    outcome_name,
    rank_words,
    suit_name,
)
from tournaments.models import ClubRules
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

    from django.http import QueryDict

    from scoring.referee import Explanation
    from scoring.referee.questions import Call
    from scoring.results import DealResult
    from scoring.rulebook import Contract, Rulebook


# Forms of questions to the referee: rules, and the question. All use GET, so that answers have a URL.

Choices = list[tuple[Any, Any]]

USUAL_RULES = "union"
MOST_CALLS = 60
MOST_CARDS = 99
PAIRS = "pairs"


def choice(label: Any, choices: Iterable[tuple[Any, Any]], **fields: Any) -> forms.ChoiceField:
    """An optional choice with a readable error for invalid values."""
    messages = {"invalid_choice": gettext_lazy("There is no choice “%(value).40s” here.")}
    return forms.ChoiceField(
        label=label, choices=list(choices), required=False, error_messages=messages, **fields
    )


def contract_choices(rows: Iterable[Contract]) -> Choices:
    return [("", _("choose")), *((row.id, contract_name(row.id)) for row in rows)]


class RulesForm(forms.Form):
    """Rules and number of players: a rulebook, a club's own rules, or a tournament's.

    For unknown values the form has an error, and the answer uses the default. `in_pairs`: opposite players are
    partners, as in the tournament, else as ticked.
    """

    def __init__(
        self, data: QueryDict, tournament_rules: Rulebook | None = None, *, in_pairs: bool = False
    ) -> None:
        known = {book.id: (_(book.name), book) for book in rulebooks()}
        if tournament_rules is None:
            known |= _clubs_own()
        asked = data.get("rules", USUAL_RULES)
        self.chosen = asked if asked in known else USUAL_RULES
        self.name, self.rulebook = known[self.chosen]
        if tournament_rules:
            self.name, self.rulebook = _(tournament_rules.name), tournament_rules
        sizes = sorted(self.rulebook.players)
        by_text = {str(size): size for size in sizes}
        self.players = by_text.get(data.get("players", ""), sizes[-1])
        may_be_pairs = self.rulebook.for_pairs and self.players in WITH_FOURTH
        self.in_pairs = may_be_pairs and (in_pairs if tournament_rules else bool(data.get(PAIRS)))
        super().__init__({"rules": self.chosen, "players": str(self.players), PAIRS: self.in_pairs})
        if tournament_rules is None:
            self.fields["rules"] = choice(_("Rules"), [(code, name) for code, (name, _book) in known.items()])
            if asked != self.chosen:
                self.add_error("rules", _("There are no rules called “%.40s”.") % data["rules"])
        if len(sizes) > 1:
            self.fields["players"] = choice(_("Players at the table"), [(text, text) for text in by_text])
        if data.get("players", str(self.players)) != str(self.players):
            said = {"players": data["players"], "sizes": ", ".join(by_text)}
            text = _("These rules are for tables of %(sizes)s, not of “%(players).10s”.") % said
            self.add_error("players" if "players" in self.fields else None, text)
        if may_be_pairs and tournament_rules is None:
            label = _("Pairs: players opposite each other are partners")
            self.fields[PAIRS] = forms.BooleanField(label=label, required=False)


def _clubs_own() -> dict[str, tuple[str, Rulebook]]:
    """Every club's own rules with their name; those are left out that an upgrade has made impossible."""
    found = {}
    for rules in ClubRules.objects.select_related("club").order_by("club__name", "name"):
        with suppress(BadOption, UnknownRulebook):
            found[rules.choice] = (f"{rules.club}: {rules.name}", get_rulebook(rules.rulebook, rules.options))
    return found


class QuestionForm(forms.Form):
    """A question by given rules and number of players; unbound while no field is given.

    `given` are all parameters of the URL, `in_pairs` as in Seating.
    """

    def __init__(self, data: QueryDict, rulebook: Rulebook, players: int, *, in_pairs: bool = False) -> None:
        self.given, self.rulebook, self.players, self.in_pairs = data, rulebook, players, in_pairs
        self.rows = rulebook.contracts_at(players)
        fields = self.make_fields()
        asked = any(data.get(name) for name in fields) or "ask" in data
        super().__init__(data if asked else None)
        self.fields |= fields

    def make_fields(self) -> dict[str, forms.Field]:
        raise NotImplementedError


class CallsForm(QuestionForm):
    """The calls so far, one `c` each; `spadille` is what is known of who holds it."""

    calls: tuple[Call, ...] = ()

    def make_fields(self) -> dict[str, forms.Field]:
        if not self.knows_spadille:
            return {"c": forms.CharField(required=False)}
        holders: Choices = [("", _("not known"))]
        holders += [(role.value, capfirst(seat_words(role, self.rulebook))) for role in PLAYING[self.players]]
        holders.append(("talon", _("it is in the talon")))
        return {
            "c": forms.CharField(required=False),
            "spadille": choice(_("Who holds spadille?"), holders),
        }

    @property
    def knows_spadille(self) -> bool:
        """Whether it makes a difference who holds spadille."""
        return self.rulebook.house.forced_spadille or any(row.held for row in self.rows)

    def clean_c(self) -> str:
        """Parse the calls, up to the first empty one."""
        calls = []
        for words in self.given.getlist("c")[:MOST_CALLS]:
            try:
                calls.append(call_of(words, self.rulebook))
            except UnreadableQuestion:
                self.add_error(None, _("“%(words).40s” is not a call.") % {"words": words})
                break
        self.calls = tuple(calls)
        return ""


class BeforePlayForm(QuestionForm):
    """The contract of the auction's winner, and the numbers of cards exchanged."""

    def make_fields(self) -> dict[str, forms.Field]:
        rows = [row for row in self.rows if not row.by_fourth]
        counts = {
            f"took{place}": forms.IntegerField(label=label, required=False, min_value=0, max_value=MOST_CARDS)
            for place, label in enumerate(self._takers())
        }
        return {
            "bid": choice(_("The auction was won with"), contract_choices(rows)),
            "played": choice(
                _("What is played"), [("", _("what was bid")), *contract_choices(self.rows)[1:]]
            ),
            **counts,
        }

    def _takers(self) -> list[str]:
        defenders = len(PLAYING[self.players]) - 1
        if defenders == 1:
            return [_("Cards the declarer takes"), _("Cards the other takes")]
        return [
            _("Cards the declarer takes"),
            *(_("Cards defender %(number)d takes") % {"number": n + 1} for n in range(defenders)),
        ]

    @property
    def counts(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("took")]

    @property
    def exchanged_counts(self) -> list[int] | None:
        """Cards exchanged by the declarer and each defender; None if not given."""
        counts = [self.cleaned_data.get(field.name) for field in self.counts]
        return None if all(count is None for count in counts) else [count or 0 for count in counts]

    @property
    def contracts(self) -> tuple[Contract | None, Contract | None]:
        """The bid and what is played, of which one may be left out."""
        bid = self.rulebook.by_id.get(self.cleaned_data.get("bid", ""))
        played = self.rulebook.by_id.get(self.cleaned_data.get("played", ""))
        return bid or played, played or bid


class TrickForm(QuestionForm):
    """Trumps, the cards on the table in the order in which they were played, and a hand."""

    def make_fields(self) -> dict[str, forms.Field]:
        cards: Choices = [
            (suit_name(suit), [(card, card_words(card)) for card in FULL_PACK if card[0] == suit])
            for suit in SUITS
        ]
        names = [_("Card led"), _("Second card"), _("Third card"), _("Fourth card"), _("Fifth card")]
        played = {
            f"card{place}": choice(names[place], [("", "–"), *cards]) for place in range(self.most_hands)
        }
        fields: dict[str, forms.Field] = {"mode": choice(_("What is trumps?"), self._modes())}
        if four_may_play(self.rulebook, self.players):
            fields["fourth"] = forms.BooleanField(
                label=_("The fourth player plays too (mort, or joined a nolo)"), required=False
            )
        fields |= played
        fields["hand"] = forms.MultipleChoiceField(
            label=_("The hand to play next"),
            choices=[(suit_name(suit), self._suit(suit)) for suit in SUITS],
            required=False,
            error_messages={"invalid_choice": gettext_lazy("There is no card “%(value).40s”.")},
        )
        return fields

    @property
    def most_hands(self) -> int:
        four = four_may_play(self.rulebook, self.players)
        return self.players if four else len(PLAYING[self.players])

    @property
    def hands(self) -> int:
        """The number of hands in the trick; a fourth card means four, where the rules allow it."""
        usual = len(PLAYING[self.players])
        kind, _trump = self.mode
        four = self.cleaned_data.get("fourth") or len(self.cards_played) > usual
        return self.players if four and four_may_play(self.rulebook, self.players, kind) else usual

    def _suit(self, suit: str) -> Choices:
        return [(card, rank_words(card[1])) for card in FULL_PACK if card[0] == suit]

    @property
    def suits(self) -> list[tuple[str, str, list[tuple[str, str, bool]]]]:
        """Forty cards to tap on: each suit by name and letter, with (card, rank, whether it is in the hand)."""
        held = self["hand"].value() or ()
        return [
            (suit_name(suit), suit.lower(), [(card, rank, card in held) for card, rank in self._suit(suit)])
            for suit in SUITS
        ]

    def _modes(self) -> Choices:
        kinds = {row.kind for row in self.rows}
        modes: Choices = [(suit, f"{SUIT_SIGNS[suit]} {suit_name(suit)}") for suit in SUITS]
        if Kind.NOLO in kinds:
            modes.append((Kind.NOLO.value, _("nothing: a nolo")))
        if Kind.GRAND in kinds:
            modes.append((Kind.GRAND.value, contract_name("grand")))
        return modes

    @property
    def mode(self) -> tuple[Kind, str | None]:
        mode = self.cleaned_data.get("mode") or SUITS[0]
        return (Kind.TRUMP, mode) if mode in SUITS else (Kind(mode), None)

    @property
    def cards(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("card")]

    @property
    def cards_played(self) -> tuple[str, ...]:
        """Cards on the table; cards after an empty field are an error."""
        return tuple(card for field in self.cards if (card := self.cleaned_data.get(field.name)))


# The form for a result: everything that the rulebook knows, with roles instead of names.

MOST_LETTERS = 200  # of a line with every detail
PLAYED = ("contract", "declarer", "trump", "outcome")
# Fields for problems whose own field is not in the form.
FIELD_OF = {
    ALL_PASSED: "contract",
    "claimed_after": "tricks",
    "led_sixth": "tout",
    "first_five_by": "tricks",
    "declarer_has_played": "abandoned",
}


class ResultForm(QuestionForm):
    """A deal's result: as one line in the slip's notation, or by fields; fields depend on the rules."""

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
        """Fields for rare results of these rules."""
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
            "accepted_by": lambda: several(_("Accept the surrender"), seats),
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
    def played_fields(self) -> list[forms.BoundField]:
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
        """Whether any of the rare fields is filled or has an error."""
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
        """The result from the line, or from the fields, for the engine."""
        return self.read if self.cleaned_data.get("line") else self._from_fields()

    def _from_fields(self) -> dict[str, Any]:
        """The fields' values without empty ones."""
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
        """Add the rules' errors to the fields of the result, or to the typed line."""
        field: str | None = problem.field if problem.field in self.fields else FIELD_OF.get(problem.field)
        if self.cleaned_data.get("line"):
            field = "line"
        elif "tricks" in (field, problem.field):
            declarer = self.cleaned_data.get("declarer") or ALL_ROLES[0].value
            field = f"tricks_{declarer}"
        self.add_error(field if field in self.fields else None, text)
