"""A club's years: deals, evenings and players of each, computed and stored."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from django.db.models import CharField, Count, Q
from django.db.models.functions import Cast, Substr

from clubs.models import Affiliation, Club
from core.canonical_json import AsStored
from tournaments.changes.versions import print_of_versions
from tournaments.models import Championship, EveningResult, KeptYear, Season, Stage, Tournament
from tournaments.people import visibility
from tournaments.people.person import bring_up_to_date
from tournaments.people.person_statistics import by_year, of_contracts
from tournaments.people.span import Span, read
from tournaments.seasons.ladder import Result, ladder
from tournaments.seasons.ladder_table import rule_of
from tournaments.seasons.results import joined, results_of
from tournaments.standings.statistics import Declared

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from tournaments.seasons.results import Played


# Yearly statistics of a club or union, computed from the results of its evenings.
#
# A running evening counts from the end of its round. `kept_years` materializes the results.

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
    """The best value of one evening: the first entry that reached it, and how many did."""

    value: int
    player: int
    entry: int
    shared_by: int = 1


class Own(NamedTuple):
    """A person's year. `finished` are the evenings that are over; `entry` is the newest.

    Runs are of games in a row without a bet, as `seasons.results` has them of an evening.
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
    """Statistics of a year; `own` has the players who may be shown, the other fields count everyone."""

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


def counted_evenings(around: Club, span: Span) -> QuerySet[Tournament]:
    """The evenings that count there now."""
    return visibility.evenings(around, span).filter(results_kept=True)


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
    # Only whether it is set matters: the value need not be parsed.
    "tournament", "tournament__host", "tournament__state", AsStored("tournament__objections_until"),
    "entry", "entry__player", "place", "division", "deals", "games", "first_run", "last_run", "longest_run",
    *FIELDS.values(),
)  # fmt: skip


def count(around: Club, span: Span) -> list[Year]:
    """Count the same from materialized results."""
    rows = EveningResult.objects.filter(
        entry__in=visibility.entries(around, span).values("pk"), tournament__results_kept=True
    )
    told = rows.order_by("tournament__date", "tournament", "entry").values_list(YEAR, *ROW)
    by: dict[int, list[Any]] = defaultdict(list)
    for year, *row in told.iterator(4000):
        by[int(year)].append(row)
    hidden = visibility.hidden()
    found = {year: _year(year, of_year, hidden, around.pk) for year, of_year in by.items()}
    games: dict[int, dict[Any, tuple[int, int]]] = defaultdict(dict)
    for (year, sort), sums in by_year(counted_evenings(around, span)).items():
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


# Materialized years of a club or union, which pages combine. Computing a union's 144,000 results takes seconds.
#
# A year's row is valid for a number of evenings and a fingerprint of their versions, which changes with any of them,
# with privacy settings and with names. Large subsets (evenings by rulebook, format, club or season) are materialized,
# too.

# Year number of the row for all years together.
ALL = 0
# Subsets of at most this many evenings take 50 ms, and are not materialized.
FEW = 150

# By year: how many evenings are counted, and a print of their versions.
Versions = dict[int, tuple[int, int]]


class Kept(NamedTuple):
    """Key of materialized years: club, and the subset of evenings (a span without a year)."""

    around: Club
    span: Span

    @property
    def part(self) -> str:
        """The span's key in the database; "" for all evenings."""
        return urlencode(self.span.as_query())

    @property
    def rows(self) -> QuerySet[KeptYear]:
        return KeptYear.objects.filter(around=self.around, part=self.part)


def years(around: Club, span: Span | None = None) -> tuple[list[Year], dict[int, Own]]:
    """The years in order, and each player over all of them.

    Subsets by days or evenings are computed, not materialized.
    """
    span = span or Span()
    bring_up_to_date(visibility.evenings(around, span))
    of, now = Kept(around, replace(span, year=None)), _versions(around, span)
    is_few = sum(evenings for evenings, _versions in now.values()) <= FEW
    by_itself = span.first or span.last or span.evenings is not None
    if by_itself or (is_few and not of.span.is_all):
        found = count(around, span)
        return found, together(year.own for year in found)
    if span.year is not None:
        kept = [_read(row) for row in _materialized(of, of.rows, now)]
        return kept, together(year.own for year in kept)
    return _in_brief(of, now), _whole(of, now)


def years_in_brief(around: Club) -> list[Year]:
    """The years in order, without each player's figures; none if more than `FEW` evenings would have to be counted."""
    bring_up_to_date(visibility.evenings(around))
    of, now = Kept(around, Span()), _versions(around, Span())
    stored = {year: tuple(version) for year, *version in of.rows.values_list("year", "evenings", "versions")}
    if sum(version[0] for year, version in now.items() if stored.get(year) != version) > FEW:
        return []
    return _in_brief(of, now)


def _in_brief(of: Kept, now: Versions) -> list[Year]:
    return [_read(row, in_brief=True) for row in _materialized(of, of.rows.defer("own"), now)]


def _whole(of: Kept, now: Versions) -> dict[int, Own]:
    """Each player over all years, materialized under the fingerprint of all evenings."""
    row = of.rows.filter(year=ALL, evenings=_of_all(now)[0], versions=_of_all(now)[1]).first()
    if row is not None:
        return _read_own(row)
    own = together(_read_own(row) for row in of.rows.filter(year__in=now).order_by("year"))
    _store(of, ALL, _of_all(now), {"said": {}, "own": _written_own(own)})
    return own


def _of_all(now: Versions) -> tuple[int, int]:
    evenings, versions = (sum(each) for each in zip(*now.values(), strict=True)) if now else (0, 0)
    return evenings, versions


def _materialized(of: Kept, rows: QuerySet[KeptYear], now: Versions) -> list[KeptYear]:
    """The materialized years in order; those whose evenings have other versions `now` are recomputed."""
    kept = {row.year: row for row in rows.filter(year__in=now)}
    for year, version in now.items():
        if year not in kept or (kept[year].evenings, kept[year].versions) != version:
            found = count(of.around, replace(of.span, year=year))
            kept[year] = _store(of, year, version, _serialize(found[0] if found else Year(year)))
    return [kept[year] for year in sorted(now)]


def best_beside(host: Club, evening: int, year: int) -> dict[str, int]:
    """The host's records by kind until the end of this year, without those of one evening; nothing where it is all."""
    span = Span(last=date(year, 12, 31))
    # Without this one: its page after play would else recount the year with it, for a number that leaves it out.
    bring_up_to_date(visibility.evenings(host, span).exclude(pk=evening))
    of = Kept(host, Span())
    found: dict[str, int] = {}
    for row in _materialized(of, of.rows.defer("own"), _versions(host, span)):
        for kind, (most, at, other) in row.said["at_home"].items():
            value = other if at == evening else most
            if value >= 0:
                found[kind] = max(value, found.get(kind, 0))
    return found


def keep_what_is_lacking() -> None:
    """Keep the years of every club that has some: after an upgrade that is everything."""
    held = Club.objects.exclude(statistics=Club.Statistics.NOWHERE)
    hosts = Tournament.objects.order_by().values("host")
    unions = Affiliation.objects.filter(left=None, club__in=hosts).order_by().values("union")
    for club in held.filter(Q(pk__in=hosts) | Q(pk__in=unions)):
        years(club)


def clubs_kept() -> list[int]:
    """Clubs and unions with materialized years, by primary key; those that take longest to compute first."""
    clubs = Club.objects.filter(pk__in=KeptYear.objects.values("around"))
    many = Count("affiliated", filter=Q(affiliated__left=None))
    return list(clubs.annotate(many=many).order_by("-many", "pk").values_list("pk", flat=True))


def kept_otherwise(club: int) -> Iterator[tuple[Club, int]]:
    """Recompute a club's materialized years and yield those that differ, `ALL` last; outdated rows, and those with an
    evening that changes meanwhile, are skipped.
    """
    around = Club.objects.get(pk=club)
    parts = KeptYear.objects.filter(around=club).order_by("part").values_list("part", flat=True).distinct()
    for part in parts:
        of = Kept(around, read(dict(parse_qsl(part))))
        before, gives, now = _versions(*of), count(*of), _versions(*of)
        gives_of = {year.year: _serialize(year) for year in gives}
        gives_of[ALL] = {"said": {}, "own": _written_own(together(year.own for year in gives))}
        before[ALL], now[ALL] = _of_all(before), _of_all(now)
        for row in of.rows.order_by("-year"):
            if not before.get(row.year) == now.get(row.year) == (row.evenings, row.versions):
                continue
            said = json.loads(json.dumps(gives_of.get(row.year) or _serialize(Year(row.year))))
            if {"said": row.said, "own": row.own} != said:
                yield around, row.year


# A date as text: SQLite has Django's own, slow, function for the year of one.
STORED_YEAR = Substr(Cast("date", CharField()), 1, 4)


def _versions(around: Club, span: Span) -> Versions:
    by_year = (
        counted_evenings(around, span)
        .values_list(STORED_YEAR)
        .annotate(Count("pk"), versions=print_of_versions())
    )
    return {int(year): (evenings, int(versions)) for year, evenings, versions in by_year}


def _store(of: Kept, year: int, version: tuple[int, int], said: Mapping[str, Any]) -> KeptYear:
    evenings, versions = version
    of_evenings = {"evenings": evenings, "versions": versions}
    return of.rows.update_or_create(
        around=of.around, part=of.part, year=year, defaults={**of_evenings, **said}
    )[0]


def _serialize(year: Year) -> dict[str, Any]:
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
    """Parse a materialized year; in brief, without the players."""
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


# The winners of the seasons and championships of a club or a union.


class Champion(NamedTuple):
    """A season or a championship that is over, and who was first in it, by entries (the newest of each)."""

    year: int
    day: date
    thing: Season | Championship
    entries: list[int]
    awards: list[tuple[str, int]]


def finished_competitions(around: Club, today: date) -> list[Season | Championship]:
    """The seasons and championships of the club's own that are over, the newest first.

    A championship is dated by its first session: it is over when every stage has been made and played.
    """
    seasons = list(Season.objects.filter(host=around, ends__lt=today).prefetch_related("awards"))
    groups = Tournament.objects.not_called_off().filter(stage__championship__host=around)
    made = Stage.objects.filter(pk__in=groups.values("stage"))
    to_come = Stage.objects.filter(championship__host=around).exclude(pk__in=made)
    to_play = groups.exclude(state=Tournament.State.FINISHED)
    past = Championship.objects.filter(host=around, date__lt=today)
    championships = list(
        past.exclude(pk__in=to_come.values("championship")).exclude(
            pk__in=to_play.values("stage__championship")
        )
    )
    return sorted([*seasons, *championships], key=lambda one: (day_of(one), one.pk), reverse=True)


def day_of(thing: Season | Championship) -> date:
    return thing.ends if isinstance(thing, Season) else thing.date


def champions(around: Club, things: Sequence[Season | Championship]) -> list[Champion]:
    """The winner of each season or championship, in the same order; none while one of its evenings is running."""
    seasons = [one for one in things if isinstance(one, Season)]
    first = _of_seasons(around, seasons) | _of_championships(
        around, [one for one in things if isinstance(one, Championship)]
    )
    awards: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for season in seasons:
        for award in season.awards.all():
            awards[season.pk].append((award.title, award.player_id))
    return [
        Champion(
            day_of(one).year,
            day_of(one),
            one,
            first.get((type(one), one.pk), []),
            awards[one.pk] if isinstance(one, Season) else [],
        )
        for one in things
    ]


Firsts = dict[tuple[type[Season | Championship], int], list[int]]


def _of_seasons(around: Club, seasons: Collection[Season]) -> Firsts:
    evenings = Tournament.objects.not_called_off().filter(season__in=seasons)
    told = list(evenings.values_list("season", "pk", "date", "state").order_by("date", "pk"))
    of: dict[int, dict[int, int]] = defaultdict(dict)
    open_: set[int] = set()
    for season, evening, _day, state in told:
        if state == Tournament.State.RUNNING:
            open_.add(season)
        elif state == Tournament.State.FINISHED:
            of[season][evening] = len(of[season])
    season_of = {evening: season for season, own in of.items() for evening in own}
    by: dict[int, list[Played]] = defaultdict(list)
    for one in results_of(list(season_of)):
        by[season_of[one.evening]].append(one)
    found: Firsts = {}
    for one_season in seasons:
        if one_season.pk not in open_:
            found[Season, one_season.pk] = _first(one_season, of[one_season.pk], by[one_season.pk])
    may = _visible_entries(around, {entry for entries in found.values() for entry in entries})
    return {key: [entry for entry in entries if entry in may] for key, entries in found.items()}


def _first(season: Season, columns: dict[int, int], played: list[Played]) -> list[int]:
    """The leaders of the ladder, each by their newest entry."""
    results: dict[int, dict[int, Result]] = defaultdict(dict)
    newest: dict[int, int] = {}
    members: set[int] = set()
    for one in sorted(played, key=lambda one: columns[one.evening]):
        results[one.player][columns[one.evening]] = one.result
        newest[one.player] = one.entry
        if one.club:
            members.add(one.player)
    if not season.with_guests:
        results = {player: line for player, line in results.items() if player in members}
    return [newest[line.player] for line in ladder(results, rule_of(season)) if line.rank == 1]


def _of_championships(around: Club, championships: Collection[Championship]) -> Firsts:
    """The firsts of the last stage, where that is one group and its last session is over."""
    groups = Tournament.objects.not_called_off().filter(stage__championship__in=championships)
    told = groups.order_by("pk").values_list("stage__championship", "stage__number", "pk", "state")
    last: dict[int, int] = {}
    for championship, stage in Stage.objects.filter(championship__in=championships).values_list(
        "championship", "number"
    ):
        last[championship] = max(stage, last.get(championship, 0))
    finals: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for championship, stage, evening, state in told:
        if stage == last[championship]:
            finals[championship].append((evening, state))
    over = {
        groups[0][0]: championship
        for championship, groups in finals.items()
        if len(groups) == 1 and groups[0][1] == Tournament.State.FINISHED
    }
    first = [one for one in results_of(list(over)) if one.result.rank == 1 and one.result.division == 1]
    may = _visible_entries(around, [one.entry for one in first])
    found: Firsts = {}
    for one in sorted(first, key=lambda one: one.number):
        if one.entry in may:
            found.setdefault((Championship, over[one.evening]), []).append(one.entry)
    return found


def _visible_entries(around: Club, entries: Collection[int]) -> set[int]:
    return set(
        visibility.told_of(visibility.entries(around)).filter(pk__in=entries).values_list("pk", flat=True)
    )
