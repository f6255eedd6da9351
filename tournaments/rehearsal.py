"""Results for demonstrations and rehearsals: of whole deals that bots play, reported as a captain would."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scoring.bots import play_round
from scoring.results import DealResult
from scoring.rulebooks import Rulebook
from scoring.seats import Seating
from scoring.settlement import IllegalResult, Settlement, settle


def results(
    rulebook: Rulebook,
    players: int,
    deals: int,
    *,
    seed: int,
    first_dealer: int = 0,
    in_pairs: bool = False,
) -> Iterator[dict[str, Any]]:
    """The results of so many deals at one table, seats as positions; the same seed gives the same results."""
    for played in play_round(rulebook, players, deals, seed, first_dealer=first_dealer, in_pairs=in_pairs):
        seating = played.state.table.seating
        yield _in_short(played.result, seating, rulebook).to_json(seating)


def _in_short(result: DealResult, seating: Seating, rulebook: Rulebook) -> DealResult:
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
