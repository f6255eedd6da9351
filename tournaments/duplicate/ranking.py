"""The duplicate ranking: who made more of the same cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tournaments.boards import Compared, Score, scores
from tournaments.duplicate.results import Line
from tournaments.models import Match, Seat, Tournament
from tournaments.standings import standings


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the duplicate ranking; `tokens` and `plain_rank` are those of the standings, for a player alone."""

    rank: int
    shared: bool
    number: int
    name: str
    score: Score
    tokens: int | None = None
    plain_rank: int | None = None


def _compared(lines: Iterable[Line]) -> list[Compared]:
    return [place.compared for line in lines for place in line.places if place.compared]


def ranking_of_players(tournament: Tournament, lines: Sequence[Line]) -> list[Ranked]:
    """The players by their duplicate scores, the plain standings beside."""
    found = scores(_compared(lines))
    rows = {row.entry_id: row for row in standings(tournament).rows}
    named = [
        (score, rows[player].number, rows[player].name, rows[player].tokens, rows[player].rank)
        for player, score in found.items()
    ]
    return _ranked(named)


def ranking_of_teams(tournament: Tournament, lines: Sequence[Line]) -> list[Ranked]:
    """Pairs or teams by the sums of what their players had at the tables of their matches."""
    teams = {team.pk: team for team in tournament.teams.all()}
    sides = _sides(tournament)
    played: dict[int, list[Compared]] = defaultdict(list)
    for line in lines:
        for place in line.places:
            team = sides.get((line.round_number, place.entry.pk))
            if place.compared and team is not None:
                played[team].append(place.compared)
    named = []
    for team, compared in played.items():
        total = sum((one.difference for one in compared), Fraction())
        named.append((Score(len(compared), total), teams[team].number, teams[team].name, None, None))
    return _ranked(named)


def _sides(tournament: Tournament) -> dict[tuple[int, int], int]:
    """(round's number, entry) -> the pair or team that they played for there."""
    matches = {match.pk: match for match in Match.objects.filter(round__tournament=tournament)}
    first: dict[int, int] = {}
    seats = list(
        Seat.objects.filter(round__tournament=tournament, table__match__isnull=False)
        .order_by("round__number", "table__number")
        .values_list("round__number", "table__match", "table__number", "position", "entry")
    )
    sides = {}
    for round_number, match_id, table, position, entry in seats:
        match = matches[match_id]
        # At a match's second table the home team has the other seats.
        at_home = (position + (first.setdefault(match_id, table) != table)) % 2 == 0
        team = match.home_id if at_home else match.away_id
        if team is not None:
            sides[round_number, entry] = team
    return sides


def _ranked(named: Sequence[tuple[Score, int, str, int | None, int | None]]) -> list[Ranked]:
    """In order of the differences, equal ones sharing the rank."""
    differences = sorted((score.difference for score, *_rest in named), reverse=True)
    ranked = [
        Ranked(
            rank=differences.index(score.difference) + 1,
            shared=differences.count(score.difference) > 1,
            number=number,
            name=name,
            score=score,
            tokens=tokens,
            plain_rank=plain,
        )
        for score, number, name, tokens, plain in named
    ]
    return sorted(ranked, key=lambda row: (row.rank, row.number))
