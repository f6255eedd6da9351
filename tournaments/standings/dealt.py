"""How many of the reported deals a player was dealt cards in: at a table of four one deal in four is sat out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.db.models import Count, Q

from scoring.seats import Role, Seating
from tournaments.ledger.outcomes import TOTALS_ONLY, is_totals_only
from tournaments.ledger.sitting import Sittings, turns_at
from tournaments.models import Deal, Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.models import Tournament


def deals_dealt(tournament: Tournament, rounds: Iterable[int] | None = None) -> dict[int, int]:
    """Entry -> deals that the player was dealt, in the rounds of these numbers or in all.

    A washed-out deal is one; of a table whose totals alone are known all deals count.
    """
    seated = Q(round__tournament=tournament)
    deals = Deal.objects.filter(table__round__tournament=tournament, current__result__isnull=False)
    if rounds is not None:
        seated &= Q(round__number__in=list(rounds))
        deals = deals.filter(table__round__number__in=list(rounds))
    sittings = Sittings(seated)
    dealt: Counter[int] = Counter()
    without_deals = deals.filter(number=1, **{f"current__result__{TOTALS_ONLY}": True}).values("table")
    # Where the dealer or the seats were changed, or nothing but totals is known, each deal is looked at by itself.
    one_by_one = Q(pk__in=without_deals) | (Q(round__tournament=tournament) & ~Q(turns=[]))
    tables = list(Table.objects.filter(one_by_one))
    usual = deals.exclude(table__in=tables).values_list("table_id", "current__dealer")
    for table, dealer, count in usual.annotate(Count("pk")).order_by():
        roles = Seating(sittings.sizes[table], dealer).roles
        for position, role in enumerate(roles):
            dealt[sittings.entry_at(table, position, 1)] += count * (role is not Role.IDLE)
    for table in tables:
        numbers = deals.filter(table=table).values_list("number", "current__result")
        told = dict(numbers)
        played = range(1, table.deals + 1) if is_totals_only(told.get(1)) else told
        turns = turns_at(table, sittings.sizes[table.pk])
        for deal in played:
            for position, role in enumerate(turns.seating(deal).roles):
                dealt[sittings.entry_at(table.pk, position, deal)] += role is not Role.IDLE
    return {entry: count for entry, count in dealt.items() if count}
