"""Which boxes are ticked, which are cancelled, what is in doubt; and which lines are certain.

How like a tick a box is says a net (`weights`). What passes unseen is the line, not the box: of a group one box is
ticked at most, of some groups one in every line that was played, and so a box is judged beside those of its group. All
odds here are logarithms: 0 is as likely as not, 4.6 a hundred to one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tournaments.slip.reading.boxes import ALONE, CONTRACT, DECLARER, NOTE, PASSED, RESULT
from tournaments.slip.reading.features import numbers_of
from tournaments.slip.reading.results import Box, Line, State
from tournaments.slip.reading.weights import FULL, MARK, NOTHING, OWN, numbers_with_hand

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tournaments.slip.reading.features import Seen
    from tournaments.slip.reading.geometry import Layout, Place
    from tournaments.slip.reading.results import Quad
    from tournaments.slip.reading.warp import Array
    from tournaments.slip.reading.weights import Weights

# Groups of which one is ticked in every line that is not passed out; whether the others are is the contract's to say.
NEEDED = (DECLARER, CONTRACT, RESULT)
# How rare a tick is among the boxes that the net was fitted on: odds are what a box alone says.
RARE = 1.9
# A tick must be so much likelier than its group's next box, and than none; and so much more where there is ink in that
# box as dark as a printed line: the tick may have strayed out of it.
SURE, APART, STRAYED = 7.0, 12.0, 1.0
# By itself a tick must then be so likely: one that lies half in each box is like one in neither. And so likely where it
# is all that its line has: there a dot would pass a deal out.
STRONG, ALL_THERE_IS = 9.0, 11.5
# What else is in the group of a tick must be less like one than that: two ticks are rarer than dirt.
SECOND = 0.0
# That a group which is needed was forgotten, though a stain lies in one of its boxes.
FORGOTTEN = -5.0
# In a group that may be without tick nothing is like one that is below. A line was played where a box of a group that
# is needed is above.
NONE, EMPTY = -4.0, -3.0
# The odds of a box that is not there.
NOWHERE = -99.0
# Ink where no box is, in shares of a printed line's darkness.
STRAY = 0.10
# A mark is faint that is lighter than this share of the hand's.
FAINT = 0.6
# A hand whose marks are lighter, in the same shares, should press harder; so many lines with filled boxes and no tick
# are of one that fills its ticks.
WEAK_HAND, FILLED_SHARE = 0.75, 0.5


class Hand(NamedTuple):
    """How dark somebody's marks are on this sheet, in shares of a printed line; and whether they fill their boxes."""

    dark: float
    fills: bool = False

    @property
    def is_weak(self) -> bool:
        return self.dark < WEAK_HAND


@dataclass(frozen=True, slots=True)
class Judged:
    """A box with the odds that it is a tick, whether it is full, how dark, and whether its place is sure."""

    place: Place
    odds: float
    is_full: bool
    dark: float
    is_sure: bool


class Verdict(NamedTuple):
    """What is ticked in a group: the place in it or None; whether that is sure; why not.

    `only` says that the one question is whether its likeliest box is ticked or none.
    """

    nth: int | None
    is_sure: bool
    why: str = ""
    only: bool = False


def judged(seen: Seen, weights: Weights, *, fills: bool = False) -> tuple[list[Judged], Hand]:
    """The boxes, and the sheet's hand; one that `fills` the boxes it means cancels none."""
    import numpy as np  # noqa: PLC0415 - an extra

    numbers = numbers_with_hand(seen)
    said = weights.said_of(seen, numbers)
    nothing, mark, full = said[:, NOTHING], said[:, MARK], said[:, FULL]
    if fills:
        odds, is_full = np.logaddexp(mark, full) - nothing, np.zeros(len(said), bool)
    else:
        odds = mark - np.logaddexp(nothing, full)
        is_full = full > np.logaddexp(nothing, mark)
    hand = Hand(float(numbers[0, OWN]), fills)
    found = [
        Judged(place, float(like) + RARE, bool(filled), float(ink), seen.is_sure(place))
        for place, like, filled, ink in zip(seen.boxes, odds, is_full, numbers[:, 0], strict=True)
    ]
    return found, hand


def strays(seen: Seen) -> set[int]:
    """The rows that have ink where no box is: more than is in empty boxes of this sheet."""
    import numpy as np  # noqa: PLC0415 - an extra

    means: Array = numbers_of(seen.pictures)[:, 1]
    most = float(np.median(means[: len(seen.boxes)])) + STRAY
    found = means[len(seen.boxes) :]
    return {place.row for place, mean in zip(seen.without, found, strict=True) if mean > most}


def lines_of(
    boxes: Sequence[Judged],
    hand: Hand,
    layout: Layout,
    stray: set[int],
    quads: Callable[[Place], Quad],
    pieces: Sequence[Quad],
) -> list[Line]:
    """The line of every row; `pieces` are their places on the picture, `quads` finds a box's."""
    rows: list[list[Judged]] = [[] for _row in layout.rows]
    for box in boxes:
        rows[box.place.row].append(box)
    return [
        _line(layout.rows[number].deal, row, hand, layout, number in stray, quads, pieces[number])
        for number, row in enumerate(rows)
    ]


def _line(
    deal: int,
    row: Sequence[Judged],
    hand: Hand,
    layout: Layout,
    is_stray: bool,
    quads: Callable[[Place], Quad],
    piece: Quad,
) -> Line:
    groups: list[list[Judged]] = [[] for _group in layout.groups]
    for box in row:
        groups[box.place.group].append(box)
    is_played = any(
        box.odds > EMPTY for group, here in zip(layout.groups, groups, strict=True) for box in here
        if group.key in NEEDED
    )  # fmt: skip
    # Of a list of people no group is needed.
    is_bare = not is_played and any(group.key in NEEDED for group in layout.groups)
    verdicts = [
        _verdict(here, hand, is_needed=is_played and group.key in NEEDED, is_all=is_bare)
        for group, here in zip(layout.groups, groups, strict=True)
    ]
    chosen = {
        group.key: group.values[verdict.nth]
        for group, verdict in zip(layout.groups, verdicts, strict=True)
        if verdict.nth is not None and verdict.is_sure
    }
    perhaps = {
        group.key: group.values[verdict.nth]
        for group, verdict in zip(layout.groups, verdicts, strict=True)
        if verdict.nth is not None and verdict.only
    }
    told = tuple(_box(box, verdicts[box.place.group], layout, quads(box.place)) for box in row)
    is_placed = all(box.is_sure for box in row)
    whys = [verdict.why for verdict in verdicts if verdict.why]
    why = "" if is_placed else "place"
    why = why or ("stray" if is_stray else "") or next(iter(whys), "")
    any_full = any(box.is_full for box in row)
    why = why or _missing(chosen, layout, any_full=any_full)
    settled = perhaps if why and is_placed and not is_stray and len(whys) == len(perhaps) else {}
    is_empty = not why and not chosen
    return Line(deal, not why and not is_empty, told, chosen, why, piece, settled)


def _verdict(group: Sequence[Judged], hand: Hand, *, is_needed: bool, is_all: bool) -> Verdict:
    """What is ticked in a group; `is_all` where the line has nothing in the groups that are needed."""
    if not group:
        return Verdict(None, is_sure=True)
    best, *others = sorted(group, key=lambda box: -box.odds)
    second = max((box.odds for box in others), default=NOWHERE)
    inked = max((box.odds for box in others if box.dark > STRAYED), default=NOWHERE)
    none = FORGOTTEN if is_needed else 0.0
    if not is_needed and best.odds < NONE:
        return Verdict(None, is_sure=True)
    nth = best.place.nth
    if second > SECOND:
        return Verdict(nth, is_sure=False, why="several")
    is_apart = best.odds - second > SURE and (inked == NOWHERE or _is_here(best.odds, inked))
    if best.odds - none > (ALL_THERE_IS if is_all else SURE) and is_apart:
        return Verdict(nth, is_sure=True)
    return Verdict(nth, is_sure=False, why=_why(best, hand), only=is_apart and not is_needed)


def _is_here(best: float, inked: float) -> bool:
    """Whether a tick is in its own box, though there is ink in another."""
    return best > STRONG and best - inked > APART


def _why(box: Judged, hand: Hand) -> str:
    if box.is_full:
        return "full"
    return "faint" if box.dark < FAINT * hand.dark else "unclear"


def _box(box: Judged, verdict: Verdict, layout: Layout, quad: Quad) -> Box:
    state, why = State.EMPTY, ""
    is_best = verdict.nth == box.place.nth
    if not box.is_sure:
        state, why = State.DOUBT, "place"
    elif is_best and verdict.is_sure:
        state = State.TICK
    elif box.is_full:
        state = State.VOID
    elif not verdict.is_sure and (is_best or box.odds > NONE):
        state, why = State.DOUBT, verdict.why
    return Box(layout.groups[box.place.group].key, box.place.nth, state, round(box.odds, 2), why, quad)


def _missing(chosen: Mapping[str, str], layout: Layout, *, any_full: bool) -> str:
    """Why clear ticks are not a whole line; "" where they are, or where nothing is ticked at all."""
    if not chosen:
        return "missing" if any_full else ""
    if chosen.get(ALONE) == NOTE:
        return "note"
    if chosen.get(ALONE) == PASSED:
        return "several" if len(chosen) > 1 else ""
    needed = {group.key for group in layout.groups if group.key in NEEDED}
    return "" if needed <= chosen.keys() else "missing"


def fills_boxes(lines: Sequence[Line], hand: Hand) -> bool:
    """Whether somebody seems to fill the boxes that are meant: boxes are cancelled where nothing else is ticked."""
    if hand.fills:
        return False
    filled = [line for line in lines if any(box.state is State.VOID for box in line.boxes)]
    alone = [line for line in filled if not line.chosen]
    ticked = [line for line in lines if line.chosen]
    return len(alone) > FILLED_SHARE * (len(alone) + len(ticked))
