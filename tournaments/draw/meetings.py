"""Which pairs or teams meet next, after what has been played: the schedule's rounds, or a search where it broke.

As long as those who began are those who play, the schedule goes on. Where one of them has gone and the others are an
odd number, whoever would have met it has a bye. Any other change (somebody came late, two have gone) asks for new
rounds: as many meetings as can be had of those who have not met as often as they are to, the byes shared out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from tournaments.draw.schedule import Matchday, Meeting, schedule

TRIES = 200


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

    `byes` of them are free each round on purpose (`schedule`), as long as the schedule goes on. Fewer than `rounds`
    where all have met before. `history` are the rounds that have been; the schedule's places go by lot, or in the
    order of the numbers without a seed. Raises DrawError "too_few_pairs" for less than two teams, "too_many_byes".
    """
    began = sorted({*teams, *(team for day in history for team in _in(day))})
    planned = _planned(began, meetings, byes, len(history) + rounds, seed)
    if _follows(history, planned, began, teams):
        return tuple(_without_gone(day, teams) for day in planned[len(history) :])
    return _sought(teams, rounds, meetings, history, Random(seed or 0))


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


def _sought(
    teams: Sequence[int], rounds: int, meetings: int, history: Sequence[Matchday], rng: Random
) -> tuple[Matchday, ...]:
    """The best of many tries: most meetings, then byes shared most evenly."""
    best: tuple[tuple[int, int], list[Matchday]] | None = None
    for _attempt in range(TRIES):
        days = list(_tried(teams, rounds, meetings, history, rng))
        byes = Counter(team for day in (*history, *days) for team in day.byes if team in teams)
        shared = sum(count * count for count in byes.values())
        worth = (sum(len(day.matches) for day in days), -shared)
        if best is None or worth > best[0]:
            best = worth, days
    return tuple(best[1]) if best else ()


def _tried(
    teams: Sequence[int], rounds: int, meetings: int, history: Sequence[Matchday], rng: Random
) -> Iterable[Matchday]:
    """Rounds one after another, those first who have met the fewest of the others."""
    met = Counter(pair for day in history for pair in _met(day))
    homes = Counter(home for day in history for home, _away in day.matches)
    for _round in range(rounds):
        open_to = {
            team: {other for other in teams if other != team and met[frozenset((team, other))] < meetings}
            for team in teams
        }
        matches: list[Meeting] = []
        free = set(teams)
        for team in sorted(rng.sample(teams, len(teams)), key=lambda team: -len(open_to[team])):
            others = sorted(open_to[team] & free)
            if team not in free or not others:
                continue
            other = max(rng.sample(others, len(others)), key=lambda other: len(open_to[other]))
            home, away = (team, other) if homes[team] <= homes[other] else (other, team)
            homes[home] += 1
            met[frozenset((home, away))] += 1
            matches.append((home, away))
            free -= {home, away}
        if not matches:
            return
        yield Matchday(tuple(matches), tuple(sorted(free)))
