"""The referee: parse questions about rules, and render rulings as text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.cards import FULL_PACK
from scoring.game import Act, Step
from scoring.notation import write_words
from scoring.referee import (
    Ruling,
    Trick,
    calls_in_turn,
    known_spadille,
    rule_on_calls,
    rule_on_definition,
    rule_on_exchange,
    rule_on_result,
    rule_on_trick,
)
from scoring.results import DealResult, UnreadableResult, read_result
from scoring.seats import BY_CODE, ROLES, Seating
from scoring.words import CONTRACT_NAMES
from tournaments.domain.rule_text import Sentence, call_words, payment_words, seat_words, sentence_of, word
from tournaments.domain.terms import card_words, contract_name, outcome_name, suit_name
from tournaments.hall.live import HallRequest, find_tournament
from tournaments.hall.referee_forms import (
    PAIRS,
    BeforePlayForm,
    CallsForm,
    QuestionForm,
    ResultForm,
    RulesForm,
    TrickForm,
)
from tournaments.ledger.queries import rulebook_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from django.http import HttpResponse, QueryDict

    from scoring.referee import Explanation
    from scoring.rulebook import Rulebook


# The referee: rules on questions about a result, the calls, the exchange or a trick.

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
    """Parse a question from the query string, and rule on it for the page."""
    form_class, answer = _TOPICS[topic]
    form = form_class(given, rulebook, players, in_pairs=in_pairs)
    return {"form": form, **answer(form)}


def _tabs(code: str | None, rules: RulesForm) -> list[tuple[str, str, str]]:
    """(topic, name, URL) of every question, by the rules that are chosen."""
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
    asked = form.is_valid() and (form.cards_played or form.cleaned_data["hand"])
    return {"answer": answer_trick(form) if asked else None}


_TOPICS: dict[str, tuple[type[QuestionForm], Callable[[Any], Question]]] = {
    "result": (ResultForm, _result),
    "calls": (CallsForm, _calls),
    "exchange": (BeforePlayForm, _exchange),
    "trick": (TrickForm, _trick),
}


# The referee's answers as the hall shows them: each a few sentences with their paragraphs, and what may be done.


@dataclass(frozen=True, slots=True)
class Option:
    """A call, card or contract by name; `code` is its value in URLs. `suit` is a card's, for its colour."""

    name: str
    code: str
    reason: Sentence | None = None
    suit: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The referee's answer: `head` in a few words, errors, consequences, what is allowed and what is not.

    `notes` are background facts, such as the rank of the cards.
    """

    head: str = ""
    fine: bool = True
    problems: list[Sentence] = field(default_factory=list)
    said: list[Sentence] = field(default_factory=list)
    allowed: list[Option] = field(default_factory=list)
    barred: list[Option] = field(default_factory=list)
    notes: list[Sentence] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CallLine:
    seat: str
    call: str


def _answer(ruling: Ruling, rulebook: Rulebook, head: str = "") -> Answer:
    return Answer(
        head,
        ruling.allowed,
        _sentences(ruling.problems, rulebook),
        _sentences(ruling.explanations, rulebook),
        _options(ruling, rulebook, allowed=True),
        _options(ruling, rulebook, allowed=False),
    )


def _sentences(said: Iterable[Explanation], rulebook: Rulebook) -> list[Sentence]:
    return [sentence_of(one, rulebook) for one in said]


def _options(ruling: Ruling, rulebook: Rulebook, *, allowed: bool) -> list[Option]:
    return [
        _option(choice.value, sentence_of(choice.reason, rulebook) if choice.reason else None)
        for choice in ruling.choices
        if choice.allowed is allowed
    ]


def _option(value: Step | str, reason: Sentence | None) -> Option:
    if isinstance(value, Step):
        return Option(call_words(value), call_code(value), reason)
    if value in CONTRACT_NAMES:
        return Option(contract_name(value), value, reason)
    return Option(card_words(value), value, reason, value[0].lower())


def call_code(call: Step) -> str:
    """A call's code in URLs: `pass`, `self`, a contract, or `self tourne`."""
    if call.act is Act.BID:
        return str(call.value)
    return call.act.value if call.value is None else f"{call.act} {call.value}"


def answer_calls(form: CallsForm) -> tuple[Answer, list[CallLine], list[str]]:
    """The answer; the valid calls, as text and as codes."""
    rulebook = form.rulebook
    holder = str(form.cleaned_data.get("spadille", "")) if form.is_bound else ""
    known = known_spadille(BY_CODE.get(holder), in_talon=holder == "talon")
    steps = calls_in_turn(rulebook, form.players, form.calls, known)
    ruling = rule_on_calls(rulebook, form.players, steps, known, in_pairs=form.in_pairs)
    lines = [CallLine(seat_words(step.role, rulebook), call_words(step)) for step in ruling.made]
    head = _("That call is not allowed") if ruling.problems else ""
    if ruling.refused:
        head = _("%(seat)s cannot call that: %(call)s") % {
            "seat": word(ruling.refused.role, rulebook).capitalize(),
            "call": call_words(ruling.refused),
        }
    return _answer(ruling, rulebook, head), lines, [call_code(step) for step in ruling.made]


def answer_before_play(form: BeforePlayForm) -> list[Answer]:
    """The contracts that may be played, and the numbers of cards that may be exchanged."""
    rulebook = form.rulebook
    bid, played = form.contracts
    if bid is None or played is None:
        return []
    defined = rule_on_definition(rulebook, form.players, bid, played.id)
    head = _("%(contract)s may be played") if defined.allowed else _("%(contract)s may not be played")
    answers = [_answer(defined, rulebook, head % {"contract": contract_name(played.id)})]
    if not defined.allowed:
        return answers
    taken = form.exchanged_counts
    exchange = rule_on_exchange(
        rulebook,
        form.players,
        played,
        played.exchange.least if taken is None else taken[0],
        (taken or [0])[1:],
        in_pairs=form.in_pairs,
    )
    title = _("The exchange")
    if taken is not None:
        title = _("This exchange is allowed") if exchange.allowed else _("This exchange is not allowed")
    return [*answers, _answer(exchange, rulebook, title)]


def answer_trick(form: TrickForm) -> Answer:
    kind, trump = form.mode
    hand = tuple(card for card in FULL_PACK if card in form.cleaned_data.get("hand", ()))
    trick = Trick(kind, trump, form.cards_played, hand, form.hands)
    ruling = rule_on_trick(form.rulebook, trick)
    head = _("These cards are impossible") if ruling.problems else ""
    if ruling.best is not None:
        words = _("%(card)s wins the trick") if ruling.complete else _("%(card)s is winning so far")
        head = words % {"card": card_words(trick.played[ruling.best])}
    return replace(_answer(ruling, form.rulebook, head), notes=_sentences(ruling.ranks, form.rulebook))


def why_address(code: str, rulebook: Rulebook, seating: Seating, told: Mapping[str, Any] | None) -> str:
    """URL of the referee's explanation of a reported deal; "" if no rule decides it."""
    if not told or "ruled" in told:
        return ""
    try:
        result = read_result(told, seating, rulebook.roles_by_name)
        # The question uses roles: the page's first seat deals.
        asked = replace(seating, dealer=0, taken_over=None, order=())
        line = write_words(result, asked)
    except ValueError:
        return ""
    question = urlencode({"players": seating.players, "line": line})
    return f"{reverse('hall_referee', args=[code, 'result'])}?{question}"


@dataclass(frozen=True, slots=True)
class ResultAnswer:
    """A result's settlement: warnings, payments, and tokens by seat."""

    answer: Answer
    warnings: list[Sentence]
    payments: list[tuple[str, Sentence]]
    tokens: list[tuple[str, int]]
    pool: int


def answer_result(form: ResultForm) -> ResultAnswer | None:
    """The payments of a result; None, with errors in the form, where the rules refuse it."""
    rulebook, seating, told = form.rulebook, form.seating, form.result
    try:
        result = told if isinstance(told, DealResult) else read_result(told, seating, rulebook.roles_by_name)
    except UnreadableResult as error:
        params = {name: word(value, rulebook) for name, value in error.params.items()}
        form.add_error(error.field if error.field in form.fields else None, _(error.text).format(**params))
        return None
    seating = seating.declared_by(result.declarer)
    ruling = rule_on_result(rulebook, seating, result)
    for problem in ruling.problems:
        form.add_said(problem, sentence_of(problem, rulebook).text)
    if ruling.settlement is None:
        return ResultAnswer(_answer(ruling, rulebook, _("This result is impossible")), [], [], [], 0)
    return ResultAnswer(
        _answer(ruling, rulebook, _result_head(str(ruling.settlement.outcome), result, rulebook)),
        _sentences(ruling.warnings, rulebook),
        [
            (payment_words(payment, rulebook), sentence_of(payment.why, rulebook))
            for payment in ruling.payments
        ],
        [
            (seat_words(role, rulebook), ruling.settlement.tokens[seating.position_of(role)])
            for role in ROLES[form.players]
        ],
        ruling.settlement.pool,
    )


def _result_head(outcome: str, result: DealResult, rulebook: Rulebook) -> str:
    """`Forehand plays solo in hearts: won`."""
    if result.contract is None or result.declarer is None:
        return _("All passed")
    said = {
        "seat": word(result.declarer, rulebook).capitalize(),
        "contract": contract_name(result.contract),
        "outcome": outcome_name(rulebook, outcome),
    }
    if result.trump:
        said["contract"] = _("%(contract)s in %(suit)s") % {
            "contract": said["contract"],
            "suit": suit_name(result.trump),
        }
    return _("%(seat)s, %(contract)s: %(outcome)s") % said
