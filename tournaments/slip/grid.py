"""The lines of the grid: what was typed, what the rules make of it, and how it goes with the paper."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring import vocabulary
from scoring.notation import write_words
from scoring.results import read_result
from tournaments.domain.outcomes import declarer_of
from tournaments.domain.terms import MINUS, signed, suit_name
from tournaments.ledger import Refused, judge
from tournaments.ledger.queries import TablePool
from tournaments.ledger.scoresheet import result_sentence
from tournaments.ledger.seating import seating_at
from tournaments.models import Report
from tournaments.web.deal_form import read_typed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scoring.results import DealResult
    from scoring.rulebook import Rulebook
    from scoring.seats import Seating
    from tournaments.ledger.scoresheet import ScoreSheet, SheetLine

LONGEST_LINE = 120
_BETWEEN = re.compile(r"[\s,;/|]+")
_AMOUNT = re.compile(r"[+-]?[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A deal's line as it was sent: the result, the paper's running totals, the revision it was typed over."""

    text: str = ""
    paper: str = ""
    seen: int = 0


@dataclass(frozen=True, slots=True)
class GridLine:
    """A deal's line as it is shown.

    `report` is the result that the line says, or that counts already; None where there is none. `result` is what is
    to be stored; None where nothing is new.
    """

    deal: int
    typed: TypedLine
    dealer: int
    sits_out: int | None
    report: Report | None = None
    result: dict[str, Any] | None = None
    said: str = ""
    tokens: tuple[int, ...] = ()
    running: tuple[int, ...] = ()
    problem: str = ""
    paper_problem: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def corrects(self) -> bool:
        """Whether storing it changes a deal that has been reported."""
        return self.result is not None and self.typed.seen > 0

    def to_json(self) -> dict[str, Any]:
        """For the page, with everything already in words."""
        return {
            "deal": self.deal,
            "said": self.said,
            "tokens": [signed(amount) for amount in self.tokens],
            "running": [signed(amount) for amount in self.running],
            "problem": self.problem,
            "paper_problem": self.paper_problem,
            "warning": " ".join(self.warnings),
            "corrects": self.corrects,
        }


def written(rulebook: Rulebook, report: Report | None, seating: Seating) -> str:
    """A report as a line of the notation; "" for none, and for a ruling, which the notation cannot say."""
    if report is None or report.result is None or "ruled" in report.result:
        return ""
    try:
        return in_words(rulebook, read_result(report.result, seating), seating)
    except ValueError:
        # The notation has no words for it: the line stays empty, and the deal as it is.
        return ""


def in_words(rulebook: Rulebook, result: DealResult, seating: Seating) -> str:
    """A result as a line of the notation, in the reader's words. Raises ValueError where it has none."""
    instead = vocabulary.WRITTEN.get(get_language() or "", {})
    return write_words(result, seating, rulebook, instead)


def as_it_stands(sheet: ScoreSheet) -> dict[int, TypedLine]:
    """The grid before anybody types: what is reported already, by deal."""
    return {
        line.number: TypedLine(written(sheet.rulebook, line.report, _seating(sheet, line)), "", line.revision)
        for line in sheet.lines
    }


def _seating(sheet: ScoreSheet, line: SheetLine) -> Seating:
    return seating_at(sheet.table, sheet.players, line.number)


def read_grid(sheet: ScoreSheet, typed: Mapping[int, TypedLine]) -> list[GridLine]:
    """Every deal's line, read and judged in the order of the deals; nothing is stored."""
    reader = _Grid(sheet)
    return [reader.read(line, typed.get(line.number, TypedLine())) for line in sheet.lines]


def _ambiguous(text: str, read: DealResult) -> tuple[str, ...]:
    """How a letter alone was read that is a suit's initial too, where no trump is said: “k” is kodille, not klør."""
    if read.trump is not None or read.outcome is None:
        return ()
    initials = {vocabulary.fold(suit_name(suit))[:1] for suit in vocabulary.SUITS}
    return tuple(
        _("“%(word)s” is read as %(words)s; no trump suit is given.")
        % {
            "word": word,
            "words": vocabulary.row_in(get_language() or "", vocabulary.OUTCOMES[read.outcome][0])[0],
        }
        for word in text.split()[1:]
        if vocabulary.fold(word) in initials
        and vocabulary.ITEMS_MEANT.get(vocabulary.fold(word)) == ("outcome", read.outcome)
    )


class RefusedLineError(Exception):
    """A line that is read, and is not by the rules: what is wrong with it, and how it was read."""


class _Grid:
    """Reads line by line; what earlier lines say decides the pool and the running totals of later ones."""

    def __init__(self, sheet: ScoreSheet) -> None:
        self.sheet = sheet
        self.names = sheet.names
        self.reports = {line.number: line.report for line in sheet.lines if line.report}
        self.running = (0,) * sheet.players
        # Whether the paper can be compared: not after a line that is wrong, or the first difference.
        self.comparable = True

    def read(self, sheet_line: SheetLine, typed: TypedLine) -> GridLine:
        line = GridLine(
            sheet_line.number,
            self._brought_up_to_date(sheet_line, typed),
            sheet_line.dealer,
            sheet_line.sits_out,
            report=sheet_line.report if sheet_line.reported else None,
        )
        try:
            line = self._judged(line, sheet_line)
        except ValidationError as error:
            line = replace(line, problem=" ".join(error.messages))
        except RefusedLineError as refused:
            line = replace(line, problem=str(refused))
        if line.problem:
            self.comparable = False
        elif line.report:
            self.reports[line.deal] = line.report
            tokens = tuple(line.report.tokens)
            self.running = tuple(map(sum, zip(self.running, tokens, strict=True)))
            told = line.report.result or {}
            played = seating_at(self.sheet.table, self.sheet.players, line.deal, told.get("declarer"))
            said = result_sentence(self.sheet.rulebook, line.report, self.names, played)
            line = replace(line, said=said, tokens=tokens, running=self.running)
        return replace(line, paper_problem=self._compared(typed.paper))

    def _brought_up_to_date(self, line: SheetLine, typed: TypedLine) -> TypedLine:
        """What somebody else reported meanwhile goes into a line that was not touched."""
        if typed.seen == line.revision:
            return typed
        seating = _seating(self.sheet, line)
        before = (
            self.sheet.table.reports.filter(deal_number=line.number, revision=typed.seen).first()
            if typed.seen
            else None
        )
        if typed.text.strip() != written(self.sheet.rulebook, before, seating):
            return typed
        return TypedLine(written(self.sheet.rulebook, line.report, seating), typed.paper, line.revision)

    def _judged(self, line: GridLine, sheet_line: SheetLine) -> GridLine:
        """The line with the result that was typed; unchanged where it says what counts already."""
        seating = _seating(self.sheet, sheet_line)
        text, stands = line.typed.text.strip(), written(self.sheet.rulebook, line.report, seating)
        if text == stands:
            return line
        if len(text) > LONGEST_LINE:
            raise ValidationError(_("A line has at most %(most)d characters.") % {"most": LONGEST_LINE})
        read = read_typed(line.typed.text, line.deal, seating, self.sheet.rulebook, self.names)
        if read is None:
            if not stands:
                return line
            raise ValidationError(
                _("This deal has been reported; an empty line does not take it back. It is: %(line)s")
                % {"line": stands}
            )
        result = self._pool_before(line.deal) | read.to_json(seating)
        try:
            judged = judge(self.sheet.table, self.sheet.rulebook, self.names, line.deal, result, at_desk=True)
        except Refused as refused:
            problems = [problem.message for problem in refused.problems]
            understood = in_words(self.sheet.rulebook, read, seating)
            if understood != text:  # a “k” may have been meant otherwise
                problems.append(_("Read as: %(line)s") % {"line": understood})
            raise RefusedLineError(" ".join(problems)) from None
        if line.report and line.report.result == judged.result:
            return line
        report = Report(
            result=judged.result,
            outcome=judged.outcome,
            declarer=declarer_of(judged.result),
            tokens=list(judged.tokens),
        )
        warnings = tuple(warning.message for warning in judged.warnings) + _ambiguous(text, read)
        return replace(line, report=report, result=result, warnings=warnings)

    def _pool_before(self, deal: int) -> dict[str, int]:
        """What lies in the pool by the lines above, for a line that does not say it."""
        if self.sheet.pool is None:
            return {}
        earlier = {number: report for number, report in self.reports.items() if number < deal}
        return {"pool": TablePool(self.sheet.rulebook, self.sheet.players, earlier).for_entry(deal)}

    def _compared(self, paper: str) -> str:
        """What is wrong with the paper's running totals; only the first difference is told."""
        if not paper.strip():
            return ""
        amounts = _read_amounts(paper)
        if len(amounts) != self.sheet.players:
            return _("Type %(count)d totals with spaces between them.") % {"count": self.sheet.players}
        if not self.comparable:
            return ""
        differences = [
            _("%(seat)s: %(paper)s on paper, %(here)s here")
            % {"seat": seat.letter, "paper": signed(amount), "here": signed(here)}
            for seat, amount, here in zip(self.sheet.seats, amounts, self.running, strict=True)
            if amount != here
        ]
        if differences:
            self.comparable = False
        return "; ".join(differences)


def _read_amounts(paper: str) -> Sequence[int]:
    """The whole numbers in a text; none if anything else stands there."""
    words = [word for word in _BETWEEN.split(paper.replace(MINUS, "-").replace("–", "-")) if word]
    return [int(word) for word in words] if all(map(_AMOUNT.fullmatch, words)) else []
