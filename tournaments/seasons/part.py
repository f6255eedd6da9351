"""A part of a season's ladder: so many of its players, with a dozen of its evenings.

What most ask for, the first players with the newest evenings, is cached by the versions of the season and of all its
evenings; the rest is counted for who asks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from django.core.cache import cache
from django.core.paginator import Page, Paginator

from clubs.names import is_number, matches_search
from tournaments.seasons.table import begun, season_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from tournaments.models import Season
    from tournaments.seasons.table import Evening, Placed, SeasonTable

T = TypeVar("T")

# So many players are shown at a time, and so many evenings; a few more where that leaves none over.
PLAYERS, EVENINGS, OVER = 100, 12, 3


class Asked(NamedTuple):
    """Which part, as the address has it: players whose `name` has this in it, the pages of players and evenings."""

    name: str = ""
    page: str = "1"
    evenings: str = "1"


@dataclass(frozen=True, slots=True)
class Part:
    """`rows` out of so many `players` that were found, `evenings` by their `columns` out of all with these `days`.

    `in_parts`, `provisional` and `clubs` are said of the whole ladder; `names` are of who has an award.
    """

    evenings: Sequence[Evening]
    columns: range
    days: Sequence[date]
    rows: Sequence[Placed]
    players: int
    in_all: int
    in_parts: bool
    provisional: bool
    clubs: bool
    names: Mapping[int, str]

    @property
    def last_day(self) -> date:
        """Of the evenings that are shown."""
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
    versions = [(evening.pk, evening.version) for evening in evenings]
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
        in_parts=table.in_parts,
        provisional=table.provisional,
        clubs=table.clubs,
        names={player: name for player, name in table.names.items() if player in awarded},
    )


def _page(things: Sequence[T], number: str, many: int) -> Page[T]:
    return Paginator(things, many, orphans=OVER).get_page(number)


def _is_called(shown: str, sought: str) -> bool:
    """Whether a player is sought by how everybody sees them: by a part of the name, or by the whole number."""
    return shown == sought if is_number(sought) else matches_search(sought, shown)


def _cut(row: Placed, columns: range) -> Placed:
    line = row.line
    there = {column: line.results[column] for column in columns if column in line.results}
    return replace(row, line=replace(line, results=there, counted=line.counted.intersection(there)))


def _awarded(season: Season) -> set[int]:
    return set(season.awards.values_list("player", flat=True))
