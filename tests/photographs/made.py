"""A page with what is ticked on it, from a seed: the picture, and what is true of it."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scoring.rulebook import Trumps
from scoring.seats import Seating
from tests.photographs.camera import LEVELS, photographed
from tests.photographs.hands import HANDS, SCALE, Ink
from tournaments.reporting.reader.boxes import ALONE, NOTE, PASSED, SANS, Reporter
from tournaments.reporting.reader.layout import score_columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.random import Generator

    from scoring.rulebook import Rulebook
    from tests.photographs.hands import Hand
    from tournaments.reporting.reader.layout import Layout, Place

PASSED_OUT, NOTED, CANCELLED, UNPLAYED = 0.08, 0.02, 0.02, 0.1


@dataclass(frozen=True)
class Truth:
    """What was meant: group -> value by row, {} for a deal not played; None where only a person can tell.

    `marks` has what was drawn in boxes: (row, column) -> `tick`, `void`, `dirt`.
    """

    lines: Sequence[Mapping[str, str] | None]
    marks: Mapping[tuple[int, int], str] = field(default_factory=dict)


def page_of(pdf: bytes, page: int = 1) -> np.ndarray:
    """A page of a file in grey, ten pixels a millimetre."""
    with TemporaryDirectory() as folder:
        source, target = Path(folder, "sheet.pdf"), Path(folder, "sheet")
        source.write_bytes(pdf)
        command = ["pdftoppm", "-gray", "-r", "254", "-f", str(page), "-singlefile", source, target]
        subprocess.run(command, check=True)
        grey = cv2.imread(f"{target}.pgm", cv2.IMREAD_GRAYSCALE)
    return cv2.resize(grey, (2100, 2970)) if grey.shape != (2970, 2100) else grey


def any_lines(layout: Layout, rulebook: Rulebook, random: Generator) -> list[dict[str, str]]:
    """What might stand on a sheet: every line a whole one, of contracts that are usual and rare alike."""
    unplayed = int(random.integers(1, len(layout.rows))) if random.random() < UNPLAYED else 0
    lines = [_any_line(layout, row, rulebook, random) for row in range(len(layout.rows) - unplayed)]
    return lines + [{} for _row in range(unplayed)]


def _any_line(layout: Layout, row: int, rulebook: Rulebook, random: Generator) -> dict[str, str]:
    """A line that the rules allow: what they do not is asked in any case."""
    seating = Seating(layout.players, layout.rows[row].dealer)
    reporter = Reporter(layout, rulebook, {layout.rows[row].deal: seating})
    while True:
        chosen = _some_line(layout, row, rulebook, random)
        if not reporter.against(layout.rows[row].deal, chosen):
            return chosen | ({ALONE: NOTE} if ALONE not in chosen and random.random() < NOTED else {})


def _some_line(layout: Layout, row: int, rulebook: Rulebook, random: Generator) -> dict[str, str]:
    values = {group.key: group.values for group in layout.groups}
    if PASSED in values[ALONE] and random.random() < PASSED_OUT:
        return {ALONE: PASSED}
    chosen = {"declarer": _one([v for v in values["declarer"] if v not in layout.rows[row].without], random)}
    contracts = values.get("contract", (rulebook.contracts[0].id,))
    contract = rulebook.by_id[_one(contracts, random)]
    if "contract" in values:
        chosen["contract"] = contract.id
    if contract.suits and "trump" in values:
        chosen["trump"] = _one([suit for suit in values["trump"] if suit != SANS], random)
    elif contract.trumps is Trumps.SPADES and random.random() < 0.1:
        chosen["trump"] = "S"
    chosen["result"] = _one(values["result"], random)
    for key in ("partner", "estuches"):
        if key in values:
            chosen[key] = _one(values[key], random)
    return chosen


def _one(values: Sequence[str], random: Generator) -> str:
    return values[int(random.integers(len(values)))]


def ticked(
    page: np.ndarray,
    layout: Layout,
    lines: Sequence[Mapping[str, str]],
    hand: Hand,
    random: Generator,
    *,
    dirt: float = 1.0,
) -> tuple[np.ndarray, Truth]:
    """The page as somebody has ticked it: with cancelled ticks, dots, rubbed-out ticks, totals and struck lines."""
    ink = Ink(page.shape, hand, random)
    places = {(place.row, place.column): place for place in layout.places()}
    marks: dict[tuple[int, int], str] = {}
    truth: list[Mapping[str, str] | None] = []
    for row, chosen in enumerate(lines):
        here = {place: place.column for place in places.values() if place.row == row}
        for place, column in here.items():
            group = layout.groups[place.group]
            if chosen.get(group.key) == group.values[place.nth]:
                ink.tick(place.x, place.y)
                marks[row, column] = "tick"
                if random.random() < CANCELLED * dirt:
                    _cancel(ink, [other for other in here if other.group == place.group], marks, random)
        if chosen and random.random() < 0.006 * dirt:
            ink.line([(28, layout.middle(row)), (layout.right, layout.middle(row) + 0.6)])
            truth.append(None)
        else:
            truth.append(chosen)
        if chosen and layout.players:
            _write_totals(ink, layout, row, random)
    for _stray in range(random.poisson(3 * dirt)):
        place = list(places.values())[int(random.integers(len(places)))]
        if (place.row, place.column) in marks:
            continue
        x, y = place.x + random.uniform(-1.5, 1.5), place.y + random.uniform(-1.5, 1.5)
        (ink.stray_dot if random.random() < 0.5 else ink.rubbed_out)(x, y)
        marks[place.row, place.column] = "dirt"
    return ink.on(page), Truth(truth, marks)


def _cancel(ink: Ink, group: Sequence[Place], marks: dict[tuple[int, int], str], random: Generator) -> None:
    """Fill another box of the group, which was ticked first."""
    free = [place for place in group if (place.row, place.column) not in marks]
    if free:
        place = free[int(random.integers(len(free)))]
        ink.tick(place.x, place.y)
        ink.fill(place.x, place.y)
        marks[place.row, place.column] = "void"


def _write_totals(ink: Ink, layout: Layout, row: int, random: Generator) -> None:
    if random.random() < 0.6:
        for left, _right in score_columns(layout)[:4]:
            if random.random() < 0.5:
                off = random.uniform(-1.5 if random.random() < 0.05 else 0.5, 2)
                ink.number(left + off, layout.middle(row) + 1.2, str(int(random.integers(-60, 90))))


def made(
    page: np.ndarray,
    layout: Layout,
    rulebook: Rulebook,
    seed: int,
    *,
    hand: str = "",
    level: str = "",
    dirt: float = 1.0,
    played: int | None = None,
) -> tuple[bytes, Truth]:
    """A photograph from a seed, of any hand and level where none is said; with so many deals `played` at most."""
    random = np.random.default_rng(seed)
    hands, levels = list(HANDS), list(LEVELS)
    of = HANDS[hand or hands[seed % len(hands)]]
    how = LEVELS[level or levels[seed // len(hands) % len(levels)]]
    lines = any_lines(layout, rulebook, random)
    if played is not None:
        lines = [line if number < played else {} for number, line in enumerate(lines)]
    drawn, truth = ticked(page.astype(np.float32), layout, lines, of, random, dirt=dirt)
    return photographed(drawn, how, random), truth


__all__ = ["SCALE", "Truth", "any_lines", "made", "page_of", "ticked"]
