"""The referee: anybody's question about a result, the calls, what is played, or a trick, answered by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.seats import WITH_FOURTH
from tournaments.forms.referee import BeforePlayForm, CallsForm, RulesForm, TrickForm
from tournaments.forms.referee_result import ResultForm
from tournaments.hall.referee import answer_before_play, answer_calls, answer_result, answer_trick
from tournaments.queries import rulebook_of
from tournaments.views.hall.live import HallRequest, find_tournament

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse

    from scoring.rulebooks import Rulebook

Question = dict[str, Any]


@require_safe
def referee(request: HallRequest, topic: str = "result", code: str | None = None) -> HttpResponse:
    """A question and its answer on one page; of a tournament by its rules, else by those that are chosen."""
    if topic not in _TOPICS:
        raise Http404
    tournament = find_tournament(code) if code else None
    rules = RulesForm(request.GET, rulebook_of(tournament) if tournament else None)
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
    if topic == "result" and tournament and tournament.in_pairs and rules.players in WITH_FOURTH:
        asked = _result(request, rules.rulebook, rules.players, in_pairs=True)
    else:
        asked = _TOPICS[topic](request, rules.rulebook, rules.players)
    return render(request, f"hall/referee_{topic}.html", context | asked)


def _tabs(code: str | None, rules: RulesForm) -> list[tuple[str, str, str]]:
    """(topic, name, address) of every question, by the rules that are chosen."""
    names = {
        "result": _("Result"),
        "calls": _("Calls"),
        "exchange": _("Before play"),
        "trick": _("A trick"),
    }
    chosen = {"players": rules.players} | ({} if code else {"rules": rules.chosen})
    return [
        (topic, name, f"{referee_address(topic, code)}?{urlencode(chosen)}") for topic, name in names.items()
    ]


def referee_address(topic: str, code: str | None = None) -> str:
    return reverse("hall_referee", args=[code, topic]) if code else reverse("referee", args=[topic])


def _result(request: HallRequest, rulebook: Rulebook, players: int, *, in_pairs: bool = False) -> Question:
    form = ResultForm(request.GET, rulebook, players)
    form.in_pairs = in_pairs
    return {"form": form, "settled": answer_result(form) if form.is_valid() else None}


def _calls(request: HallRequest, rulebook: Rulebook, players: int) -> Question:
    form = CallsForm(request.GET, rulebook, players)
    form.is_valid()
    answer, lines, codes = answer_calls(form)
    known = [(name, request.GET[name]) for name in ("rules", "players", "spadille") if name in request.GET]
    return {
        "form": form,
        "answer": answer,
        "lines": lines,
        "codes": codes,
        "take_back": urlencode([*known, *(("c", code) for code in codes[:-1])]),
        "anew": urlencode(known),
    }


def _exchange(request: HallRequest, rulebook: Rulebook, players: int) -> Question:
    form = BeforePlayForm(request.GET, rulebook, players)
    return {"form": form, "answers": answer_before_play(form) if form.is_valid() else []}


def _trick(request: HallRequest, rulebook: Rulebook, players: int) -> Question:
    form = TrickForm(request.GET, rulebook, players)
    asked = form.is_valid() and (form.played or form.cleaned_data["hand"])
    return {"form": form, "answer": answer_trick(form) if asked else None}


_TOPICS: dict[str, Callable[[HallRequest, Rulebook, int], Question]] = {
    "result": _result,
    "calls": _calls,
    "exchange": _exchange,
    "trick": _trick,
}
