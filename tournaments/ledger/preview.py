"""Preview of a change at a table: another dealer, changed seats, a deal inserted or removed."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from core.errors import NotPossible
from tournaments.domain.outcomes import is_totals_only
from tournaments.ledger.queries import names_at, rulebook_of
from tournaments.ledger.seating import seating_at
from tournaments.ledger.submissions import Judged, Refused, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scoring.seats import Change, Seating
    from tournaments.domain.terms import ProblemText
    from tournaments.models import Report, Table


@dataclass(frozen=True, slots=True)
class Line:
    """A deal after the change: the deal whose result it has, and its settlement; `was` is its current report.

    Without a `source` it is open. Where the rules do not allow the result any more, `judged` is None and `problems`
    say why.
    """

    deal: int
    before: Seating
    after: Seating
    was: Report | None
    source: Report | None
    judged: Judged | None = None
    problems: Sequence[ProblemText] = ()

    @property
    def is_impossible(self) -> bool:
        return self.source is not None and self.judged is None

    @property
    def reseated(self) -> bool:
        """Whether the change gives it another dealer, or another player sits out."""
        return self.before != self.after

    @property
    def is_resettled(self) -> bool:
        """Whether the change alters its result, dealer or tokens."""
        if self.source is None:
            return self.was is not None and self.was.result is not None
        if self.judged is None or self.was is None or self.was.result is None:
            return True
        counted = self.was.result, self.was.dealer, tuple(self.was.tokens)
        return counted != (self.judged.result, self.after.dealer, self.judged.tokens)

    @property
    def tokens(self) -> tuple[int, ...]:
        """The deal's tokens by position after the change; empty if it is not reported or becomes impossible."""
        return self.judged.tokens if self.judged else ()


class Outlook:
    """Everything that would follow from one change at a table. Raises NotPossible for what cannot be.

    `seen` is a digest of the sheet that it was computed from: it differs after any change of the sheet.
    """

    def __init__(self, table: Table, change: Change) -> None:
        self.table = table
        self.change = dict(change)
        self.seen = f"{len(table.turns)}.{table.reports_count}"
        self.names = names_at(table)
        self.reports: dict[int, Report] = {
            deal.number: deal.current for deal in table.dealt.select_related("current")
        }
        refuse_what_cannot_be(table, self.change, self.names, self.reported)
        self.changed: Table = copy(table)
        self.changed.turns = [*table.turns, self.change]

    def reported(self, deal: int) -> Report | None:
        """The report that counts for a deal; None where it is open."""
        report = self.reports.get(deal)
        return report if report is not None and report.result is not None else None

    @property
    def first(self) -> int:
        """The first deal that is concerned."""
        if "back" in self.change:
            return int(self.table.turns[self.change["back"]]["deal"])
        return int(self.change["deal"])

    @property
    def moves(self) -> int:
        """The shift of the later deals' numbers."""
        return int(self.change.get("insert", 0))

    @property
    def falls_out(self) -> Report | None:
        """The last deal, where it would move beyond the end."""
        return self.reported(self.table.deals) if self.moves > 0 else None

    @property
    def taken_out(self) -> Report | None:
        """The result of the deal that would be taken out."""
        return self.reported(self.first) if self.moves < 0 else None

    @cached_property
    def lines(self) -> list[Line]:
        """Every deal from the first that is concerned on."""
        return list(self._lines())

    def _lines(self) -> Iterator[Line]:
        rulebook = rulebook_of(self.table.round.tournament)
        for deal in range(self.first, self.table.deals + 1):
            is_new = self.moves > 0 and deal == self.first
            source = None if is_new else self.reported(deal - self.moves)
            before, after = (seating_at(at, len(self.names), deal) for at in (self.table, self.changed))
            line = Line(deal, before, after, self.reports.get(deal), source)
            if source is None:
                yield line
                continue
            try:
                judged = judge(self.changed, rulebook, self.names, deal, source.result or {}, at_desk=True)
            except Refused as refused:
                yield Line(deal, before, after, line.was, source, problems=refused.problems)
            else:
                yield Line(deal, before, after, line.was, source, judged)

    @property
    def resettled(self) -> list[Line]:
        return [line for line in self.lines if line.is_resettled]

    @property
    def impossible(self) -> list[Line]:
        return [line for line in self.lines if line.is_impossible]

    @property
    def totals(self) -> list[tuple[int, int]]:
        """Each player's tokens over all deals, before and after; what is impossible brings nothing."""
        before, after = [0] * len(self.names), [0] * len(self.names)
        lines = {line.deal: line for line in self.lines}
        for deal in range(1, self.table.deals + 1):
            report = self.reported(deal)
            now = tuple(report.tokens) if report else ()
            for totals, tokens in ((before, now), (after, lines[deal].tokens if deal in lines else now)):
                for position, amount in enumerate(tokens):
                    totals[position] += amount
        return list(zip(before, after, strict=True))


def refuse_what_cannot_be(
    table: Table,
    change: Mapping[str, Any],
    names: Sequence[str],
    reported: Callable[[int], Report | None],
) -> None:
    """Validate a change of dealer or seats; raises NotPossible, with the field, if it is empty or impossible here."""
    if "back" in change:
        _refuse_taking_back(table, change["back"])
        return
    deal = change["deal"]
    if not 1 <= deal <= table.deals:
        raise NotPossible(_("There is no deal %(deal)d at this table.") % {"deal": deal}, "deal")
    if "swap" in change:
        _refuse_swap(table, change["swap"], names)
    elif table.folders:
        raise NotPossible(_("The folders decide who deals, and which deal it is."))
    elif "insert" in change:
        first = reported(1)
        if first is not None and is_totals_only(first.result):
            raise NotPossible(_("This table’s totals were entered without deals."))
        later = any(reported(number) for number in range(deal, table.deals + 1))
        if not later:
            raise NotPossible(_("No later deal has been reported: nothing would move."), "deal")
    elif not 0 <= change["dealer"] < len(names):
        raise NotPossible(_("There is no such seat at this table."), "first")
    elif seating_at(table, len(names), deal).dealer == change["dealer"]:
        said = {"name": names[change["dealer"]], "deal": deal}
        raise NotPossible(_("%(name)s already deals deal %(deal)d.") % said, "first")


def _refuse_swap(table: Table, positions: Sequence[int], names: Sequence[str]) -> None:
    one, other = positions
    if not (0 <= one < len(names) and 0 <= other < len(names)):
        raise NotPossible(_("There is no such seat at this table."), "first")
    if one == other:
        raise NotPossible(_("Choose two different players."), "second")
    if table.match_id is not None and (one - other) % 2:
        raise NotPossible(_("Partners sit opposite each other here: only partners can swap seats."), "second")


def _refuse_taking_back(table: Table, place: int) -> None:
    turns = table.turns
    turning = 0 <= place < len(turns) and ("swap" in turns[place] or "dealer" in turns[place])
    if not turning or not may_be_taken_back(turns, place):
        raise NotPossible(_("This has already been undone, or deals were moved after it."))


def may_be_taken_back(turns: Sequence[Change], place: int) -> bool:
    """Whether a change is still in effect as made: not undone, and no deals moved since."""
    return not any(change.get("back") == place or "insert" in change for change in turns[place + 1 :])
