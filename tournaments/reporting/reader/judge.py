"""Classify boxes as ticked, cancelled or in doubt, by the sheet's own hand and ink."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tournaments.reporting.reader.align import SCALE
from tournaments.reporting.reader.boxes import ALONE, NEEDED, NOTE, PASSED
from tournaments.reporting.reader.features import crossed, leaning, numbers_of
from tournaments.reporting.reader.results import Box, Line, State
from tournaments.reporting.reader.weights import FULL, MARK, NOTHING, OWN, numbers_with_hand

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tournaments.reporting.reader.features import Seen
    from tournaments.reporting.reader.layout import Layout, Place
    from tournaments.reporting.reader.results import Quad
    from tournaments.reporting.reader.weights import Weights


# What a sheet's hand is like: how dark its marks are, whether they stray from their boxes, whether all are alike.

# A hand strays whose ticks are usually farther than this from their boxes' middles, in millimetres, or which has fewer
# ticks than this.
STRAYS, FEW = 0.3, 12
# A hand is steady of whose marks this share has at least these odds, within this distance of the middle in millimetres.
STEADY_SHARE, STEADY, STEADY_LEANS = 0.9, 8.0, 0.7
# A hand whose marks are lighter, in shares of a printed line, should press harder.
WEAK_HAND = 0.75


class Hand(NamedTuple):
    """A sheet's handwriting: darkness of its marks, in shares of a printed line; whether they fill boxes, or stray.

    A hand that `is_steady` makes all marks alike.
    """

    dark: float
    fills: bool = False
    strays: bool = False
    is_steady: bool = False

    @property
    def is_weak(self) -> bool:
        return self.dark < WEAK_HAND


def does_stray(leans: Sequence[float]) -> bool:
    """Whether ticks stray, by how far to the right of their boxes' middles they lie."""
    return len(leans) < FEW or median(map(abs, leans)) > STRAYS


def is_steady(marks: Sequence[tuple[float, float]]) -> bool:
    """Whether marks are alike, and so many that this is known: of each the odds of it, and how far it leans."""
    leans = sorted(abs(lean) for odds, lean in marks if odds > STEADY)
    return (
        len(leans) >= max(FEW, STEADY_SHARE * len(marks))
        and leans[int(STEADY_SHARE * len(leans))] < STEADY_LEANS
    )


# Which boxes are ticked, which are cancelled, what is in doubt; and which lines are certain.
#
# A neural net (`weights`) gives the odds that a box has a tick. Lines are accepted, not boxes: at most one box of a
# group is ticked, of some groups exactly one in every line that was played, so a box is judged together with its group.
# All odds here are logarithms: 0 is as likely as not, 4.6 a hundred to one.

# Added to the net's odds: ticks were as frequent as this among the boxes that it was fitted on, full ones excluded.
RARE = 1.9
# The least odds of a tick, also over the second box of its group. Where another box of the group has ink, the tick
# needs STRONG odds (below), and to be likelier by APART: it may have strayed out of that box. Ink: as dark as a printed
# line (STRAYED), and darker by DARKER than the median box of the sheet.
SURE, APART, STRAYED, DARKER = 7.0, 12.0, 1.0, 0.12
# Where a hand strays, a tick this far from its box's middle (in millimetres) towards another box of its group may
# belong to that one, unless its odds are higher than UPRIGHT.
LEANS, UPRIGHT = 1.1, 15.0
# The least odds of a tick that is all its line has, where no later deal was played: a dot must not pass out a deal that
# is still to come. ALL_THERE_IS where it is not the very next deal, or the hand strays.
STRONG, ALL_THERE_IS = 9.0, 14.0
# The least odds of such a tick before a deal that was played, since something must be ticked there: for a steady hand,
# and within this distance of its box's middle, in millimetres.
BETWEEN, UPON = 4.0, 0.7
# The most odds of the second box of a group: two ticks are rarer than dirt. Where they are above 0, the tick must be
# likelier by CLEAR instead of SURE.
SECOND, CLEAR = 1.5, 10.0
# The odds that a required group was left blank, though a stain is in one of its boxes. They do not help ink of a hand
# that strays where it is farther than this from its box's middle, in millimetres.
FORGOTTEN, ASIDE = -5.0, 0.5
# A group that may be blank is blank if all its odds are below NONE. A line was played if a box of a required group has
# higher odds than EMPTY.
NONE, EMPTY = -4.0, -3.0
# The same for a steady hand: a tick with lower odds would differ from all its others.
STEADY_NONE = -1.5
# The odds of a box that does not exist.
NOWHERE = -99.0
# A box without visible paper: this share of it may be ink, or this share certainly is, unless it is very likely a tick.
# Alone on a list or a card it is in doubt: the net uses the hand too, which few boxes do not show.
COVERED, MOSTLY, FULL_BOX = 0.97, 0.82, "full"
# A mark is faint that is lighter than this share of the hand's.
FAINT = 0.6
# So many lines with filled boxes and no tick are of a hand that fills its ticks.
FILLED_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Judged:
    """A box with its odds of being ticked, whether it is full, its darkness, and whether its position is certain.

    `is_inked`: it holds ink that does not fill it, from a tick or dirt; `leans`: how far that is right of the
    centre, in millimetres; `is_covered`: hardly any paper is visible in it.
    """

    place: Place
    odds: float
    is_full: bool
    dark: float
    is_sure: bool
    is_inked: bool
    leans: float = 0.0
    is_covered: bool = False


class Verdict(NamedTuple):
    """The tick of a group: its index or None; whether that is certain; the reason if not.

    `only`: the only question is whether the likeliest box is ticked.
    """

    nth: int | None
    is_sure: bool
    why: str = ""
    only: bool = False


def judged(seen: Seen, weights: Weights, *, fills: bool = False) -> tuple[list[Judged], Hand]:
    """Judge the boxes of a picture, and the sheet's hand. A hand that `fills` its ticks has no cancelled boxes."""
    numbers = numbers_with_hand(seen)
    said = weights.said_of(seen, numbers)
    nothing, mark, full = said[:, NOTHING], said[:, MARK], said[:, FULL]
    if fills:
        odds, is_full = np.logaddexp(mark, full) - nothing, np.zeros(len(said), bool)
    else:
        odds = mark - np.logaddexp(nothing, full)
        is_full = full > np.logaddexp(nothing, mark)
    odds = odds + RARE * ~is_full
    dark, leans = numbers[:, 0], leaning(seen.pictures[: len(seen.boxes)], numbers) / SCALE
    strayed = does_stray(leans[odds > SURE].tolist())
    hand = Hand(float(numbers[0, OWN]), fills, strayed)
    inked = (dark > max(STRAYED, float(np.median(dark)) + DARKER)) & ~is_full
    ink, perhaps = numbers[:, OWN - 2], numbers[:, OWN - 1]
    covered = (perhaps > COVERED) | ((ink > MOSTLY) & (odds < ALL_THERE_IS))
    each = (odds, is_full, dark, inked, leans, covered)
    found = [
        Judged(place, like, filled, how_dark, seen.is_sure(place), is_inked, off, is_covered)
        for place, like, filled, how_dark, is_inked, off, is_covered in zip(
            seen.boxes, *(one.tolist() for one in each), strict=True
        )
    ]
    return found, hand


def lines_of(
    boxes: Sequence[Judged],
    hand: Hand,
    layout: Layout,
    stray: set[int],
    quads: Callable[[Place], Quad],
    pieces: Sequence[Quad],
) -> list[Line]:
    """The line of every row; `pieces` are their places on the picture, `quads` finds a box's."""
    rows = [_Row(row.deal, tuple([] for _group in layout.groups)) for row in layout.rows]
    for box in boxes:
        rows[box.place.row].groups[box.place.group].append(box)
    marks = [(box.odds, box.leans) for box in boxes if box.odds > 0 and box.place.row not in stray]
    is_known = not hand.strays and not _is_of_people(layout)
    hand = hand._replace(is_steady=is_known and is_steady(marks))
    passing = _passing(rows, hand, layout)
    return [
        _line(row, hand, layout, quads, piece, is_stray=number in stray, passing=odds)
        for number, (row, piece, odds) in enumerate(zip(rows, pieces, passing, strict=True))
    ]


def _passing(rows: Sequence[_Row], hand: Hand, layout: Layout) -> list[float]:
    """The least odds, for each row, of a tick that is all it has: higher where no later deal was played."""
    last = max((number for number, row in enumerate(rows) if _is_played(row, layout, SURE)), default=-1)
    found = [BETWEEN if hand.is_steady else SURE] * (last + 1)
    is_next = last >= 0 and not hand.strays
    for row in rows[last + 1 :]:
        found.append(STRONG if is_next else ALL_THERE_IS)
        is_there = _is_played(row, layout, SECOND) or _passed(row, hand, layout, STRONG) is not None
        is_next = is_next and is_there
    return found


class _Row(NamedTuple):
    """The boxes of a deal, group by group."""

    deal: int
    groups: tuple[list[Judged], ...]

    @property
    def boxes(self) -> list[Judged]:
        return [box for group in self.groups for box in group]


def _is_of_people(layout: Layout) -> bool:
    """Whether it is a list or a card, which has no required groups."""
    return not any(group.key in NEEDED for group in layout.groups)


def _is_played(row: _Row, layout: Layout, odds: float) -> bool:
    """Whether every required group has a box with higher odds than these; lists of people have no such group."""
    needed = [here for group, here in zip(layout.groups, row.groups, strict=True) if group.key in NEEDED]
    return bool(needed) and all(any(box.odds > odds for box in here) for here in needed)


def _line(
    row: _Row,
    hand: Hand,
    layout: Layout,
    quads: Callable[[Place], Quad],
    piece: Quad,
    *,
    is_stray: bool,
    passing: float,
) -> Line:
    """A line; a tick that is all it has must be as likely as `passing`."""
    verdicts = _passed(row, hand, layout, passing) or _verdicts(row, hand, layout)
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
    told = tuple(_box(box, verdicts[box.place.group], layout, quads(box.place)) for box in row.boxes)
    is_placed = all(box.is_sure for box in row.boxes)
    whys = [verdict.why for verdict in verdicts if verdict.why]
    why = "" if is_placed else "place"
    why = why or ("stray" if is_stray else "") or next(iter(whys), "")
    any_full = any(box.is_full for box in row.boxes)
    why = why or _missing(chosen, layout, any_full=any_full)
    settled = perhaps if why and is_placed and not is_stray and len(whys) == len(perhaps) else {}
    is_empty = not why and not chosen
    return Line(row.deal, not why and not is_empty, told, chosen, why, piece, settled)


def _passed(row: _Row, hand: Hand, layout: Layout, sure: float) -> list[Verdict] | None:
    """The verdicts where a deal was certainly passed out, else None: that box is compared with all of the row."""
    passed = next((box for box in row.groups[-1] if _is(box, PASSED, layout)), None)
    if passed is None or any(box.odds > passed.odds for box in row.boxes):
        return None
    others = [box for box in row.boxes if box is not passed]
    sure = sure if abs(passed.leans) < UPON else max(sure, SURE)
    verdict = _verdict([passed, *others], hand, sure=sure)
    if not verdict.is_sure or verdict.nth is None:
        return None
    return [*(Verdict(None, is_sure=True) for _group in layout.groups[:-1]), verdict]


def _verdicts(row: _Row, hand: Hand, layout: Layout) -> list[Verdict]:
    """The verdict on each group of a row."""
    is_any = any(
        box.odds > EMPTY for group, here in zip(layout.groups, row.groups, strict=True) for box in here
        if group.key in NEEDED
    )  # fmt: skip
    is_people = _is_of_people(layout)
    is_bare = not is_any and not is_people
    # Where all required groups are ticked, the deal was not passed out: a stain in that box is dirt.
    is_whole = _is_played(row, layout, SURE)
    found = []
    for group, here in zip(layout.groups, row.groups, strict=True):
        some = [box for box in here if not (is_whole and box.odds < SECOND and _is(box, PASSED, layout))]
        if is_people and not hand.fills and any(box.is_covered for box in some):
            found.append(Verdict(some[0].place.nth, is_sure=False, why=FULL_BOX))
            continue
        none = FORGOTTEN if is_any and group.key in NEEDED else 0.0
        found.append(_verdict(some, hand, none=none, sure=ALL_THERE_IS if is_bare else SURE))
    return found


def _is(box: Judged, value: str, layout: Layout) -> bool:
    """Whether a box has this value and belongs to the group ALONE."""
    group = layout.groups[box.place.group]
    return group.key == ALONE and group.values[box.place.nth] == value


def _verdict(group: Sequence[Judged], hand: Hand, *, none: float = 0.0, sure: float = SURE) -> Verdict:
    """The verdict on boxes of which at most one is ticked; `none` are the odds that none is."""
    if not group:
        return Verdict(None, is_sure=True)
    best, *others = sorted(group, key=lambda box: -box.odds)
    second = max((box.odds for box in others), default=NOWHERE)
    inked = max((box.odds for box in others if box.is_inked), default=NOWHERE)
    if none == 0 and best.odds < (STEADY_NONE if hand.is_steady else NONE):
        return Verdict(None, is_sure=True)
    nth = best.place.nth
    if second > SECOND:
        return Verdict(nth, is_sure=False, why="several")
    is_apart = best.odds - second > (CLEAR if second > 0 else SURE)
    is_apart = is_apart and (inked == NOWHERE or _is_here(best.odds, inked))
    is_apart = is_apart and not (hand.strays and best.odds < UPRIGHT and _leans(best, others))
    is_aside = hand.strays and best.is_inked and abs(best.leans) > ASIDE
    if best.odds - (0 if is_aside else none) > sure and is_apart:
        return Verdict(nth, is_sure=True)
    return Verdict(nth, is_sure=False, why=_why(best, hand), only=is_apart and none == 0)


def _is_here(best: float, inked: float) -> bool:
    """Whether a tick is in its own box, though there is ink in another."""
    return best > STRONG and best - inked > APART


def _leans(box: Judged, others: Sequence[Judged]) -> bool:
    """Whether a tick may belong to the neighbouring box of its group that it leans to."""
    beside = box.place.nth + (1 if box.leans > 0 else -1)
    return abs(box.leans) > LEANS and any(
        (other.place.group, other.place.nth) == (box.place.group, beside) for other in others
    )


def _why(box: Judged, hand: Hand) -> str:
    if box.is_full:
        return FULL_BOX
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
    """The reason why the certain ticks are not a complete line; "" if they are, or if the line is empty."""
    if not chosen:
        return "missing" if any_full else ""
    if chosen.get(ALONE) == NOTE:
        return "note"
    if chosen.get(ALONE) == PASSED:
        return "several" if len(chosen) > 1 else ""
    needed = {group.key for group in layout.groups if group.key in NEEDED}
    return "" if needed <= chosen.keys() else "missing"


def fills_boxes(lines: Sequence[Line], hand: Hand) -> bool:
    """Whether the intended boxes seem to be filled: boxes are cancelled where nothing else is ticked."""
    if hand.fills:
        return False
    filled = [
        line for line in lines if any(box.state is State.VOID or box.why == FULL_BOX for box in line.boxes)
    ]
    alone = [line for line in filled if not line.chosen]
    ticked = [line for line in lines if line.chosen]
    return len(alone) > FILLED_SHARE * (len(alone) + len(ticked))


# Ink that is no tick's: where no box is, and lines drawn through a row.

# Ink where no box is, in shares of a printed line's darkness; lighter than this share of the hand's marks it is dirt.
STRAY, STAIN = 0.10, 0.4
# A stroke that connects boxes across this share of a row, at least this dark, and this much darker than in the
# sheet's other rows (a picture may be blurred), strikes the row out. It takes this number of boxes.
STRUCK_SHARE, STRUCK, STRUCK_MORE, STRUCK_BOXES = 0.4, 0.1, 0.07, 8


def strays(seen: Seen, hand: Hand) -> set[int]:
    """The rows that have ink where no box is: more than is in empty boxes of this sheet."""
    numbers = numbers_of(seen.pictures)
    most = float(np.median(numbers[: len(seen.boxes), 1])) + STRAY
    found = numbers[len(seen.boxes) :]
    is_ink = (found[:, 1] > most) & (found[:, 0] > STAIN * hand.dark)
    return {place.row for place, one in zip(seen.without, is_ink.tolist(), strict=True) if one}


def struck(seen: Seen) -> set[int]:
    """Rows that are struck out: their ticks do not count."""
    row_of = np.array([place.row for place in seen.boxes])
    lines = crossed(seen.pictures[: len(seen.boxes)])
    rows = {row: lines[row_of == row] for row in set(row_of.tolist())}
    through = {
        row: float(np.quantile(found, 1 - STRUCK_SHARE))
        for row, found in rows.items()
        if len(found) >= STRUCK_BOXES
    }
    least = max(STRUCK, median(through.values()) + STRUCK_MORE) if through else STRUCK
    return {row for row, dark in through.items() if dark > least}
