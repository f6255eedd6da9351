"""The race for the lead: everybody's tokens after every deal, and who was ahead when."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from tournaments.domain.comparison import Amount
from tournaments.story.evening import Evening, ToldRound


@dataclass(frozen=True, slots=True)
class Spell:
    """Somebody's time alone in the lead, from a step to a step."""

    player: int
    first: int
    last: int

    @property
    def steps(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Climb:
    """How somebody came up, or went down, in a round: places and tokens."""

    player: int
    round: int
    before: int
    after: int
    tokens: Amount


@dataclass(frozen=True)
class Race:
    """`lines` has everybody's sum at each step, as far as their table has come; the players are in the order told."""

    rounds: tuple[ToldRound, ...]
    lines: dict[int, tuple[Amount, ...]]

    @cached_property
    def ends(self) -> dict[int, int]:
        """Round -> the step at which it ends."""
        steps = accumulate(round_.deals for round_ in self.rounds)
        return {round_.number: step for round_, step in zip(self.rounds, steps, strict=True)}

    @property
    def steps(self) -> int:
        return max(self.ends.values(), default=0)

    @cached_property
    def level(self) -> int:
        """The step that all tables have come to: up to here players can be compared."""
        return min((len(line) for line in self.lines.values()), default=1) - 1

    @cached_property
    def spells(self) -> list[Spell]:
        """Who led alone, one after the other; while two are level in the first place nobody does."""
        spells: list[Spell] = []
        for step in range(1, self.level + 1):
            ahead = self.ahead(step)
            if len(ahead) > 1:
                continue
            if spells and spells[-1].player == ahead[0] and spells[-1].last == step - 1:
                spells[-1] = Spell(ahead[0], spells[-1].first, step)
            else:
                spells.append(Spell(ahead[0], step, step))
        return spells

    @property
    def changes(self) -> int:
        """How often the lead went from one to another."""
        return sum(one.player != other.player for one, other in pairwise(self.spells))

    @property
    def longest_in_lead(self) -> tuple[list[int], int]:
        """Who led alone for the most deals, and for how many."""
        led: dict[int, int] = defaultdict(int)
        for spell in self.spells:
            led[spell.player] += spell.steps
        most = max(led.values(), default=0)
        return [player for player, steps in led.items() if steps == most], most

    def ahead(self, step: int) -> list[int]:
        """Who has the most at a step."""
        most = max(line[step] for line in self.lines.values())
        return [player for player, line in self.lines.items() if line[step] == most]

    def last_level(self, one: int, other: int) -> int | None:
        """The last step before the end at which these two were level; None where they never were, once they played."""
        steps = range(self.level - 1, 0, -1)
        return next((step for step in steps if self.lines[one][step] == self.lines[other][step]), None)

    def where(self, step: int) -> tuple[int, int]:
        """A step as people say it: round and deal."""
        begun = 0
        for number, end in self.ends.items():
            if step <= end:
                return number, step - begun
            begun = end
        raise ValueError(f"step {step} of {self.steps}")

    @cached_property
    def over(self) -> list[int]:
        """The numbers of the rounds that all have played."""
        return [
            round_.number
            for round_ in self.rounds
            if round_.is_over and self.ends[round_.number] <= self.level
        ]

    def won_in(self, round_: int) -> dict[int, Amount]:
        """Everybody's tokens in a round that is over; what was taken along is nobody's round."""
        begun, end = self._of(round_)
        return {player: line[end] - line[begun] for player, line in self.lines.items()}

    def places(self, step: int) -> dict[int, int]:
        """Everybody's place by tokens at a step; who has as many shares it."""
        sums = sorted((line[step] for line in self.lines.values()), reverse=True)
        first: dict[Amount, int] = {}
        for place, amount in enumerate(sums, start=1):
            first.setdefault(amount, place)
        return {player: first[line[step]] for player, line in self.lines.items()}

    def climbs(self) -> list[Climb]:
        """How everybody's place changed in each round but the first, those who came up most before the others."""
        found = []
        for round_ in self.over[1:]:
            begun, end = self._of(round_)
            before, after = self.places(begun), self.places(end)
            found += [
                Climb(player, round_, before[player], after[player], line[end] - line[begun])
                for player, line in self.lines.items()
            ]
        return sorted(found, key=lambda climb: (climb.after - climb.before, -climb.tokens))

    def _of(self, round_: int) -> tuple[int, int]:
        end = self.ends[round_]
        return end - next(one.deals for one in self.rounds if one.number == round_), end


def race_of(evening: Evening) -> Race:
    """Everybody's sums. A ruling counts at the end of its round, one of no round after all that has been played."""
    begins: dict[int, int] = {}
    ends: dict[int | None, int] = {}
    step = 0
    for round_ in evening.rounds:
        begins[round_.number] = step
        step += round_.deals
        ends[round_.number] = step
    moves: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    come_to: dict[tuple[int, int], int] = defaultdict(int)
    for deal in evening.deals:
        at = begins[deal.round] + deal.number
        come_to[deal.round, deal.table] = max(come_to[deal.round, deal.table], deal.number)
        for player, tokens in deal.tokens.items():
            moves[player][at] += tokens
    reach = _reaches(evening, begins, come_to)
    for (player, number), tokens in evening.rulings.items():
        if player in reach:
            moves[player][min(ends.get(number, step), reach[player])] += tokens
    return Race(
        evening.rounds,
        {
            player: tuple(
                accumulate(
                    (moves[player].get(at, 0) for at in range(1, reach[player] + 1)),
                    initial=evening.carried.get(player, 0) + moves[player].get(0, 0),
                )
            )
            for player in evening.players
        },
    )


def _reaches(evening: Evening, begins: dict[int, int], come_to: dict[tuple[int, int], int]) -> dict[int, int]:
    """Player -> the step their line goes to: the end of what is over, then as far as their table has come."""
    if not evening.rounds:
        return dict.fromkeys(evening.players, 0)
    last = evening.rounds[-1]
    if last.is_over:
        return dict.fromkeys(evening.players, begins[last.number] + last.deals)
    farthest = max((deal for (number, _), deal in come_to.items() if number == last.number), default=0)
    tables = evening.seated.get(last.number, {})
    return {
        player: begins[last.number] + (come_to[last.number, tables[player]] if player in tables else farthest)
        for player in evening.players
    }
