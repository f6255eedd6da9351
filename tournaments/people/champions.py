"""The winners of the seasons and championships of a club or a union."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from tournaments.models import Championship, Season, Stage, Tournament
from tournaments.people import visibility
from tournaments.seasons.ladder import Result, ladder
from tournaments.seasons.ladder_table import rule_of
from tournaments.seasons.results import results_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    from clubs.models import Club
    from tournaments.seasons.results import Played


class Champion(NamedTuple):
    """A season or a championship that is over, and who was first in it, by entries (the newest of each)."""

    year: int
    day: date
    thing: Season | Championship
    entries: list[int]
    awards: list[tuple[str, int]]


def finished_competitions(around: Club, today: date) -> list[Season | Championship]:
    """The seasons and championships of the club's own that are over, the newest first.

    A championship is dated by its first session: it is over when every stage has been made and played.
    """
    seasons = list(Season.objects.filter(host=around, ends__lt=today).prefetch_related("awards"))
    groups = Tournament.objects.not_called_off().filter(stage__championship__host=around)
    made = Stage.objects.filter(pk__in=groups.values("stage"))
    to_come = Stage.objects.filter(championship__host=around).exclude(pk__in=made)
    to_play = groups.exclude(state=Tournament.State.FINISHED)
    past = Championship.objects.filter(host=around, date__lt=today)
    championships = list(
        past.exclude(pk__in=to_come.values("championship")).exclude(
            pk__in=to_play.values("stage__championship")
        )
    )
    return sorted([*seasons, *championships], key=lambda one: (day_of(one), one.pk), reverse=True)


def day_of(thing: Season | Championship) -> date:
    return thing.ends if isinstance(thing, Season) else thing.date


def champions(around: Club, things: Sequence[Season | Championship]) -> list[Champion]:
    """The winner of each season or championship, in the same order; none while one of its evenings is running."""
    seasons = [one for one in things if isinstance(one, Season)]
    first = _of_seasons(around, seasons) | _of_championships(
        around, [one for one in things if isinstance(one, Championship)]
    )
    awards: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for season in seasons:
        for award in season.awards.all():
            awards[season.pk].append((award.title, award.player_id))
    return [
        Champion(
            day_of(one).year,
            day_of(one),
            one,
            first.get((type(one), one.pk), []),
            awards[one.pk] if isinstance(one, Season) else [],
        )
        for one in things
    ]


Firsts = dict[tuple[type[Season | Championship], int], list[int]]


def _of_seasons(around: Club, seasons: Collection[Season]) -> Firsts:
    evenings = Tournament.objects.not_called_off().filter(season__in=seasons)
    told = list(evenings.values_list("season", "pk", "date", "state").order_by("date", "pk"))
    of: dict[int, dict[int, int]] = defaultdict(dict)
    open_: set[int] = set()
    for season, evening, _day, state in told:
        if state == Tournament.State.RUNNING:
            open_.add(season)
        elif state == Tournament.State.FINISHED:
            of[season][evening] = len(of[season])
    season_of = {evening: season for season, own in of.items() for evening in own}
    by: dict[int, list[Played]] = defaultdict(list)
    for one in results_of(list(season_of)):
        by[season_of[one.evening]].append(one)
    found: Firsts = {}
    for one_season in seasons:
        if one_season.pk not in open_:
            found[Season, one_season.pk] = _first(one_season, of[one_season.pk], by[one_season.pk])
    may = _visible_entries(around, {entry for entries in found.values() for entry in entries})
    return {key: [entry for entry in entries if entry in may] for key, entries in found.items()}


def _first(season: Season, columns: dict[int, int], played: list[Played]) -> list[int]:
    """The leaders of the ladder, each by their newest entry."""
    results: dict[int, dict[int, Result]] = defaultdict(dict)
    newest: dict[int, int] = {}
    members: set[int] = set()
    for one in sorted(played, key=lambda one: columns[one.evening]):
        results[one.player][columns[one.evening]] = one.result
        newest[one.player] = one.entry
        if one.club:
            members.add(one.player)
    if not season.with_guests:
        results = {player: line for player, line in results.items() if player in members}
    return [newest[line.player] for line in ladder(results, rule_of(season)) if line.rank == 1]


def _of_championships(around: Club, championships: Collection[Championship]) -> Firsts:
    """The firsts of the last stage, where that is one group and its last session is over."""
    groups = Tournament.objects.not_called_off().filter(stage__championship__in=championships)
    told = groups.order_by("pk").values_list("stage__championship", "stage__number", "pk", "state")
    last: dict[int, int] = {}
    for championship, stage in Stage.objects.filter(championship__in=championships).values_list(
        "championship", "number"
    ):
        last[championship] = max(stage, last.get(championship, 0))
    finals: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for championship, stage, evening, state in told:
        if stage == last[championship]:
            finals[championship].append((evening, state))
    over = {
        groups[0][0]: championship
        for championship, groups in finals.items()
        if len(groups) == 1 and groups[0][1] == Tournament.State.FINISHED
    }
    first = [one for one in results_of(list(over)) if one.result.rank == 1 and one.result.division == 1]
    may = _visible_entries(around, [one.entry for one in first])
    found: Firsts = {}
    for one in sorted(first, key=lambda one: one.number):
        if one.entry in may:
            found.setdefault((Championship, over[one.evening]), []).append(one.entry)
    return found


def _visible_entries(around: Club, entries: Collection[int]) -> set[int]:
    return set(
        visibility.told_of(visibility.entries(around)).filter(pk__in=entries).values_list("pk", flat=True)
    )
