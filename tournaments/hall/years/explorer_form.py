"""A question of games as a GET form, and the question told back in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cards import SUITS
from tournaments.domain.terms import suit_name
from tournaments.hall.years.games_said import HEADINGS, TOUTS, heading
from tournaments.people.explorer import BY, WON, Question

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import QueryDict

    from tournaments.hall.years.games_said import GamesSaid
    from tournaments.people.span import Span

FIELDS = ("contract", "trump", "seat", "tout", "players", "outcome", "by", "then")
ALL: tuple[str, Any] = ("", gettext_lazy("all"))
ASKED = {"by": "contract", "outcome": WON}


class QuestionForm(forms.Form):
    """What is offered is what the rulebooks that were played by know; what an address leaves open is the usual."""

    def __init__(self, data: QueryDict, games: GamesSaid) -> None:
        super().__init__({name: data.get(name, ASKED.get(name, "")).strip()[:40] for name in FIELDS})
        self.games = games
        families = games.families()
        contracts: list[tuple[str, Any]] = families[0][1] if len(families) == 1 else list(families)
        told_apart = [(by, heading(by)) for by in BY]
        self.fields |= {
            "contract": _choice(_("Contract"), [ALL, *contracts]),
            "trump": _choice(_("Trumps"), [ALL, *((suit, games.name("trump", suit)) for suit in SUITS)]),
            "seat": _choice(_("Declared by"), [ALL, *games.seats()]),
            "tout": _choice(_("Tout"), [ALL, *((tout, said()) for tout, said in TOUTS.items())]),
            "players": _choice(
                _("Players at the table"), [ALL, *((str(size), str(size)) for size in games.sizes())]
            ),
            "outcome": _choice(_("How often"), games.outcomes()),
            "by": _choice(_("Split by"), [("", _("nothing")), *told_apart]),
            "then": _choice(_("and by"), [("", _("nothing")), *told_apart]),
        }

    def clean(self) -> dict[str, Any]:
        found = self.cleaned_data
        contract, trump = found.get("contract"), found.get("trump")
        if contract and trump and not self.games.may_be_trumps(contract, trump):
            said = {"contract": self.games.name("contract", contract), "suit": suit_name(trump)}
            self.add_error("trump", _("%(contract)s is never played with %(suit)s as trumps.") % said)
        if found.get("then") and found["then"] == found.get("by"):
            self.add_error("then", _("Choose two different things, or just one."))
        return found

    def question(self, span: Span) -> Question:
        """What is asked, of a form that is valid."""
        said = dict(self.cleaned_data)
        by = tuple(name for name in (said.pop("by"), said.pop("then")) if name)
        players, outcome = said.pop("players"), said.pop("outcome")
        usual = "" if outcome == WON else outcome
        return Question(**said, players=int(players) if players else None, outcome=usual, by=by, span=span)


def _choice(label: str, choices: Iterable[tuple[str, Any]]) -> forms.ChoiceField:
    said = gettext_lazy("There is no choice “%(value).40s” here.")
    return forms.ChoiceField(
        label=label, choices=list(choices), required=False, error_messages={"invalid_choice": said}
    )


def question_said(question: Question, games: GamesSaid) -> str:
    """“How often is solo in hearts declared by backhand won?”"""
    if not question.outcome:
        return _("How often is {game} won?").format(game=_game(question, games))
    outcome = games.names["outcome"](question.outcome)
    return _("How often does {game} end in “{outcome}”?").format(game=_game(question, games), outcome=outcome)


def _game(question: Question, games: GamesSaid) -> str:
    """The games asked for: “solo in hearts declared by backhand”."""
    said = games.names["contract"](question.contract).lower() if question.contract else _("a game")
    if question.trump:
        said = _("{game} in {suit}").format(game=said, suit=suit_name(question.trump))
    if question.seat:
        said = _("{game} declared by {seat}").format(game=said, seat=games.names["seat"](question.seat))
    return said


def further_said(question: Question, games: GamesSaid) -> list[str]:
    """What else the games are asked for by, and how they are told apart."""
    found = []
    if question.tout:
        found.append(_("tout {tout}").format(tout=games.names["tout"](question.tout)))
    if question.players:
        found.append(_("tables of {players}").format(players=question.players))
    if question.by:
        found.append(_("by {what}").format(what=" · ".join(HEADINGS[by]() for by in question.by).lower()))
    return found
