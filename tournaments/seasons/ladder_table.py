"""The table of a season's ladder, complete or in part, with its columns."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from django.core.cache import cache
from django.core.paginator import Page, Paginator

from clubs.models import Club
from clubs.names import is_number, matches_search, shown_order
from tournaments.models import Award, Entry, Season, Tournament
from tournaments.models.names import Of, shown_names
from tournaments.seasons.ladder import Kind, Line, Result, Rule, ladder
from tournaments.seasons.results import Played, results_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date


# A season's ladder from the standings of its evenings, complete or in parts.
#
# A player is the same person on every evening. On an evening of pairs or teams a player has the place of the pair or
# team, and their own tokens. Running evenings count as they are; each evening's results are materialized (`results`).


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening as the ladder's column; `most_deals` that a player was dealt there, 0 where it gives no cards."""

    code: str
    name: str
    date: date
    is_finished: bool
    most_deals: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A player in the ladder: the name as the hall may show it, and where their newest evening's page is.

    `suits` are those of their cards of the evening, by column.
    """

    player_id: int
    name: str
    club: str
    code: str
    number: int
    line: Line[int]
    # The primary keys of the club, None for a guest, and of the club that shows the name: theirs, or a guest's host.
    club_id: int | None = None
    shown_by: int = 0
    suits: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The ladder with its columns; `rows` in order, those without a place last.

    `of_teams`: its lines are pairs and teams (`team_ladder`), whose `player_id` counts them.
    """

    evenings: tuple[Evening, ...]
    rows: tuple[Placed, ...]
    of_teams: bool = False

    @property
    def placed(self) -> list[Placed]:
        return [row for row in self.rows if row.line.rank]

    @property
    def behind(self) -> list[Placed]:
        """The players who have played too little for a place."""
        return [row for row in self.rows if not row.line.rank]

    @property
    def names(self) -> dict[int, str]:
        """The name of each player, by primary key."""
        return {row.player_id: row.name for row in self.rows}

    @property
    def clubs(self) -> bool:
        """Whether to show each player's club: not if all have the same."""
        return len({row.club for row in self.rows}) > 1

    @property
    def has_dropped(self) -> bool:
        return any(len(row.line.counted) < len(row.line.results) for row in self.rows)

    @property
    def in_parts(self) -> bool:
        """Whether a total is fractional: then all are shown with decimals."""
        return any(isinstance(row.line.total, Fraction) for row in self.rows)

    @property
    def provisional(self) -> bool:
        """Whether an evening is still being played."""
        return not all(evening.is_finished for evening in self.evenings)


def rule_of(season: Season) -> Rule:
    return Rule(
        Kind(season.rule),
        best_of=season.best_of,
        least_evenings=season.least_evenings,
        least_deals=season.least_deals,
        points=tuple(season.place_points),
        counts_withdrawn=season.counts_withdrawn,
        breaks_ties=season.breaks_ties,
    )


class Begun(NamedTuple):
    """The columns of a started evening that the ladder needs."""

    pk: int
    version: int
    code: str
    name: str
    date: date
    state: str
    host: int
    host__gives_cards: bool


def begun(season: Season) -> list[Begun]:
    """The season's evenings that stand in its ladder, in their order."""
    found = season.evenings.not_called_off().exclude(state=Tournament.State.SETUP).order_by("date", "pk")
    return [Begun(*row) for row in found.values_list(*Begun._fields)]


def season_table(season: Season, evenings: Sequence[Begun] | None = None) -> SeasonTable:
    """The complete ladder of a fresh `season`; `evenings` are those that have begun, if loaded already."""
    if evenings is None:
        evenings = begun(season)
    columns = {evening.pk: column for column, evening in enumerate(evenings)}
    results: dict[int, dict[int, Result]] = defaultdict(dict)
    suits: dict[int, dict[int, str]] = defaultdict(dict)
    most = [0] * len(evenings)
    newest: dict[int, Played] = {}
    members: set[int] = set()
    for one in sorted(results_of(list(columns)), key=lambda one: columns[one.evening]):
        column = columns[one.evening]
        results[one.player][column] = one.result
        suits[one.player][column] = one.suit
        if one.result.rank:
            most[column] = max(most[column], one.result.deals)
        newest[one.player] = one
        if one.club:
            members.add(one.player)
    if not season.with_guests:
        results = {player: line for player, line in results.items() if player in members}
    hosts = {evening.pk: evening.host for evening in evenings}
    names = shown_names(Of(one.player, one.club or hosts[one.evening], one.number) for one in newest.values())
    lines = _equals_by_name(ladder(results, rule_of(season)), names)
    clubs = dict(Club.objects.filter(pk__in={one.club for one in newest.values()}).values_list("pk", "name"))
    codes = {evening.pk: evening.code for evening in evenings}
    return SeasonTable(
        tuple(
            Evening(
                one.code,
                one.name,
                one.date,
                is_over := one.state == Tournament.State.FINISHED,
                deals if is_over and one.host__gives_cards else 0,
            )
            for one, deals in zip(evenings, most, strict=True)
        ),
        tuple(
            Placed(
                line.player,
                names[line.player],
                clubs.get(last.club, "") if last.club else "",
                codes[last.evening],
                last.number,
                line,
                last.club or None,
                last.club or hosts[last.evening],
                suits[line.player],
            )
            for line in lines
            for last in [newest[line.player]]
        ),
    )


def _equals_by_name(lines: Iterable[Line[int]], names: Mapping[int, str]) -> Iterator[Line[int]]:
    """A ladder's lines, those who are equal in the order of their names: to sort all of them takes far longer."""
    for _place, equal in groupby(lines, key=lambda line: line.rank or (line.played, line.total)):
        equals = list(equal)
        if len(equals) > 1:
            equals.sort(key=lambda line: shown_order(names[line.player]))
        yield from equals


def awards_of(season: Season, shown: Mapping[int, str]) -> list[tuple[Award, str]]:
    """Awards with their holders' names; `shown` has the names of players in the ladder."""
    names = dict(shown)
    awards = list(season.awards.select_related("player"))
    others = Entry.objects.filter(
        tournament__season=season,
        player__in=[award.player_id for award in awards if award.player_id not in names],
    )
    names |= shown_names(
        {
            player: Of(player, club or host, number)
            for player, club, host, number in others.order_by("pk").values_list(
                "player", "club", "tournament__host", "number"
            )
        }.values()
    )
    return [(award, names.get(award.player_id) or _unseen(award, season.host)) for award in awards]


def _unseen(award: Award, host: Club) -> str:
    """Players with an award who never played in the season, by the host's public names."""
    if host.name_style != Club.NameStyle.NUMBER:
        return award.player.short_name
    held = award.player.memberships.filter(club=host, number__isnull=False).first()
    return str(held.number) if held else "–"


# A page of a season's ladder: some players, with a dozen of its evenings.
#
# The default page, the first players with the newest evenings, is cached by the versions of the season and all its
# evenings; others are computed on request.

T = TypeVar("T")

# So many players are shown at a time, and so many evenings; a few more where that leaves none over.
PLAYERS, EVENINGS, OVER = 100, 12, 3


class Asked(NamedTuple):
    """The requested part of the ladder: a filter of `name`, the pages of players and evenings."""

    name: str = ""
    page: str = "1"
    evenings: str = "1"


@dataclass(frozen=True, slots=True)
class Part:
    """`rows` are some of the `players` found, `evenings` by their `columns` some of those with these `days`.

    `over` is how many evenings are final; it, `in_parts`, `provisional` and `clubs` apply to the whole ladder. `names`
    are of award holders.
    """

    evenings: Sequence[Evening]
    columns: range
    days: Sequence[date]
    rows: Sequence[Placed]
    players: int
    in_all: int
    over: int
    in_parts: bool
    provisional: bool
    clubs: bool
    names: Mapping[int, str]

    @property
    def last_day(self) -> date:
        """The last day of the evenings shown."""
        return self.evenings[-1].date

    @property
    def has_dropped(self) -> bool:
        return any(row.line.results.keys() - row.line.counted for row in self.rows)

    def page_of_players(self, asked: Asked) -> Page[int]:
        return _page(range(self.players), asked.page, PLAYERS)

    def page_of_evenings(self, asked: Asked) -> Page[int]:
        """The first page has the newest."""
        return _page(range(len(self.days)), asked.evenings, EVENINGS)


def season_part(season: Season, asked: Asked) -> Part:
    """A part of the ladder of a fresh `season`."""
    evenings = begun(season)
    if asked != Asked():
        return part_of(season_table(season, evenings), asked, _awarded(season))
    versions = [(evening.pk, evening.version, evening.host__gives_cards) for evening in evenings]
    key = f"season:{season.pk}:{season.version}:{hash(tuple(versions))}"
    kept: tuple[object, Part] | None = cache.get(key)
    if kept is None or kept[0] != versions:
        kept = versions, part_of(season_table(season, evenings), asked, _awarded(season))
        cache.set(key, kept, 3600)
    return kept[1]


def part_of(table: SeasonTable, asked: Asked, awarded: set[int]) -> Part:
    """A part of a ladder, with the names of players (by primary key) that have an award."""
    found = [row for row in table.rows if _is_called(row.name, asked.name)] if asked.name else table.rows
    newest_first = _page(range(len(table.evenings)), asked.evenings, EVENINGS)
    columns = range(len(table.evenings))[::-1][newest_first.start_index() - 1 : newest_first.end_index()][
        ::-1
    ]
    return Part(
        evenings=[table.evenings[column] for column in columns],
        columns=columns,
        days=[evening.date for evening in table.evenings],
        rows=[_cut(row, columns) for row in _page(found, asked.page, PLAYERS)],
        players=len(found),
        in_all=len(table.rows),
        over=sum(evening.is_finished for evening in table.evenings),
        in_parts=table.in_parts,
        provisional=table.provisional,
        clubs=table.clubs,
        names={player: name for player, name in table.names.items() if player in awarded},
    )


def _page(things: Sequence[T], number: str, many: int) -> Page[T]:
    return Paginator(things, many, orphans=OVER).get_page(number)


def _is_called(shown: str, sought: str) -> bool:
    """Whether a player matches a search by their shown name: by a part of it, or by the complete number."""
    return shown == sought if is_number(sought) else matches_search(sought, shown)


def _cut(row: Placed, columns: range) -> Placed:
    line = row.line
    there = {column: line.results[column] for column in columns if column in line.results}
    line = replace(line, results=there, counted=line.counted.intersection(there))
    return replace(row, line=line, suits={column: row.suits[column] for column in there})


def _awarded(season: Season) -> set[int]:
    return set(season.awards.values_list("player", flat=True))
