"""Parameters of the classifier of boxes: a small neural net with two hidden layers, stored in a file.

The file (`weights.npz` in this folder, or one that a club has trained on its own sheets) has numpy arrays, no
pickles: `version`; `factors_0`, `begins_0` and so on, a pair per layer; `middle` and `spread` of the features that
come with a box's picture; `paper`, the average picture; `sheets`, the number of real sheets it was trained on.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tournaments.reporting.reader.features import AROUND, PRINTED, hand_of, numbers_of

if TYPE_CHECKING:
    from tournaments.reporting.reader.features import Seen
    from tournaments.reporting.reader.image import Array


# Of what the net is made: another number means other features.
VERSION = 1
SHIPPED = Path(__file__).with_name("weights.npz")
# What a box is: nothing that was meant, a mark that does not fill it, or full.
NOTHING, MARK, FULL = range(3)
# Pixels of a picture's edge that the net does not see: learning shifts by them.
EDGE = 1
# Of the numbers that come with a picture so many are the box's own, the darkest first; then come the hand's.
OWN = 4


class UnreadableWeights(ValueError):
    """A file that has no weights of this version."""


@dataclass(frozen=True)
class Weights:
    """Layers of (factors, begins), with the normalization of the input."""

    layers: tuple[tuple[Array, Array], ...]
    middle: Array
    spread: Array
    paper: float
    sheets: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the layers go together, from a box's picture and numbers to what it is, and all are numbers."""
        wide = (2 * (AROUND - EDGE) + 1) ** 2 + len(self.middle)
        ends = [wide, *(len(begins) for _factors, begins in self.layers)]
        shapes = [factors.shape for factors, _begins in self.layers]
        arrays = (
            self.middle,
            self.spread,
            np.array(self.paper),
            *(one for layer in self.layers for one in layer),
        )
        return (
            shapes == list(pairwise(ends))
            and ends[-1] == FULL + 1
            and self.spread.shape == self.middle.shape
            and all(bool(np.isfinite(one).all()) for one in arrays)
            and bool((self.spread > 0).all())
        )

    def said_of(self, seen: Seen, numbers: Array) -> Array:
        """For each box the logits of NOTHING, MARK and FULL; `numbers` are those of `numbers_with_hand`."""
        inside = slice(EDGE, 2 * AROUND + 1 - EDGE)
        return self.evaluate(self.inputs(seen.pictures[: len(seen.boxes), inside, inside], numbers))

    def inputs(self, pictures: Array, numbers: Array) -> Array:
        flat = pictures.reshape(len(pictures), -1).astype(np.float32) / PRINTED - self.paper
        return np.concatenate([flat, (numbers - self.middle) / self.spread], axis=1, dtype=np.float32)

    def evaluate(self, inputs: Array) -> Array:
        *hidden, (factors, begins) = self.layers
        for across, bias in hidden:
            inputs = np.maximum(inputs @ across + bias, 0)
        found: Array = inputs @ factors + begins
        return found

    def to_bytes(self) -> bytes:
        """Serialize for the file, in half precision."""
        arrays: dict[str, Any] = {}
        for number, (factors, begins) in enumerate(self.layers):
            arrays[f"factors_{number}"] = factors.astype(np.float16)
            arrays[f"begins_{number}"] = begins.astype(np.float32)
        kept = io.BytesIO()
        np.savez_compressed(
            kept,
            version=np.array(VERSION),
            middle=np.asarray(self.middle, np.float32),
            spread=np.asarray(self.spread, np.float32),
            paper=np.array(self.paper),
            sheets=np.array(self.sheets),
            **arrays,
        )
        return kept.getvalue()


def read_weights(data: bytes) -> Weights:
    """The weights of a file. Raises UnreadableWeights."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            version = int(kept["version"])
            count = sum(name.startswith("factors_") for name in kept.files)
            layers = tuple(
                (kept[f"factors_{number}"].astype(np.float32), kept[f"begins_{number}"])
                for number in range(count)
            )
            found = Weights(layers, kept["middle"], kept["spread"], float(kept["paper"]), int(kept["sheets"]))
        is_whole = version == VERSION and found.is_whole
    except Exception as error:  # a file supplied by a user may be broken in any way
        raise UnreadableWeights from error
    if not is_whole:
        raise UnreadableWeights
    return found


@cache
def shipped() -> Weights:
    """The weights shipped with the program, fitted on generated pictures."""
    return read_weights(SHIPPED.read_bytes())


def numbers_with_hand(seen: Seen) -> Array:
    """Features of every box apart from its picture: its own, and those of the sheet's hand."""
    numbers = numbers_of(seen.pictures[: len(seen.boxes)])
    hand = hand_of(numbers, seen.boxes, seen.line)
    return np.concatenate([numbers, np.tile(hand, (len(numbers), 1))], axis=1)
