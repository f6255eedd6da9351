"""A result: what came out and why, and who pays whom for what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scoring.checks import examine
from scoring.outcomes import Outcome
from scoring.referee.rulings import Ruling, Said, cite, of_problem, said_of_pairs, said_of_take_over
from scoring.report_case import Case
from scoring.seats import WITH_FOURTH, Role
from scoring.settlement import IllegalResult, settle_at_table
from scoring.words import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.results import DealResult
    from scoring.rulebook import Rulebook
    from scoring.seats import Seating
    from scoring.settlement import Settlement


class Payment(NamedTuple):
    """What one pays another, and for what; `POOL` and `NOBODY` of `scoring.seats` stand for no player."""

    payer: Role | int
    payee: Role | int
    tokens: int
    why: Said


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRuling(Ruling):
    """The settlement, None where the result has problems; `warnings` are about what is legal but rare."""

    settlement: Settlement | None = None
    payments: tuple[Payment, ...] = ()
    warnings: tuple[Said, ...] = ()


def rule_on_result(rulebook: Rulebook, seating: Seating, result: DealResult) -> ResultRuling:
    """What a reported deal comes to at this table, the ante included where there is a pool."""
    seating = seating.declared_by(result.declarer)
    case, found = examine(result, seating.players, rulebook)
    warnings = tuple(of_problem(problem) for problem in found if problem.is_warning)
    try:
        settled = settle_at_table(result, seating, rulebook)
    except IllegalResult as error:
        return ResultRuling(problems=tuple(map(of_problem, error.problems)), warnings=warnings)
    return ResultRuling(
        said=tuple(_said(rulebook, seating, case, settled)),
        settlement=settled,
        payments=tuple(_payments(rulebook, seating, settled)),
        warnings=warnings,
    )


def _said(rulebook: Rulebook, seating: Seating, case: Case | None, settled: Settlement) -> Iterator[Said]:
    if case is None:
        yield cite(rulebook, "4.1", _("Everybody has passed: the deal is a wash-out."))
        return
    yield from _outcome(rulebook, case)
    yield from _who_settles(rulebook, case)
    if case.result.nine_matadors:
        text = _("{seat} held nine matadors: what the room gives for them is not counted.")
        yield cite(rulebook, "6.6", text, seat=case.result.nine_matadors)
    if seating.in_pairs:
        yield said_of_take_over(rulebook, case.declarer, over=True)
        yield said_of_pairs(rulebook, seating.position_of(case.declarer), settled.tokens)


def _payments(rulebook: Rulebook, seating: Seating, settled: Settlement) -> Iterator[Payment]:
    roles = dict(enumerate(seating.roles))
    for part in settled.parts:
        why = cite(rulebook, _paragraph(rulebook, settled.outcome, part.code), part.text, **part.params)
        yield Payment(roles.get(part.payer, part.payer), roles.get(part.payee, part.payee), part.tokens, why)


def _paragraph(rulebook: Rulebook, outcome: str, code: str) -> str:
    """The number of the paragraph that sets a price."""
    if code.startswith("silent_") or code.endswith(("_made", "_failed")):
        return _BONUS
    dearer = outcome in _DEAR and not rulebook.house.kodille_is_extra
    return _PAID_BY.get(code, _KODILLE if dearer else _PRICE)


def _outcome(rulebook: Rulebook, case: Case) -> Iterator[Said]:
    """The tricks as far as they are known, and the rule that makes of them what came out."""
    if case.gave_up or case.result.foul:
        # What is paid says why: no tricks decide.
        return
    params = {"outcome": case.outcome, "seat": case.declarer}
    for role in (case.declarer, case.result.partner):
        if role in case.tricks:
            text = _("{seat} took {tricks} of {all} tricks.")
            took = {"seat": role, "tricks": case.tricks[role], "all": rulebook.house.tricks}
            yield cite(rulebook, "5.1", text, **took)
    number, text = _why(case)
    yield cite(rulebook, number, text, **params)


def _why(case: Case) -> tuple[str, str]:
    """The paragraph and the sentence of an outcome."""
    if case.rulebook.house.five_tricks_win:
        return _EIGHT[case.outcome]
    if case.contract.all_join:
        return _FREE if case.outcome is Outcome.WON else _BEYOND
    return (_why_otherwise(case) or _GAME[case.outcome]) if case.is_game else _NOLO[case.outcome]


def _why_otherwise(case: Case) -> tuple[str, str] | None:
    """Where a game came out as it did for another reason than that outcome has mostly."""
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


def _who_settles(rulebook: Rulebook, case: Case) -> Iterator[Said]:
    if case.players not in WITH_FOURTH or Role.IDLE in (case.declarer, *case.result.joined):
        return
    text = (
        _("The player who sits out settles like a defender.")
        if rulebook.house.idle_settles
        else _("The player who sits out neither pays nor receives.")
    )
    yield cite(rulebook, "6.1", text)


# Outcome -> the paragraph and the rule.
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
    Outcome.CONTRANOLO: ("5.4", _("As many tricks as would have won a game: {outcome}.")),
}

# A nolo in which some tricks are free.
_FREE = ("7.5", _("No more tricks than are free."))
_BEYOND = ("7.5", _("More tricks than are free: each costs."))

# What is more than lost; in l'hombre it is a price of its own beside the contract's.
_DEAR = (Outcome.KODILLE, Outcome.CROCODILE_LUNCH, Outcome.CONTRAPRIMERAS, Outcome.CONTRANOLO)
_PRICE, _KODILLE, _BONUS = "6.2", "6.3", "6.4"
# What else is paid for -> the paragraph.
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
