"""The draw: plan an event, or what of it has not started.

A fresh event is drawn in four steps. Who sits together: by a rule where mathematics has one
(`constructions`), with players left out where the number is not divisible by four (`empties`), by search
where there is none (`search`). Who is who in that plan: by lot, club-mates apart (`clubs`). Which table has
which number: by lot, tables of three last. Who has which chair: evenly (`seats`).

After some rounds, the plan that the same seed gave continues when the rounds played are its beginning, so
that drawing round by round gives the same rounds as drawing all at once. When players came or left, places
were swapped or the seed is another one, the rounds that are left are taken from the rule that was played by,
if it can be found again (`continuation`), or searched for; what was played counts.

The same seed and the same input give the same plan on any machine: every choice comes from
random.Random(seed), the work is bounded by counting and not by the clock, and nothing depends on the order
in which a set is gone through.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from tournaments.draw.clubs import clubs_apart, rounds_after_apart
from tournaments.draw.groundwork import rounds_from_scratch
from tournaments.draw.quality import Quality, quality
from tournaments.draw.seats import seat_players
from tournaments.draw.tables import DrawError, Groups, Round, _, checked_history, group_of, table_sizes

USUAL_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """Rounds that were drawn, how, and how good the whole event becomes with them."""

    rounds: tuple[Round, ...]
    seed: int
    quality: Quality  # of the rounds played and drawn together
    continued: bool  # the rounds follow those played in one plan


def plan(
    players: int, rounds: int, *, seed: int, groups: Groups | None = None, history: Sequence[Round] = ()
) -> Plan:
    """Plan `rounds` rounds for players 0 to players - 1, after those of `history`.

    `groups` says each player's club, None for none. Raises DrawError for numbers that cannot be seated.
    """
    return plan_next(
        range(players), rounds, seed=seed, history=history, groups=groups, total=len(history) + rounds
    )


def plan_next(
    present: Sequence[int],
    rounds: int,
    *,
    seed: int,
    history: Sequence[Round] = (),
    groups: Groups | None = None,
    total: int | None = None,
) -> Plan:
    """Plan the next `rounds` rounds for those present, who may be others than in the rounds played.

    `total` is the number of rounds that the event will have, so that rounds drawn now leave room for later
    ones. Without it, a single round is drawn as one of an event of five, several rounds as the event's last.

    Raises DrawError for numbers that cannot be seated, someone present twice, or a history that is no
    seating.
    """
    players = sorted(present)
    if len(set(players)) < len(players):
        twice = next(p for p, q in pairwise(players) if p == q)
        raise DrawError("twice", _("Player {player} is listed twice."), player=twice)
    if rounds < 1:
        raise DrawError("no_rounds", _("A draw needs at least one round."))
    table_sizes(len(players))
    played = checked_history(history)
    last = total or max(len(played) + rounds, USUAL_ROUNDS if rounds == 1 else 0)
    length = max(last, len(played) + rounds) - len(played)
    whole = _whole_event(players, len(played) + length, seed, groups) if _all_played(players, played) else ()
    continued = bool(whole) and whole[: len(played)] == played
    drawn = whole[len(played) :] if continued else _after(players, length, seed, played, groups)
    new = drawn[:rounds]
    return Plan(new, seed, quality([*played, *new], groups), continued)


def _all_played(players: Sequence[int], history: Sequence[Round]) -> bool:
    return all(sorted(p for table in tables for p in table) == list(players) for tables in history)


def _whole_event(players: Sequence[int], rounds: int, seed: int, groups: Groups | None) -> tuple[Round, ...]:
    """Return the event as drawn at once."""
    rng = Random(seed)
    clubs = [group_of(groups, player) for player in players]
    numbers = rounds_from_scratch(len(players), rounds, rng)
    return _seated(clubs_apart(numbers, clubs, rng), players, (), rng)


def _after(
    players: Sequence[int], rounds: int, seed: int, history: tuple[Round, ...], groups: Groups | None
) -> tuple[Round, ...]:
    """Return rounds searched for, to follow what was played by whomever."""
    rng = Random(seed)
    index = {player: number for number, player in enumerate(players)}
    gone = sorted({p for tables in history for table in tables for p in table} - set(players))
    index.update({player: len(players) + number for number, player in enumerate(gone)})
    before = [tuple(tuple(index[p] for p in table) for table in tables) for tables in history]
    clubs = [group_of(groups, player) for player in players]
    numbers = rounds_after_apart(len(players), rounds, before, clubs, rng)
    return _seated(numbers, players, history, rng)


def _seated(
    numbers: Sequence[Round], players: Sequence[int], history: Sequence[Round], rng: Random
) -> tuple[Round, ...]:
    """Return the rounds with table numbers by lot, tables of three last, and everybody's seat."""
    rounds = [[tuple(players[number] for number in table) for table in tables] for tables in numbers]
    return seat_players(
        [sorted(rng.sample(tables, len(tables)), key=len, reverse=True) for tables in rounds], history, rng
    )
