"""Results for demonstrations and rehearsals: of whole deals that bots play, reported as a captain would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from scoring.bots import next_step, play_round
from scoring.game import Deal
from scoring.results import DealResult
from scoring.rulebook import Rulebook
from scoring.seats import ACTIVE, Seating, dealer_of
from scoring.settlement import IllegalResult, Settlement, settle
from tournaments.demo.strengths import MIDDLE, playing


def results(
    rulebook: Rulebook,
    players: int,
    deals: int,
    *,
    seed: int,
    first_dealer: int = 0,
    in_pairs: bool = False,
    strengths: Sequence[float] = (),
) -> Iterator[dict[str, Any]]:
    """The results of so many deals at one table, seats as positions; the same seed gives the same results.

    `strengths` are those of the players, from 0 to 1; without them all play as well as bots can.
    """
    choose = playing(strengths, Random(f"{seed} slips")) if strengths else next_step
    dealt = play_round(
        rulebook, players, deals, seed, first_dealer=first_dealer, in_pairs=in_pairs, choose=choose
    )
    for played in dealt:
        seating = played.state.table.seating
        yield in_short(played.result, seating, rulebook).to_json(seating)


Cards = tuple[str, ...]


def results_on_boards(
    rulebook: Rulebook,
    players: int,
    folders: Iterable[tuple[tuple[Cards, Cards, Cards], Cards]],
    *,
    seed: int,
    in_pairs: bool = False,
    strengths: Sequence[float] = (),
) -> Iterator[dict[str, Any]]:
    """The results of these folders (hands and talon) in their order at one table whose position 0 deals first.

    Tables with other seeds play the same cards a little differently: without `strengths` all are of middling strength.
    """
    random = Random(seed)
    choose = playing(strengths or [MIDDLE] * players, random)
    for number, (hands, talon) in enumerate(folders, start=1):
        seating = rulebook.seating(players, dealer_of(number, players), in_pairs=in_pairs)
        state = Deal(rulebook, seating, dict(zip(ACTIVE, hands, strict=True)), talon).start()
        while not state.over:
            state = state.after(choose(state))
        yield in_short(state.result(), seating, rulebook).to_json(seating)


def in_short(result: DealResult, seating: Seating, rulebook: Rulebook) -> DealResult:
    """The result in the fewest words that settle it alike: won, bête or kodille, and tricks only where they count."""
    settled = settle(result, seating, rulebook)
    without_notes = result._replace(first_five_by=None, led_sixth=False, claimed_after=None)
    outcome = without_notes._replace(tricks=(), played_out=None, outcome=str(settled.outcome))
    for shorter in (outcome, without_notes):
        if (
            not result.all_passed
            and not result.abandoned
            and _settles_as(shorter, seating, rulebook, settled)
        ):
            return shorter
    return result


def _settles_as(result: DealResult, seating: Seating, rulebook: Rulebook, settled: Settlement) -> bool:
    try:
        return settle(result, seating, rulebook) == settled
    except IllegalResult:
        return False
