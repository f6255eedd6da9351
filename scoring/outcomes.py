"""How a deal came out: small named rules, from tricks to won, bete or kodille."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache, partial
from typing import TYPE_CHECKING

from scoring.cards import HAND
from scoring.rulebook import FIRST_FIVE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scoring.results import DealResult
    from scoring.rulebook import Contract

TRICKS = HAND
KODILLE_FROM = 2
_FOUR_FOUR = (4, 4)


class Outcome(StrEnum):
    WON = "won"
    BETE = "bete"
    KODILLE = "kodille"
    WASHOUT = "washout"
    SIMPLE_LOSS = "simple_loss"
    SIMPLE_REMIS = "simple_remis"
    PICCOLO_REMIS = "piccolo_remis"
    CROCODILE_LUNCH = "crocodile_lunch"
    CONTRAPRIMERAS = "contraprimeras"
    CONTRANOLO = "contranolo"
    VOLE_FAILED = "vole_failed"
    VOLE = "vole"
    REMISE = "remise"
    LOST = "lost"

    # As in Role: str's own hash is several times faster than Enum's.
    __hash__ = str.__hash__


BY_NAME = {outcome.value: outcome for outcome in Outcome}
ANY_OUTCOME = frozenset((Outcome.WON, Outcome.BETE, Outcome.KODILLE))
# From the tricks of the declarer and of each defender to the outcome.
Judge = Callable[[int, tuple[int, ...]], Outcome]


def nolo_outcome(declarer: int, free: int = 0) -> Outcome:
    """A nolo: no trick wins, one is bete, two or more are kodille; `free` tricks do not count."""
    if declarer <= free:
        return Outcome.WON
    return Outcome.BETE if declarer < free + KODILLE_FROM else Outcome.KODILLE


@cache
def nolo_judge(free: int) -> Judge:
    """How a nolo comes out; the same object for as many free tricks, to remember answers by."""

    def judge(declarer: int, _defenders: tuple[int, ...]) -> Outcome:
        return nolo_outcome(declarer, free)

    return judge


def game_outcome(
    declarer: int,
    defenders: tuple[int, ...],
    wins_from: int = 0,
    one_four_four: str = Outcome.KODILLE,
    short: str = Outcome.BETE,
) -> Outcome:
    """A game: more tricks than every defender win, as many as the best are bete, fewer are kodille.

    Where a win needs a number of tricks (grand: five), more than each defender but too few are `short`.
    """
    if (
        declarer == 1
        and defenders == _FOUR_FOUR
        and not (one_four_four == Outcome.WON and wins_from > declarer)
    ):
        return Outcome(one_four_four)
    best = max(defenders)
    if declarer > best:
        return Outcome.WON if declarer >= wins_from else Outcome(short)
    return Outcome.BETE if declarer == best else Outcome.KODILLE


@cache
def lhombre_judge(wins_from: int, one_four_four: str, short: str) -> Judge:
    """How a game of these rules comes out; the same object for the same rules, to remember answers by."""
    return partial(game_outcome, wins_from=wins_from, one_four_four=one_four_four, short=short)


@cache
def renegado_judge(tie: str) -> Judge:
    """Sacada, puesta or codille: more tricks than each opponent, as many as the best (a `tie`), or fewer."""

    def judge(declarer: int, defenders: tuple[int, ...]) -> Outcome:
        outcome = game_outcome(declarer, defenders)
        return Outcome(tie) if outcome is Outcome.BETE else outcome

    return judge


def contrabola_outcome(declarer: int, _defenders: tuple[int, ...]) -> Outcome:
    """No trick wins, any trick is a puesta."""
    return Outcome.BETE if declarer else Outcome.WON


def crocodile_game(declarer: int, defenders: tuple[int, ...]) -> Outcome:
    """As the tricks alone have it: who won the first five may make it contraprimeras."""
    best = max(defenders)
    if declarer > best:
        return Outcome.WON
    if declarer == best:
        return Outcome.SIMPLE_REMIS
    return Outcome.PICCOLO_REMIS if (declarer, defenders) == (1, _FOUR_FOUR) else Outcome.CROCODILE_LUNCH


def crocodile_nolo(declarer: int, defenders: tuple[int, ...]) -> Outcome:
    """Contranolo is what would have won a game: five tricks, or four with the others three and two."""
    if declarer < KODILLE_FROM:
        return Outcome.SIMPLE_LOSS if declarer else Outcome.WON
    return Outcome.CONTRANOLO if declarer > max(defenders) else Outcome.CROCODILE_LUNCH


def intro_game(declarer: int, defenders: tuple[int, ...], wins_from: int = 0) -> Outcome:
    """More tricks than each opponent win, or as many as were bid; fewer than an opponent's are kodille, else lost."""
    best = max(defenders)
    if declarer > best and declarer >= wins_from:
        return Outcome.WON
    return Outcome.LOST if declarer >= best else Outcome.KODILLE


@cache
def intro_judge(wins_from: int) -> Judge:
    """How a deal of the first lesson comes out; the same object for the same number of tricks that was bid."""
    return partial(intro_game, wins_from=wins_from)


@cache
def eight_tricks_judge(remise_at: int) -> Judge:
    """Five of eight tricks win, `remise_at` to four are remise, fewer are kodille."""

    def judge(declarer: int, _defenders: tuple[int, ...]) -> Outcome:
        if declarer >= FIRST_FIVE:
            return Outcome.WON
        return Outcome.REMISE if declarer >= remise_at else Outcome.KODILLE

    return judge


@cache
def possible_outcomes(
    declarer: int | None,
    defenders: tuple[int | None, ...],
    stopped: bool,
    judge: Judge,
    in_all: int = TRICKS,
    *,
    stands: bool = False,
) -> frozenset[Outcome]:
    """What a deal can still come to: tricks that are None are not known, and with `stopped` each may be more.

    With `stands` the declarer's may not. Numbers are from 0 to `in_all`, the tricks of a deal, and add up to them
    at most.
    """
    known = (declarer, *defenders)
    least = [count or 0 for count in known]
    open_seats = [
        seat for seat, count in enumerate(known) if count is None or (stopped and not (stands and seat == 0))
    ]
    return frozenset(
        judge(counts[0], counts[1:]) for counts in completions(tuple(least), open_seats, in_all - sum(least))
    )


def completions(counts: tuple[int, ...], open_seats: list[int], left: int) -> Iterator[tuple[int, ...]]:
    """Every way to deal out the tricks that are left over the open seats."""
    if not open_seats:
        yield counts
        return
    seat, *others = open_seats
    for more in range(left + 1) if others else (left,):
        yield from completions(
            (*counts[:seat], counts[seat] + more, *counts[seat + 1 :]), others, left - more
        )


def tout_tried(
    result: DealResult, contract: Contract, declarer_tricks: int | None, led_sixth: bool, in_all: int = TRICKS
) -> str | None:
    """`won`, `failed` or None: the tout as reported, or as all tricks or a lead to the sixth trick imply it.

    Gives `undecided` where the lead to the sixth trick was a try but the declarer's tricks are not known.
    """
    if result.tout or not contract.is_game:
        return result.tout
    if declarer_tricks == in_all:
        return "won"
    if not led_sixth:
        return None
    if declarer_tricks is None:
        return "undecided"
    return "failed" if declarer_tricks >= FIRST_FIVE else None
