"""Rulings on a reported deal: its outcome with the reason, and each payment; and on a whole deal, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scoring.checks import examine
from scoring.game import Act, IllegalStep, Phase, Step
from scoring.outcomes import Outcome
from scoring.referee.calls import call_choices
from scoring.referee.rulings import (
    Card,
    Choice,
    Explanation,
    Ruling,
    cite,
    explain_pairs,
    explain_problem,
    explain_take_over,
)
from scoring.report_case import Case
from scoring.seats import WITH_FOURTH, Role
from scoring.settlement import IllegalResult, first_pool, settle_at_table
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.game import Deal, State
    from scoring.results import DealResult
    from scoring.rulebook import Rulebook
    from scoring.seats import Seating
    from scoring.settlement import Settlement


class Payment(NamedTuple):
    """A payment with its reason. Payer and payee are roles, or `POOL` or `NOBODY` of `scoring.seats`."""

    payer: Role | int
    payee: Role | int
    tokens: int
    why: Explanation


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRuling(Ruling):
    """The ruling on a report: the settlement, None if it has problems; `warnings` are about rare reports."""

    settlement: Settlement | None = None
    payments: tuple[Payment, ...] = ()
    warnings: tuple[Explanation, ...] = ()


def rule_on_result(rulebook: Rulebook, seating: Seating, result: DealResult) -> ResultRuling:
    """Settle a report, ante included, and explain the outcome and each payment."""
    seating = seating.declared_by(result.declarer)
    case, found = examine(result, seating.players, rulebook)
    warnings = tuple(explain_problem(problem) for problem in found if problem.is_warning)
    try:
        settled = settle_at_table(result, seating, rulebook)
    except IllegalResult as error:
        return ResultRuling(problems=tuple(map(explain_problem, error.problems)), warnings=warnings)
    return ResultRuling(
        explanations=tuple(_explain_result(rulebook, seating, case, settled)),
        settlement=settled,
        payments=tuple(_payments(rulebook, seating, settled)),
        warnings=warnings,
    )


def _explain_result(
    rulebook: Rulebook, seating: Seating, case: Case | None, settled: Settlement
) -> Iterator[Explanation]:
    """Explain the outcome, who settles, and the sums of pairs."""
    if case is None:
        yield cite(rulebook, "4.1", _("Everybody has passed: the deal is a wash-out."))
        return
    yield from _outcome(rulebook, case)
    yield from _who_settles(rulebook, case)
    if case.result.nine_matadors:
        text = _("{seat} held nine matadors: any prize for them is not counted.")
        yield cite(rulebook, "6.6", text, seat=case.result.nine_matadors)
    if seating.in_pairs:
        yield explain_take_over(rulebook, case.declarer, over=True)
        yield explain_pairs(rulebook, seating.position_of(case.declarer), settled.tokens)


def _payments(rulebook: Rulebook, seating: Seating, settled: Settlement) -> Iterator[Payment]:
    """The payments of a settlement by role, with the paragraph of each price."""
    roles = dict(enumerate(seating.roles))
    for part in settled.parts:
        why = cite(rulebook, _paragraph(rulebook, settled.outcome, part.code), part.text, **part.params)
        yield Payment(roles.get(part.payer, part.payer), roles.get(part.payee, part.payee), part.tokens, why)


def _paragraph(rulebook: Rulebook, outcome: str, code: str) -> str:
    """The number of the paragraph that defines a price, by the code of its line."""
    if code.startswith("silent_") or code.endswith(("_made", "_failed")):
        return _BONUS
    dearer = outcome in _DEAR and not rulebook.house.kodille_is_extra
    return _PAID_BY.get(code, _KODILLE if dearer else _PRICE)


def _outcome(rulebook: Rulebook, case: Case) -> Iterator[Explanation]:
    """Explain the outcome: the known tricks, and the rule that applies to them."""
    if case.gave_up or case.result.foul:
        # Tricks do not decide such a deal; the payments have the reason.
        return
    params = {"outcome": case.outcome, "seat": case.declarer}
    for role in (case.declarer, case.result.partner):
        if role in case.tricks:
            text = _("{seat} took {tricks} of {all} tricks.")
            took = {"seat": role, "tricks": case.tricks[role], "all": rulebook.house.tricks}
            yield cite(rulebook, "5.1", text, **took)
    number, text = _reason(case)
    yield cite(rulebook, number, text, **params)


def _reason(case: Case) -> tuple[str, str]:
    """The paragraph and the sentence for an outcome."""
    if case.rulebook.house.five_tricks_win:
        return _EIGHT[case.outcome]
    if case.contract.all_join:
        return _FREE if case.outcome is Outcome.WON else _BEYOND
    return (_unusual_reason(case) or _GAME[case.outcome]) if case.is_game else _NOLO[case.outcome]


def _unusual_reason(case: Case) -> tuple[str, str] | None:
    """The paragraph and sentence if a game has its outcome for another reason than usual, else None."""
    took, others = case.tricks.get(case.declarer), [case.tricks.get(role, -1) for role in case.defenders]
    if (took, others) == (1, [4, 4]) and case.outcome is not Outcome.CONTRAPRIMERAS:
        return "5.5", _("One trick against four and four: {outcome}.")
    if case.outcome is Outcome.LOST and case.tout:
        return _GAME[Outcome.VOLE_FAILED]
    if case.contract.wins_from and case.outcome in (Outcome.BETE, Outcome.LOST):
        return "5.3", _("Too few tricks to win, but no fewer than an opponent: {outcome}.")
    if took is not None and took > max(others) and case.outcome is Outcome.KODILLE:
        return _EIGHT[Outcome.REMISE]
    return None


def _who_settles(rulebook: Rulebook, case: Case) -> Iterator[Explanation]:
    """Explain whether the player sitting out settles."""
    if case.players not in WITH_FOURTH or Role.IDLE in (case.declarer, *case.result.joined):
        return
    text = (
        _("The player who sits out settles like a defender.")
        if rulebook.house.idle_settles
        else _("The player who sits out neither pays nor receives.")
    )
    yield cite(rulebook, "6.1", text)


# Outcome -> (paragraph, sentence).
_GAME = {
    Outcome.WON: ("5.3", _("More tricks than each opponent: {outcome}.")),
    Outcome.BETE: ("5.3", _("As many tricks as the best opponent: {outcome}.")),
    Outcome.KODILLE: ("5.3", _("Fewer tricks than an opponent: {outcome}.")),
    Outcome.REMISE: ("5.3", _("As many tricks as the best opponent: {outcome}.")),
    Outcome.SIMPLE_REMIS: ("5.3", _("As many tricks as the better opponent: {outcome}.")),
    Outcome.CROCODILE_LUNCH: ("5.3", _("Fewer tricks than an opponent: {outcome}.")),
    Outcome.CONTRAPRIMERAS: ("5.7", _("The opponents won the first five tricks: {outcome}.")),
    Outcome.VOLE: ("5.3", _("All tricks: {outcome}.")),
    Outcome.VOLE_FAILED: ("5.6", _("The first five tricks, but not all of them: {outcome}.")),
    Outcome.LOST: ("5.3", _("As many tricks as the best opponent: {outcome}.")),
    Outcome.PICCOLO_REMIS: ("5.5", _("One trick against four and four: {outcome}.")),
}
_EIGHT = {
    Outcome.WON: ("5.3", _("Five tricks or more: {outcome}.")),
    Outcome.REMISE: ("5.3", _("Too few tricks to win: {outcome}.")),
    Outcome.KODILLE: ("5.3", _("Too few tricks for a remise: {outcome}.")),
}
_NOLO = {
    Outcome.WON: ("5.4", _("No trick: {outcome}.")),
    Outcome.BETE: ("5.4", _("A trick that should not have been taken: {outcome}.")),
    Outcome.SIMPLE_LOSS: ("5.4", _("One trick: {outcome}.")),
    Outcome.KODILLE: ("5.4", _("Two tricks or more: {outcome}.")),
    Outcome.CROCODILE_LUNCH: ("5.4", _("Two tricks or more: {outcome}.")),
    Outcome.CONTRANOLO: ("5.4", _("Enough tricks to have won a game: {outcome}.")),
}

# Nolos with free tricks.
_FREE = ("7.5", _("No more tricks than allowed free."))
_BEYOND = ("7.5", _("More tricks than allowed free: each one costs."))

# Outcomes dearer than a loss; l'hombre has a separate line for them on top of the contract's price.
_DEAR = (Outcome.KODILLE, Outcome.CROCODILE_LUNCH, Outcome.CONTRAPRIMERAS, Outcome.CONTRANOLO)
_PRICE, _KODILLE, _BONUS = "6.2", "6.3", "6.4"
# Code of a line -> paragraph.
_PAID_BY = {
    "abandoned": "4.5",
    "foul": "4.4",
    "kodille": _KODILLE,
    "tout_won": _BONUS,
    "five_first_won": _BONUS,
    "exchange_repeated": "4.6",
    "aces": "3.8",
    "joined": "7.2",
    "idle_abandoned": "7.3",
    "ante": "6.5",
    "estuches": "6.6",
    "vole": _BONUS,
    "primeras": _BONUS,
    "contraprimeras": _BONUS,
}


# Rulings on a whole deal: its first illegal step, or its result and settlement.


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRuling(Ruling):
    """The ruling on a deal; `state` is that after its legal steps.

    `refused` is the first illegal step, `index` its index from 0. A finished deal has its result and the ruling on it,
    with the first deal's ante in the pool.
    """

    state: State
    index: int | None = None
    refused: Step | None = None
    result: DealResult | None = None
    settled: ResultRuling | None = None


def rule_on_deal(deal: Deal) -> DealRuling:
    """Replay a deal up to its first illegal step, and rule on the state reached."""
    state = deal.start()
    for index, step in enumerate(deal.steps):
        try:
            state = state.after(step)
        except IllegalStep as error:
            return DealRuling(
                problems=(explain_problem(error.problem),),
                explanations=tuple(_explain_turn(state)),
                choices=tuple(_choices(state)),
                state=state,
                index=index,
                refused=step,
            )
    if not state.over:
        return DealRuling(
            explanations=tuple(_explain_turn(state)), choices=tuple(_choices(state)), state=state
        )
    seating = state.table.seating
    result = state.result(first_pool(state.rulebook, seating.players))
    return DealRuling(state=state, result=result, settled=rule_on_result(state.rulebook, seating, result))


def _explain_turn(state: State) -> Iterator[Explanation]:
    """Explain whose turn it is, and for what."""
    if state.to_act is None:
        yield cite(state.rulebook, "5.1", _("The deal is over."))
        return
    number, text = _TURNS[state.phase]
    least, most = state.limits()
    if most:
        number, text = "4.3", _("It is {seat}’s turn: from {least} to {most} cards are to be discarded.")
    yield cite(state.rulebook, number, text, seat=state.to_act, least=least, most=most)
    if state.table.seating.in_pairs and state.declarer:
        yield explain_take_over(state.rulebook, state.declarer)


_TURNS = {
    Phase.AUCTION: ("9.1", _("It is {seat}’s turn to call.")),
    Phase.DEFINITION: ("4.2", _("It is {seat}’s turn to say what is played.")),
    Phase.EXCHANGE: ("4.3", _("It is {seat}’s turn, before play.")),
    Phase.PLAY: ("10.1", _("It is {seat}’s turn to play a card.")),
}


def _choices(state: State) -> Iterator[Choice]:
    """The possible calls or cards of the player whose turn it is, with the reason if not allowed."""
    role = state.to_act
    if role is None:
        return
    if state.phase is Phase.AUCTION:
        yield from call_choices(state.auction)
    elif state.phase is Phase.PLAY:
        for card in state.hands[role]:
            problem = state.problem_of(Step(role, Act.PLAY, card))
            yield Choice(Card(card), problem is None, explain_problem(problem) if problem else None)
