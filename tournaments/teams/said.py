"""Pairs and teams as pages and sheets show them: places, whom each has met, and every match."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from tournaments.domain.terms import signed
from tournaments.ledger.seating import round_that_comes
from tournaments.models import Table
from tournaments.standings.columns import PLAYERS, On, shown
from tournaments.standings.players import standings
from tournaments.standings.winners import winners_in_words, won_in_words
from tournaments.teams import words
from tournaments.teams.columns import TEAMS
from tournaments.teams.standings import team_standings

# So many of the first places stand where a page has more than the standings.
LEADING = 5
# A schedule of more matches is folded but for what is played now.
FEW_MATCHES = 24

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from tournaments.models import Tournament
    from tournaments.standings.columns import Column
    from tournaments.standings.rows import Row as PlayerRow
    from tournaments.teams.ranking import Division, Result, Row
    from tournaments.teams.standings import TeamStandings


@dataclass(frozen=True)
class Ranking:
    """A division's standings; without a name where there is one division, or everybody plays for themselves."""

    name: str
    rows: Sequence[Row] | Sequence[PlayerRow]

    @property
    def winners(self) -> str:
        """Who has the first place, in words."""
        return winners_in_words(self._first)

    @property
    def won(self) -> str:
        """The same as a sentence."""
        return won_in_words(self._first)

    @property
    def _first(self) -> list[str]:
        return [row.name for row in self.rows if row.rank == 1]


def rankings(tournament: Tournament, table: TeamStandings) -> list[Ranking]:
    return [
        Ranking(
            words.division_name(tournament, division.number) if len(table.divisions) > 1 else "",
            division.rows,
        )
        for division in table.divisions
    ]


def places_now(tournament: Tournament, on: On) -> dict[str, Any]:
    """Who is ranked as pages show it that have nothing else of the standings; with the address of each one's page."""
    if tournament.in_teams:
        teams = team_standings(tournament)
        return {
            "whole": teams,
            "columns": shown(TEAMS, on, teams),
            "groups": rankings(tournament, teams),
            "page": "hall_team",
        }
    players = standings(tournament)
    return {
        "whole": players,
        "columns": shown(PLAYERS, on, players),
        "groups": [Ranking("", players.rows)],
        "page": "hall_player",
    }


def places_by_total(tournament: Tournament) -> tuple[list[Ranking], Column[Any, Any]]:
    """Who is ranked now, and the column of what places go by."""
    now = places_now(tournament, On.FRONT_PAGE)
    return now["groups"], next(column for column in now["columns"] if "total" in column.css)


@dataclass(frozen=True)
class MatchLine:
    """A match as a list shows it."""

    result: Result
    home: str
    away: str
    score: str
    tokens: str
    state: str
    # Where it is played, once it is drawn.
    tables: Sequence[int] = ()


@dataclass(frozen=True)
class RoundOfMatches:
    number: int
    day: date | None
    matches: Sequence[MatchLine]
    byes: Sequence[str]
    # Whether a page shows its heading alone until somebody opens it: of a long season all rounds but those of now.
    is_folded: bool = False

    @property
    def is_over(self) -> bool:
        """Whether each match has its result, and none is being played or waits for a day of its own."""
        played = (match.result for match in self.matches)
        return all(one.counts and not (one.in_play or one.waits) for one in played)


def match_line(result: Result, names: dict[int, str], tables: Sequence[int] = ()) -> MatchLine:
    away = names[result.away] if result.away is not None else ""
    return MatchLine(
        result,
        names[result.home],
        away,
        words.score(result),
        words.tokens(result),
        words.state(result),
        tables,
    )


def tables_of_matches(tournament: Tournament) -> dict[tuple[int, int], list[int]]:
    """Round and number of a match -> the numbers of its tables."""
    found: dict[tuple[int, int], list[int]] = {}
    drawn = Table.objects.filter(round__tournament=tournament, match__isnull=False).order_by("number")
    for round_number, match, table in drawn.values_list("round__number", "match__number", "number"):
        found.setdefault((round_number, match), []).append(table)
    return found


def next_matches(tournament: Tournament, table: TeamStandings) -> dict[int, str]:
    """Each pair's or team's match in the round that comes, by number: at which tables, and whom it meets."""
    round_ = round_that_comes(tournament)
    if round_ is None:
        return {}
    match, bye = _("Round %(round)d: table %(tables)s, against %(name)s"), _("Round %(round)d: has a bye")
    tables, found = tables_of_matches(tournament), {}
    for one in table.rounds.get(round_.number, ()):
        at = ", ".join(map(str, tables.get((one.round, one.number), ())))
        for team, other in ((one.home, one.away), (one.away, one.home)):
            if team is not None:
                said = {"round": one.round, "tables": at, "name": table.names.get(other or 0, "")}
                found[team] = (bye if other is None else match) % said
    return found


def rounds_of_matches(
    table: TeamStandings, tables: Mapping[tuple[int, int], Sequence[int]] | None = None
) -> list[RoundOfMatches]:
    """Every match by round, those to come too, with its tables where they are given, and who has a bye."""
    names = dict(table.names)
    rounds = [
        RoundOfMatches(
            number,
            table.dates.get(number),
            [
                match_line(result, names, (tables or {}).get((number, result.number), ()))
                for result in results
                if not result.is_bye
            ],
            [names[result.home] for result in results if result.is_bye],
        )
        for number, results in table.rounds.items()
    ]
    unfolded = _unfolded(rounds)
    return [replace(one, is_folded=one.number not in unfolded) for one in rounds]


def _unfolded(rounds: Sequence[RoundOfMatches]) -> set[int]:
    """The rounds shown open: of few all; else the last that is over, those that have begun, the next to come."""
    if sum(len(one.matches) for one in rounds) <= FEW_MATCHES:
        return {one.number for one in rounds}
    over = [one.number for one in rounds if one.is_over]
    to_play = [one for one in rounds if not one.is_over]
    begun = [one.number for one in to_play if any(match.result.counts for match in one.matches)]
    coming = [one.number for one in to_play if one.number not in begun]
    return {*over[-1:], *begun, *coming[:1]}


@dataclass(frozen=True)
class CrossRow:
    """A team's line in the cross table: for each other team what it won against it; None against itself."""

    row: Row
    cells: Sequence[Sequence[tuple[str, str]] | None]


def cross_rows(division: Division) -> list[CrossRow]:
    """Who met whom: match points and tokens as the team of the line won them, in the order of the rounds."""
    return [
        CrossRow(
            row,
            [None if other is row else _met(row, other) for other in division.rows],
        )
        for row in division.rows
    ]


def _met(row: Row, other: Row) -> list[tuple[str, str]]:
    found = []
    for result in row.results:
        if result.against(row.number) == other.number and result.points is not None:
            side = result.side(row.number)
            amount = signed(result.tokens[side]) if result.tokens else ""
            found.append((str(result.points[side]), amount))
    return found


@dataclass(frozen=True)
class CrossTable:
    name: str
    rows: Sequence[CrossRow]


def cross_tables(tournament: Tournament) -> list[CrossTable]:
    table = team_standings(tournament)
    return [
        CrossTable(
            words.division_name(tournament, division.number) if len(table.divisions) > 1 else "",
            cross_rows(division),
        )
        for division in table.divisions
    ]
