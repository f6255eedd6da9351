"""A year of a club, or of a union: what its evenings came to together, counted from their results.

Evenings that are being played count when their round is over. `kept_years` keeps what is counted here.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import CharField
from django.db.models.functions import Cast, Substr

from core.canonical_json import AsStored
from tournaments.models import EveningResult, Tournament
from tournaments.people import who
from tournaments.people.sums import by_year, of_contracts
from tournaments.seasons.feats import joined
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import QuerySet

    from clubs.models import Club
    from tournaments.people.span import Span

EVENING, ROUND, DEAL, SOLOS, TOUT, COMEBACK = "evening", "round", "deal", "solos", "tout", "comeback"
# The records of one evening: by which field, the greatest first.
FIELDS = {
    EVENING: "tokens",
    ROUND: "best_round",
    DEAL: "best_deal",
    SOLOS: "solos",
    TOUT: "best_tout",
    COMEBACK: "comeback",
}
# What may still be lost again until the evening is over.
WHEN_OVER = (EVENING, COMEBACK)


class Best(NamedTuple):
    """The most that anybody did of something at one evening: who was the first, by which entry, and how many did."""

    value: int
    player: int
    entry: int
    shared_by: int = 1


class Own(NamedTuple):
    """A person's year. `finished` are the evenings that are over; `entry` is the newest.

    Runs are of games in a row without a bet, as `seasons.feats` has them of an evening.
    """

    evenings: int
    finished: int
    wins: int
    tokens: int
    deals: int
    games: int
    first_run: int
    last_run: int
    longest_run: int
    entry: int


class AtHost(NamedTuple):
    """A host's share of the year: evenings, chairs that were taken, and people."""

    evenings: int
    chairs: int
    people: int


@dataclass(slots=True)
class Year:
    """`own` has those who may be told of; everybody is counted in the rest."""

    year: int
    best: dict[str, Best] = field(default_factory=dict)
    own: dict[int, Own] = field(default_factory=dict)
    hosts: dict[int, AtHost] = field(default_factory=dict)
    people: int = 0
    contracts: dict[str, Declared] = field(default_factory=dict)
    # By kind, of the evenings that the club held itself: the most, at which, and the most at any other of them.
    at_home: dict[str, tuple[int, int, int]] = field(default_factory=dict)

    @property
    def evenings(self) -> int:
        return sum(host.evenings for host in self.hosts.values())

    @property
    def chairs(self) -> int:
        return sum(host.chairs for host in self.hosts.values())


def counted(around: Club, span: Span) -> QuerySet[Tournament]:
    """The evenings that count there now."""
    return who.evenings(around, span).filter(results_kept=True)


def together(parts: Iterable[Mapping[int, Own]]) -> dict[int, Own]:
    """Each person over years that follow each other."""
    found: dict[int, Own] = {}
    for part in parts:
        for player, own in part.items():
            before = found.get(player)
            found[player] = own if before is None else _one_after_the_other(before, own)
    return found


def _one_after_the_other(before: Own, own: Own) -> Own:
    sums = (one + other for one, other in zip(before[:5], own[:5], strict=True))
    return Own._make((*sums, *joined((before[5:9], own[5:9])), own.entry))


# Of a date as text: SQLite has Django's own, slow, function for it.
YEAR = Substr(Cast("tournament__date", CharField()), 1, 4)
ROW: tuple[Any, ...] = (
    # Whether it was posted is all that is asked of the time: nothing has to be read.
    "tournament", "tournament__host", "tournament__state", AsStored("tournament__objections_until"),
    "entry", "entry__player", "place", "division", "deals", "games", "first_run", "last_run", "longest_run",
    *FIELDS.values(),
)  # fmt: skip


def count(around: Club, span: Span) -> list[Year]:
    """The same from the results."""
    rows = EveningResult.objects.filter(
        entry__in=who.entries(around, span).values("pk"), tournament__results_kept=True
    )
    told = rows.order_by("tournament__date", "tournament", "entry").values_list(YEAR, *ROW)
    by: dict[int, list[Any]] = defaultdict(list)
    for year, *row in told.iterator(4000):
        by[int(year)].append(row)
    hidden = who.hidden()
    found = {year: _year(year, of_year, hidden, around.pk) for year, of_year in by.items()}
    games: dict[int, dict[Any, tuple[int, int]]] = defaultdict(dict)
    for (year, sort), sums in by_year(counted(around, span)).items():
        games[year][sort] = sums
    for year, of_year in found.items():
        of_year.contracts = of_contracts(games[year])
    return [found[year] for year in sorted(found)]


def _year(year: int, rows: Iterable[Any], hidden: frozenset[int], home: int) -> Year:
    evenings: dict[int, set[int]] = defaultdict(set)
    everybody: dict[int, list[int]] = defaultdict(list)
    own: dict[int, list[Any]] = defaultdict(list)
    best: dict[str, Best] = {}
    at_home: dict[str, dict[int, int]] = {kind: {} for kind in FIELDS}
    for evening, host, state, posted, entry, player, place, division, deals, *feats in rows:
        evenings[host].add(evening)
        everybody[host].append(player)
        if player in hidden:
            continue
        is_over = state == Tournament.State.FINISHED
        runs, of_kinds = feats[:4], feats[4:]
        own[player].append((entry, is_over, (place, division) == (1, 1), of_kinds[0], deals, runs))
        for kind, value in zip(FIELDS, of_kinds, strict=True):
            if kind in WHEN_OVER and not (is_over or posted):
                continue
            if host == home:
                at_home[kind][evening] = max(value, at_home[kind].get(evening, 0))
            had = best.get(kind)
            if value > 0 and (had is None or value > had.value):
                best[kind] = Best(value, player, entry)
            elif had is not None and value == had.value:
                best[kind] = had._replace(shared_by=had.shared_by + 1)
    return Year(
        year,
        best,
        {player: _own(of_player) for player, of_player in own.items()},
        {
            host: AtHost(len(of_host), len(everybody[host]), len(set(everybody[host])))
            for host, of_host in evenings.items()
        },
        len({player for of_host in everybody.values() for player in of_host}),
        at_home={kind: _first_and_second(of_kind) for kind, of_kind in at_home.items() if of_kind},
    )


def _first_and_second(evenings: Mapping[int, int]) -> tuple[int, int, int]:
    (most, evening), *others = sorted(((most, pk) for pk, most in evenings.items()), reverse=True)
    return most, evening, others[0][0] if others else -1


def _own(evenings: list[Any]) -> Own:
    """A person's evenings of a year, in their order."""
    return Own(
        len(evenings),
        sum(over for _entry, over, *_rest in evenings),
        sum(over and won for _entry, over, won, *_rest in evenings),
        sum(tokens for *_before, tokens, _deals, _runs in evenings),
        sum(deals for *_before, deals, _runs in evenings),
        *joined(runs for *_before, runs in evenings),
        evenings[-1][0],
    )
