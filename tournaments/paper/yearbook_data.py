"""The contents of a yearbook, read from the database."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext_noop

from clubs.models import Player
from core.errors import JobError
from tournaments.models import Championship, Entry, Round, Tournament
from tournaments.models.names import Of, shown_names
from tournaments.people import visibility
from tournaments.people.history import EVENINGS, RUN, records
from tournaments.people.person import over_the_years
from tournaments.people.person_statistics import by_sort, of_contracts
from tournaments.people.span import Span
from tournaments.seasons.championships import tables_of
from tournaments.seasons.ladder_table import awards_of, begun, season_table
from tournaments.seasons.results import results_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from tournaments.ledger.deal_sums import Sort
    from tournaments.models import Award, Season
    from tournaments.people.history import Record
    from tournaments.people.person_statistics import Portrait
    from tournaments.seasons.ladder_table import Begun, SeasonTable
    from tournaments.seasons.results import Played
    from tournaments.standings.statistics import Declared


# Data of a season's yearbook: results of every evening, ladder, champions, records, games, people.
#
# Results and ladder are as on the hall's season page; statistics over the evenings follow `people.visibility` for the
# host's own pages. All data is of one moment: a running evening changes, so it is left out, and named.

# So many are portrayed, of those who played most; so many are named for coming most often.
PORTRAITS, FAITHFUL = 12, 30
# So often it is gathered again where something has changed meanwhile.
MOST_TIMES = 5
NEVER_STILL = gettext_noop(
    "The season’s evenings kept changing while they were counted. Try again in a moment."
)


class Result(NamedTuple):
    """A player's evening; `place` is 0 where a pair or team has none."""

    place: int
    name: str
    tokens: int


@dataclass(frozen=True, slots=True)
class YearbookEvening:
    day: date
    name: str
    is_finished: bool
    results: Sequence[Result]


class YearbookRecord(NamedTuple):
    """A record with who holds it, and at which evening it was made; nothing of such as took many."""

    record: Record
    name: str
    day: date | None


class Portrayed(NamedTuple):
    """A player's portrait in figures; `sums` are the tokens after each evening, starting with 0."""

    name: str
    evenings: int
    wins: int
    best: int
    portrait: Portrait
    sums: Sequence[int]


@dataclass(frozen=True, slots=True)
class YearbookContents:
    """`champions` are titles with who won them; `deals` those that were reported one by one.

    `left_out` are the names of the evenings at which a round was being played.
    """

    season: Season
    table: SeasonTable
    awards: Sequence[tuple[Award, str]]
    champions: Sequence[tuple[str, str]]
    evenings: Sequence[YearbookEvening]
    people: int
    deals: int
    contracts: Mapping[str, Declared]
    records: Sequence[YearbookRecord]
    faithful: Sequence[tuple[str, int]]
    portraits: Sequence[Portrayed]
    left_out: Sequence[str] = ()


def yearbook_contents(season: Season) -> YearbookContents:
    """The yearbook of a fresh `season`. Raises JobError if the season changes during each computation."""
    for _time in range(MOST_TIMES):
        evenings, playing = _begun(season)
        told = _collect(season, evenings, [evening.name for evening in playing])
        again = _begun(season)
        if again[0] == evenings and {one.pk for one in again[1]} == {one.pk for one in playing}:
            return told
    raise JobError(NEVER_STILL)


def _begun(season: Season) -> tuple[list[Begun], list[Begun]]:
    """The evenings that count, and those at which a round is being played."""
    rounds = Round.objects.filter(state=Round.State.RUNNING, tournament__season=season)
    played_now, found = set(rounds.values_list("tournament", flat=True)), begun(season)
    return (
        [one for one in found if one.pk not in played_now],
        [one for one in found if one.pk in played_now],
    )


def _collect(season: Season, evenings: Sequence[Begun], left_out: Sequence[str]) -> YearbookContents:
    span = Span(season=season.pk, evenings=frozenset(evening.pk for evening in evenings))
    table = season_table(season, evenings)
    played = results_of([evening.pk for evening in evenings])
    names = _names(played, evenings)
    sums = by_sort(visibility.evenings(season.host, span))
    times = Counter(one.player for one in played)
    may = _may_be_told(season, span)
    most = sorted(may & times.keys(), key=lambda player: (-times[player], names[player]))
    return YearbookContents(
        season,
        table,
        awards_of(season, names),
        _champions(season),
        _evenings(evenings, played, names),
        len(times),
        _dealt(sums),
        of_contracts(sums),
        _records(season, span, names),
        [(names[player], times[player]) for player in most[:FAITHFUL]],
        _portraits(season, span, played, names, may),
        left_out,
    )


def _names(played: Sequence[Played], evenings: Sequence[Begun]) -> dict[int, str]:
    """The names of all players, by their newest evening."""
    hosts = {evening.pk: evening.host for evening in evenings}
    order = {evening.pk: number for number, evening in enumerate(evenings)}
    newest = {one.player: one for one in sorted(played, key=lambda one: order[one.evening])}
    return shown_names(Of(one.player, one.club or hosts[one.evening], one.number) for one in newest.values())


def _may_be_told(season: Season, span: Span) -> set[int]:
    """Players who may be named with statistics over many evenings on the host's pages."""
    return set(
        visibility.with_names(visibility.entries(season.host, span))
        .values_list("player", flat=True)
        .distinct()
    )


def _dealt(sums: Mapping[Sort, tuple[int, int]]) -> int:
    return sum(deals for deals, _tokens in sums.values())


def _evenings(
    evenings: Sequence[Begun], played: Sequence[Played], names: Mapping[int, str]
) -> list[YearbookEvening]:
    of: dict[int, list[Result]] = {evening.pk: [] for evening in evenings}
    for one in played:
        of[one.evening].append(Result(one.result.rank, names[one.player], one.result.tokens))
    return [
        YearbookEvening(
            evening.date,
            evening.name,
            evening.state == Tournament.State.FINISHED,
            sorted(
                of[evening.pk],
                key=lambda result: (not result.place, result.place, -result.tokens, result.name),
            ),
        )
        for evening in evenings
    ]


def _champions(season: Season) -> list[tuple[str, str]]:
    """The winners of the host's championships that began in the season's days."""
    there = Championship.objects.filter(host=season.host, date__range=(season.starts, season.ends))
    found = []
    for championship in there.order_by("date", "pk"):
        stages = tables_of(championship)
        if stages and (winners := stages[-1].winners):
            found.append((championship.name, ", ".join(winners)))
    return found


def _records(season: Season, span: Span, names: Mapping[int, str]) -> list[YearbookRecord]:
    found = records(season.host, span)
    days = dict(
        Entry.objects.filter(pk__in=[record.entry for record in found]).values_list("pk", "tournament__date")
    )
    return [
        YearbookRecord(
            record, names[record.player], days[record.entry] if record.kind not in (RUN, EVENINGS) else None
        )
        for record in found
        if record.player in names
    ]


def _portraits(
    season: Season, span: Span, played: Sequence[Played], names: Mapping[int, str], may: set[int]
) -> list[Portrayed]:
    """The figures of the players with the most deals."""
    deals: Counter[int] = Counter()
    for one in played:
        deals[one.player] += one.result.deals
    most = sorted(may & deals.keys(), key=lambda player: (-deals[player], names[player]))[:PORTRAITS]
    people = Player.objects.in_bulk(most)
    return [_portrayed(people[pk], names[pk], season, span) for pk in most]


def _portrayed(player: Player, name: str, season: Season, span: Span) -> Portrayed:
    years = over_the_years(player, span, season.host)
    tokens = [evening.tokens for evening in years.evenings]
    return Portrayed(
        name,
        len(tokens),
        years.wins,
        max(tokens, default=0),
        years.portrait,
        list(accumulate(tokens, initial=0)),
    )
