"""What was answered on the page of a read table: which lines are still to be looked at before it is taken in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tournaments.slip.grid import TypedLine, read_grid
from tournaments.slip.photographed.words import PHONE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.ledger.scoresheet import ScoreSheet
    from tournaments.slip.grid import GridLine
    from tournaments.slip.photographed.merging import MergedLine

# Lines that need no answer are looked through so many at a time.
BLOCK = 10
STANDS, PAPER = "stands", "paper"


@dataclass(frozen=True)
class Answered:
    """What a page was sent with: the lines as they were typed, and as they stood there before; those said to be right,
    what counts where two differ, and the blocks that were looked through.
    """

    typed: Mapping[int, TypedLine]
    shown: Mapping[int, str]
    right: frozenset[int] = frozenset()
    which: Mapping[int, str] | None = None
    looked: frozenset[int] = frozenset()

    def retyped(self, deal: int) -> bool:
        """Whether somebody has typed something else into the line than stood there."""
        return deal in self.typed and self.typed[deal].text.strip() != self.shown.get(deal, "").strip()


@dataclass(frozen=True)
class Checked:
    """A line with its grid's line. `problem` is why it is not taken in yet.

    `before` is what stands in it before anybody types, `retyped` whether somebody has, `is_other` whether what was
    answered was something else, as it was read then.
    """

    merged: MergedLine
    line: GridLine
    asked: bool
    before: str = ""
    right: bool = False
    which: str = ""
    problem: str = ""
    retyped: bool = False
    is_other: bool = False


@dataclass(frozen=True)
class Block:
    """Lines that need no answer, to be looked through; `problem` where that was not said."""

    number: int
    lines: Sequence[Checked]
    looked: bool
    problem: str = ""


class Check:
    """The lines of a table's pictures, with what was answered, or as they are before."""

    def __init__(
        self, sheet: ScoreSheet, merged: Sequence[MergedLine], answered: Answered | None, *, trusted: bool
    ) -> None:
        self.sheet = sheet
        self.trusted = trusted
        self.answered = answered
        revisions = {line.number: line.revision for line in sheet.lines}
        before = {line.deal: line.typed(revisions[line.deal]) for line in merged}
        self.typed = before if answered is None else _with_answers(before, merged, answered)
        self.grid = read_grid(sheet, self.typed)
        lines = {line.deal: line for line in self.grid}
        grid_before = self.grid if answered is None else read_grid(sheet, before)
        asked_before = {line.deal for line in grid_before if line.problem}
        # Whoever types over what was reported has to see that, and say which counts, as where the paper says otherwise.
        merged = [
            replace(one, why=PHONE) if one.reported and lines[one.deal].result is not None else one
            for one in merged
        ]
        self._let_stand(
            [one for one in merged if one.differs and lines[one.deal].result is not None], revisions
        )
        lines = {line.deal: line for line in self.grid}
        self.checked = [
            self._checked(
                one, lines[one.deal], before[one.deal], asked=bool(one.why) or one.deal in asked_before
            )
            for one in merged
        ]
        self.asked = [one for one in self.checked if one.asked]
        plain = [one for one in self.checked if not one.asked]
        self.blocks = [self._block(number, plain) for number in range(-(-len(plain) // BLOCK))]

    @property
    def is_right(self) -> bool:
        """Whether all of it can be taken in."""
        return not (
            any(one.problem for one in self.asked)
            or any(block.problem or any(one.problem for one in block.lines) for block in self.blocks)
            or any(line.problem or line.paper_problem for line in self.grid)
        )

    @property
    def left(self) -> int:
        """How many lines are to be answered."""
        return len(self.asked)

    def _let_stand(self, lines: Sequence[MergedLine], revisions: Mapping[int, int]) -> None:
        """Where what was reported is said to count, what was typed over it does not."""
        which = (self.answered.which if self.answered else None) or {}
        kept = {
            one.deal: replace(self.typed[one.deal], text=one.stands, seen=revisions[one.deal])
            for one in lines
            if which.get(one.deal) == STANDS
        }
        if kept:
            self.typed = {**self.typed, **kept}
            self.grid = read_grid(self.sheet, self.typed)

    def _checked(self, merged: MergedLine, line: GridLine, before: TypedLine, *, asked: bool) -> Checked:
        answered = self.answered
        if answered is None:
            return Checked(merged, line, asked, before.text)
        retyped = answered.retyped(merged.deal)
        shown = answered.shown.get(merged.deal, before.text)
        is_other = not retyped and shown.strip() != before.text.strip()
        which = (answered.which or {}).get(merged.deal, "")
        if is_other and which == PAPER:
            which = ""
        right = which == STANDS or (retyped and not merged.differs)
        right = right or (merged.deal in answered.right and not is_other)
        problem = line.problem
        if not problem and asked and merged.differs and which not in (STANDS, PAPER):
            problem = _("Say which of the two counts.")
        elif not problem and asked and not merged.differs and not right:
            problem = _("Compare it with the paper, then confirm that it is right.")
        return Checked(merged, line, asked, before.text, right, which, problem, retyped, is_other)

    def _block(self, number: int, plain: Sequence[Checked]) -> Block:
        lines = plain[number * BLOCK : (number + 1) * BLOCK]
        # Named by its first deal: another picture may have changed which lines are asked.
        first = lines[0].merged.deal
        looked = self.answered is not None and first in self.answered.looked
        looked = looked and not any(one.is_other and not one.merged.reported for one in lines)
        missing = self.answered is not None and not self.trusted and not looked
        problem = _("Compare these lines with their pieces of the paper first.") if missing else ""
        return Block(first, lines, looked, problem)


def _with_answers(
    before: Mapping[int, TypedLine], merged: Sequence[MergedLine], answered: Answered
) -> dict[int, TypedLine]:
    """What was typed; where what was reported counts, that is not changed.

    What only stood there is nobody's word: it is as the pictures say now, who may be others, or read anew.
    """
    typed = {
        deal: answered.typed[deal]
        if answered.retyped(deal)
        else replace(answered.typed.get(deal, untouched), text=untouched.text)
        for deal, untouched in before.items()
    }
    for line in merged:
        if line.differs and (answered.which or {}).get(line.deal) == STANDS:
            typed[line.deal] = replace(typed[line.deal], text=line.stands, seen=before[line.deal].seen)
    return typed
