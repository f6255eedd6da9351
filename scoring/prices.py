"""What a deal costs: each price is one line, in tokens that each player who settles pays the declarer.

A negative line is paid by the declarer. An account is one declarer's lines: everybody's but where a nolo was
joined.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.outcomes import KODILLE_FROM, Outcome, nolo_outcome
from scoring.words import _

if TYPE_CHECKING:
    from scoring.checks import Case
    from scoring.contracts import Contract


class Line(NamedTuple):
    """A price: the tokens that each player who settles pays the declarer, and the reason in words."""

    code: str
    each: int
    text: str
    params: dict[str, Any]


@cache
def game_line(contract: Contract, outcome: Outcome, code: str = "price") -> Line:
    """The contract's price: received when won, paid when lost."""
    won = outcome is Outcome.WON
    return Line(
        code,
        contract.price if won else -contract.price,
        _REASONS[code, won],
        {"contract": contract.id, "outcome": outcome},
    )


@cache
def kodille_line(contract: Contract, tricks: int | None) -> Line:
    """What a kodille costs on top of the price: once, or for every trick after the first."""
    if not contract.extra_per_trick:
        return Line("kodille", -contract.kodille_extra, _("kodille"), {})
    took = max(tricks or KODILLE_FROM, KODILLE_FROM)
    return Line(
        "kodille", -contract.kodille_extra * (took - 1), _("kodille with {tricks} tricks"), {"tricks": took}
    )


def tout_line(tout: str) -> Line:
    return _WON_TOUT if tout == "won" else _FAILED_TOUT


def first_five_line(bonus: str) -> Line:
    return _WON_FIRST_FIVE if bonus == "won" else _FAILED_FIRST_FIVE


def repeat_line(contract: Contract) -> Line:
    """An exchange repeated costs a bete, whatever comes of the deal."""
    return Line("exchange_repeated", -contract.price, _("exchange repeated"), {})


def aces_line(bonus: int) -> Line:
    return Line("aces", bonus, _("three or four aces"), {})


def declarer_lines(case: Case) -> list[Line]:
    """The declarer's account: all that each player who settles pays or receives."""
    result, contract, outcome = case.result, case.contract, case.outcome
    code = "abandoned" if result.abandoned else "foul" if result.foul else "price"
    lines = [game_line(contract, outcome, code)]
    if outcome is Outcome.KODILLE:
        lines.append(kodille_line(contract, case.tricks.get(case.declarer)))
    if case.tout:
        lines.append(tout_line(case.tout))
    if result.five_first:
        lines.append(first_five_line(result.five_first))
    if result.exchange_repeated:
        lines.append(repeat_line(contract))
    if result.aces and outcome is Outcome.WON:
        lines.append(aces_line(case.rulebook.house.aces_bonus))
    return lines


def joined_lines(contract: Contract, tricks: int | None) -> list[Line]:
    """The account of one who joined a nolo and took so many tricks; None gave that hand up, for a bete."""
    if tricks is None:
        return [game_line(contract, Outcome.BETE, "idle_abandoned")]
    outcome = nolo_outcome(tricks)
    lines = [game_line(contract, outcome, "joined")]
    if outcome is Outcome.KODILLE:
        lines.append(kodille_line(contract, tricks))
    return lines


_REASONS = {
    ("price", True): _("{contract} won"),
    ("price", False): _("{contract} lost"),
    ("abandoned", False): _("{contract} given up"),
    ("foul", True): _("{contract} won by a fouled exchange"),
    ("foul", False): _("{contract} lost by a fouled exchange"),
    ("joined", True): _("joined {contract} won"),
    ("joined", False): _("joined {contract} lost"),
    ("idle_abandoned", False): _("joined {contract} given up"),
}
_WON_TOUT = Line("tout_won", 1, _("tout won"), {})
_FAILED_TOUT = Line("tout_failed", -1, _("tout failed"), {})
_WON_FIRST_FIVE = Line("five_first_won", 1, _("the first five tricks won"), {})
_FAILED_FIRST_FIVE = Line("five_first_failed", -1, _("the first five tricks not won"), {})
EXTRAS = frozenset(
    ("tout_won", "tout_failed", "five_first_won", "five_first_failed", "exchange_repeated", "aces")
)
