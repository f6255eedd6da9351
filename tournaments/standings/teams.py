"""Standings of pairs and teams, and their stored match results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from django.core.cache import cache
from django.db.models import Count, Model, Q

from clubs.models import Club
from core.sql import key_set
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.ledger.seating import Sittings
from tournaments.models import Deal, Entry, Match, Penalty, Round, Table, Team, Tournament
from tournaments.standings.team_ranking import Division, Player, Result, Row, mark, points_of, rank, side_of

if TYPE_CHECKING:
    from collections.abc import Iterable


# What standings of pairs and teams are counted from, read for many tournaments at once.

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Sat:
    """A seat in a match: its player, team and tokens; `reported` is whether the table has any report."""

    round: int
    match: int
    side: int
    team: int
    entry: int
    table: int
    tokens: int
    reported: bool
    # The first and last deal that count for the player, if a substitute joined; else all.
    first: int = 1
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Reported:
    """The number of reported deals at a match's table, and whether more are to come."""

    match: int | None
    deals: int
    unfinished: bool


class Ruling(NamedTuple):
    """A ruling that counts, against a team or an entry; `own` is the entry's team. Teams and rounds are numbers."""

    tokens: int
    match_points: int
    team: int | None
    entry: int | None
    own: int | None
    round: int | None


RULING = ("tokens", "match_points", "team__number", "entry", "entry__team__number", "round__number")
AT_TABLE = ("pk", "round__tournament", "match", "reports_count", "match__home__number", "match__away__number")


class Stored:
    """Stored rows by the primary keys of the tournaments, read for all in one query."""

    def __init__(self, tournaments: Sequence[Tournament]) -> None:
        self.tournaments = {one.pk: one for one in tournaments}
        these = key_set(self.tournaments)
        of = Q(tournament__in=these)
        rounds = {round_.pk: round_ for round_ in Round.objects.filter(of).order_by("number")}
        self.rounds = self._each((round_.tournament_id, round_) for round_ in rounds.values())
        teams = {team.pk: team for team in Team.objects.filter(of)}
        self.teams = self._each((team.tournament_id, team) for team in teams.values())
        matches = Match.objects.filter(round__tournament__in=these).order_by("round__number", "number")
        # Each is made a model once, however many point to it.
        for match in matches:
            _relate(match, round=rounds, home=teams, away=teams)
        self.matches = self._each((match.round.tournament_id, match) for match in matches)
        counting = Penalty.objects.filter(of, cancelled_at=None).order_by("pk")
        told = counting.values_list("tournament", *RULING)
        self.rulings = self._each((pk, Ruling(*row)) for pk, *row in told)
        self.entries: dict[int, Entry] = Entry.objects.filter(of).select_related("player").in_bulk()
        playing_for = {team.club_id for team in teams.values()}
        playing_for |= {entry.club_id for entry in self.entries.values()}
        clubs = Club.objects.in_bulk(playing_for - {None})
        for team in teams.values():
            _relate(team, club=clubs)
        for entry in self.entries.values():
            _relate(entry, tournament=self.tournaments, club=clubs, team=teams)
        self.reported = self._reported()
        self.sat = self._sat()

    def _each(self, rows: Iterable[tuple[int, Found]]) -> dict[int, list[Found]]:
        found: dict[int, list[Found]] = {pk: [] for pk in self.tournaments}
        for pk, row in rows:
            found[pk].append(row)
        return found

    def _sat(self) -> dict[int, list[Sat]]:
        """Every seat at a match's table. Of a match's tables the one with the lower number is the first."""
        firsts: dict[int, int] = {}
        found: dict[int, list[Sat]] = {pk: [] for pk in self.tournaments}
        tables = Table.objects.filter(
            round__tournament__in=key_set(self.tournaments), match__away__isnull=False
        )
        about: dict[int, Any] = {pk: rest for pk, *rest in tables.values_list(*AT_TABLE)}
        for at in Sittings(Q(table__in=tables.values("pk"))).all:
            of, match, reports, *teams = about[at.table]
            side = side_of(at.position, at_second=firsts.setdefault(match, at.table) != at.table)
            found[of].append(
                Sat(
                    *(at.round, match, side, teams[side], at.entry, at.table, at.tokens, reports > 0),
                    first=at.first,
                    last=at.last,
                )
            )
        return found

    def _reported(self) -> dict[int, dict[int, Reported]]:
        """Each table of a match; where its totals alone are known, all its deals are reported."""
        tables = Table.objects.filter(
            round__tournament__in=key_set(self.tournaments), match__isnull=False
        ).annotate(
            done=Count("dealt", filter=Q(dealt__current__result__isnull=False)),
            totals=Count("dealt", filter=Q(dealt__current__outcome=TOTALS_ONLY)),
        )
        found: dict[int, dict[int, Reported]] = {pk: {} for pk in self.tournaments}
        of_table = ("round__tournament", "pk", "match", "deals", "ended_early_at", "done", "totals")
        for of, pk, match, deals, ended, done, totals in tables.order_by("number").values_list(*of_table):
            reported = deals if totals else done
            found[of][pk] = Reported(match, reported, ended is None and reported < deals)
        return found


def _relate(thing: Model, **by: Mapping[int, Model]) -> None:
    """Set foreign keys of a model from these mappings; missing ones are loaded on access."""
    for name, there in by.items():
        if (found := there.get(getattr(thing, f"{name}_id"))) is not None:
            setattr(thing, name, found)


# Standings of pairs and teams, computed from stored rows; ranked by `standings.team_ranking`.
#
# A side's tokens in a match are those of its players at the match's table, or two tables; the side with more wins. A
# match counts from its first report on: until it is finished the standings are provisional. An awarded match has the
# points of the ruling and no tokens. Rulings against players and teams (strafpoint) have columns of their own and
# count with the tokens, or with the match points if they are given in those, not in a match. Cached by the
# tournament's version, like the standings of players.


@dataclass(frozen=True)
class TeamStandings:
    """The divisions with their teams in order, and every match and bye by round, those to come too."""

    divisions: Sequence[Division]
    rounds: Mapping[int, Sequence[Result]]
    names: Mapping[int, str]
    # The day of each round, where one is set.
    dates: Mapping[int, date | None]
    by_average: bool
    provisional: bool
    # Numbers of the rounds that have started.
    started: Sequence[int]

    @property
    def rows(self) -> list[Row]:
        return [row for division in self.divisions for row in division.rows]

    @property
    def has_gaps(self) -> bool:
        """Whether gaps to the leader are shown: before a round has begun all are equal, apart from carried points."""
        return bool(self.started) or self.has_carried

    @property
    def has_moved(self) -> bool:
        return any(row.moved is not None for row in self.rows)

    @property
    def has_deals(self) -> bool:
        return any(row.deals for row in self.rows)

    @property
    def has_penalties(self) -> bool:
        return any(row.penalties for row in self.rows)

    @property
    def has_ruled_points(self) -> bool:
        return any(row.ruled_points for row in self.rows)

    @property
    def has_carried(self) -> bool:
        return any(row.carried_points or row.carried_tokens for row in self.rows)

    @property
    def has_byes(self) -> bool:
        return any(row.byes for row in self.rows)

    @property
    def waiting(self) -> list[Result]:
        """Matches of rounds that have started which are still to be played on another day."""
        return [result for number in self.started for result in self.rounds.get(number, ()) if result.waits]


def team_standings(tournament: Tournament, *, through: int | None = None) -> TeamStandings:
    """The standings after round `through`, or after all that has been reported until now.

    The caller's `tournament` must be fresh: its version is the key of the cache.
    """
    key = f"team_standings:{tournament.pk}:{tournament.version}:{through}"
    cached: TeamStandings | None = cache.get(key)
    if cached is None:
        cached = counted_of_teams(tournament, through)
        if len(cached.started) > 1:
            _mark_moved(cached, counted_of_teams(tournament, cached.started[-2]))
        cache.set(key, cached, 3600)
    return cached


def _mark_moved(now: TeamStandings, before: TeamStandings) -> None:
    places = {row.number: row.rank for row in before.rows if row.played}
    for row in now.rows:
        row.moved = places[row.number] - row.rank if row.number in places else None


def counted_of_teams(
    tournament: Tournament, through: int | None = None, stored: Stored | None = None
) -> TeamStandings:
    """The teams' standings from the database, without any cache and without changes of place.

    What is stored of the tournament may have been read with that of others.
    """
    stored = stored or Stored([tournament])
    rounds = stored.rounds[tournament.pk]
    started = [
        round_ for round_ in rounds if not round_.is_drawn and (through is None or round_.number <= through)
    ]
    numbers = [round_.number for round_ in started]
    rows = {
        team.number: Row(
            team.number,
            team.name,
            team.club.name if team.club else "",
            team.division,
            team.withdrawn,
            carried_points=team.carried_points // 100,
            carried_tokens=team.carried_tokens // 100,
        )
        for team in stored.teams[tournament.pk]
    }
    sat, reported = stored.sat[tournament.pk], stored.reported[tournament.pk]
    results = _results(tournament, stored.matches[tournament.pk], numbers, sat, reported)
    for result in results:
        for number in (result.home, result.away):
            if number is not None:
                rows[number].results.append(result)
    sat = [seat for seat in sat if seat.round in numbers]
    _add_players(stored.entries, rows, sat, reported)
    _add_penalties(stored.rulings[tournament.pk], rows, sat, numbers)
    divisions = []
    present = sorted(
        (row for row in rows.values() if row.results or not row.withdrawn), key=lambda row: row.division
    )
    for number, members in groupby(present, key=lambda row: row.division):
        divisions.append(Division(number, rank(list(members), by_average=tournament.by_average)))
    mark(divisions, promoted=tournament.promoted, relegated=tournament.relegated)
    return TeamStandings(
        divisions=divisions,
        rounds={number: list(found) for number, found in groupby(results, key=lambda result: result.round)},
        names={row.number: row.name for row in rows.values()},
        dates={round_.number: round_.date for round_ in rounds},
        by_average=tournament.by_average,
        provisional=any(round_.is_running for round_ in started)
        or any(result.waits for result in results if not result.is_drawn),
        started=numbers,
    )


def _results(
    tournament: Tournament,
    matches: Sequence[Match],
    started: Sequence[int],
    sat: Sequence[Sat],
    reported: Mapping[int, Reported],
) -> list[Result]:
    """Every match of the tournament, by round and number."""
    sums: dict[int, list[int]] = {}
    deals: Counter[int | None] = Counter()
    for here in reported.values():
        deals[here.match] += here.deals
    for seat in sat:
        if seat.reported:
            sums.setdefault(seat.match, [0, 0])[seat.side] += seat.tokens
    unfinished = {here.match for here in reported.values() if here.unfinished}
    found = []
    for match in matches:
        result = Result(
            match.round.number,
            match.number,
            match.own_day or match.round.date,
            match.home.number,
            match.away.number if match.away else None,
            postponed_to=match.postponed_to,
            own_day=match.own_day,
            begins_at=match.begins_at or (tournament.begins_at if match.day else None),
            place=match.where if match.own_day else "",
            is_drawn=match.round.number not in started,
        )
        if match.awarded_home is not None and match.awarded_away is not None:
            # Ruled before its round, it counts with its round.
            result.points = None if result.is_drawn else (match.awarded_home, match.awarded_away)
            result.awarded_reason = match.awarded_reason
            result.is_awarded = True
        elif match.pk in sums and not result.is_drawn:
            home, away = sums[match.pk]
            result.tokens, result.deals = (home, away), deals[match.pk]
            result.points = points_of(home, away, tournament.match_points)
            result.in_play = (match.round.is_running or match.waits) and match.pk in unfinished
        result.in_play = result.in_play or match.is_running
        result.waits = match.waits and not result.is_drawn
        found.append(result)
    return found


def _add_players(
    entries: Mapping[int, Entry], rows: dict[int, Row], sat: Sequence[Sat], reported: Mapping[int, Reported]
) -> None:
    """Add each team's players and their tokens for it: its members first, substitutes last."""
    players: dict[tuple[int, int], Player] = {}
    for seat in sat:
        if not seat.reported:
            continue
        entry = entries[seat.entry]
        substitute = entry.team is None or entry.team.number != seat.team
        player = players.setdefault(
            (seat.team, seat.entry), Player(entry.number, entry.shown_name, substitute=substitute)
        )
        player.matches += 1
        player.deals += _deals_while_there(seat, reported)
        player.tokens += seat.tokens
    for (team, _entry), player in players.items():
        rows[team].players.append(player)
    for row in rows.values():
        row.players.sort(key=lambda player: (player.substitute, player.number))


def _deals_while_there(seat: Sat, reported: Mapping[int, Reported]) -> int:
    """Number of reported deals while the player sat at the table."""
    if (seat.first, seat.last) == (1, None):  # all of them
        return reported[seat.table].deals
    deals = Deal.objects.filter(table=seat.table, current__result__isnull=False)
    while_there = deals.filter(number__gte=seat.first)
    return (while_there if seat.last is None else while_there.filter(number__lte=seat.last)).count()


def _add_penalties(
    rulings: Sequence[Ruling], rows: dict[int, Row], sat: Sequence[Sat], rounds: Sequence[int]
) -> None:
    """Rulings against a team and its players.

    These count for the team they played for in that round, else their own.
    """
    played_for: dict[tuple[int | None, int | None], int | None] = {
        (seat.round, seat.entry): seat.team for seat in sat
    }
    for tokens, points, team, entry, own, round_ in rulings:
        if round_ is not None and round_ not in rounds:
            continue
        whose = team or played_for.get((round_, entry), own)
        if whose is not None:
            rows[whose].penalties += tokens
            rows[whose].ruled_points += points
