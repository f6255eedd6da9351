"""What a deal costs: each price is one line, in tokens that each player who settles pays the declarer.

A negative line is paid by the declarer. An account is one declarer's lines: everybody's but where a nolo was
joined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.family_rules import (
    CrocodileRules,
    FiveRules,
    HouseRules,
    IntroRules,
    LHombreRules,
    RenegadoRules,
    TwoRules,
)
from scoring.outcomes import BY_NAME, Outcome, nolo_outcome
from scoring.prices.lines import (
    Line,
    Side,
    aces_line,
    beyond_line,
    first_five_line,
    game_line,
    kodille_line,
    repeat_line,
    tout_line,
)
from scoring.prices.others import crocodile_lines, five_lines, intro_lines, renegado_lines, two_lines
from scoring.seats import Role

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoring.checks import Case
    from scoring.contracts import Contract


def declarer_lines(case: Case) -> list[Line]:
    """The declarer's account: all that each player who settles pays or receives."""
    return _ACCOUNTS[type(case.rulebook.house)](case)


def _lhombre_lines(case: Case) -> list[Line]:
    result, contract, outcome = case.result, case.contract, case.outcome
    house = LHombreRules.of(case.rulebook.house)
    if contract.all_join and not result.foul:
        return [beyond_line(contract, case.tricks[case.declarer])]
    code = "abandoned" if result.abandoned else "foul" if result.foul else "price"
    lines = [game_line(contract, outcome, code)]
    if outcome is Outcome.KODILLE:
        lines.append(kodille_line(contract, case.tricks.get(case.declarer)))
    if house.to_pool:
        lines = [line._replace(side=Side.POOL, capped=True) for line in lines]
    if case.tout and (outcome is Outcome.WON or house.tout_counts_in_defeat):
        lines.append(tout_line(case.tout))
    if result.five_first:
        lines.append(first_five_line(result.five_first))
    if result.exchange_repeated:
        lines.append(repeat_line(contract))
    if result.aces and outcome is Outcome.WON:
        lines.append(aces_line(house.aces_bonus))
    return lines


def lines_of_joined(case: Case, role: Role) -> list[Line]:
    """The account of one who joined a nolo. Who fouls the exchange loses it; then each other declarer's is won."""
    result, contract = case.result, case.contract
    if result.foul is None:
        gave_up = role is Role.IDLE and result.idle_abandoned
        return joined_lines(contract, None if gave_up else case.tricks[role])
    if result.foul is not role:
        return [game_line(contract, Outcome.WON, "foul")]
    outcome = BY_NAME[LHombreRules.of(case.rulebook.house).declarer_foul]
    lines = [game_line(contract, outcome, "foul")]
    if outcome is Outcome.KODILLE:
        lines.append(kodille_line(contract, None))
    return lines


def joined_lines(contract: Contract, tricks: int | None) -> list[Line]:
    """The account of one who joined a nolo and took so many tricks; None gave that hand up, for a bete."""
    if tricks is None:
        return [game_line(contract, Outcome.BETE, "idle_abandoned")]
    if contract.all_join:
        return [beyond_line(contract, tricks)]
    outcome = nolo_outcome(tricks)
    lines = [game_line(contract, outcome, "joined")]
    if outcome is Outcome.KODILLE:
        lines.append(kodille_line(contract, tricks))
    return lines


_ACCOUNTS: dict[type[HouseRules], Callable[[Case], list[Line]]] = {
    LHombreRules: _lhombre_lines,
    CrocodileRules: crocodile_lines,
    RenegadoRules: renegado_lines,
    TwoRules: two_lines,
    FiveRules: five_lines,
    IntroRules: intro_lines,
}
