"""Examining a report: what is wrong with it, and what the deal came to.

One check is one paragraph of the rules: it looks at a case and blames what it finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.checks.before_play import (
    check_agreements,
    check_bonus_bids,
    check_estuches,
    check_foul,
    check_fourth_gave_up,
    check_fourth_joins,
    check_given_up,
    check_joined,
    check_nine_matadors,
    check_partner,
    check_pool,
    check_surrender,
    check_trump,
    check_turned,
    check_winner_here,
)
from scoring.checks.cases import Case, make_case, may_join
from scoring.checks.play import (
    check_claim,
    check_first_five_by,
    check_five_first,
    check_outcome,
    check_price_known,
    check_tout,
    check_tricks,
)
from scoring.checks.report_case import FAMILIES
from scoring.outcomes import Outcome
from scoring.problems import Problem, problem
from scoring.results import MOST_TOKENS, PLAIN_FIELDS, DealResult

if TYPE_CHECKING:
    from scoring.rulebook import Rulebook

__all__ = ["Case", "examine", "may_join"]

_WASHOUT = DealResult(all_passed=True)
_NOTHING_SPECIAL = DealResult()[PLAIN_FIELDS:]

# Nearly every report tells of nothing special.
_SPECIAL_CHECKS = (
    check_given_up,
    check_foul,
    check_joined,
    check_fourth_gave_up,
    check_agreements,
    check_claim,
    check_first_five_by,
    check_five_first,
    check_pool,
    check_estuches,
    check_turned,
    check_bonus_bids,
    check_surrender,
    check_partner,
    check_winner_here,
    check_nine_matadors,
)


def examine(result: DealResult, players: int, rulebook: Rulebook) -> tuple[Case | None, list[Problem]]:
    """Every problem of a report, and its case: None for a wash-out, or without a contract and declarer."""
    if result.all_passed:
        return None, _washout_problems(result, players, rulebook)
    case = make_case(result, players, rulebook)
    if isinstance(case, list):
        return None, case
    _check(case)
    if not case.found or all(found.is_warning for found in case.found):
        # The outcome is only worked out of a report that agrees with itself.
        check_outcome(case)
        if case.contract.extra_per_trick:
            check_price_known(case)
        if case.outcome is not Outcome.WASHOUT:
            FAMILIES[type(rulebook.house)].finish(case)
    return case, case.found


def _check(case: Case) -> None:
    """Everything but the outcome; most reports need few of the checks."""
    result, contract = case.result, case.contract
    if contract.rare:
        case.blame("rare_contract", contract=contract.id)
    if result.trump:
        check_trump(case)
    if result.tricks:
        check_tricks(case)
    if contract.fourth_joins:
        check_fourth_joins(case)
    check_tout(case)
    if result[PLAIN_FIELDS:] != _NOTHING_SPECIAL or not case.rulebook.is_plain:
        for check in _SPECIAL_CHECKS:
            check(case)


def _washout_problems(result: DealResult, players: int, rulebook: Rulebook) -> list[Problem]:
    found = []
    told = result if rulebook.pool is None else result._replace(pool=None)
    if told != _WASHOUT:
        found.append(problem("washout_with_more", rulebook.id))
    elif result.pool is not None and not 0 <= result.pool <= MOST_TOKENS:
        found.append(problem("pool_range", rulebook.id, most=MOST_TOKENS))
    if rulebook.house.forced_spadille:
        found.append(problem("washout_must_bid", rulebook.id))
    elif rulebook.forced:
        found.append(problem("washout_forced", rulebook.id, contract=rulebook.forced.id))
    elif not rulebook.may_be_passed_out(players):
        found.append(problem("washout_mort", rulebook.id))
    return found
