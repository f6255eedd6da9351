"""The worth of tricks to the declarer's side, as integer levels that the search compares."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from scoring.family_rules import CrocodileRules
from scoring.game.position import top_trumps
from scoring.outcomes import BY_NAME, Outcome
from scoring.results import OPPONENTS, DealResult
from scoring.rulebook import FIRST_FIVE
from scoring.seats import ROLES, Role, Seating
from scoring.settlement import IllegalResult, first_pool, settle
from scoring.solver.search import TALLY_BITS, TALLY_MASK, Levels, tricks_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scoring.rulebook import Contract, Rulebook

# From the declarer's worst to the best, by the prices of the rulebooks.
_FROM_WORST = (
    Outcome.VOLE_FAILED,
    Outcome.CONTRANOLO,
    Outcome.CONTRAPRIMERAS,
    Outcome.KODILLE,
    Outcome.CROCODILE_LUNCH,
    Outcome.LOST,
    Outcome.SIMPLE_LOSS,
    Outcome.BETE,
    Outcome.REMISE,
    Outcome.PICCOLO_REMIS,
    Outcome.SIMPLE_REMIS,
    Outcome.WON,
    Outcome.VOLE,
)


class Value(NamedTuple):
    """The result of a deal for the declarer: the outcome, and the tricks of declarer and partner together."""

    outcome: Outcome
    tricks: int


class Play(NamedTuple):
    """The contract and its players: everything that determines the worth of tricks.

    - playing: the roles that play cards, in order of play
    - side: the roles that win and lose with the declarer; joined: further declarers of a nolo
    - estuches: the declarer's top trumps in sequence, where the rules count them
    """

    rulebook: Rulebook
    players: int
    contract: Contract
    declarer: Role
    trump: str | None
    playing: tuple[Role, ...]
    partner: Role | None = None
    joined: tuple[Role, ...] = ()
    estuches: int | None = None

    @property
    def side(self) -> tuple[Role, ...]:
        return (self.declarer,) if self.partner is None else (self.declarer, self.partner)

    def result(
        self, tricks: Mapping[Role, int], first_five_by: Role | Literal["OPP"] | None = None
    ) -> DealResult:
        """The report of a deal played to its end, no tout called."""
        return DealResult(
            contract=self.contract.id,
            declarer=self.declarer,
            trump=self.trump,
            tricks=tuple((role, tricks[role]) for role in ROLES[self.players] if role in tricks),
            played_out=True,
            first_five_by=first_five_by if self.contract.is_game else None,
            joined=self.joined,
            pool=first_pool(self.rulebook, self.players),
            estuches=self.estuches,
            partner=self.partner,
        )


def estuches_in(rulebook: Rulebook, trump: str | None, hand: tuple[str, ...]) -> int | None:
    """The estuches of a declarer with this hand at the beginning of play; None where the rules do not count them."""
    house = rulebook.house
    if trump is None or not (house.counts_estuches and house.estuche_price):
        return None
    return top_trumps(trump, hand, rulebook.pack.ranking)[0]


@lru_cache(maxsize=512)
def levels_of(play: Play) -> tuple[tuple[Value, ...], Levels]:
    """The possible values of a deal, the worst first, and the levels that each tally leads to.

    Raises IllegalResult if the rules do not allow such a deal.
    """
    finals = {tally: _value(play, tally) for tally in _final_tallies(play)}
    better = 1 if play.contract.is_game else -1
    ranked = sorted(
        set(finals.values()), key=lambda value: (_FROM_WORST.index(value.outcome), better * value.tricks)
    )
    number = {value: level for level, value in enumerate(ranked)}
    bounds = {tally: (number[value], number[value]) for tally, value in finals.items()}
    _bound_earlier(play, bounds)
    return tuple(ranked), Levels(bounds, marks_of(play), *_equal_tallies(play, bounds))


@lru_cache(maxsize=512)
def tokens_by_value(play: Play) -> dict[Value, int]:
    """The declarer's tokens for values that say them alone, however the others share their tricks.

    Empty for games, in which the order of the tricks can be paid too.
    """
    if play.contract.is_game:
        return {}
    seating = Seating(play.players, play.players - 1)
    found: dict[Value, set[int]] = {}
    for tally in _final_tallies(play):
        tricks = {role: tricks_in(tally, player) for player, role in enumerate(play.playing)}
        settled = settle(play.result(tricks), seating, play.rulebook)
        found.setdefault(_value(play, tally), set()).add(settled.tokens[seating.positions[play.declarer]])
    return {value: next(iter(tokens)) for value, tokens in found.items() if len(tokens) == 1}


def marks_of(play: Play) -> dict[int, int]:
    """The marks of tallies whose first five tricks all went to one opponent, or to the opponents together.

    Only Crocodile has a separate outcome for that; other games have no marks.
    """
    if not isinstance(play.rulebook.house, CrocodileRules) or not play.contract.is_game:
        return {}
    marks = {}
    declarer = play.playing.index(play.declarer)
    for tally in _tallies(len(play.playing), FIRST_FIVE):
        if not tricks_in(tally, declarer):
            by_one = any(tricks_in(tally, player) == FIRST_FIVE for player in range(len(play.playing)))
            marks[tally] = (1 if by_one else 2) << TALLY_BITS * (len(play.playing) + 1)
    return marks


def _tallies(players: int, tricks: int) -> Iterator[int]:
    """All distributions of this number of tricks over the players."""
    spreads = [(tricks, 0, tricks)]
    for player in range(players):
        last = player == players - 1
        spreads = [
            (left - won, tally | won << TALLY_BITS * (player + 1), tricks)
            for left, tally, _tricks in spreads
            for won in ((left,) if last else range(left + 1))
        ]
    for _left, tally, _tricks in spreads:
        yield tally | tricks


def _final_tallies(play: Play) -> Iterator[int]:
    marks = (0, *sorted(set(marks_of(play).values())))
    for tally in _tallies(len(play.playing), play.rulebook.house.tricks):
        for mark in marks:
            if not mark or _can_be_marked(play, tally, mark):
                yield tally + mark


def _can_be_marked(play: Play, tally: int, mark: int) -> bool:
    """Whether the opponents can have won the first five tricks as the mark says."""
    others = [
        tricks_in(tally, player) for player, role in enumerate(play.playing) if role is not play.declarer
    ]
    by_one = mark >> TALLY_BITS * (len(play.playing) + 1) == 1
    return max(others) >= FIRST_FIVE if by_one else sum(others) >= FIRST_FIVE and min(others) > 0


def _value(play: Play, tally: int) -> Value:
    tricks = {role: tricks_in(tally, player) for player, role in enumerate(play.playing)}
    mark = tally >> TALLY_BITS * (len(play.playing) + 1)
    first_five: Role | Literal["OPP"] | None = None
    if mark:
        most = max((role for role in play.playing if role is not play.declarer), key=tricks.__getitem__)
        first_five = most if mark == 1 else OPPONENTS
    seating = Seating(play.players, play.players - 1)
    settled = settle(play.result(tricks, first_five), seating, play.rulebook)
    return Value(BY_NAME[settled.outcome], sum(tricks[role] for role in play.side))


def _bound_earlier(play: Play, bounds: dict[int, tuple[int, int]]) -> None:
    """Add the bounds of every tally that a final one can come from, one trick after the other."""
    players = len(play.playing)
    units = [1 + (1 << TALLY_BITS * (player + 1)) for player in range(players)]
    marks = marks_of(play)
    later = list(bounds)
    for _trick in range(play.rulebook.house.tricks):
        found: dict[int, tuple[int, int]] = {}
        for tally in later:
            least, most = bounds[tally]
            for before in _before(tally, units, marks):
                low, high = found.get(before, (least, most))
                found[before] = (min(low, least), max(high, most))
        bounds |= found
        later = list(found)


def _equal_tallies(
    play: Play, bounds: Mapping[int, tuple[int, int]]
) -> tuple[dict[int, int], dict[int, int]]:
    """A class and a base for each tally: tallies from which further tricks lead to the same values share the class.

    The same values counted from the tally's base, its least value: a trick more or fewer of the declarer's changes
    nothing else in a nolo, and it hardly matters which opponent wins one.
    """
    units = [1 + (1 << TALLY_BITS * (player + 1)) for player in range(len(play.playing))]
    marks = marks_of(play)
    last = play.rulebook.house.tricks
    numbers: dict[tuple[object, ...], int] = {}
    classes: dict[int, int] = {}
    bases = {tally: least for tally, (least, _most) in bounds.items()}
    for tally in sorted(bounds, key=lambda one: one & TALLY_MASK, reverse=True):
        leads_to: list[object] = [tally & TALLY_MASK]
        if tally & TALLY_MASK < last:
            for plain in (tally + unit for unit in units):
                after = plain + marks.get(plain, 0)
                # A tally that no final one comes of is in no table.
                leads_to.append((classes[after], bases[after] - bases[tally]) if after in classes else None)
        classes[tally] = numbers.setdefault(tuple(leads_to), len(numbers))
    return classes, bases


def _before(tally: int, units: list[int], marks: Mapping[int, int]) -> Iterator[int]:
    """The tallies one trick earlier."""
    mark_bit = TALLY_BITS * (len(units) + 1)
    played = tally & TALLY_MASK
    plain = tally & (1 << mark_bit) - 1
    if played == FIRST_FIVE and marks.get(plain, 0) != tally - plain:
        return
    if played == FIRST_FIVE:
        tally = plain
    for player, unit in enumerate(units):
        if tricks_in(tally, player):
            yield tally - unit


def tokens_of(play: Play, winners: tuple[Role, ...]) -> int | None:
    """The declarer's tokens for tricks won in this order; None where the price needs more than the tricks."""
    tricks = {role: winners.count(role) for role in play.playing}
    first = set(winners[:FIRST_FIVE])
    first_five: Role | Literal["OPP"] | None = winners[0] if len(first) == 1 else None
    if first_five is None and play.rulebook.house.opponents_share_five and play.declarer not in first:
        first_five = OPPONENTS
    seating = Seating(play.players, play.players - 1)
    try:
        settled = settle(play.result(tricks, first_five), seating, play.rulebook)
    except IllegalResult:
        return None
    return settled.tokens[seating.positions[play.declarer]]
