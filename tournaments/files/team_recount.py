"""Counting the standings of pairs and teams again, match by match, with nothing that the pages add up by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.sql import key_set
from tournaments.models import Match, Penalty, Seat, Table, Tournament
from tournaments.standings.teams import TeamStandings


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
            total = counted.setdefault(team, [0, 0])
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


class _At(NamedTuple):
    """A match's table: how many reports there are, and position and tokens of each seat."""

    reports: int
    seats: list[list[int]]


class _Met(NamedTuple):
    """A match: the numbers of its two sides, what was awarded, and its tables in their order."""

    home: int
    away: int
    awarded_home: int | None
    awarded_away: int | None
    tables: list[_At]


OF_MATCH = ("round__tournament", "pk", "home__number", "away__number", "awarded_home", "awarded_away")


class Played:
    """The matches of rounds that have begun, and what was ruled of match points, by their tournaments' primary keys."""

    def __init__(self, tournaments: Iterable[int]) -> None:
        self.matches: dict[int, list[_Met]] = {pk: [] for pk in tournaments}
        self.rulings: dict[int, list[tuple[int, int]]] = {pk: [] for pk in self.matches}
        these = key_set(self.matches)
        # As rows: to make a model of each seat takes longer than to count it.
        matches = Match.objects.filter(round__tournament__in=these, away__isnull=False)
        found: dict[int, _Met] = {}
        for of, pk, *met in matches.exclude(round__state="drawn").values_list(*OF_MATCH):
            found[pk] = _Met._make([*met, []])
            self.matches[of].append(found[pk])
        at: dict[int, _At] = {}
        tables = Table.objects.filter(match__in=key_set(found)).order_by("number")
        for pk, match, reports in tables.values_list("pk", "match", "reports_count"):
            at[pk] = _At(reports, [])
            found[match].tables.append(at[pk])
        for pk, *seat in Seat.objects.filter(table__in=key_set(at)).values_list(
            "table", "position", "tokens"
        ):
            at[pk].seats.append(seat)
        ruled = Penalty.objects.filter(tournament__in=these, cancelled_at=None).exclude(team=None)
        counting = ruled.exclude(round__state="drawn")
        for pk, team, points in counting.values_list("tournament", "team__number", "match_points"):
            self.rulings[pk].append((team, points))


def _of(match: _Met, match_points: list[int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Match points and tokens of home and away; nothing where nothing is reported."""
    if match.awarded_home is not None and match.awarded_away is not None:
        return (match.awarded_home, match.awarded_away), (0, 0)
    if not any(table.reports for table in match.tables):
        return (0, 0), (0, 0)
    home = away = 0
    for index, table in enumerate(match.tables):
        for position, tokens in table.seats:
            if position % 2 == index:
                home += tokens
            else:
                away += tokens
    won, drawn, lost = match_points
    if home == away:
        return (drawn, drawn), (home, away)
    return ((won, lost) if home > away else (lost, won)), (home, away)
