"""Outcomes of a deal, and the rules of each family that derive them from the numbers of tricks."""

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
    """The result of a contract for its declarer; each family of games has some of them."""

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

    # As in Role: str.__hash__ is several times faster than Enum's.
    __hash__ = str.__hash__


BY_NAME = {outcome.value: outcome for outcome in Outcome}
ANY_OUTCOME = frozenset((Outcome.WON, Outcome.BETE, Outcome.KODILLE))
# (tricks of the declarer, tricks of each defender) -> outcome.
Judge = Callable[[int, tuple[int, ...]], Outcome]


def nolo_outcome(declarer: int, free: int = 0) -> Outcome:
    """The outcome of a nolo: no trick wins, one is a bete, two or more a kodille, after subtracting `free` tricks."""
    if declarer <= free:
        return Outcome.WON
    return Outcome.BETE if declarer < free + KODILLE_FROM else Outcome.KODILLE


@cache
def nolo_judge(free: int) -> Judge:
    """A judge of nolos with this many free tricks; the same object each time, so that caches can use it as a key."""

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
    """The outcome of a game: more tricks than every defender win, as many as the best are a bete, fewer a kodille.

    - wins_from: the least tricks that win (grand: five); fewer, though more than every defender, are `short`
    - one_four_four: the outcome of one trick against four and four
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
    """A judge of games by these rules; the same object for the same rules, so that caches can use it as a key."""
    return partial(game_outcome, wins_from=wins_from, one_four_four=one_four_four, short=short)


@cache
def renegado_judge(tie: str) -> Judge:
    """A judge of renegado: more tricks than each opponent win, as many as the best are `tie`, fewer a codille."""

    def judge(declarer: int, defenders: tuple[int, ...]) -> Outcome:
        outcome = game_outcome(declarer, defenders)
        return Outcome(tie) if outcome is Outcome.BETE else outcome

    return judge


def contrabola_outcome(declarer: int, _defenders: tuple[int, ...]) -> Outcome:
    """The outcome of a contrabola: no trick wins, any trick is a puesta (bete)."""
    return Outcome.BETE if declarer else Outcome.WON


def crocodile_game(declarer: int, defenders: tuple[int, ...]) -> Outcome:
    """The outcome of a game of Crocodile by its tricks; who won the first five may change it to contraprimeras."""
    best = max(defenders)
    if declarer > best:
        return Outcome.WON
    if declarer == best:
        return Outcome.SIMPLE_REMIS
    return Outcome.PICCOLO_REMIS if (declarer, defenders) == (1, _FOUR_FOUR) else Outcome.CROCODILE_LUNCH


def crocodile_nolo(declarer: int, defenders: tuple[int, ...]) -> Outcome:
    """The outcome of a nolo of Crocodile; contranolo is a number of tricks that would have won a game."""
    if declarer < KODILLE_FROM:
        return Outcome.SIMPLE_LOSS if declarer else Outcome.WON
    return Outcome.CONTRANOLO if declarer > max(defenders) else Outcome.CROCODILE_LUNCH


def intro_game(declarer: int, defenders: tuple[int, ...], wins_from: int = 0) -> Outcome:
    """The outcome of the first lesson's game: the most tricks, and at least `wins_from`, win."""
    best = max(defenders)
    if declarer > best and declarer >= wins_from:
        return Outcome.WON
    return Outcome.LOST if declarer >= best else Outcome.KODILLE


@cache
def intro_judge(wins_from: int) -> Judge:
    """A judge of the first lesson's game by the number of tricks bid; cached like `nolo_judge`."""
    return partial(intro_game, wins_from=wins_from)


@cache
def eight_tricks_judge(remise_at: int) -> Judge:
    """A judge of eight tricks: five win, from `remise_at` to four are a remise, fewer a kodille."""

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
    """The outcomes that a deal can still have.

    - declarer, defenders: tricks, None if unknown; they add up to at most `in_all`, the tricks of a deal
    - stopped: play stopped early, so that each number may grow
    - stands: the declarer's number is final even so
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
    """Every tuple of counts in which the `left` tricks are added to the open seats."""
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
    """The tout as reported, else as implied by all tricks or by a lead to the sixth: `won`, `failed` or None.

    `undecided` if the lead to the sixth trick was a try, but the declarer's tricks are not known.
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
