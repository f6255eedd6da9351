"""How far a round is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Sum

from tournaments.models import Deal

if TYPE_CHECKING:
    from tournaments.models import Round


@dataclass(frozen=True, slots=True)
class Progress:
    """Deals reported in a round, of all that its tables play."""

    reported: int
    deals: int


def progress_of(round_: Round) -> Progress:
    deals = round_.tables.aggregate(deals=Sum("deals"))["deals"] or 0
    return Progress(Deal.objects.filter(table__round=round_, current__result__isnull=False).count(), deals)
