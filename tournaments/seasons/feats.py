"""What a player did at an evening that clubs keep records of, counted from its deals as they were played."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from django.db.models import Q

from tournaments.domain.outcomes import LOST, LOST_DEARLY, WON
from tournaments.ledger.deal_sums import CountedDeal, deals_at
from tournaments.ledger.seating import Sittings
from tournaments.models import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from tournaments.models import Tournament

SOLOS = frozenset(("solo", "spade_solo"))
WITH_A_BET = {*LOST, *LOST_DEARLY}


@dataclass(frozen=True, slots=True)
class Feats:
    """A player's evening: `games` declared, `solos` among them that were won, and the most tokens of a round, a deal, a
    game with its tout made.

    `comeback` is how far the tokens rose from their lowest, below nought, to the end. Runs are of games declared in a
    row without a bet: `first_run` from the evening's first on, `last_run` up to its last; evenings are joined by them.
    """

    games: int = 0
    solos: int = 0
    best_round: int = 0
    best_deal: int = 0
    best_tout: int = 0
    comeback: int = 0
    first_run: int = 0
    last_run: int = 0
    longest_run: int = 0


FEATS = tuple(Feats.__dataclass_fields__)


# A deal with its table's primary key and its number there.
PlayedDeal = tuple[int, int, CountedDeal]


def feats_of(*tournaments: Tournament) -> dict[int, Feats]:
    """Entry -> feats, of everybody at these tournaments at whose table a deal is reported."""
    tables = Table.objects.filter(round__tournament__in=tournaments, reports_count__gt=0)
    rounds = dict(tables.order_by().values_list("pk", "round__number"))
    sittings = Sittings(Q(table__in=tables.order_by().values("pk")))
    return feats_in(rounds, sittings, ((deal.table, deal.number, deal) for deal in deals_at(tables)))


def feats_in(rounds: Mapping[int, int], sittings: Sittings, deals: Iterable[PlayedDeal]) -> dict[int, Feats]:
    """The same from the `deals` of these tables, given with the numbers of their rounds; `sittings` has their seats.

    At each table in their order.
    """
    own: dict[int, _Own] = defaultdict(_Own)
    for table, played in _in_order(rounds, sittings, deals):
        at = sittings.at(table, played[0][0])
        by_position = zip(*(deal.tokens for _number, deal in played), strict=False)
        for entry, tokens in zip(at, by_position, strict=False):
            own[entry].tokens.extend(tokens)
        for _number, deal in played:
            if deal.declarer is not None and deal.sort.contract:
                own[at[deal.declarer]].declared.append(deal)
            elif deal.is_totals_only:
                for entry, total in zip(at, deal.tokens, strict=False):
                    own[entry].totals.append(total)
    best: dict[int, int] = {}
    for table in rounds:
        for sat in sittings.at_table[table]:
            best[sat.entry] = max(sat.tokens, best.get(sat.entry, sat.tokens))
    return {entry: told.feats(best[entry]) for entry, told in own.items()}


def _in_order(
    rounds: Mapping[int, int], sittings: Sittings, deals: Iterable[PlayedDeal]
) -> Iterator[tuple[int, Sequence[tuple[int, CountedDeal]]]]:
    """Each table with such of its deals, by their numbers, as the same people sat at, round by round."""
    if sittings.changed:
        # Who left one table may have gone on at another.
        deals = sorted(deals, key=lambda at: (rounds[at[0]], at[1]))
        yield from ((table, [(number, deal)]) for table, number, deal in deals)
        return
    at_each: dict[int, list[tuple[int, CountedDeal]]] = defaultdict(list)
    for table, number, deal in deals:
        at_each[table].append((number, deal))
    for table in sorted(at_each, key=rounds.__getitem__):
        yield table, at_each[table]


def feats_at(tables: QuerySet[Table]) -> dict[int, dict[int, Feats]]:
    """Table -> entry -> feats there, as if the evening had been played at that table alone."""
    sittings = Sittings(Q(table__in=tables.order_by().values("pk")))
    deals: dict[int, list[PlayedDeal]] = defaultdict(list)
    for deal in deals_at(tables):
        deals[deal.table].append((deal.table, deal.number, deal))
    return {table: feats_in({table: 1}, sittings, dealt) for table, dealt in deals.items()}


@dataclass(slots=True)
class _Own:
    """What deals brought a player, in their order, the games declared, and what is a table's totals in one."""

    tokens: list[int] = field(default_factory=list)
    declared: list[CountedDeal] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)

    def feats(self, best_round: int) -> Feats:
        lowest = min(accumulate(self.tokens), default=0)
        deals = list((Counter(self.tokens) - Counter(self.totals)).elements()) if self.totals else self.tokens
        sorts = [deal.sort for deal in self.declared]
        first, last, longest = runs([sort.outcome not in WITH_A_BET for sort in sorts])
        return Feats(
            games=len(sorts),
            solos=len([sort for sort in sorts if sort.contract in SOLOS and sort.outcome in WON]),
            best_round=best_round,
            best_deal=max(deals, default=0),
            best_tout=max(
                [deal.declarers_tokens for deal in self.declared if deal.sort.tout == "won"], default=0
            ),
            comeback=sum(self.tokens) - lowest if lowest < 0 else 0,
            first_run=first,
            last_run=last,
            longest_run=longest,
        )


def runs(won: Iterable[bool]) -> tuple[int, int, int]:
    """How many in a row at the beginning, at the end, and at most."""
    first = last = longest = 0
    unbroken = True
    for good in won:
        last = last + 1 if good else 0
        unbroken = unbroken and good
        first += unbroken
        longest = max(longest, last)
    return first, last, longest


def joined(evenings: Iterable[Sequence[int]]) -> tuple[int, int, int, int]:
    """Evenings in their order, each (games, first_run, last_run, longest_run), as one: the same of all of them."""
    games = first = last = longest = 0
    for played, begins, ends, within in evenings:
        longest = max(longest, last + begins, within)
        first += begins if first == games else 0
        last = last + played if begins == played else ends
        games += played
    return games, first, last, longest
