"""Counting the standings of pairs and teams again, match by match, with nothing that the pages add up by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import Prefetch

from tournaments.models import Match, Penalty, Table, Tournament
from tournaments.models.among import among
from tournaments.teams.standings import TeamStandings


def team_differences(
    tournament: Tournament, shown: TeamStandings, played: Played | None = None
) -> Iterator[str]:
    """Each pair or team whose match points or tokens, as `shown`, do not follow from its matches and rulings.

    What is `played` may have been read with that of other tournaments.
    """
    played = played or Played([tournament.pk])
    counted: dict[int, list[int]] = {}
    for match in played.matches[tournament.pk]:
        points, tokens = _of(match, tournament.match_points)
        for team, won, scored in zip((match.home, match.away), points, tokens, strict=True):
            if team is not None:
                total = counted.setdefault(team.number, [0, 0])
                total[0] += won
                total[1] += scored
    for number, match_points in played.rulings[tournament.pk]:
        counted.setdefault(number, [0, 0])[0] += match_points
    for row in shown.rows:
        has = [row.points - row.carried_points, row.table_tokens]
        if has != counted.get(row.number, [0, 0]):
            yield (
                f"no. {row.number} has {has[0]} match points and {has[1]:+d} tokens, its matches and rulings give "
                f"{counted.get(row.number, [0, 0])}"
            )


class Played:
    """The matches of rounds that have begun, and what was ruled of match points, by their tournaments' primary keys."""

    def __init__(self, tournaments: Iterable[int]) -> None:
        self.matches: dict[int, list[Match]] = {pk: [] for pk in tournaments}
        self.rulings: dict[int, list[tuple[int, int]]] = {pk: [] for pk in self.matches}
        these = among(self.matches)
        matches = Match.objects.filter(round__tournament__in=these, away__isnull=False)
        tables = Prefetch("tables", Table.objects.order_by("number").prefetch_related("seats"))
        begun = matches.exclude(round__state="drawn").select_related("round", "home", "away")
        for match in begun.prefetch_related(tables):
            self.matches[match.round.tournament_id].append(match)
        ruled = Penalty.objects.filter(tournament__in=these, cancelled_at=None).exclude(team=None)
        counting = ruled.exclude(round__state="drawn")
        for pk, team, points in counting.values_list("tournament", "team__number", "match_points"):
            self.rulings[pk].append((team, points))


def _of(match: Match, match_points: list[int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Match points and tokens of home and away; nothing where nothing is reported."""
    if match.awarded_home is not None and match.awarded_away is not None:
        return (match.awarded_home, match.awarded_away), (0, 0)
    tables = match.tables.all()
    if not any(table.reports_count for table in tables):
        return (0, 0), (0, 0)
    home = away = 0
    for index, table in enumerate(tables):
        for seat in table.seats.all():
            if seat.position % 2 == index:
                home += seat.tokens
            else:
                away += seat.tokens
    won, drawn, lost = match_points
    if home == away:
        return (drawn, drawn), (home, away)
    return ((won, lost) if home > away else (lost, won)), (home, away)
