"""A season's ladder from its evenings' standings, whole or in parts.

A player is the same person on every evening. On an evening of pairs or teams a player's place is that of the pair or
team, the tokens are the player's own. Evenings that have begun count as they stand; what each of them is to the ladder
is kept (`results`).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from clubs.models import Club
from clubs.names import shown_order
from tournaments.models import Award, Entry, Season, Tournament
from tournaments.models.names import Of, shown_names
from tournaments.seasons.ladder import Kind, Line, Result, Rule, ladder
from tournaments.seasons.results import Played, results_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening as the ladder's column."""

    code: str
    name: str
    date: date
    is_finished: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """A player in the ladder: the name as the hall may show it, and where their newest evening's page is."""

    player_id: int
    name: str
    club: str
    code: str
    number: int
    line: Line[int]
    # The primary keys of the club, None for a guest, and of the club that shows the name: theirs, or a guest's host.
    club_id: int | None = None
    shown_by: int = 0


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The ladder with its columns; `rows` in order, those without a place last."""

    evenings: tuple[Evening, ...]
    rows: tuple[Placed, ...]

    @property
    def placed(self) -> list[Placed]:
        return [row for row in self.rows if row.line.rank]

    @property
    def behind(self) -> list[Placed]:
        """Those who have played too little for a place."""
        return [row for row in self.rows if not row.line.rank]

    @property
    def names(self) -> dict[int, str]:
        """What each player is called, by primary key."""
        return {row.player_id: row.name for row in self.rows}

    @property
    def clubs(self) -> bool:
        """Whether it says of which club each is: where all are of the same, it does not."""
        return len({row.club for row in self.rows}) > 1

    @property
    def has_dropped(self) -> bool:
        return any(len(row.line.counted) < len(row.line.results) for row in self.rows)

    @property
    def in_parts(self) -> bool:
        """Whether a total is not in whole tokens: then all are shown with decimals."""
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
    """What the ladder needs of an evening that has begun."""

    pk: int
    version: int
    code: str
    name: str
    date: date
    state: str
    host: int


def begun(season: Season) -> list[Begun]:
    """The season's evenings that stand in its ladder, in their order."""
    found = season.evenings.not_called_off().exclude(state=Tournament.State.SETUP).order_by("date", "pk")
    return [Begun(*row) for row in found.values_list(*Begun._fields)]


def season_table(season: Season, evenings: Sequence[Begun] | None = None) -> SeasonTable:
    """The whole ladder of a fresh `season`; `evenings` are those that have begun, where they are at hand."""
    if evenings is None:
        evenings = begun(season)
    columns = {evening.pk: column for column, evening in enumerate(evenings)}
    results: dict[int, dict[int, Result]] = defaultdict(dict)
    newest: dict[int, Played] = {}
    members: set[int] = set()
    for one in sorted(results_of(list(columns)), key=lambda one: columns[one.evening]):
        results[one.player][columns[one.evening]] = one.result
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
            Evening(one.code, one.name, one.date, one.state == Tournament.State.FINISHED) for one in evenings
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
    """The awards with the names of those who have them; `shown` are the names of who stands in the ladder."""
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
    """Who has an award and never played in the season, as the host shows its players."""
    if host.name_style != Club.NameStyle.NUMBER:
        return award.player.short_name
    held = award.player.memberships.filter(club=host, number__isnull=False).first()
    return str(held.number) if held else "–"
