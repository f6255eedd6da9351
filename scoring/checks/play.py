"""Checks of what was played: tricks, tout, the first five tricks, and the outcome that they give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.checks.report_case import FAMILIES
from scoring.contracts import FIRST_FIVE
from scoring.outcomes import BY_NAME, TRICKS, Outcome, tout_tried
from scoring.seats import Role

if TYPE_CHECKING:
    from scoring.checks.cases import Case


def check_tricks(case: Case) -> None:
    """Nine tricks in all (eight at tables of two and five), each with someone who holds cards."""
    tricks, in_all = case.tricks, case.rulebook.house.tricks
    players = (case.declarer, *case.defenders)
    for role, count in tricks.items():
        if not 0 <= count <= in_all:
            case.blame("tricks_out_of_range", seat=role, tricks=count, most=in_all)
            return
        if count and role not in players:
            case.blame("tricks_of_nobody", seat=role)
    total = sum(tricks.values())
    missing = [role for role in players if role not in tricks]
    if total > in_all or (total < in_all and not missing and not case.stopped):
        case.blame("tricks_sum", sum=total, all=in_all)
        return
    if max(tricks.values()) >= in_all - 1 and not case.result.tout:
        case.blame("rare_tricks")
    if len(missing) == 1 and not case.stopped:
        tricks[missing[0]] = in_all - total


def check_claim(case: Case) -> None:
    """Where every count is known, they add up to the tricks that were played when play stopped."""
    claimed = case.result.claimed_after
    if claimed is None:
        return
    total = sum(case.tricks.values())
    if not 0 <= claimed <= case.rulebook.house.tricks or (_knows_all(case) and claimed != total):
        case.blame("claimed_after_disagrees", claimed=claimed, sum=total)


def check_first_five_by(case: Case) -> None:
    """Who won the first five tricks has five at least."""
    role, in_all = case.result.first_five_by, case.rulebook.house.tricks
    if role is None:
        return
    if not isinstance(role, Role):
        took = in_all - case.tricks.get(case.declarer, 0)
    else:
        took = case.tricks.get(role, in_all if role in (case.declarer, *case.defenders) else 0)
    if took < FIRST_FIVE:
        case.blame("first_five_by_disagrees", seat=role, tricks=took)


def check_tout(case: Case) -> None:
    result, took = case.result, case.tricks.get(case.declarer)
    house = case.rulebook.house
    if not house.has_tout:
        if result.tout:
            case.blame("tout_not_here")
        return
    case.tout = _tried(case, took, has_vole=house.has_vole)
    if case.tout:
        _judge_tout(case, case.tout, took, has_vole=house.has_vole)


def _judge_tout(case: Case, tout: str, took: int | None, *, has_vole: bool) -> None:
    """What speaks against a tout that was tried, or that it is rare."""
    result = case.result
    if not case.is_game:
        case.blame("tout_in_nolo", contract=case.contract.id)
    elif has_vole and tout == "failed" and case.contract.bids_beyond_five:
        case.blame("vole_not_failed", contract=case.contract.id)
    elif tout == "undecided":
        case.blame("tout_undecided")
    elif tout == "failed" and took == case.rulebook.house.tricks:
        case.blame("tout_was_won")
    elif has_vole and tout == "failed" and (case.opponents_won_first_five or not _may_have_first_five(case)):
        case.blame("vole_needs_first_five")
    elif tout == "won" and (took not in (None, case.rulebook.house.tricks) or _others_took(case)):
        case.blame("tout_needs_nine")
    elif tout == "won" and result.first_five_by not in (None, case.declarer):
        case.blame("tout_without_first_five", seat=result.first_five_by)
    else:
        case.blame("rare_tout")


def _tried(case: Case, took: int | None, *, has_vole: bool) -> str | None:
    """The tout as `tout_tried` has it: as reported, or as the tricks tell it."""
    in_all = case.rulebook.house.tricks
    if case.contract.bids_beyond_five:
        return tout_tried(case.result, case.contract, took, led_sixth=False, in_all=in_all)
    told = has_vole or case.rulebook.house.tricks_tell_first_five
    tries = case.result.led_sixth or (told and _played_on(case))
    tried = tout_tried(case.result, case.contract, took, tries and _may_have_led_sixth(case), in_all)
    return "undecided" if tried == "failed" and not case.result.tout and _won_all_so_far(case) else tried


def _played_on(case: Case) -> bool:
    """Whether the declarer who won the first five tricks led to the sixth, in place of claiming the deal."""
    return case.first_five_by is case.declarer and (
        case.result.played_out is True or sum(case.tricks.values()) > FIRST_FIVE
    )


def _may_have_led_sixth(case: Case) -> bool:
    """Whether nobody else than the declarer is said to have won the first five tricks."""
    return case.result.first_five_by in (None, case.declarer)


def _won_all_so_far(case: Case) -> bool:
    """Whether play stopped with all tricks so far the declarer's: the tricks do not tell what came of his try."""
    return case.rulebook.house.tricks_tell_first_five and case.stopped and not _others_took(case)


def _may_have_first_five(case: Case) -> bool:
    in_all = case.rulebook.house.tricks
    return case.tricks.get(case.declarer, in_all) >= FIRST_FIVE and _others_took(case) <= in_all - FIRST_FIVE


def check_five_first(case: Case) -> None:
    """The bonus for the first five tricks, against what else is known of them."""
    result, took = case.result, case.tricks.get(case.declarer)
    bonus = result.five_first
    if bonus is None:
        return
    if not case.rulebook.house.first_five_bonus:
        case.blame("five_first_not_agreed")
    elif not case.is_game:
        case.blame("five_first_in_nolo", contract=case.contract.id)
    elif bonus == "won" and took is not None and took < FIRST_FIVE:
        case.blame("five_first_needs_five", tricks=took)
    elif not _agrees_with_play(case, bonus):
        case.blame("five_first_disagrees")


def _agrees_with_play(case: Case, bonus: str) -> bool:
    by = case.result.first_five_by
    if by is None and case.rulebook.house.tricks_tell_first_five:
        by = case.first_five_by_tricks
    if bonus == "won":
        return by in (None, case.declarer) and _others_took(case) <= TRICKS - FIRST_FIVE
    return by is not case.declarer and case.tout != "won"


def check_outcome(case: Case) -> None:
    """The outcome that the report comes to; where the players say it too, both must agree."""
    said = case.result.outcome
    possible = FAMILIES[type(case.rulebook.house)].possible(case)
    if said is None:
        if len(possible) == 1:
            (case.outcome,) = possible
        else:
            case.blame("tricks_undecided" if case.tricks else "outcome_missing")
    elif said in possible:
        case.outcome = BY_NAME[said]
    else:
        case.blame("outcome_disagrees", outcome=said, possible=sorted(possible))


def check_price_known(case: Case) -> None:
    """A nolo that costs by the trick needs the tricks, all that were to come too."""
    lost = case.outcome is Outcome.KODILLE
    known = case.outcome is not Outcome.WASHOUT
    if known and case.left_open and (lost or case.result.joined):
        case.blame("tricks_to_come", contract=case.contract.id)
    elif lost and case.declarer not in case.tricks and not case.result.foul:
        case.blame("tricks_needed")


def _others_took(case: Case) -> int:
    return sum(case.tricks.get(role, 0) for role in case.defenders)


def _knows_all(case: Case) -> bool:
    return case.declarer in case.tricks and all(role in case.tricks for role in case.defenders)
