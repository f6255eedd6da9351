"""A year of a club, or of a union: what its evenings came to together. Years are kept, and what is told of many is
put together from them: of a union's 144,000 results it would take seconds each time.

A year is kept by how many evenings it is of and by the sum of their versions, which any change of one of them, of who
is told of there, and of what they are called moves on. Evenings that are being played count when their round is over.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import CharField, Count, Q, Sum
from django.db.models.functions import Cast, Substr

from clubs.models import Club
from tournaments.models import EveningResult, KeptYear, Tournament
from tournaments.people import who
from tournaments.people.person import bring_up_to_date
from tournaments.people.span import Span
from tournaments.people.sums import by_year, of_contracts
from tournaments.seasons.feats import joined
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.db.models import QuerySet


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
# The year under which all years together are kept.
ALL = 0
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
    """A host's share of the year: evenings, chairs that were taken, people, and deals that these were dealt."""

    evenings: int
    chairs: int
    people: int
    dealt: int


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


def years(around: Club, span: Span | None = None) -> tuple[list[Year], dict[int, Own]]:
    """The years in their order, and each person over all of them; of all evenings, or of one year, they are kept."""
    span = span or Span()
    bring_up_to_date(who.evenings(around, span))
    if span not in (Span(), Span(year=span.year)):
        counted = count(around, span)
        return counted, together(year.own for year in counted)
    now = _versions(around, span)
    rows = KeptYear.objects.filter(around=around)
    if span.year is not None:
        kept = [_read(row) for row in _kept(around, rows, now)]
        return kept, together(year.own for year in kept)
    brief = [_read(row, in_brief=True) for row in _kept(around, rows.defer("own"), now)]
    return brief, _whole(around, now)


def _whole(around: Club, now: Mapping[int, tuple[int, int]]) -> dict[int, Own]:
    """Each person over all years: kept too, by all evenings."""
    evenings, versions = (sum(each) for each in zip(*now.values(), strict=True)) if now else (0, 0)
    row = KeptYear.objects.filter(around=around, year=ALL, evenings=evenings, versions=versions).first()
    if row is not None:
        return _read_own(row)
    rows = KeptYear.objects.filter(around=around, year__in=now).order_by("year")
    own = together(_read_own(row) for row in rows)
    _store(around, ALL, (evenings, versions), {"said": {}, "own": _written_own(own)})
    return own


def _kept(around: Club, rows: QuerySet[KeptYear], now: Mapping[int, tuple[int, int]]) -> list[KeptYear]:
    """The years as they are kept, in their order; such whose evenings have other versions `now` are counted anew."""
    kept = {row.year: row for row in rows.filter(year__in=now)}
    for year, version in now.items():
        if year not in kept or (kept[year].evenings, kept[year].versions) != version:
            kept[year] = _keep(around, year, version)
    return [kept[year] for year in sorted(now)]


def best_beside(host: Club, evening: int, year: int) -> dict[str, int]:
    """The host's records by kind until the end of this year, without those of one evening; nothing where it is all."""
    span = Span(last=date(year, 12, 31))
    bring_up_to_date(who.evenings(host, span))
    rows = KeptYear.objects.filter(around=host).defer("own")
    found: dict[str, int] = {}
    for row in _kept(host, rows, _versions(host, span)):
        for kind, (most, at, other) in row.said["at_home"].items():
            value = other if at == evening else most
            if value >= 0:
                found[kind] = max(value, found.get(kind, 0))
    return found


def keep_what_is_lacking() -> None:
    """Keep the years of every club that has some: after an upgrade that is everything."""
    held = Club.objects.exclude(statistics=Club.Statistics.NOWHERE)
    for club in held.filter(Q(tournaments__isnull=False) | Q(clubs__tournaments__isnull=False)).distinct():
        years(club)


def kept_otherwise() -> Iterator[tuple[Club, int]]:
    """Whose years are kept as their results do not give them, `ALL` together last; such that wait to be counted anew
    are passed over.
    """
    for club in Club.objects.filter(pk__in=KeptYear.objects.values("around")).order_by("pk"):
        now, counted = _versions(club, Span()), count(club, Span())
        gives_of = {year.year: _written(year) for year in counted}
        gives_of[ALL] = {"said": {}, "own": _written_own(together(year.own for year in counted))}
        evenings, versions = (sum(each) for each in zip(*now.values(), strict=True)) if now else (0, 0)
        now[ALL] = evenings, versions
        for row in KeptYear.objects.filter(around=club).order_by("-year"):
            gives = json.loads(json.dumps(gives_of.get(row.year) or _written(Year(row.year))))
            is_of_now = now.get(row.year) == (row.evenings, row.versions)
            if is_of_now and {"said": row.said, "own": row.own} != gives:
                yield club, row.year


def version_of(around: Club, span: Span | None = None) -> tuple[int, int]:
    """What changes with anything that a club's history says, and with no deal of an evening that is being played."""
    bring_up_to_date(who.evenings(around, span))
    found = _versions(around, span or Span()).values()
    return sum(evenings for evenings, _versions in found), sum(versions for _evenings, versions in found)


def _counted(around: Club, span: Span) -> QuerySet[Tournament]:
    return who.evenings(around, span).filter(results_kept=True)


# A date as text: SQLite has Django's own, slow, function for the year of one.
YEAR = Substr(Cast("date", CharField()), 1, 4)


def _versions(around: Club, span: Span) -> dict[int, tuple[int, int]]:
    """By year: how many evenings are counted, and the sum of their versions."""
    by_year = _counted(around, span).values_list(YEAR).annotate(Count("pk"), Sum("version"))
    return {int(year): (evenings, versions) for year, evenings, versions in by_year}


def _keep(around: Club, year: int, version: tuple[int, int]) -> KeptYear:
    found = count(around, Span(year=year))
    return _store(around, year, version, _written(found[0] if found else Year(year)))


def _store(around: Club, year: int, version: tuple[int, int], said: Mapping[str, Any]) -> KeptYear:
    evenings, versions = version
    of_evenings = {"evenings": evenings, "versions": versions}
    return KeptYear.objects.update_or_create(around=around, year=year, defaults={**of_evenings, **said})[0]


def _written(year: Year) -> dict[str, Any]:
    said = {
        "best": year.best,
        "hosts": [[host, *at] for host, at in year.hosts.items()],
        "people": year.people,
        "at_home": year.at_home,
        "contracts": {
            name: [line.deals, line.tokens, line.won, line.bete, line.kodille]
            for name, line in year.contracts.items()
        },
    }
    return {"said": said, "own": _written_own(year.own)}


def _written_own(own: Mapping[int, Own]) -> list[list[int]]:
    return [[player, *of_player] for player, of_player in own.items()]


def _read_own(row: KeptYear) -> dict[int, Own]:
    return {player: Own(*own) for player, *own in row.own}


def _read(row: KeptYear, *, in_brief: bool = False) -> Year:
    """A year as it is kept; in brief, nothing of each person."""
    said = row.said
    return Year(
        row.year,
        {kind: Best(*best) for kind, best in said["best"].items()},
        {} if in_brief else _read_own(row),
        {host: AtHost(*at) for host, *at in said["hosts"]},
        said["people"],
        {name: Declared(*line) for name, line in said["contracts"].items()},
        {kind: (most, evening, other) for kind, (most, evening, other) in said["at_home"].items()},
    )


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


ROW = (
    "tournament", "tournament__host", "tournament__state", "tournament__objections_until",
    "entry", "entry__player", "place", "deals", "games", "first_run", "last_run", "longest_run", *FIELDS.values(),
)  # fmt: skip


def count(around: Club, span: Span) -> list[Year]:
    """The same from the results."""
    rows = EveningResult.objects.filter(
        entry__in=who.entries(around, span).values("pk"), tournament__results_kept=True
    )
    told = rows.order_by("tournament__date", "tournament", "entry").values_list("tournament__date", *ROW)
    by: dict[int, list[Any]] = defaultdict(list)
    for day, *row in told.iterator(4000):
        by[day.year].append(row)
    hidden = who.hidden()
    found = {year: _year(year, of_year, hidden, around.pk) for year, of_year in by.items()}
    games: dict[int, dict[Any, tuple[int, int]]] = defaultdict(dict)
    for (year, sort), sums in by_year(_counted(around, span)).items():
        games[year][sort] = sums
    for year, of_year in found.items():
        of_year.contracts = of_contracts(games[year])
    return [found[year] for year in sorted(found)]


def _year(year: int, rows: Iterable[Any], hidden: frozenset[int], home: int) -> Year:
    evenings: dict[int, set[int]] = defaultdict(set)
    everybody: dict[int, list[int]] = defaultdict(list)
    dealt: Counter[int] = Counter()
    own: dict[int, list[Any]] = defaultdict(list)
    best: dict[str, Best] = {}
    at_home: dict[str, dict[int, int]] = {kind: {} for kind in FIELDS}
    for evening, host, state, posted, entry, player, place, deals, *feats in rows:
        evenings[host].add(evening)
        everybody[host].append(player)
        dealt[host] += deals
        if player in hidden:
            continue
        is_over = state == Tournament.State.FINISHED
        runs, of_kinds = feats[:4], feats[4:]
        own[player].append((entry, is_over, place == 1, of_kinds[0], deals, runs))
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
            host: AtHost(len(of_host), len(everybody[host]), len(set(everybody[host])), dealt[host])
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
