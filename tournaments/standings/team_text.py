"""Texts and columns of pairs and teams."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from tournaments.domain.terms import signed
from tournaments.ledger.seating import round_that_comes
from tournaments.models import Table
from tournaments.standings.columns import (
    DEALS,
    EVERYWHERE,
    FILES,
    GAP,
    MOVED,
    PAGES,
    PLAYERS,
    Column,
    On,
    select_columns,
    where_any,
)
from tournaments.standings.players import standings, winners_in_words, won_in_words
from tournaments.standings.team_ranking import Row
from tournaments.standings.teams import TeamStandings, team_standings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, time

    from tournaments.models import Match, Tournament
    from tournaments.standings.team_ranking import Division, Result
    from tournaments.standings.tie_breaks import Row as PlayerRow


# Pairs and teams on pages and sheets: places, opponents, matches.

# So many of the first places stand where a page has more than the standings.
LEADING = 5
# A schedule of more matches is folded but for what is played now.
FEW_MATCHES = 24


@dataclass(frozen=True)
class Ranking:
    """A division's standings; without a name where there is one division, or everybody plays for themselves."""

    name: str
    rows: Sequence[Row] | Sequence[PlayerRow]

    @property
    def winners(self) -> str:
        """The names of the winners, as text."""
        return winners_in_words(self._first)

    @property
    def won(self) -> str:
        """The winners as a sentence."""
        return won_in_words(self._first)

    @property
    def _first(self) -> list[str]:
        return [row.name for row in self.rows if row.rank == 1]


def rankings(tournament: Tournament, table: TeamStandings) -> list[Ranking]:
    return [
        Ranking(
            division_name(tournament, division.number) if len(table.divisions) > 1 else "",
            division.rows,
        )
        for division in table.divisions
    ]


def places_now(tournament: Tournament, on: On) -> dict[str, Any]:
    """The current places, for pages without standings; with the URL of each one's page."""
    if tournament.in_teams:
        teams = team_standings(tournament)
        return {
            "whole": teams,
            "columns": select_columns(TEAMS, on, teams),
            "groups": rankings(tournament, teams),
            "page": "hall_team",
        }
    players = standings(tournament)
    return {
        "whole": players,
        "columns": select_columns(PLAYERS, on, players),
        "groups": [Ranking("", players.rows)],
        "page": "hall_player",
    }


def places_by_total(tournament: Tournament) -> tuple[list[Ranking], Column[Any, Any]]:
    """The current places, and the column of the ranking's value."""
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
    # Whether a page shows the heading only until it is opened: in a long season all rounds but the current ones.
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
        score(result),
        tokens(result),
        state(result),
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
    """Each team's match in the next round, by team number: tables and opponent."""
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
    """Rows of a cross table: match points and tokens from the row's team's side, in the order of the rounds."""
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
            division_name(tournament, division.number) if len(table.divisions) > 1 else "",
            cross_rows(division),
        )
        for division in table.divisions
    ]


# Matches and places of pairs and teams, in the reader's words.


def division_name(tournament: Tournament, number: int) -> str:
    """Pairs play in groups, teams in divisions."""
    return tournament.format_row.words.numbered_group % {"number": number}


def score(result: Result) -> str:
    """The match points of a match, home first; empty where it does not count yet."""
    return f"{result.points[0]}–{result.points[1]}" if result.points else ""


def tokens(result: Result) -> str:
    """The tokens of a match, home first; empty where there are none."""
    return f"{signed(result.tokens[0])} : {signed(result.tokens[1])}" if result.tokens else ""


def state(result: Result) -> str:
    """A match's status in words; empty for one that was simply played or is to come."""
    if result.is_bye:
        return _("bye")
    if result.is_awarded:
        return _("by ruling: %(reason)s") % {"reason": result.awarded_reason}
    if result.in_play:
        return _("being played")
    if result.own_day and (result.waits or result.is_drawn):
        day = when_and_where(result.own_day, result.begins_at, result.place)
        return _("will be played on %(day)s") % {"day": day}
    return ""


def when_of(match: Match) -> str:
    """When and where a match is played, as far as it is known: that of its round where it has no day of its own."""
    day = match.own_day or match.round.date
    if day is None:
        return ""
    return when_and_where(day, match.hour, match.where if match.own_day else "")


def when_and_where(day: date, begins_at: time | None, place: str) -> str:
    """The day, the hour and the place of a match, as far as they are known."""
    when = date_format(day, "DATE_FORMAT")
    if begins_at:
        when = _("%(day)s, %(hour)s") % {"day": when, "hour": time_format(begins_at, "TIME_FORMAT")}
    return ", ".join(filter(None, [when, place]))


def marked(row: Row) -> str:
    """The label of a team's place: promotion, relegation and the like."""
    if row.promoted:
        return _("promoted")
    return _("relegated") if row.relegated else ""


def ranking_in_words(tournament: Tournament) -> list[str]:
    """The rules of the ranking: a sentence for each criterion."""
    won, drawn, lost = tournament.match_points
    points = _("A match won gives %(won)d, drawn %(drawn)d, lost %(lost)d match points.")
    said = [points % {"won": won, "drawn": drawn, "lost": lost}]
    said.append(str(tournament.format_row.words.who_wins))
    if tournament.by_average:
        said.append(_("Places go by average match points per match, then by average tokens."))
    else:
        said.append(_("Places go by match points, then by tokens."))
    said.append(
        _(
            "Ties are broken by the matches between those level: match points, then tokens. Those"
            " still level share the place."
        )
    )
    said.append(
        _(
            "Rulings (penalties) count towards the tokens, or towards the match points if given in those, "
            "but not towards any match. A bye earns nothing."
        )
    )
    if tournament.promoted or tournament.relegated:
        said.append(_up_and_down(tournament))
    if tournament.up_limit:
        text = ngettext(
            "After %(count)d match for a higher team of the club a player no longer plays for a lower one.",
            "After %(count)d matches for a higher team of the club a player no longer plays for a lower one.",
            tournament.up_limit,
        )
        said.append(text % {"count": tournament.up_limit})
    return said


def _up_and_down(tournament: Tournament) -> str:
    up = ngettext("%(count)d is promoted", "%(count)d are promoted", tournament.promoted)
    down = ngettext("%(count)d is relegated", "%(count)d are relegated", tournament.relegated)
    return _("From each division %(up)s and %(down)s.") % {
        "up": up % {"count": tournament.promoted},
        "down": down % {"count": tournament.relegated},
    }


# Columns of the standings of pairs and teams; see `standings/columns.py`.

TEAMS: tuple[Column[Row, TeamStandings], ...] = (
    Column(name="division", heading=gettext_lazy("Division"), on=FILES, value=lambda row: row.division),
    Column(name="place", heading=gettext_lazy("Place"), on=FILES, value=lambda row: row.rank),
    Column(name="number", heading=gettext_lazy("No."), on=FILES, value=lambda row: row.number),
    Column(name="name", heading=gettext_lazy("Team"), on=FILES, value=lambda row: row.name),
    Column(name="club", heading=gettext_lazy("Club"), on=FILES, value=lambda row: row.club),
    MOVED,
    Column(
        name="points",
        heading=gettext_lazy("Match points"),
        on=EVERYWHERE,
        value=lambda row: row.points,
        there=lambda standings: not standings.by_average,
        css="total",
    ),
    Column(
        name="points_a_match",
        heading=gettext_lazy("Points a match"),
        on=EVERYWHERE,
        value=lambda row: row.average_points,
        there=lambda standings: standings.by_average,
        css="total",
    ),
    replace(
        GAP,
        on=GAP.on & ~On.PHONE | On.UNDER_NAME,
        explained=gettext_lazy("The gap is how far a pair’s or team’s points are behind the leader’s."),
    ),
    Column(name="matches", heading=gettext_lazy("Matches"), on=PAGES | FILES, value=lambda row: row.played),
    Column(name="won", heading=pgettext_lazy("matches", "won"), on=PAGES | FILES, value=lambda row: row.won),
    Column(
        name="drawn", heading=pgettext_lazy("matches", "drawn"), on=PAGES | FILES, value=lambda row: row.drawn
    ),
    Column(
        name="lost", heading=pgettext_lazy("matches", "lost"), on=PAGES | FILES, value=lambda row: row.lost
    ),
    Column(
        name="tokens",
        heading=gettext_lazy("Tokens"),
        on=EVERYWHERE,
        value=lambda row: row.tokens,
        said=lambda row: signed(row.tokens),
        there=lambda standings: not standings.by_average,
    ),
    Column(
        name="tokens_a_match",
        heading=gettext_lazy("Tokens a match"),
        on=EVERYWHERE,
        value=lambda row: row.average_tokens,
        said=lambda row: signed(row.average_tokens),
        there=lambda standings: standings.by_average,
    ),
    Column(
        name="points_taken_along",
        heading=gettext_lazy("Match points carried over"),
        on=FILES,
        value=lambda row: row.carried_points,
    ),
    Column(
        name="tokens_taken_along",
        heading=gettext_lazy("of which carried over"),
        on=PAGES | FILES,
        value=lambda row: row.carried_tokens,
        said=lambda row: f"{row.carried_points} ({signed(row.carried_tokens)})",
        there=lambda standings: standings.has_carried,
    ),
    Column(
        name="penalties",
        heading=gettext_lazy("of which penalties"),
        on=PAGES | FILES,
        value=lambda row: row.penalties,
        said=lambda row: where_any(row.penalties),
        there=lambda standings: standings.has_penalties,
    ),
    Column(
        name="ruled_points",
        heading=gettext_lazy("Match points by ruling"),
        on=PAGES | FILES,
        value=lambda row: row.ruled_points,
        said=lambda row: where_any(row.ruled_points),
        there=lambda standings: standings.has_ruled_points,
    ),
    Column(
        name="byes",
        heading=gettext_lazy("Byes"),
        on=PAGES | FILES,
        value=lambda row: row.byes,
        there=lambda standings: standings.has_byes,
    ),
    replace(DEALS, explained=gettext_lazy("Deals are those reported at the tables of its matches.")),
    Column(name="marked", heading=gettext_lazy("Marked"), on=On.SHEET, value=marked),
)
