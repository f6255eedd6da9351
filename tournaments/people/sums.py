"""What the sums of deals say of many evenings: by sort, and by year. Whoever asks has what is lacking counted first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, Sum

from tournaments.ledger.counted_deals import Sort
from tournaments.ledger.sums import sum_what_is_lacking
from tournaments.models import DealSort, DealSum
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from django.db.models import QuerySet

    from tournaments.models import Tournament


FEW_SORTS, FEW_EVENINGS = 100, 1500


def sorts(wanted: Callable[[Sort], bool] | None = None) -> dict[int, Sort]:
    """The sorts of deals that there ever were, by primary key; those that are wanted."""
    found = {pk: Sort(*said) for pk, *said in DealSort.objects.values_list("pk", *Sort._fields)}
    return found if wanted is None else {pk: sort for pk, sort in found.items() if wanted(sort)}


def by_sort(
    tournaments: QuerySet[Tournament], wanted: Callable[[Sort], bool] | None = None
) -> dict[Sort, tuple[int, int]]:
    """How many deals of each sort there are at these tournaments, and their declarers' tokens."""
    return {sort: sums for (_year, sort), sums in _summed(tournaments, wanted, by_year=False).items()}


def by_year(
    tournaments: QuerySet[Tournament], wanted: Callable[[Sort], bool] | None = None
) -> dict[tuple[int, Sort], tuple[int, int]]:
    """The same for each year."""
    return _summed(tournaments, wanted, by_year=True)


def _summed(
    tournaments: QuerySet[Tournament], wanted: Callable[[Sort], bool] | None, *, by_year: bool
) -> dict[tuple[int, Sort], tuple[int, int]]:
    sum_what_is_lacking()
    known = sorts(wanted)
    keys = list(tournaments.values_list("pk", flat=True))
    rows = DealSum.objects.order_by()
    if len(known) <= FEW_SORTS:
        rows = rows.filter(sort__in=list(known))
    # Of a few evenings their sums are looked up; of many all sums are gone through in the order of an index, which
    # SQLite does where no index leads to the evening.
    if len(keys) <= FEW_EVENINGS:
        rows = rows.filter(tournament__in=keys)
    else:
        rows = rows.alias(at=F("tournament") + 0).filter(at__in=tournaments.values("pk"))
    group = ("year", "sort") if by_year else ("sort",)
    told = rows.values_list(*group).annotate(Sum("deals"), Sum("tokens"))
    return {
        (year[0] if year else 0, known[sort]): (deals, tokens)
        for *year, sort, deals, tokens in told
        if deals and sort in known
    }


def of_contracts(sums: Mapping[Sort, tuple[int, int]]) -> dict[str, Declared]:
    """What games of each contract came to, the most played first."""
    found: dict[str, Declared] = {}
    for sort, (deals, tokens) in sums.items():
        if sort.is_declared:
            add(found.setdefault(sort.contract, Declared()), sort, deals, tokens)
    return dict(sorted(found.items(), key=lambda item: (-item[1].deals, item[0])))


def add(line: Declared, sort: Sort, deals: int, tokens: int) -> None:
    line.deals += deals
    line.tokens += tokens
    line.won += deals * sort.is_won
    line.bete += deals * sort.is_bet
    line.kodille += deals * sort.is_kodille


def gain_and_cost(
    sums: Iterable[tuple[Sort, tuple[int, int]]], contracts: Collection[str]
) -> dict[str, list[int]]:
    """Of these contracts: tokens of games won, how many, tokens of games lost, how many."""
    found = {contract: [0, 0, 0, 0] for contract in contracts}
    for sort, (deals, tokens) in sums:
        if sort.contract in found:
            at = 0 if sort.is_won else 2
            found[sort.contract][at] += tokens
            found[sort.contract][at + 1] += deals
    return found
