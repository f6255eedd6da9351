"""Which boxes are ticked, which are cancelled, what is in doubt; and which lines are certain.

The numbers are data, fitted on pictures that were made (`tests.bench reading`); `VERSION` is theirs. What passes unseen
is the line, not the box: a wrong box must not make a certain line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log1p
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from tournaments.slip.reading.boxes import ALONE, BID, NOTE, PASSED
from tournaments.slip.reading.results import Box, Line, State

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.slip.reading.features import Inked, Seen
    from tournaments.slip.reading.geometry import Layout, Place
    from tournaments.slip.reading.results import Quad

VERSION = 1
# The likeness of a tick: what each feature adds, in the order of `_seen_as`, and what it begins with.
WEIGHTS = (11.3, 6.3, -1.3, -15.8, 4.5, 1.9, -0.2, 2.8)
BEGINS = -7.3
# A tick of a firm hand, by which this sheet's hand is known; how many it takes to know it.
STRONG, KNOWN_BY = 3.0, 4
# Empty is below the hand less so much, at most and at least so.
EMPTY_BELOW, EMPTY_LEAST, EMPTY_MOST = 12.0, -3.0, -0.5
# A tick is above this share of the hand, at least and at most so, and in any case above that share.
TICK_SHARE, TICK_LEAST, TICK_MOST, TICK_ANYHOW, ALONE_ANYHOW = 0.35, 2.5, 6.0, 0.4, 0.5
# Inked so much a box is cancelled, or may be; of a thick pen that fills much with a tick, more.
FULL, PERHAPS_FULL, THICK, FULL_THICK, PERHAPS_FULL_THICK = 0.97, 0.93, 0.8, 0.995, 0.98
# What is lighter than this share of the other ticks is of another pen, or coffee.
SAME_PEN = 0.55
# Marks that spread less (of the box's diagonal) are dots; packed ones are if they spread a little more.
DOT, PACKED_DOT, PACKED = 0.40, 0.57, 0.6
# Ink beside a box that is empty, and how weak a side of it may be, say that something is drawn over it.
RING, WEAK, WEAK_SHARE = 0.34, 0.2, 0.4
# What is as light as this share of the other ticks is dirt: of a box that stands alone, and of a group's. A tick that
# were taken for dirt there leaves its group without one, which is asked.
LIGHT_ALONE, LIGHT = 0.3, 0.5
# So much below its group's one clear tick a mark is dirt, where it is none by itself.
DIRT_BELOW, DIRT_UNDER = 8.0, 3.0
# Ink where no box is.
STRAY = 0.10
# A hand as weak as this should press harder; so many filled boxes beside nothing else are one that fills its ticks.
WEAK_HAND, FILLED_SHARE = 5.0, 0.5


class Hand(NamedTuple):
    """How somebody ticks on this sheet: how firmly, with a thick pen, how dark; and what a weak side of a box is."""

    firm: float
    thick: bool
    dark: float = 0.0
    weak: float = 0.2
    fills: bool = False


@dataclass(frozen=True)
class Scored:
    """A box with what is seen in it and how like a tick that is."""

    place: Place
    inked: Inked
    score: float


def _seen_as(inked: Inked, usual: float, spread: float) -> tuple[float, ...]:
    """The features by which likeness is counted; the last is how far from this sheet's empty boxes it is."""
    beyond = max(0.0, (inked.mean - usual) / spread)
    return (
        inked.softcore,
        inked.mean,
        inked.soft,
        inked.cover,
        inked.core,
        inked.cells,
        inked.extent,
        log1p(beyond),
    )


def scored(boxes: Sequence[tuple[Place, Inked]]) -> list[Scored]:
    """The likeness of each box to a ticked one."""
    usual, spread = _empty(boxes)
    return [
        Scored(
            place,
            inked,
            BEGINS
            + sum(
                weight * value for weight, value in zip(WEIGHTS, _seen_as(inked, usual, spread), strict=True)
            ),
        )
        for place, inked in boxes
    ]


def _empty(boxes: Sequence[tuple[Place, Inked]]) -> tuple[float, float]:
    """What an empty box of this sheet is like, and how much they differ: most boxes are empty."""
    means = sorted(inked.mean for _place, inked in boxes)
    lower = means[: max(1, int(len(means) * 0.7))]
    usual = median(lower)
    return usual, 1.4826 * median(abs(mean - usual) for mean in lower) + 0.01


def hand_of(boxes: Sequence[Scored]) -> Hand:
    """The hand by its strong ticks; where far more are weak, those are the hand, and strong ones are dirt."""
    strong = [box for box in boxes if box.score > STRONG and box.inked.cover < FULL]
    # A line is fainter where the picture is blurred.
    side = min(WEAK, WEAK_SHARE * median(box.inked.weakest for box in boxes))
    weak = [box for box in boxes if EMPTY_LEAST < box.score <= STRONG]
    if len(strong) < KNOWN_BY or len(weak) > 2 * len(strong):
        return Hand(median(box.score for box in weak) if weak else TICK_MOST, thick=False, weak=side)
    return Hand(
        median(box.score for box in strong),
        thick=median(box.inked.cover for box in strong) > THICK,
        dark=median(box.inked.soft for box in strong),
        weak=side,
    )


def _state(box: Scored, hand: Hand, *, alone: bool) -> tuple[State, str]:
    """What a box is by itself, and why it is in doubt."""
    full, perhaps = (FULL_THICK, PERHAPS_FULL_THICK) if hand.thick else (FULL, PERHAPS_FULL)
    if box.inked.cover > perhaps and hand.fills:
        return State.TICK, ""
    if box.inked.cover > perhaps:
        # A stain over a tick is as dark as a filled box, and goes on beyond it.
        is_full = box.inked.cover > full and box.inked.ring <= RING
        return (State.VOID, "") if is_full else (State.DOUBT, "full")
    if box.score < min(max(hand.firm - EMPTY_BELOW, EMPTY_LEAST), EMPTY_MOST):
        is_over = box.inked.ring > RING or box.inked.weakest < hand.weak
        return (State.DOUBT, "ring") if is_over else (State.EMPTY, "")
    if _is_dot(box.inked):
        return State.DOUBT, "dot"
    anyhow = (ALONE_ANYHOW if alone else TICK_ANYHOW) * hand.firm
    is_tick = box.score > max(min(max(TICK_SHARE * hand.firm, TICK_LEAST), TICK_MOST), anyhow)
    if (
        alone and box.inked.ring > RING
    ):  # a stain that goes on: nothing else in the line would speak against it
        return State.DOUBT, "beside"
    is_this_pen = box.inked.soft > SAME_PEN * hand.dark
    return (State.TICK, "") if is_tick and is_this_pen else (State.DOUBT, "faint")


def _is_dot(inked: Inked) -> bool:
    return inked.extent < DOT or (inked.extent < PACKED_DOT and inked.packed > PACKED)


def judged(
    seen: Seen, layout: Layout, quads: Callable[[Place], Quad], *, fills: bool = False
) -> tuple[list[list[Box]], Hand]:
    """The boxes of every row, and the sheet's hand; one that `fills` the boxes it means cancels none."""
    boxes = scored(seen.boxes)
    hand = hand_of(boxes)._replace(fills=fills)
    rows: list[list[Box]] = [[] for _row in layout.rows]
    seen_in: list[list[Scored]] = [[] for _row in layout.rows]
    for box in boxes:
        group = layout.groups[box.place.group]
        state, why = _state(box, hand, alone=group.key == ALONE)
        if not seen.is_sure(box.place):
            state, why = State.DOUBT, "place"
        rows[box.place.row].append(Box(group.key, box.place.nth, state, box.score, why, quads(box.place)))
        seen_in[box.place.row].append(box)
    cleaned = [_without_dirt(row, states, hand) for row, states in zip(seen_in, rows, strict=True)]
    return cleaned, hand


def _without_dirt(row: list[Scored], boxes: list[Box], hand: Hand) -> list[Box]:
    """What is faint beside a group's one clear tick, or much lighter than all ticks, is dirt.

    A tick beside a cancelled box of a thick pen is asked.
    """
    return [_cleaned(scored, box, boxes, hand) for scored, box in zip(row, boxes, strict=True)]


def _cleaned(scored: Scored, box: Box, row: Sequence[Box], hand: Hand) -> Box:
    group = [other for other in row if other.group == box.group]
    ticks = [other for other in group if other.state is State.TICK]
    if box.why == "ring" and len(ticks) == 1:  # what hangs over from the tick beside it
        return replace(box, state=State.EMPTY, why="")
    if box.why in ("faint", "dot"):
        is_below = len(ticks) == 1 and box.score < min(DIRT_UNDER, ticks[0].score - DIRT_BELOW)
        light = LIGHT_ALONE if box.group in (ALONE, BID) else LIGHT
        is_played = any(other.state is State.TICK for other in row)
        if is_below or (is_played and scored.inked.soft < light * hand.dark):
            return replace(box, state=State.EMPTY, why="")
    has_void = any(other.state is State.VOID for other in group)
    if box.state is State.TICK and has_void and (hand.thick or scored.inked.ring > RING):
        return replace(box, state=State.DOUBT, why="full")
    return box


def line_of(deal: int, boxes: Sequence[Box], layout: Layout, *, stray: bool, quad: Quad) -> Line:
    """A deal's line: certain where nothing in it is in doubt and what is ticked can be all."""
    chosen: dict[str, str] = {}
    why = next((box.why for box in boxes if box.state is State.DOUBT), "")
    if stray:
        why = why or "stray"
    for group in layout.groups:
        here = [box for box in boxes if box.group == group.key]
        ticks = [box for box in here if box.state is State.TICK]
        if len(ticks) > 1:
            why = why or "several"
        elif ticks and not any(box.state is State.DOUBT for box in here):
            chosen[group.key] = group.values[ticks[0].index]
    if not why and boxes:
        why = _missing(chosen, layout, any_void=any(box.state is State.VOID for box in boxes))
    is_empty = not why and not chosen
    return Line(deal, not why and not is_empty, tuple(boxes), chosen, why, quad)


def _missing(chosen: dict[str, str], layout: Layout, *, any_void: bool) -> str:
    """Why clear ticks are not a whole line; "" where they are, or where nothing is ticked at all."""
    if not chosen:
        return "missing" if any_void else ""
    if chosen.get(ALONE) == NOTE:
        return "note"
    if chosen.get(ALONE) == PASSED:
        return "several" if len(chosen) > 1 else ""
    needed = {group.key for group in layout.groups if group.key in NEEDED}
    return "" if needed <= chosen.keys() else "missing"


# Groups of which one is ticked in every line that is not passed out; whether the others are is the contract's to say.
NEEDED = ("declarer", "contract", "result")
