"""Training of the weights: on synthetic pictures, then on real sheets with known content."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tournaments.reporting.reader.features import AROUND, PRINTED
from tournaments.reporting.reader.weights import EDGE, FULL, MARK, NOTHING, Weights, numbers_with_hand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from tournaments.reporting.reader.features import Seen
    from tournaments.reporting.reader.image import Array
    from tournaments.reporting.reader.layout import Layout


# The hidden layers; how many examples are learnt from at once; how large steps are, and how slowly they grow to that.
HIDDEN, AT_ONCE, STEP, SLOW = (64, 32), 512, 2e-3, 300
# Again on a club's own sheets: steps so much smaller, so that what is known is not forgotten.
AGAIN_STEP = 2e-4
DECAY, BLUR = 1e-4, 0.1
# Of the boxes that are plainly empty one in so many is learnt from, and counts for as many.
ONE_IN, PLAIN = 4, 0.8


class Examples(NamedTuple):
    """Boxes' pictures and numbers, what each is (NOTHING, MARK, FULL), and for how many it counts."""

    pictures: Array
    numbers: Array
    is_what: Array
    counts: Array

    def __len__(self) -> int:
        return len(self.is_what)


def examples_of(seen: Seen, what: Mapping[tuple[int, int], int], rows: set[int], random: Any) -> Examples:
    """Training examples from rows of a sheet; `what` maps (row, column) to a class, NOTHING if unknown."""
    numbers = numbers_with_hand(seen)
    is_what = np.array([what.get((place.row, place.column), NOTHING) for place in seen.boxes], np.uint8)
    known = np.array([place.row in rows and seen.is_sure(place) for place in seen.boxes])
    plain = (is_what == NOTHING) & (numbers[:, 0] <= np.quantile(numbers[:, 0], PLAIN))
    taken = known & (~plain | (random.random(len(plain)) < 1 / ONE_IN))
    counts = np.where(plain, float(ONE_IN), 1.0).astype(np.float32)
    pictures = seen.pictures[: len(seen.boxes)]
    return Examples(pictures[taken], numbers[taken].astype(np.float32), is_what[taken], counts[taken])


def ticked_boxes(
    layout: Layout, lines: Sequence[Mapping[str, str] | None], *, fills: bool = False
) -> dict[tuple[int, int], int]:
    """Label boxes by the intended values, line by line (group -> value, None where unknown)."""
    found = {}
    for row, meant in enumerate(lines):
        for column, (group, nth, _x) in enumerate(layout.columns):
            if meant and meant.get(layout.groups[group].key) == layout.groups[group].values[nth]:
                found[row, column] = FULL if fills else MARK
    return found


def together(examples: Sequence[Examples]) -> Examples:
    return Examples(*(np.concatenate(parts) for parts in zip(*examples, strict=True)))


def fitted(examples: Examples, *, rounds: int = 30, seed: int = 1, start: Weights | None = None) -> Weights:
    """Weights fitted on examples: from nothing, or from others by small steps. The same examples make the same."""
    random = np.random.default_rng(seed)
    weights = start or _begun(examples, random)
    net = _Net(weights, AGAIN_STEP if start else STEP, rounds * max(1, len(examples) // AT_ONCE))
    at_once = min(AT_ONCE, len(examples))
    wide = 2 * (AROUND - EDGE) + 1
    for _round in range(rounds):
        order = random.permutation(len(examples))
        for first in range(0, len(order) - at_once + 1, at_once):
            some = order[first : first + at_once]
            across, down = random.integers(0, 2 * EDGE + 1, 2)
            pictures = examples.pictures[some, down : down + wide, across : across + wide]
            inputs = weights.inputs(pictures, examples.numbers[some])
            noise = random.normal(0, BLUR, (at_once, examples.numbers.shape[1]))
            inputs[:, -noise.shape[1] :] += noise.astype(np.float32)
            net.step(inputs, examples.is_what[some], examples.counts[some])
    return Weights(
        tuple(zip(net.factors, net.begins, strict=True)), weights.middle, weights.spread, weights.paper
    )


def _begun(examples: Examples, random: Any) -> Weights:
    """Weights that know nothing yet."""
    wide = 2 * (AROUND - EDGE) + 1
    sizes = (wide * wide + examples.numbers.shape[1], *HIDDEN, FULL + 1)
    layers = tuple(
        (random.normal(0, np.sqrt(2 / into), (into, out)).astype(np.float32), np.zeros(out, np.float32))
        for into, out in pairwise(sizes)
    )
    paper = float(examples.pictures.mean()) / PRINTED
    return Weights(layers, examples.numbers.mean(axis=0), examples.numbers.std(axis=0) + 1e-3, paper)


@dataclass
class _Net:
    """Layers that learn: gradient descent by Adam (Kingma and Ba, 2015), steps growing at first and then falling."""

    weights: Weights
    largest: float
    steps: int

    def __post_init__(self) -> None:
        self.factors = [factors.copy() for factors, _begins in self.weights.layers]
        self.begins = [begins.copy() for _factors, begins in self.weights.layers]
        every = [*self.factors, *self.begins]
        self.mean = [np.zeros_like(one) for one in every]
        self.square = [np.zeros_like(one) for one in every]
        self.done = 0

    def step(self, inputs: Array, is_what: Array, counts: Array) -> None:
        seen = [inputs]
        for factors, begins in zip(self.factors[:-1], self.begins[:-1], strict=True):
            seen.append(np.maximum(seen[-1] @ factors + begins, 0))
        said = seen[-1] @ self.factors[-1] + self.begins[-1]
        likely = np.exp(said - said.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        likely[np.arange(len(is_what)), is_what] -= 1
        off = likely * counts[:, None] / len(is_what)
        of_factors: list[Array] = []
        of_begins: list[Array] = []
        for layer in reversed(range(len(self.factors))):
            of_factors.insert(0, seen[layer].T @ off + DECAY * self.factors[layer])
            of_begins.insert(0, off.sum(axis=0))
            if layer:
                off = (off @ self.factors[layer].T) * (seen[layer] > 0)
        self._move([*of_factors, *of_begins])

    def _move(self, slopes: Sequence[Array]) -> None:
        self.done += 1
        size = self.largest * min(1, self.done / SLOW) * 0.5 * (1 + np.cos(np.pi * self.done / self.steps))
        every = [*self.factors, *self.begins]
        for at, slope in enumerate(slopes):
            self.mean[at] = 0.9 * self.mean[at] + 0.1 * slope
            self.square[at] = 0.999 * self.square[at] + 0.001 * slope * slope
            mean, square = self.mean[at] / (1 - 0.9**self.done), self.square[at] / (1 - 0.999**self.done)
            every[at] -= size * mean / (np.sqrt(square) + 1e-8)
