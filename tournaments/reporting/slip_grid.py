"""The grid of a typed slip: its columns, form, legend, and storing it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scoring import vocabulary
from scoring.notation import write_words
from scoring.results import read_result
from tournaments.domain.outcomes import declarer_of
from tournaments.domain.terms import MINUS, contract_name, outcome_name, signed, suit_name
from tournaments.ledger import Answer, Author, Refused, Submission, judge, keep_aside, record
from tournaments.ledger.queries import TablePool
from tournaments.ledger.scoresheet import result_sentence, score_sheet
from tournaments.ledger.seating import seating_at
from tournaments.models import Report
from tournaments.web.deal_form import example_of, read_typed, reportable
from tournaments.web.fields import reason_field
from tournaments.web.guards import number_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from scoring.results import DealResult
    from scoring.rulebook import Rulebook
    from scoring.seats import Seating
    from tournaments.ledger.scoresheet import ScoreSheet, SheetLine


# Lines of the grid: typed text, the result by the rules, and comparison with the paper's totals.

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
    """A deal's line as displayed.

    `report` is the line's result, or the one that counts already; None if there is none. `result` is what would be
    stored; None if nothing is new.
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
        """Serialize for the page, with all texts rendered."""
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


def report_notation(rulebook: Rulebook, report: Report | None, seating: Seating) -> str:
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
    """The initial grid: reported deals by number."""
    return {
        line.number: TypedLine(
            report_notation(sheet.rulebook, line.report, _seating(sheet, line)), "", line.revision
        )
        for line in sheet.lines
    }


def _seating(sheet: ScoreSheet, line: SheetLine) -> Seating:
    return seating_at(sheet.table, sheet.players, line.number)


def read_grid(sheet: ScoreSheet, typed: Mapping[int, TypedLine]) -> list[GridLine]:
    """Every deal's line, read and judged in the order of the deals; nothing is stored."""
    reader = _Grid(sheet)
    return [reader.read(line, typed.get(line.number, TypedLine())) for line in sheet.lines]


def _ambiguous(text: str, read: DealResult) -> tuple[str, ...]:
    """Notes on a single letter that is also a suit's initial, if no trump is given: “k” is kodille, not klør."""
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
        """Fill a line that the user has not touched with what was reported meanwhile."""
        if typed.seen == line.revision:
            return typed
        seating = _seating(self.sheet, line)
        before = (
            self.sheet.table.reports.filter(deal_number=line.number, revision=typed.seen).first()
            if typed.seen
            else None
        )
        if typed.text.strip() != report_notation(self.sheet.rulebook, before, seating):
            return typed
        return TypedLine(
            report_notation(self.sheet.rulebook, line.report, seating), typed.paper, line.revision
        )

    def _judged(self, line: GridLine, sheet_line: SheetLine) -> GridLine:
        """The line with the typed result; unchanged if that counts already."""
        seating = _seating(self.sheet, sheet_line)
        text, stands = line.typed.text.strip(), report_notation(self.sheet.rulebook, line.report, seating)
        if text == stands:
            return line
        if len(text) > LONGEST_LINE:
            raise ValidationError(_("A line has at most %(most)d characters.") % {"most": LONGEST_LINE})
        read = read_typed(line.typed.text, line.deal, seating, self.sheet.rulebook, self.names)
        if read is None:
            if not stands:
                return line
            raise ValidationError(
                _("This deal has been reported; an empty line does not undo it. It is: %(line)s")
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
        """The pool by the lines above, for a line without one."""
        if self.sheet.pool is None:
            return {}
        earlier = {number: report for number, report in self.reports.items() if number < deal}
        return {"pool": TablePool(self.sheet.rulebook, self.sheet.players, earlier).for_entry(deal)}

    def _compared(self, paper: str) -> str:
        """The first difference between the paper's running totals and the computed ones."""
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
    """Parse whole numbers; empty if the text contains anything else."""
    words = [word for word in _BETWEEN.split(paper.replace(MINUS, "-").replace("–", "-")) if word]
    return [int(word) for word in words] if all(map(_AMOUNT.fullmatch, words)) else []


# A slip as it is sent: a result and the paper's totals for each deal, and one reason for all that is corrected.


class SlipForm(forms.Form):
    """`key` is the page's: sending it twice stores it once; `seen` are the revisions of the deals it was typed over."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    reason = reason_field(
        required=False,
        label=gettext_lazy("Why are deals being corrected?"),
        help_text=gettext_lazy("Only if a line changes a deal reported earlier; one reason for all of them."),
    )

    def revisions(self, deals: int) -> list[int]:
        """The revision over which each deal was typed; 0 if unreadable, which overwrites nothing."""
        typed = [number_in(word) or 0 for word in self.data.get("seen", "").split(",")]
        return (typed + [0] * deals)[:deals]

    def say_reason_is_missing(self) -> None:
        self.add_error("reason", _("Say why the deal is corrected, in a few words."))


# The words of the notation that a rulebook's slips need, with what they mean.

MOST_WORDS = 3
QUOTED = re.compile("[“”„»«]([^“”„»«]+)[“”„»«]")
PASSES = 2


@dataclass(frozen=True, slots=True)
class Legend:
    """`groups` are headings with (meaning, what is typed for it) below; `line` is the first line of the example."""

    example: str
    line: str
    groups: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


def legend_of(rulebook: Rulebook, players: int) -> Legend:
    """A short legend of the notation for this rulebook and number of players."""
    contracts = tuple(
        (contract_name(row.id), _shortest_words(_contract_words(row.id, rulebook)))
        for row in rulebook.contracts_at(players)
    )
    if rulebook.may_be_passed_out(players):
        passed = _readers(vocabulary.PASSED)[:PASSES]
        contracts += ((_("all passed"), " · ".join(f"- {word}" for word in passed)),)
    suits = tuple(
        (suit_name(suit), _shortest_words(_readers(words))) for suit, words in vocabulary.SUITS.items()
    )
    outcomes = tuple(
        (outcome_name(rulebook, outcome), _shortest_words(_outcome_words(rulebook, outcome)))
        for outcome in reportable(rulebook, players).get("outcome", ())
        if outcome in vocabulary.OUTCOMES
    )
    also = (
        (_("tricks, the declarer’s first"), "5-3-1"),
        (_("tout"), _shortest_words(_readers(vocabulary.FLAGS["tout", "won"]))),
        (_("tout failed"), _shortest_words(_readers(vocabulary.FLAGS["tout", "failed"]))),
        (_("gave up"), _shortest_words(_readers(vocabulary.FLAGS["abandoned", True]))),
    )
    example = example_of(rulebook, rulebook.seating(players, players - 1))
    quoted = QUOTED.search(example)
    return Legend(
        example,
        quoted[1].strip() if quoted else "",
        (
            (_("Contract"), contracts),
            (_("Trump"), suits),
            (_("Result"), outcomes),
            (_("Remark"), also),
        ),
    )


def _readers(row: tuple[str, ...]) -> tuple[str, ...]:
    """A row of the vocabulary as the reader has it: not what it is called in other languages alone."""
    return vocabulary.row_in(get_language() or "", row[0])


def _contract_words(contract: str, rulebook: Rulebook) -> tuple[str, ...]:
    """The words that mean this contract by this rulebook: some are another contract's too."""
    known = rulebook.known_contracts
    words = []
    for word in _readers(vocabulary.CONTRACTS[contract]):
        meant = vocabulary.CONTRACTS_MEANT[vocabulary.fold(word)]
        if next((row for row in meant if row in known), meant[0]) == contract:
            words.append(word)
    return tuple(words)


def _outcome_words(rulebook: Rulebook, outcome: str) -> tuple[str, ...]:
    """The words that mean this outcome, the rulebook's own first."""
    first = vocabulary.OUTCOMES[outcome][0]
    words, own = _readers((first,)), rulebook.in_own_words(first)
    if own == first:
        return words
    return (own, *(word for word in words if word != own))


def _shortest_words(words: tuple[str, ...]) -> str:
    """The first word and the shortest others, in the order of the vocabulary."""
    shortest = sorted(words[1:], key=len)[: MOST_WORDS - 1]
    return " · ".join(word for word in words if word == words[0] or word in shortest)


# Storing a typed slip: every valid line goes to the ledger, an invalid one stays in the grid as typed.


@dataclass(frozen=True, slots=True)
class Stored:
    """Sheet and grid after storing, counts of lines stored and quarantined, and whether a reason is missing."""

    sheet: ScoreSheet
    lines: list[GridLine]
    stored: int
    kept: int
    reason_missing: bool

    @property
    def done(self) -> bool:
        """Whether nothing in the grid needs to be looked at again."""
        return not self.kept and not any(line.problem or line.result for line in self.lines)


def store(
    sheet: ScoreSheet,
    typed: Mapping[int, TypedLine],
    *,
    key: UUID,
    reason: str,
    author: Author,
    now: datetime,
    why_aside: str = "",
) -> Stored:
    """Store every valid new line; raises `NotPossible` if the desk cannot store now.

    `key` is the page's: submitting the same page twice stores it once. With `why_aside` (a revoked link) the lines
    are quarantined for the organiser.
    """
    table = sheet.table
    lines = read_grid(sheet, typed)
    submissions = [_submission(line, key, reason) for line in lines if line.result is not None]
    if why_aside:
        answers = keep_aside(table, submissions, why_aside, now=now)
    else:
        answers = record(table, submissions, author, now=now)
    by_deal = {submission.deal: answer for submission, answer in zip(submissions, answers, strict=True)}
    after = score_sheet(table)
    again = {line.deal: _typed_after(line, by_deal.get(line.deal), after) for line in lines}
    shown = [
        replace(line, problem=_problem(after, by_deal[line.deal]) or line.problem)
        if line.deal in by_deal
        else line
        for line in read_grid(after, again)
    ]
    statuses = [answer.status for answer in answers]
    return Stored(
        sheet=after,
        lines=shown,
        stored=statuses.count("accepted"),
        kept=statuses.count("kept"),
        reason_missing=any(
            problem.code == "reason_missing" for answer in answers for problem in answer.problems
        ),
    )


def _submission(line: GridLine, key: UUID, reason: str) -> Submission:
    return Submission(
        # Another text on the same line is another report.
        key=uuid5(key, f"{line.deal} {line.typed.seen} {line.result}"),
        deal=line.deal,
        base=line.typed.seen,
        result=line.result,
        reason=reason if line.corrects else "",
    )


def _typed_after(line: GridLine, answer: Answer | None, after: ScoreSheet) -> TypedLine:
    """The line to show again: based on the current version, if the result included it."""
    if answer is None or answer.status not in ("accepted", "duplicate", "conflict"):
        return line.typed
    stands = as_it_stands(after)[line.deal]
    if answer.status == "conflict":
        return replace(line.typed, seen=stands.seen)
    return replace(stands, paper=line.typed.paper)


def _problem(sheet: ScoreSheet, answer: Answer) -> str:
    match answer.status:
        case "conflict" if answer.current:
            return _(
                "Changed while you were typing; it now counts as: %(said)s. Save again with a reason "
                "if yours is right."
            ) % {"said": result_sentence(sheet.rulebook, answer.current, sheet.names)}
        case "refused":
            # A missing reason is shown at its own field.
            told = [problem.message for problem in answer.problems if problem.code != "reason_missing"]
            return " ".join(told)
    return ""
