"""The data of the story of an evening, read from the database, and the cached result."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from django.core.cache import cache
from django.db.models import Count, Max, Min, Q
from django.db.models.functions import Coalesce

from core.caching import memoize
from core.sql import key_set
from scoring.outcomes import Outcome
from tournaments.domain.outcomes import TOTALS_ONLY, WON
from tournaments.ledger.deal_sums import parsed_deals
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.seating import sittings_in
from tournaments.models import Penalty, Report, Round, Table
from tournaments.standings.players import standings
from tournaments.standings.story import (
    Counted,
    Evening,
    Pace,
    Race,
    StoryDeal,
    StoryRound,
    Tempo,
    best_game,
    count,
    deal_of_the_evening,
    dearest_game,
    longest_run,
    race_of,
    tempo,
    touts,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from tournaments.ledger.seating import Sittings
    from tournaments.models import Tournament


# Load an evening's story from the current reports, in a fixed number of queries.


def evening_of(tournament: Tournament, sealed: Collection[int] = ()) -> Evening:
    """The evening of the players in the standings; deals of `sealed` rounds are left out."""
    told = tournament.rounds.exclude(state=Round.State.DRAWN).exclude(number__in=sealed).order_by("number")
    begun = list(told.annotate(longest=Max("tables__deals")).values_list("number", "longest", "state"))
    rounds = [
        StoryRound(number, longest or 0, state == Round.State.CLOSED) for number, longest, state in begun
    ]
    numbers = [round_.number for round_ in rounds]
    tables: dict[int, list[Any]] = {
        pk: at
        for pk, *at in Table.objects.filter(round__tournament=tournament, round__number__in=numbers)
        .order_by("number")
        .values_list("pk", "round__number", "number", "deals", "last_hash")
    }
    sittings = sittings_in(tournament, numbers)
    seated: dict[int, dict[int, int]] = defaultdict(dict)
    for sat in sittings.all:
        seated[sat.round][sat.entry] = tables[sat.table][1]
    # The deals first: the standings count from what is read of them.
    deals = tuple(_deals(tables, sittings))
    rows = standings(tournament).rows
    summed = all(row.comparison.kind == "sum" for row in rows)
    return Evening(
        players=tuple(row.entry_id for row in rows),
        rounds=tuple(rounds),
        deals=deals,
        seated=dict(seated),
        # An average that was taken along is no number of tokens.
        carried={row.entry_id: row.carried for row in rows if row.carried and summed},
        rulings=_rulings(tournament, numbers),
        paces=tuple(_paces(tables)),
    )


def _deals(tables: dict[int, list[Any]], sittings: Sittings) -> list[StoryDeal]:
    found: dict[tuple[int, int], list[StoryDeal]] = defaultdict(list)
    by_table = parsed_deals({pk: head for pk, (_round, _number, _deals, head) in tables.items()})
    for pk, deals_there in by_table.items():
        round_, table, deals, _head = tables[pk]
        for number, tokens, declarer, contract, outcome, tout in deals_there:
            whose = sittings.entries_in_deal(pk, number)
            totals = outcome == TOTALS_ONLY
            step = deals if totals else number
            found[round_, step].append(
                StoryDeal(
                    round_,
                    table,
                    step,
                    dict(zip(whose, tokens, strict=True)),
                    contract if declarer is not None else "",
                    None if declarer is None else whose[declarer],
                    outcome in WON,
                    tout,
                    outcome == Outcome.WASHOUT,
                    totals,
                )
            )
    return [deal for _step, deals in sorted(found.items(), key=itemgetter(0)) for deal in deals]


def _rulings(tournament: Tournament, numbers: Collection[int]) -> dict[tuple[int, int | None], int]:
    """Tokens of rulings by player and round; those of a team as a whole count for no player."""
    counting = Penalty.objects.filter(tournament=tournament, cancelled_at=None).exclude(entry=None)
    counting = counting.filter(Q(round=None) | Q(round__number__in=numbers))
    rulings: dict[tuple[int, int | None], int] = defaultdict(int)
    for entry, number, tokens in counting.values_list("entry", "round__number", "tokens"):
        rulings[entry, number] += tokens
    return dict(rulings)


def _paces(tables: dict[int, list[Any]]) -> list[Pace]:
    """The time of each table, by its deals' first reports: by the phone's clock, which was at the table."""
    first = Report.objects.filter(table__in=key_set(tables), revision=1).exclude(source=Report.Source.DESK)
    when = Coalesce("made_at", "recorded_at")
    spans = first.order_by().values_list("table").annotate(start=Min(when), end=Max(when), count=Count("pk"))
    return [
        Pace(tables[pk][0], tables[pk][1], (end - start).total_seconds(), count - 1)
        for pk, start, end, count in spans
        if count > 1
    ]


# All that is counted of an evening, once for each version of its tournament.


@dataclass(frozen=True, slots=True)
class Story:
    """An evening counted. Players are entries; `dearest` is None where it is the deal of the evening itself."""

    race: Race
    counted: Counted
    run: tuple[list[int], int]
    deal: StoryDeal | None
    best: StoryDeal | None
    dearest: StoryDeal | None
    touts: dict[int, int]
    tempo: Tempo | None


def story_of(tournament: Tournament, sealed: Collection[int] = ()) -> Story:
    """The story of the current reports; the caller's `tournament` must be fresh, as its version is the cache key."""
    key = f"story-told:{tournament.pk}:{tournament.version}"
    return memoize(key, lambda: _cached(key, tournament, sealed))


def _cached(key: str, tournament: Tournament, sealed: Collection[int]) -> Story:
    told: Story | None = cache.get(key)
    if told is None:
        told = _count(tournament, sealed)
        cache.set(key, told, 300)
    return told


def _count(tournament: Tournament, sealed: Collection[int]) -> Story:
    evening = evening_of(tournament, sealed)
    contracts = [contract.id for contract in rulebook_of(tournament).contracts]
    deal, dearest = deal_of_the_evening(evening.deals), dearest_game(evening.deals)
    best = deal if deal and deal.is_won else best_game(evening.deals)
    return Story(
        race=race_of(evening),
        counted=count(evening.deals, contracts),
        run=longest_run(evening.deals),
        deal=deal,
        best=best,
        dearest=None if dearest == deal else dearest,
        touts=touts(evening.deals),
        tempo=tempo(evening.paces),
    )
