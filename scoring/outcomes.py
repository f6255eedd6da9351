"""How a deal came out: small named rules, from tricks to won, bete or kodille."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from scoring.cards import HAND, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.contracts import Contract
    from scoring.results import DealResult

TRICKS = HAND
FIRST_FIVE = 5
KODILLE_FROM = 2
_FOUR_FOUR = (4, 4)


class Outcome(StrEnum):
    WON = "won"
    BETE = "bete"
    KODILLE = "kodille"
    WASHOUT = "washout"

    # As in Role: str's own hash is several times faster than Enum's.
    __hash__ = str.__hash__


BY_NAME = {outcome.value: outcome for outcome in Outcome}
ANY_OUTCOME = frozenset((Outcome.WON, Outcome.BETE, Outcome.KODILLE))


def nolo_outcome(declarer: int) -> Outcome:
    """A nolo: no trick wins, one is bete, two or more are kodille."""
    if declarer == 0:
        return Outcome.WON
    return Outcome.BETE if declarer < KODILLE_FROM else Outcome.KODILLE


def game_outcome(
    declarer: int, defenders: tuple[int, ...], wins_from: int = 0, one_four_four: str = Outcome.KODILLE
) -> Outcome:
    """A game: more tricks than every defender win, as many as the best are bete, fewer are kodille.

    Where a win needs a number of tricks (grand: five), more than each defender but too few are bete.
    """
    if (
        declarer == 1
        and defenders == _FOUR_FOUR
        and not (one_four_four == Outcome.WON and wins_from > declarer)
    ):
        return Outcome(one_four_four)
    best = max(defenders)
    if declarer > best and declarer >= wins_from:
        return Outcome.WON
    return Outcome.BETE if declarer >= best else Outcome.KODILLE


@cache
def possible_outcomes(
    declarer: int | None, defenders: tuple[int | None, ...], stopped: bool, wins_from: int, one_four_four: str
) -> frozenset[Outcome]:
    """What a game can still come to: tricks that are None are not known, and with `stopped` each may be more.

    Numbers are from 0 to 9 and add up to 9 at most.
    """
    known = (declarer, *defenders)
    least = [count or 0 for count in known]
    open_seats = [seat for seat, count in enumerate(known) if stopped or count is None]
    return frozenset(
        game_outcome(counts[0], counts[1:], wins_from, one_four_four)
        for counts in _completions(tuple(least), open_seats, TRICKS - sum(least))
    )


def _completions(counts: tuple[int, ...], open_seats: list[int], left: int) -> Iterator[tuple[int, ...]]:
    """Every way to deal out the tricks that are left over the open seats."""
    if not open_seats:
        yield counts
        return
    seat, *others = open_seats
    for more in range(left + 1) if others else (left,):
        yield from _completions(
            (*counts[:seat], counts[seat] + more, *counts[seat + 1 :]), others, left - more
        )


def tout_tried(result: DealResult, contract: Contract, declarer_tricks: int | None) -> str | None:
    """`won`, `failed` or None: the tout as reported, or as all nine tricks or a lead to the sixth trick imply
    it.

    Gives `undecided` where the lead to the sixth trick was a try but the declarer's tricks are not known.
    """
    if result.tout or contract.kind is Kind.NOLO:
        return result.tout
    if declarer_tricks == TRICKS:
        return "won"
    if not result.led_sixth or result.first_five_by not in (None, result.declarer):
        return None
    if declarer_tricks is None:
        return "undecided"
    return "failed" if declarer_tricks >= FIRST_FIVE else None
