"""How far a round is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Sum

from tournaments.models import Deal, Round

if TYPE_CHECKING:
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Progress:
    """Deals reported in a round, of all that its tables play."""

    reported: int
    deals: int


def progress_of(round_: Round) -> Progress:
    deals = round_.tables.aggregate(deals=Sum("deals"))["deals"] or 0
    return Progress(Deal.objects.filter(table__round=round_, current__result__isnull=False).count(), deals)


def is_played_out(tournament: Tournament) -> bool:
    """Whether the last deal is reported: the standings are posted, or no deal is missing in the last round planned."""
    if tournament.is_called_off:
        return False
    if tournament.is_finished:
        return True
    rounds = list(tournament.rounds.all())
    if any(one.is_running for one in rounds) or not tournament.is_posted:
        return bool(rounds) and len(rounds) >= tournament.rounds_planned and all(map(_is_reported, rounds))
    return True


def _is_reported(round_: Round) -> bool:
    if round_.state != Round.State.RUNNING:
        return round_.state == Round.State.CLOSED
    progress = progress_of(round_)
    return progress.reported >= progress.deals > 0
