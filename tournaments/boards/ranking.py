"""The duplicate ranking: who made more of the same cards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.core.cache import cache
from django.db.models import Q, Sum

from tournaments.boards import Score, scores
from tournaments.boards.results import lines_of
from tournaments.domain.formats import Format
from tournaments.ledger.seating import Sittings
from tournaments.models import Match, Round, Table, Tournament
from tournaments.standings.players import standings

# Seconds that a round's scores are kept for who asks next.
KEPT = 3600


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


def ranking_of_players(tournament: Tournament, rounds: Sequence[Round]) -> list[Ranked]:
    """The players by their duplicate scores in these rounds, the plain standings beside."""
    found: dict[int, Score] = {}
    for round_ in rounds:
        for player, score in _scores_in(round_).items():
            found[player] = found[player] + score if player in found else score
    rows = {row.entry_id: row for row in standings(tournament).rows}
    named = [
        (score, rows[player].number, rows[player].name, rows[player].tokens, rows[player].rank)
        for player, score in found.items()
    ]
    return _ranked(named)


def ranking_of_teams(tournament: Tournament, rounds: Sequence[Round]) -> list[Ranked]:
    """Pairs or teams, where they meet, by the sums of what their players had at the tables of their matches."""
    teams = {team.pk: team for team in tournament.teams.all()}
    if not teams:
        return []
    sides = _sides(tournament)
    found: dict[int, Score] = defaultdict(lambda: Score(0, Fraction()))
    for round_ in rounds:
        for player, score in _scores_in(round_).items():
            team = sides.get((round_.number, player))
            if team is not None:
                found[team] += score
    row = tournament.format_row
    named = [
        (_in_deals(score, row), teams[team].number, teams[team].name, None, None)
        for team, score in found.items()
    ]
    return _ranked(named)


def _in_deals(score: Score, row: Format) -> Score:
    """What a side's players have together; a deal of theirs is a part for each of them at that table."""
    return Score(score.deals * row.tables_of_match // row.team_size, score.difference)


def _scores_in(round_: Round) -> dict[int, Score]:
    """What each player's deals of a round come to, worked out once: what is over stays as it is.

    Where it is opened again, it is closed at another time; a match played on another day brings more reports.
    """
    reports = round_.tables.aggregate(reports=Sum("reports_count"))["reports"]
    key = f"duplicate:{round_.pk}:{round_.closed_at}:{reports}".replace(" ", "_")
    kept: dict[int, Score] | None = cache.get(key)
    if kept is None:
        compared = [place.compared for line in lines_of([round_]) for place in line.places if place.compared]
        kept = scores(compared)
        cache.set(key, kept, KEPT)
    return kept


def _sides(tournament: Tournament) -> dict[tuple[int, int], int]:
    """(round's number, entry) -> the pair or team that they played for there."""
    matches = {match.pk: match for match in Match.objects.filter(round__tournament=tournament)}
    first: dict[int, int] = {}
    tables = Table.objects.filter(round__tournament=tournament, match__isnull=False)
    match_of = dict(tables.values_list("pk", "match"))
    sides = {}
    for sat in Sittings(Q(table__in=tables.values("pk"))).all:
        match = matches[match_of[sat.table]]
        # At a match's second table the home team has the other seats.
        at_home = (sat.position + (first.setdefault(match.pk, sat.table) != sat.table)) % 2 == 0
        team = match.home_id if at_home else match.away_id
        if team is not None:
            sides[sat.round, sat.entry] = team
    return sides


def _ranked(named: Sequence[tuple[Score, int, str, int | None, int | None]]) -> list[Ranked]:
    """In order of the differences, equal ones sharing the rank."""
    alike = Counter(score.difference for score, *_rest in named)
    places, place = {}, 1
    for difference in sorted(alike, reverse=True):
        places[difference] = place
        place += alike[difference]
    ranked = [
        Ranked(
            rank=places[score.difference],
            shared=alike[score.difference] > 1,
            number=number,
            name=name,
            score=score,
            tokens=tokens,
            plain_rank=plain,
        )
        for score, number, name, tokens, plain in named
    ]
    return sorted(ranked, key=lambda row: (row.rank, row.number))
