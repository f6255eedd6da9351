"""Which pairs or teams meet next, after what has been played: the schedule's rounds, or a search where it broke.

As long as those who began are those who play, the schedule goes on. Where one of them has gone and the others are an
odd number, whoever would have met it has a bye. Any other change (somebody came late, two have gone) asks for new
rounds (`mending`): as many meetings as can be had of those who have not met as often as they are to, the byes shared
out. `missing_at_least` and `missing_from_the_start` count how many are missing whatever is drawn.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

from tournaments.draw.mending import fewest_missing, mended
from tournaments.draw.schedule import Matchday, balanced, schedule


def rounds_to_meet(teams: int, meetings: int = 1, byes: int = 0) -> int:
    """How many rounds it takes until so many have all met so often, `byes` of them free each round; 0 for nobody."""
    places = teams + byes
    return meetings * (places - 1 + places % 2) if teams > 1 else 0


def next_meetings(
    teams: Sequence[int],
    rounds: int,
    *,
    meetings: int = 1,
    byes: int = 0,
    history: Sequence[Matchday] = (),
    seed: int | None = None,
) -> tuple[Matchday, ...]:
    """Return the next rounds in which `teams` meet, given by number, until all have met `meetings` times.

    `byes` of them are free each round on purpose (`schedule`). Fewer than `rounds` where all have met before.
    `history` are the rounds that have been; the schedule's places go by lot, or in the order of the numbers without a
    seed. Raises DrawError "too_few_pairs" for less than two teams, "too_many_byes".
    """
    began = sorted({*teams, *(team for day in history for team in _in(day))})
    planned = _planned(began, meetings, byes, len(history) + rounds, seed)
    if _follows(history, planned, began, teams):
        return tuple(_without_gone(day, teams) for day in planned[len(history) :])
    return _mended(teams, rounds, meetings, byes, history, Random(seed or 0))


def _in(day: Matchday) -> list[int]:
    return [*day.byes, *(team for pair in day.matches for team in pair)]


def _planned(teams: Sequence[int], meetings: int, byes: int, rounds: int, seed: int | None) -> list[Matchday]:
    """The schedule of those who began; every other time all meet, home and away are exchanged."""
    lot = list(teams) if seed is None else Random(seed).sample(teams, len(teams))
    once = schedule(len(teams), byes=byes, rounds=min(rounds, rounds_to_meet(len(teams), byes=byes)))
    days = []
    for turn in range(meetings):
        for day in once:
            matches = [(lot[one], lot[other]) for one, other in day.matches]
            turned = [pair[::-1] if turn % 2 else pair for pair in matches]
            days.append(Matchday(tuple(turned), tuple(lot[team] for team in day.byes)))
    return days[:rounds]


def _follows(
    history: Sequence[Matchday], planned: Sequence[Matchday], began: Sequence[int], teams: Sequence[int]
) -> bool:
    """Whether what was played is the schedule's beginning, and what is left of it fits those who play on."""
    gone = len(began) - len(teams)
    if gone > 1 or (gone and len(teams) % 2 == 0) or len(history) > len(planned):
        return False
    return all(_met(was) == _met(said) for was, said in zip(history, planned, strict=False))


def _met(day: Matchday) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in day.matches}


def _without_gone(day: Matchday, teams: Sequence[int]) -> Matchday:
    here = set(teams)
    matches = tuple(pair for pair in day.matches if here.issuperset(pair))
    playing = {team for pair in matches for team in pair}
    return Matchday(matches, tuple(team for team in _in(day) if team in here and team not in playing))


def _mended(
    teams: Sequence[int], rounds: int, meetings: int, byes: int, history: Sequence[Matchday], rng: Random
) -> tuple[Matchday, ...]:
    """The rounds in which most of what is left is met, home and away even with what has been."""
    lot = rng.sample(sorted(teams), len(teams))
    met = Counter(pair for day in history for pair in _met(day))
    had = Counter(team for day in history for team in day.byes)
    days = mended(lot, rounds, met, meetings=meetings, byes=byes, had_byes=had, rng=rng)
    at_home = Counter(home for day in history for home, _away in day.matches)
    at_home.subtract(away for day in history for _home, away in day.matches)
    here = {team: at_home[team] for team in teams}
    found = []
    for matches in balanced(days, here):
        playing = {team for pair in matches for team in pair}
        found.append(Matchday(matches, tuple(sorted(set(teams) - playing))))
    return tuple(found)


def missing_at_least(
    days: Sequence[Matchday],
    left: int,
    teams: Sequence[int],
    *,
    meetings: int,
    byes: int = 0,
) -> int:
    """Return how many meetings are missing in the end, whatever is drawn for the `left` rounds after these `days`.

    Counted until all `teams` have met `meetings` times, with `byes` of them free each round.
    """
    met = Counter(pair for day in days for pair in _met(day))
    unmet = {pair: meetings - met[pair] for pair in _pairs(teams) if met[pair] < meetings}
    return fewest_missing(unmet, dict.fromkeys(teams, left), left * _room(len(teams), byes))


def missing_from_the_start(
    days: Sequence[Matchday], teams: Sequence[int], *, meetings: int, byes: int = 0
) -> int:
    """Return the same for all these days as if none were drawn yet: it is known who was there, not who met whom."""
    there = [set(_in(day)) & set(teams) for day in days]
    turns = {team: sum(team in some for some in there) for team in teams}
    most = sum(_room(len(some), byes) for some in there)
    return fewest_missing(dict.fromkeys(_pairs(teams), meetings), turns, most)


def _pairs(teams: Sequence[int]) -> list[frozenset[int]]:
    return [frozenset(pair) for pair in combinations(teams, 2)]


def _room(teams: int, byes: int) -> int:
    """How many meet at once at most, so many of them being free."""
    return max(teams - byes, 0) // 2
