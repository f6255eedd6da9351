"""How many of the reported deals a player was dealt cards in: at a table of four one deal in four is sat out."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from django.db.models import Count

from scoring.seats import Role, Seating, dealer_of
from tournaments.models import Deal, Seat, Table
from tournaments.outcomes import TOTALS_ONLY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.models import Tournament


def deals_dealt(tournament: Tournament, rounds: Iterable[int] | None = None) -> dict[int, int]:
    """Entry -> deals that the player was dealt, in the rounds of these numbers or in all.

    A washed-out deal is one; of a table whose totals alone are known all deals count.
    """
    seats = Seat.objects.filter(round__tournament=tournament)
    deals = Deal.objects.filter(table__round__tournament=tournament, current__result__isnull=False)
    if rounds is not None:
        seats = seats.filter(round__number__in=list(rounds))
        deals = deals.filter(table__round__number__in=list(rounds))
    sitting: dict[int, dict[int, int]] = defaultdict(dict)
    for table, position, entry in seats.values_list("table_id", "position", "entry_id"):
        sitting[table][position] = entry
    dealers: dict[int, Counter[int]] = defaultdict(Counter)
    for table, dealer, count in (
        deals.values_list("table_id", "current__dealer").annotate(Count("pk")).order_by()
    ):
        dealers[table][dealer] = count
    without_deals = deals.filter(number=1, **{f"current__result__{TOTALS_ONLY}": True}).values("table")
    for lost in Table.objects.filter(pk__in=without_deals):
        players = len(sitting[lost.pk])
        dealers[lost.pk] = Counter(
            dealer_of(deal, players, lost.first_dealer) for deal in range(1, lost.deals + 1)
        )
    dealt: Counter[int] = Counter()
    for table, by_dealer in dealers.items():
        for dealer, count in by_dealer.items():
            roles = Seating(len(sitting[table]), dealer).roles
            for position, entry in sitting[table].items():
                dealt[entry] += count * (roles[position] is not Role.IDLE)
    return dict(dealt)
