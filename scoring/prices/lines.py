"""The lines of an account: each is one price and its reason."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.outcomes import KODILLE_FROM, Outcome
from scoring.words import _

if TYPE_CHECKING:
    from scoring.contracts import Contract


class Side(IntEnum):
    """Who settles a line with the declarer."""

    EACH = 0  # each player who settles
    NOBODY = 1  # points that come from nowhere
    POOL = 2
    WINNERS = 3  # the opponents who won a kodille, in equal shares
    PARTNERS = 4  # the pool, with the declarer for two thirds and his partner for one
    OPPONENTS = 5  # the opponents of declarer and partner, in equal shares
    TOGETHER = 6  # those who settle, in equal shares; odd tokens are of who is nearer at the declarer's right


class Line(NamedTuple):
    """A price: the tokens that each player who settles pays the declarer, and the reason in words.

    On another side than EACH it is one amount: `each`, and `pool` times what lies in the pool; `capped` by what does,
    where the pool pays it.
    """

    code: str
    each: int
    text: str
    params: dict[str, Any]
    side: Side = Side.EACH
    pool: int = 0
    capped: bool = False


@cache
def game_line(contract: Contract, outcome: Outcome, code: str = "price") -> Line:
    """The contract's price: received when won, paid when lost."""
    won = outcome is Outcome.WON
    return Line(
        code,
        contract.price if won else -contract.price,
        REASONS[code, won],
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


def beyond_line(contract: Contract, tricks: int) -> Line:
    """What one of several players pays each other for the tricks that are not free."""
    over = max(tricks - contract.free_tricks, 0)
    text = _("{contract} with {tricks} tricks")
    return Line("price", -contract.kodille_extra * over, text, {"contract": contract.id, "tricks": tricks})


def tout_line(tout: str) -> Line:
    return _WON_TOUT if tout == "won" else _FAILED_TOUT


def first_five_line(bonus: str) -> Line:
    return _WON_FIRST_FIVE if bonus == "won" else _FAILED_FIRST_FIVE


def repeat_line(contract: Contract) -> Line:
    """An exchange repeated costs a bete, whatever comes of the deal."""
    return Line("exchange_repeated", -contract.price, _("exchange repeated"), {})


def aces_line(bonus: int) -> Line:
    return Line("aces", bonus, _("three or four aces"), {})


# Why a contract's price is paid: by the line's code, and whether it was won.
REASONS = {
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
# The lines that a settlement names beside its outcome.
EXTRAS = frozenset(
    (
        "tout_won",
        "tout_failed",
        "five_first_won",
        "five_first_failed",
        "exchange_repeated",
        "aces",
        "vole",
        "primeras",
        "contraprimeras",
        "silent_cuatro",
        "silent_primeras",
        "silent_tout",
        "cuatro_made",
        "cuatro_failed",
        "primeras_made",
        "primeras_failed",
        "tout_made",
        "talking_made",
        "talking_failed",
    )
)
