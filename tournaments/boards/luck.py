"""Luck and play on the same cards: a player's tokens as the field average of the cards held, and the rest.

Plain values in, plain values out. A *cell* is a seat of a folder in a round; the *field average* of a result is the
mean of what the other players in that cell got, the *residual* the result less that mean.

    cards = sum of the field averages        play = sum of the residuals        cards + play = tokens

The interval of `play` is Student's: s * sqrt(n) * t, with s the standard deviation of the n residuals. Over years the
mean residual is estimated by least squares with a constant for each cell and one for each player, since who sat in a
strong field got less for the same play.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist, stdev
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tournaments.boards.dealing import Compared

CONFIDENCE = 0.95
# With fewer deals the standard deviation is hardly known, and there is no interval.
LEAST_DEALS = 8
# The accuracy at which the iteration of `_solve` stops, in relation to its beginning.
_ACCURACY = 1e-10
# For a variance, whose relative error is the square of that.
_ACCURACY_OF_VARIANCE = 1e-4


class Residual(NamedTuple):
    """A result in two parts: the field average of its cell, and the result less that."""

    average: Fraction
    residual: Fraction


def residuals_by_player(compared: Iterable[Compared]) -> dict[int, list[Residual]]:
    """Residuals of each player's results; results without others to compare are omitted."""
    found: dict[int, list[Residual]] = defaultdict(list)
    for one in compared:
        found[one.part.player].append(Residual(one.datum, one.difference))
    return dict(found)


@dataclass(frozen=True, slots=True)
class LuckAndPlay:
    """A player's tokens in `deals` deals: the field average of the cards held, and what was won beyond it.

    `margin`: half the width of the 95 % confidence interval of `play`; None with fewer than LEAST_DEALS deals.
    """

    deals: int
    cards: Fraction
    play: Fraction
    margin: float | None

    @property
    def tokens(self) -> Fraction:
        return self.cards + self.play

    @property
    def is_clear(self) -> bool:
        """Whether the interval does not contain 0."""
        return self.margin is not None and abs(self.play) > self.margin


def split_tokens(residuals: Sequence[Residual]) -> LuckAndPlay:
    """A player's tokens in two figures."""
    return LuckAndPlay(
        deals=len(residuals),
        cards=sum((one.average for one in residuals), Fraction()),
        play=sum((one.residual for one in residuals), Fraction()),
        margin=margin_of_sum([float(one.residual) for one in residuals]),
    )


def margin_of_sum(residuals: Sequence[float]) -> float | None:
    """Half the width of the 95 % interval of the sum of these; None where there are fewer than LEAST_DEALS."""
    if len(residuals) < LEAST_DEALS:
        return None
    return student_quantile(len(residuals) - 1) * stdev(residuals) * sqrt(len(residuals))


def student_quantile(degrees: int) -> float:
    """The 97.5 % quantile of Student's distribution, by the Cornish-Fisher expansion; to 0.001 from 7 degrees up."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    terms: tuple[float, ...] = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return sum((term / float(degrees**power) for power, term in enumerate(terms)), 0.0)


@dataclass(frozen=True, slots=True)
class Observation:
    """The tokens that a player got in a cell."""

    cell: Hashable
    player: int
    tokens: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A player's play over years, in tokens a deal above the average of those compared with, and its 95 % interval.

    `deals`: the player's results; `players`: how many can be compared with each other, the player among them.
    """

    deals: int
    players: int
    play: float
    margin: float

    @property
    def is_clear(self) -> bool:
        """Whether the interval does not contain 0."""
        return abs(self.play) > self.margin


class Fit:
    """The least-squares fit of tokens = constant of the cell + constant of the player + error.

    The constants of players who can be compared with each other, directly or through others, have the mean 0, each
    player weighing the same. Cells of a single player say nothing and are left out. The constants of the cells are
    eliminated: `matrix` is that of the normal equations of the players' constants.
    """

    def __init__(self, observations: Iterable[Observation]) -> None:
        by_cell: dict[Hashable, list[Observation]] = defaultdict(list)
        for row in observations:
            by_cell[row.cell].append(row)
        cells = [cell for cell in by_cell.values() if len({row.player for row in cell}) > 1]
        self.deals: dict[int, int] = defaultdict(int)
        self.matrix: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        sums: dict[int, float] = defaultdict(float)
        for cell in cells:
            mean = sum(row.tokens for row in cell) / len(cell)
            for row in cell:
                self.deals[row.player] += 1
                sums[row.player] += row.tokens - mean
                line = self.matrix[row.player]
                line[row.player] += 1
                for other in cell:
                    line[other.player] -= 1 / len(cell)
        self.matrix = {player: dict(line) for player, line in self.matrix.items()}
        self.groups = _groups(self.matrix)
        solution = _solve(self.matrix, sums)
        self.plays: dict[int, float] = {}
        for group in {id(group): group for group in self.groups.values()}.values():
            mean = sum(solution[player] for player in group) / len(group)
            self.plays |= {player: solution[player] - mean for player in group}
        groups = len({id(group) for group in self.groups.values()})
        self.degrees = sum(map(len, cells)) - len(cells) - len(self.plays) + groups
        self.variance = self._residual_sum(cells) / self.degrees if self.degrees > 0 else 0.0

    def _residual_sum(self, cells: Sequence[Sequence[Observation]]) -> float:
        """The sum of the squares of the errors."""
        total = 0.0
        for cell in cells:
            left = [row.tokens - self.plays[row.player] for row in cell]
            mean = sum(left) / len(left)
            total += sum((value - mean) ** 2 for value in left)
        return total

    def estimate(self, player: int) -> Estimate | None:
        """A player's constant, with the standard error of ordinary least squares.

        None if no one else played the same cards, and with fewer than LEAST_DEALS deals.
        """
        deals = self.deals.get(player, 0)
        if deals < LEAST_DEALS or self.degrees < 1:
            return None
        group = self.groups[player]
        # The contrast of this player with the mean of the group.
        contrast = dict.fromkeys(group, -1 / len(group))
        contrast[player] += 1
        solved = _solve(self.matrix, contrast, _ACCURACY_OF_VARIANCE)
        variance = self.variance * max(0.0, sum(contrast[one] * solved[one] for one in group))
        return Estimate(
            deals=deals,
            players=len(group),
            play=self.plays[player],
            margin=student_quantile(max(self.degrees, LEAST_DEALS - 1)) * sqrt(variance),
        )


Matrix = Mapping[int, Mapping[int, float]]


def _groups(matrix: Matrix) -> dict[int, frozenset[int]]:
    """For each player, all who can be compared with each other, the player among them."""
    groups: dict[int, frozenset[int]] = {}
    for player in matrix:
        if player not in groups:
            seen, waiting = {player}, [player]
            while waiting:
                new = set(matrix[waiting.pop()]) - seen
                seen |= new
                waiting += new
            groups |= dict.fromkeys(seen, frozenset(seen))
    return groups


def _solve(matrix: Matrix, wanted: Mapping[int, float], accuracy: float = _ACCURACY) -> dict[int, float]:
    """A solution of the normal equations by conjugate gradients, preconditioned by the diagonal.

    `wanted` has the sum 0 in each group.
    """
    solution = dict.fromkeys(wanted, 0.0)
    scale = {player: 1 / matrix[player][player] for player in wanted}
    residual = dict(wanted)
    direction = {player: scale[player] * value for player, value in residual.items()}
    norm = sum([value * direction[player] for player, value in residual.items()])
    enough = norm * accuracy**2
    for _step in range(4 * len(wanted)):
        if norm <= enough:
            break
        product = {
            player: sum([weight * direction[other] for other, weight in matrix[player].items()])
            for player in direction
        }
        length = norm / sum([value * product[player] for player, value in direction.items()])
        for player, value in direction.items():
            solution[player] += length * value
            residual[player] -= length * product[player]
        scaled = {player: scale[player] * value for player, value in residual.items()}
        before, norm = norm, sum([value * scaled[player] for player, value in residual.items()])
        direction = {player: scaled[player] + norm / before * value for player, value in direction.items()}
    return solution
