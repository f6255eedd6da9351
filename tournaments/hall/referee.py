"""The referee: anybody's question about a result, the calls, what is played, or a trick, answered by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.hall.live import HallRequest, find_tournament
from tournaments.hall.referee_form import PAIRS, BeforePlayForm, CallsForm, QuestionForm, RulesForm, TrickForm
from tournaments.hall.referee_result_form import ResultForm
from tournaments.hall.referee_said import answer_before_play, answer_calls, answer_result, answer_trick
from tournaments.ledger.queries import rulebook_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse, QueryDict

    from scoring.rulebook import Rulebook

Question = dict[str, Any]


@require_safe
def referee(request: HallRequest, topic: str = "result", code: str | None = None) -> HttpResponse:
    """A question and its answer on one page; of a tournament by its rules, else by those that are chosen."""
    if topic not in _TOPICS:
        raise Http404
    tournament = find_tournament(code) if code else None
    if tournament:
        rules = RulesForm(request.GET, rulebook_of(tournament), in_pairs=tournament.hands_taken_over)
    else:
        rules = RulesForm(request.GET)
    rules.is_valid()
    context = {
        "tournament": tournament,
        "rules": rules,
        "rulebook": rules.rulebook,
        "players": rules.players,
        "rulebook_name": rules.name,
        "rulebook_plain": _(rules.rulebook.name),
        "topic": topic,
        "topics": _tabs(code, rules),
    }
    asked = ask(topic, request.GET, rules.rulebook, rules.players, in_pairs=rules.in_pairs)
    return render(request, f"hall/referee_{topic}.html", context | asked)


def ask(
    topic: str, given: QueryDict, rulebook: Rulebook, players: int, *, in_pairs: bool = False
) -> Question:
    """A question as it stands in the address, and the answer to it, for the page."""
    form_class, answer = _TOPICS[topic]
    form = form_class(given, rulebook, players, in_pairs=in_pairs)
    return {"form": form, **answer(form)}


def _tabs(code: str | None, rules: RulesForm) -> list[tuple[str, str, str]]:
    """(topic, name, address) of every question, by the rules that are chosen."""
    names = {
        "result": _("Result"),
        "calls": _("Calls"),
        "exchange": _("Before play"),
        "trick": _("A trick"),
    }
    chosen: dict[str, Any] = {"players": rules.players}
    if not code:
        chosen |= {"rules": rules.chosen} | ({PAIRS: "on"} if rules.in_pairs else {})
    return [
        (topic, name, f"{referee_address(topic, code)}?{urlencode(chosen)}") for topic, name in names.items()
    ]


def referee_address(topic: str, code: str | None = None) -> str:
    return reverse("hall_referee", args=[code, topic]) if code else reverse("referee", args=[topic])


def _result(form: ResultForm) -> Question:
    return {"settled": answer_result(form) if form.is_valid() else None}


def _calls(form: CallsForm) -> Question:
    form.is_valid()
    answer, lines, codes = answer_calls(form)
    names = ("rules", "players", PAIRS, "spadille")
    known = [(name, form.given[name]) for name in names if name in form.given]
    return {
        "answer": answer,
        "lines": lines,
        "codes": codes,
        "take_back": urlencode([*known, *(("c", code) for code in codes[:-1])]),
        "anew": urlencode(known),
    }


def _exchange(form: BeforePlayForm) -> Question:
    return {"answers": answer_before_play(form) if form.is_valid() else []}


def _trick(form: TrickForm) -> Question:
    asked = form.is_valid() and (form.played or form.cleaned_data["hand"])
    return {"answer": answer_trick(form) if asked else None}


_TOPICS: dict[str, tuple[type[QuestionForm], Callable[[Any], Question]]] = {
    "result": (ResultForm, _result),
    "calls": (CallsForm, _calls),
    "exchange": (BeforePlayForm, _exchange),
    "trick": (TrickForm, _trick),
}
