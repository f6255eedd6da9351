"""The draw: plan an event, or what of it has not started.

A fresh event is drawn in four steps. Who sits together: by a rule where mathematics has one
(`constructions`), with players left out where the number is not divisible by four (`empties`), by search
where there is none (`search`). Who is who in that plan: by lot, club-mates apart (`clubs`; where all
clubs have four players, `four_teams` does both). Which table has
which number: by lot, tables of three last. Who has which chair: evenly (`seats`).

After some rounds, the plan that the same seed gave continues when the rounds played are its beginning, so
that drawing round by round gives the same rounds as drawing all at once. When players came or left, places
were swapped or the seed is another one, the rounds that are left are taken from the rule that was played by,
if it can be found again (`continuation`), or searched for; what was played counts, for chairs too
(`even_chairs`).

Where all tables have one size, `alike` does all of this but the lots.

The same seed and the same input give the same plan on any machine: every choice comes from
random.Random(seed), the work is bounded by counting and not by the clock, and nothing depends on the order
in which a set is gone through.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from tournaments.draw.alike import rounds_alike, seat_alike
from tournaments.draw.clubs import clubs_apart, rounds_after_apart
from tournaments.draw.even_chairs import with_even_chairs
from tournaments.draw.four_teams import rounds_of_four_teams
from tournaments.draw.groundwork import rounds_from_scratch
from tournaments.draw.quality import Quality, quality
from tournaments.draw.seats import seat_players
from tournaments.draw.stored_even import stored_even_plan
from tournaments.draw.tables import (
    THREE_AND_FOUR,
    DrawError,
    Groups,
    Round,
    _,
    checked_history,
    checked_players,
    numbered,
)
from tournaments.draw.wishes import Apart, KeptApart, kept_apart

USUAL_ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Plan:
    """Rounds that were drawn, how, and how good the whole event becomes with them."""

    rounds: tuple[Round, ...]
    seed: int
    quality: Quality  # of the rounds played and drawn together
    continued: bool  # the rounds follow those played in one plan


def plan(  # noqa: PLR0913 - the facts of an event, all but three with a default
    players: int,
    rounds: int,
    *,
    seed: int,
    groups: Groups | None = None,
    history: Sequence[Round] = (),
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
    even_threes: bool = True,
) -> Plan:
    """Plan `rounds` rounds for players 0 to players - 1, after those of `history`.

    `groups` says each player's club, None for none; `seats` the sizes that tables may have; `apart` who does
    not want to share a table (`wishes` has the order in which all this gives way). With `even_threes` everybody
    sits at a table of three equally often, give or take one, whatever repeats that costs; without it, repeats
    are as few as they can be. Raises DrawError for numbers that cannot be seated.
    """
    return plan_next(
        range(players),
        rounds,
        seed=seed,
        history=history,
        groups=groups,
        total=len(history) + rounds,
        seats=seats,
        apart=apart,
        even_threes=even_threes,
    )


def plan_next(  # noqa: PLR0913 - the facts of an event, all but two with a default
    present: Sequence[int],
    rounds: int,
    *,
    seed: int,
    history: Sequence[Round] = (),
    groups: Groups | None = None,
    total: int | None = None,
    seats: Sequence[int] = THREE_AND_FOUR,
    apart: Sequence[Apart] = (),
    even_threes: bool = True,
) -> Plan:
    """Plan the next `rounds` rounds for those present, who may be others than in the rounds played.

    `total` is the number of rounds that the event will have, so that rounds drawn now leave room for later
    ones. Without it, a single round is drawn as one of an event of five, several rounds as the event's last.
    `even_threes` as in `plan`.

    Raises DrawError for numbers that cannot be seated, someone present twice, or a history that is no
    seating.
    """
    players = checked_players(present, seats)
    if rounds < 1:
        raise DrawError("no_rounds", _("A draw needs at least one round."))
    played = checked_history(history, seats)
    last = total or max(len(played) + rounds, USUAL_ROUNDS if rounds == 1 else 0)
    length = max(last, len(played) + rounds) - len(played)
    kept = kept_apart(players, groups, apart)
    event = _Event(players, length, seed, kept, played, tuple(seats), even=even_threes)
    drawn, continued = event.drawn()
    new = drawn[:rounds]
    return Plan(new, seed, quality([*played, *new], groups, seats=seats, apart=apart), continued)


@dataclass(frozen=True)
class _Event:
    """What is to be drawn: `rounds` more rounds for these players after those played."""

    players: Sequence[int]
    rounds: int
    seed: int
    kept: KeptApart
    played: tuple[Round, ...]
    seats: tuple[int, ...]
    even: bool

    @property
    def alike(self) -> bool:
        """Tell whether all tables have the same size, with byes for those left over."""
        return self.seats != THREE_AND_FOUR

    def drawn(self) -> tuple[tuple[Round, ...], bool]:
        """Return the rounds, and whether they follow those played in one plan."""
        whole = self._whole() if self._same_players() else ()
        if whole and whole[: len(self.played)] == self.played:
            return whole[len(self.played) :], True
        return self._after(), False

    def _same_players(self) -> bool:
        """Tell whether everybody played in every round, or may have had a bye in it."""
        for tables in self.played:
            seated = {player for table in tables for player in table}
            if seated != set(self.players) and not (self.alike and seated <= set(self.players)):
                return False
        return True

    def _whole(self) -> tuple[Round, ...]:
        """Return the event as drawn at once."""
        rng = Random(self.seed)
        count, rounds = len(self.players), len(self.played) + self.rounds
        if self.alike:
            numbers = rounds_alike(count, rounds, self.seats[0], (), self.kept, rng)
        else:
            by_team = rounds_of_four_teams(self.kept.in_fours, rounds, rng) if self.kept.in_fours else ()
            numbers = by_team or self._from_scratch(count, rounds, rng)
        return self._seated(numbers, (), rng)

    def _from_scratch(self, count: int, rounds: int, rng: Random) -> tuple[Round, ...]:
        found = rounds_from_scratch(count, rounds, rng, even=self.even)
        return clubs_apart(found, self.kept, rng, even=self.even)

    def _after(self) -> tuple[Round, ...]:
        """Return rounds searched for, to follow what was played by whomever."""
        rng = Random(self.seed)
        before = numbered(self.played, self.players)
        if self.alike:
            alike = rounds_alike(len(self.players), self.rounds, self.seats[0], before, self.kept, rng)
            return self._seated(alike, self.played, rng)
        found = rounds_after_apart(len(self.players), self.rounds, before, self.kept, rng, even=self.even)
        seated = numbered(self._seated(found, self.played, rng), self.players)
        return self._named(with_even_chairs(seated, before, self.kept, rng, even=self.even))

    def _seated(self, numbers: Sequence[Round], history: Sequence[Round], rng: Random) -> tuple[Round, ...]:
        """Return the rounds with table numbers by lot, tables of three last, and everybody's seat."""
        rounds = self._named(numbers)
        mixed = [sorted(rng.sample(tables, len(tables)), key=len, reverse=True) for tables in rounds]
        if self.alike:
            return seat_alike([tuple(tables) for tables in mixed], history, rng)
        return seat_players(mixed, history, rng)

    def _named(self, numbers: Sequence[Round]) -> tuple[Round, ...]:
        """Return the rounds with the players for their numbers."""
        return tuple(
            tuple(tuple(self.players[number] for number in table) for table in tables) for tables in numbers
        )


@lru_cache(maxsize=64)
def prices_of_even_threes(players: int, rounds: int) -> tuple[Quality, Quality] | None:
    """Return the quality of a whole event with an even share of tables of three, and with the fewest repeats.

    None where the even share costs nothing, or where nobody knows before the draw.
    """
    if not stored_even_plan(players, rounds):
        return None
    even, fewest = (plan(players, rounds, seed=1, even_threes=even).quality for even in (True, False))
    return (even, fewest) if fewest.repeats < even.repeats else None
