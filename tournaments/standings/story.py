"""The story of an evening: standings after each deal, the race for the lead, its moments; pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from tournaments.domain.comparison import Amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


# The data of an evening's story, as plain values: everything else in this module is computed from them.
#
# A deal's position in the evening is a step: deal 3 of the second of two rounds of forty is step 43. Step 0 is before
# the first deal.


@dataclass(frozen=True, slots=True)
class StoryRound:
    """A round that has begun; `deals` are those of its longest table. Over is what brings no more deals."""

    number: int
    deals: int
    is_over: bool = True


class StoryDeal(NamedTuple):
    """A reported deal: round, table, roles and result. Players are entry numbers.

    `tokens` has everyone who sat at the table. `contract` is empty where nothing was declared: passed by all,
    ruled by the organiser, or a table's totals alone, which count as its last deal.
    """

    round: int
    table: int
    number: int
    tokens: dict[int, int]
    contract: str = ""
    declarer: int | None = None
    is_won: bool = False
    tout: str = ""
    is_passed: bool = False
    is_totals_only: bool = False

    @property
    def turnover(self) -> int:
        """Tokens that changed hands, counted at both ends."""
        return sum(map(abs, self.tokens.values()))

    @property
    def declarers_tokens(self) -> int:
        return 0 if self.declarer is None else self.tokens[self.declarer]


@dataclass(frozen=True, slots=True)
class Pace:
    """A table's speed, from the first report to the last: so many `seconds` for so many `deals`."""

    round: int
    table: int
    seconds: float
    deals: int

    @property
    def each(self) -> float:
        """Seconds a deal."""
        return self.seconds / self.deals


@dataclass(frozen=True, slots=True)
class Evening:
    """The evening's data. `players` are in the order of the standings, `deals` by round, number and table.

    `seated` maps, by round, each player to a table. `carried` are tokens from the stage before; `rulings` are
    tokens given or taken in a round, or after the last (None).
    """

    players: tuple[int, ...]
    rounds: tuple[StoryRound, ...]
    deals: tuple[StoryDeal, ...]
    seated: dict[int, dict[int, int]] = field(default_factory=dict)
    carried: dict[int, Amount] = field(default_factory=dict)
    rulings: dict[tuple[int, int | None], int] = field(default_factory=dict)
    paces: tuple[Pace, ...] = ()


# The race for the lead: everybody's tokens after every deal, and who was ahead when.


@dataclass(frozen=True, slots=True)
class Spell:
    """A time that one player led alone, from a step to a step."""

    player: int
    first: int
    last: int

    @property
    def steps(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Climb:
    """A player's change in a round: places and tokens."""

    player: int
    round: int
    before: int
    after: int
    tokens: Amount


@dataclass(frozen=True)
class Race:
    """`lines` has each player's sum at each step, as far as their table has come; players are in the same order."""

    rounds: tuple[StoryRound, ...]
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
        """Sole leaders, one after the other; none while the first place is shared."""
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
        """The number of changes of the lead."""
        return sum(one.player != other.player for one, other in pairwise(self.spells))

    @property
    def longest_in_lead(self) -> tuple[list[int], int]:
        """The player who led alone for the most deals, and their number."""
        led: dict[int, int] = defaultdict(int)
        for spell in self.spells:
            led[spell.player] += spell.steps
        most = max(led.values(), default=0)
        return [player for player, steps in led.items() if steps == most], most

    def ahead(self, step: int) -> list[int]:
        """The player with the most at a step."""
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
        """Each player's tokens in a finished round, without carried ones."""
        begun, end = self._steps_of_round(round_)
        return {player: line[end] - line[begun] for player, line in self.lines.items()}

    def places(self, step: int) -> dict[int, int]:
        """All places by tokens at a step; equal totals share a place."""
        sums = sorted((line[step] for line in self.lines.values()), reverse=True)
        first: dict[Amount, int] = {}
        for place, amount in enumerate(sums, start=1):
            first.setdefault(amount, place)
        return {player: first[line[step]] for player, line in self.lines.items()}

    def climbs(self) -> list[Climb]:
        """Changes of place in each round but the first, the largest gains first."""
        found = []
        for round_ in self.over[1:]:
            begun, end = self._steps_of_round(round_)
            before, after = self.places(begun), self.places(end)
            found += [
                Climb(player, round_, before[player], after[player], line[end] - line[begun])
                for player, line in self.lines.items()
            ]
        return sorted(found, key=lambda climb: (climb.after - climb.before, -climb.tokens))

    def _steps_of_round(self, round_: int) -> tuple[int, int]:
        end = self.ends[round_]
        return end - next(one.deals for one in self.rounds if one.number == round_), end


def race_of(evening: Evening) -> Race:
    """All players' sums. A ruling counts at the end of its round, one without a round at the end of play."""
    begins: dict[int, int] = {}
    ends: dict[int | None, int] = {}
    step = 0
    for round_ in evening.rounds:
        begins[round_.number] = step
        step += round_.deals
        ends[round_.number] = step
    last = max((begins[deal.round] + deal.number for deal in evening.deals), default=0)
    moves: dict[int, list[int]] = defaultdict(lambda: [0] * (max(step, last) + 1))
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
    lines: dict[int, tuple[Amount, ...]] = {}
    for player in evening.players:
        first, *others = moves[player]
        carried = evening.carried.get(player, 0) + first
        lines[player] = tuple(accumulate(others[: reach[player]], initial=carried))
    return Race(evening.rounds, lines)


def _reaches(evening: Evening, begins: dict[int, int], come_to: dict[tuple[int, int], int]) -> dict[int, int]:
    """Player -> the last step of their line: the end of finished rounds, then as far as their table has come."""
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


# What people talk about afterwards: what was declared, the longest run, the deal of the evening, the pace.


@dataclass(slots=True)
class Games:
    """Games of one contract: how many, and how many of them their declarers won."""

    deals: int = 0
    won: int = 0


@dataclass(slots=True)
class Counted:
    """The deals of an evening by what they were. `tables_unknown` are those of which only the totals are."""

    deals: int = 0
    passed: int = 0
    ruled: int = 0
    tables_unknown: int = 0
    contracts: dict[str, Games] = field(default_factory=dict)

    @property
    def declared(self) -> Games:
        games = self.contracts.values()
        return Games(*(sum(getattr(one, name) for one in games) for name in ("deals", "won")))


def count(deals: Iterable[StoryDeal], order: Iterable[str]) -> Counted:
    """Count the deals; `order` is that of the contracts, others come behind."""
    counted, by_contract = Counted(), {name: Games() for name in order}
    for deal in deals:
        if deal.is_totals_only:
            counted.tables_unknown += 1
            continue
        counted.deals += 1
        if deal.contract:
            games = by_contract.setdefault(deal.contract, Games())
            games.deals += 1
            games.won += deal.is_won
        elif deal.is_passed:
            counted.passed += 1
        else:
            counted.ruled += 1
    counted.contracts = {name: games for name, games in by_contract.items() if games.deals}
    return counted


def longest_run(deals: Iterable[StoryDeal]) -> tuple[list[int], int]:
    """The player with the most consecutive games won as declarer, and their number."""
    now: Counter[int] = Counter()
    longest: Counter[int] = Counter()
    for deal in deals:
        if deal.contract and deal.declarer is not None:
            now[deal.declarer] = now[deal.declarer] + 1 if deal.is_won else 0
            longest[deal.declarer] = max(longest[deal.declarer], now[deal.declarer])
    most = max(longest.values(), default=0)
    return [player for player, run in longest.items() if run == most and most], most


def deal_of_the_evening(deals: Iterable[StoryDeal]) -> StoryDeal | None:
    """The game in which the most tokens changed hands, the first of those; None where no game is known."""
    return max((deal for deal in deals if deal.contract), key=lambda deal: deal.turnover, default=None)


def best_game(deals: Iterable[StoryDeal]) -> StoryDeal | None:
    """The best game among those that were won: pages expose no one's losses."""
    return deal_of_the_evening(deal for deal in deals if deal.is_won)


def dearest_game(deals: Iterable[StoryDeal]) -> StoryDeal | None:
    """The game that cost its declarer the most, the first of equals; None if none was lost."""
    lost = (deal for deal in deals if deal.contract and deal.declarers_tokens < 0)
    return min(lost, key=lambda deal: deal.declarers_tokens, default=None)


def touts(deals: Iterable[StoryDeal]) -> dict[int, int]:
    """Player -> touts made as declarer, who made the most first."""
    made = Counter(deal.declarer for deal in deals if deal.tout == "won" and deal.declarer is not None)
    return dict(made.most_common())


@dataclass(frozen=True, slots=True)
class Tempo:
    """Seconds a deal: of all tables together; the quickest table and the slowest, where there are two."""

    average: float
    quickest: Pace | None
    slowest: Pace | None


# Seconds a deal: what is quicker was typed in later, what is slower had a meal in it; too few deals say nothing.
QUICKEST, SLOWEST, LEAST = 20, 900, 5


def tempo(paces: Sequence[Pace]) -> Tempo | None:
    """The speed of play; None where no table's time is known."""
    known = [pace for pace in paces if pace.deals >= LEAST and QUICKEST <= pace.each <= SLOWEST]
    if not known:
        return None
    several = len({pace.each for pace in known}) > 1
    return Tempo(
        sum(pace.seconds for pace in known) / sum(pace.deals for pace in known),
        min(known, key=lambda pace: pace.each) if several else None,
        max(known, key=lambda pace: pace.each) if several else None,
    )
