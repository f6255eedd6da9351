"""The ladder of a season by pairs and teams, from the standings of its evenings for pairs and teams.

A pair is the same on every evening on which the same players are in it; a team goes by its club and name, or by its
players where nobody has given it a name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import TYPE_CHECKING

from tournaments.domain.formats import IN_TEAMS, NAMED_BY_PLAYERS
from tournaments.models import Entry, Team, Tournament
from tournaments.models.names import usual_team_names
from tournaments.seasons.ladder import Result, ladder
from tournaments.seasons.ladder_table import Evening, Placed, SeasonTable, rule_of
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from tournaments.models import Season
    from tournaments.standings.team_ranking import Row


def has_teams(season: Season) -> bool:
    """Whether the ladder of pairs and teams has an evening."""
    return _begun(season).filter(format__in=IN_TEAMS).exists()


def is_of_teams(season: Season) -> bool:
    """Whether pairs and teams alone have played in the season."""
    return has_teams(season) and not _begun(season).exclude(format__in=IN_TEAMS).exists()


def _begun(season: Season) -> QuerySet[Tournament]:
    return season.evenings.not_called_off().exclude(state=Tournament.State.SETUP)


def team_table(season: Season) -> SeasonTable:
    """The complete ladder of a season's pairs and teams; its columns are the evenings for these."""
    in_teams = _begun(season).filter(format__in=IN_TEAMS)
    evenings = list(in_teams.select_related("host").order_by("date", "pk"))
    same = _identities(evenings)
    results: dict[int, dict[int, Result]] = defaultdict(dict)
    newest: dict[int, tuple[Tournament, Row]] = {}
    for column, evening in enumerate(evenings):
        for row, field in _rows(evening):
            team = same[evening.pk, row.number]
            own = row.table_tokens + row.penalties  # what was carried over belongs to another day
            results[team][column] = Result(own, own, row.deals, row.rank, row.withdrawn, field, row.division)
            newest[team] = evening, row
    lines = ladder(results, rule_of(season))
    return SeasonTable(
        tuple(Evening(one.code, one.name, one.date, one.is_finished) for one in evenings),
        tuple(
            Placed(
                *(line.player, row.name, row.club, evening.code, row.number, line),
                shown_by=evening.host_id,
                suits=dict.fromkeys(line.results, ""),
            )
            for line in lines
            for evening, row in [newest[line.player]]
        ),
        of_teams=True,
    )


def _rows(evening: Tournament) -> Iterator[tuple[Row, int]]:
    """The pairs or teams that have played, each with the number of those in its division."""
    for division in team_standings(evening).divisions:
        for row in division.rows:
            if row.played:
                yield row, len(division.rows)


def _identities(evenings: Sequence[Tournament]) -> dict[tuple[int, int], int]:
    """(tournament, number of a pair or team) -> the same number on each evening that it plays."""
    players: dict[tuple[int, int], set[int]] = defaultdict(set)
    members = Entry.objects.filter(tournament__in=evenings, team__isnull=False, reserve=False)
    for tournament, number, player in members.values_list("tournament", "team__number", "player"):
        players[tournament, number].add(player)
    teams = Team.objects.filter(tournament__in=evenings).order_by("tournament", "number")
    known: dict[Hashable, int] = {}
    found = {}
    for at in teams.values_list("tournament", "tournament__format", "number", "club", "name"):
        tournament, kind, number, club, name = at
        goes_by_name = kind not in NAMED_BY_PLAYERS and name not in usual_team_names(number)
        same = (club, name) if goes_by_name else frozenset(players[tournament, number])
        found[tournament, number] = known.setdefault(same or at, len(known) + 1)
    return found
