"""Checks of what happens before the first trick: trump, giving up, fouled exchanges, joining, agreements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.checks.cases import may_join
from scoring.contracts import Trumps
from scoring.seats import Role

if TYPE_CHECKING:
    from scoring.checks.cases import Case
    from scoring.results import DealResult


def check_trump(case: Case) -> None:
    trump, contract = case.result.trump, case.contract
    if contract.trumps is Trumps.NONE:
        case.blame("trump_none", contract=contract.id)
    elif contract.trumps is Trumps.SPADES and trump != "S":
        case.blame("trump_must_be_spades", contract=contract.id, suit=trump)
    elif contract.asks_about_spades and trump == "S":
        case.blame("solo_in_spades")


def check_given_up(case: Case) -> None:
    result, contract = case.result, case.contract
    if not result.abandoned:
        return
    if not contract.may_be_abandoned:
        case.blame("abandoned_not_allowed", contract=contract.id)
    if result.declarer_has_played:
        case.blame("abandoned_too_late")
    if result.foul or _was_played(result):
        case.blame("abandoned_with_more")


def check_foul(case: Case) -> None:
    result = case.result
    if result.foul is None:
        return
    if not case.rulebook.house.fouls:
        case.blame("foul_not_priced")
    elif result.foul is not case.declarer and result.foul not in case.defenders:
        case.blame("foul_by_nobody", seat=result.foul)
    if result.joined or result.idle_abandoned or _was_played(result):
        case.blame("foul_with_more")


def _was_played(result: DealResult) -> bool:
    """Whether a report tells of cards played to tricks, or announced for them."""
    return bool(
        result.tricks
        or result.played_out
        or result.tout
        or result.five_first
        or result.first_five_by
        or result.led_sixth
        or result.claimed_after
    )


def check_fourth_joins(case: Case) -> None:
    result, contract = case.result, case.contract
    must = Role.IDLE in may_join(contract, case.declarer, case.players)
    if must and Role.IDLE not in result.joined and not result.foul:
        case.blame("fourth_must_join", contract=contract.id, seat=Role.IDLE)


def check_joined(case: Case) -> None:
    result, contract = case.result, case.contract
    allowed = may_join(contract, case.declarer, case.players)
    for role in result.joined:
        if role is case.declarer:
            case.blame("joined_by_declarer", seat=role)
        elif role not in allowed:
            code = "joined_not_agreed" if allowed and role is not Role.IDLE else "joined_not_here"
            case.blame(code, contract=contract.id, seat=role)
        elif role not in case.tricks and not (role is Role.IDLE and result.idle_abandoned):
            case.blame("joined_tricks_needed", seat=role)


def check_fourth_gave_up(case: Case) -> None:
    if not case.result.idle_abandoned:
        return
    if Role.IDLE not in case.result.joined:
        case.blame("idle_abandoned_not_joined")
    elif case.tricks.get(Role.IDLE):
        case.blame("idle_abandoned_with_tricks", seat=Role.IDLE)


def check_agreements(case: Case) -> None:
    """What is paid only where a table has agreed on it."""
    result, house, contract = case.result, case.rulebook.house, case.contract
    if result.exchange_repeated and not (house.repeat_exchange and contract.may_repeat_exchange):
        case.blame("repeat_not_agreed", contract=contract.id)
    if result.aces and not (house.aces_bonus and contract.may_have_aces):
        case.blame("aces_not_agreed", contract=contract.id)
