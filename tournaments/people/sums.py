"""What the sums of deals say of many evenings: by sort, and by year. Whoever asks has what is lacking counted first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.core.cache import cache
from django.db.models import Count, F, Min, Sum

from tournaments.changes.versions import print_of_versions
from tournaments.ledger.deal_sums import Sort, sum_what_is_lacking
from tournaments.models import DealSort, DealSum, Tournament
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from django.db.models import QuerySet

FEW_SORTS, FEW_EVENINGS = 100, 1500
KEPT = 24 * 3600  # seconds; what is kept says itself for what it holds


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
    rows = DealSum.objects.order_by()
    if len(known) <= FEW_SORTS:
        rows = rows.filter(sort__in=list(known))
    group = ("year", "sort") if by_year else ("sort",)

    def summed(some: QuerySet[DealSum]) -> Iterable[tuple[int, ...]]:
        return some.values_list(*group).annotate(Sum("deals"), Sum("tokens"))

    found: dict[tuple[int, Sort], list[int]] = {}
    for part, sign in _parts(rows, tournaments):
        for *year, sort, deals, tokens in summed(part):
            if sort in known:
                sums = found.setdefault((year[0] if year else 0, known[sort]), [0, 0])
                sums[0] += sign * deals
                sums[1] += sign * tokens
    return {key: (deals, tokens) for key, (deals, tokens) in found.items() if deals}


def _parts(rows: QuerySet[DealSum], tournaments: QuerySet[Tournament]) -> list[tuple[QuerySet[DealSum], int]]:
    """What is to be added up, or taken away, so that the sums are those of these evenings.

    Of a few evenings their sums are looked up. Of nearly all of them all sums are added up, and those of the others
    taken away: to ask of each of 660,000 whether its evening is meant takes three times as long as to add it. Else all
    are gone through in the order of an index, which SQLite does where no index leads to the evening.
    """
    keys = set(tournaments.values_list("pk", flat=True))
    if len(keys) <= FEW_EVENINGS:
        return [(rows.filter(tournament__in=keys), 1)]
    others = set(Tournament.objects.order_by().values_list("pk", flat=True)) - keys
    if len(others) <= FEW_EVENINGS:
        return [(rows, 1), (rows.filter(tournament__in=others), -1)]
    return [(rows.alias(at=F("tournament") + 0).filter(at__in=tournaments.values("pk")), 1)]


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


class Played(NamedTuple):
    """Everybody's games of a contract at some evenings: how they came out, and what `gain_and_cost` says of them."""

    declared: Declared
    gain_and_cost: list[int]


def games_at(tournaments: QuerySet[Tournament]) -> dict[str, Played]:
    """By contract: counted once for as long as nothing changes at these evenings, since all who came there are told.

    And until all is counted anew, which no evening's version tells: no sum has a key that an earlier one had.
    """
    told = tournaments.aggregate(print=print_of_versions(), all=Count("pk"))
    oldest = DealSum.objects.aggregate(Min("pk"))["pk__min"]
    if oldest is None:  # just forgotten: what is counted now is kept by its own key
        sum_what_is_lacking()
        oldest = DealSum.objects.aggregate(Min("pk"))["pk__min"]
    key = f"games-at:{told['all']}:{told['print']}:{oldest}"
    kept: dict[str, Played] | None = cache.get(key)
    if kept is None:
        sums = by_sort(tournaments)
        contracts = of_contracts(sums)
        gains = gain_and_cost(sums.items(), contracts)
        kept = {contract: Played(declared, gains[contract]) for contract, declared in contracts.items()}
        cache.set(key, kept, KEPT)
    return kept


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
