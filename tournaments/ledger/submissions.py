"""Reading a submitted report, judging it by the rules, and setting it aside for the organiser."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import UUID, uuid5

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from core.errors import REASON_LENGTH
from core.text import clean_text
from scoring.results import UnreadableResult, read_result
from scoring.rulebook import Rulebook
from scoring.settlement import problems, settle_at_table
from tournaments.changes.versions import announce
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.domain.terms import ProblemText, doubt_of, problem_said, reason_code, sentence
from tournaments.ledger.queries import NamesAt, names_at, rulebook_of
from tournaments.ledger.seating import seating_at
from tournaments.models import KeptReport, Report, Table

# Reports as they arrive: parsed from JSON, or refused as no report at all.

LARGEST_NUMBER = 32_767  # what the database's small integers hold


class UnreadableSubmission(Exception):
    """A payload that is not a report of the protocol. `key` is set where at least that could be parsed."""

    def __init__(self, field: str, text: str, key: UUID | None = None) -> None:
        super().__init__(text)
        self.field = field
        self.text = text
        self.key = key


@dataclass(frozen=True, slots=True)
class Submission:
    """A report as sent: `base` is the revision of the deal that the sender saw, 0 if none.

    `result` is a JSON object as in a `score` case with seats as positions; None takes the deal back.
    """

    key: UUID
    deal: int
    base: int
    result: dict[str, Any] | None
    made_at: datetime | None = None
    reason: str = ""
    # Whether the phone asked about a warning, and the user confirmed.
    asked: bool = False
    # How many changes of dealer and seats the sender had seen (`Table.turns`); None where it does not say.
    turns: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "key": str(self.key),
            "deal": self.deal,
            "base": self.base,
            "result": self.result,
            "made_at": self.made_at.isoformat() if self.made_at else None,
            "reason": self.reason,
            "asked": self.asked,
        } | ({} if self.turns is None else {"turns": self.turns})


def read_submission(item: object) -> Submission:
    """Parse one report of the protocol; raises `UnreadableSubmission` with the field and the problem."""
    if not isinstance(item, dict):
        raise UnreadableSubmission("reports", _("A report must be an object."))
    try:
        key = UUID(item["key"])
    except (KeyError, ValueError, TypeError, AttributeError):
        raise UnreadableSubmission("key", _("A report needs a key (a UUID).")) from None
    return Submission(
        key=key,
        deal=_read_number(item, "deal", key),
        base=_read_number(item, "base", key),
        result=_read_result(item, key),
        made_at=_read_time(item.get("made_at")),
        reason=_read_reason(item.get("reason"), key),
        asked=item.get("asked") is True,
        turns=None if item.get("turns") is None else _read_number(item, "turns", key),
    )


def _read_number(item: dict[str, Any], field: str, key: UUID) -> int:
    value = item.get(field)
    if type(value) is not int or not 0 <= value <= LARGEST_NUMBER:
        raise UnreadableSubmission(field, _("“%(field)s” must be a whole number.") % {"field": field}, key)
    return value


def _read_result(item: dict[str, Any], key: UUID) -> dict[str, Any] | None:
    if "result" not in item:
        raise UnreadableSubmission("result", _("The result is missing."), key)
    result = item["result"]
    if result is not None and not isinstance(result, dict):
        raise UnreadableSubmission("result", _("The result must be an object."), key)
    return result


def _read_reason(value: object, key: UUID) -> str:
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > REASON_LENGTH:
        raise UnreadableSubmission(
            "reason", _("Give the reason in at most %(most)d characters.") % {"most": REASON_LENGTH}, key
        )
    if not is_storable(value):
        raise UnreadableSubmission("reason", _("The reason contains characters that cannot be stored."), key)
    return reason_code(clean_text(value))


def is_storable(text: str) -> bool:
    """Whether every database can hold `text`: no NUL, no half of a surrogate pair."""
    return "\x00" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _read_time(value: object) -> datetime | None:
    """The phone's clock, if it makes sense: a wrong clock is no reason to refuse a deal."""
    try:
        moment = parse_datetime(value) if isinstance(value, str) else None
        return moment.astimezone(UTC) if moment and moment.tzinfo else None
    except (ValueError, OverflowError):
        return None


# What a report is answered with.

Status = Literal["accepted", "duplicate", "conflict", "refused", "kept"]


@dataclass(frozen=True, slots=True)
class Answer:
    key: UUID
    status: Status
    revision: int
    problems: tuple[ProblemText, ...] = ()
    warnings: tuple[ProblemText, ...] = ()
    # The report that counts for the deal now; None if there is none.
    current: Report | None = None
    # The report as it was set aside; None where it was not.
    kept: KeptReport | None = None


# Quarantine: reports that cannot count are stored unchanged, for the organiser to take in or to set aside.
#
# A report is identified by its content, not by its key alone: one that uses another report's key is stored under a
# key made of both, so that neither is lost, and a retry is stored once.

# Limit of waiting reports of a table per deal: two phones that send the whole sheet, each deal corrected once.
# A report over the limit stays on the phone, which retries.
MOST_WAITING_A_DEAL = 4
FEWEST_WAITING = 40
# Reason of a kept report that used another report's key.
KEY_USED = "key"


def most_waiting(table: Table) -> int:
    return max(FEWEST_WAITING, MOST_WAITING_A_DEAL * table.deals)


def other_key(sent: Submission) -> UUID:
    """The key of a report whose own one is another report's."""
    return uuid5(sent.key, json.dumps([sent.deal, sent.result], sort_keys=True))


class Content:
    """Whether reports of a table say the same, in whichever of the ways the protocol has for it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.names = NamesAt(table, table.seats.count())
        self.rulebook = rulebook_of(table.round.tournament)

    def is_stored(self, sent: Submission, report: Report) -> bool:
        return sent.deal == report.deal_number and report.result in (sent.result, self._as_stored(sent))

    def is_kept(self, sent: Submission, kept: KeptReport) -> bool:
        before = read_submission(kept.item)
        same = sent.result == before.result or self._as_stored(sent) == self._as_stored(before)
        return sent.deal == before.deal and same

    def _as_stored(self, sent: Submission) -> dict[str, Any] | None:
        """The result as the ledger stores it; unchanged if the rules reject it."""
        if sent.result is None:
            return None
        try:
            return judge(self.table, self.rulebook, self.names, sent.deal, sent.result, at_desk=True).result
        except Refused:
            return sent.result


class Aside:
    """Collects kept reports of one locked table, and inserts them together at the end."""

    def __init__(self, table: Table, now: datetime) -> None:
        self.table = table
        self.now = now
        self.content = Content(table)
        self.kept: dict[UUID, KeptReport] = {}
        self.fresh: list[KeptReport] = []
        waiting = table.kept_reports.filter(state=KeptReport.State.WAITING).count()
        self.room = most_waiting(table) - waiting

    def read(self, submissions: Sequence[Submission]) -> None:
        """Load the kept reports with these keys in one query."""
        keys = {key for sent in submissions for key in (sent.key, other_key(sent))}
        self.kept = {kept.key: kept for kept in self.table.kept_reports.filter(key__in=keys)}

    def keep(self, sent: Submission, why: str, *, unlimited: bool = False) -> Answer:
        """Keep a report that is under its key for the first time, or known to be the same; refused without room."""
        before = self.kept.get(sent.key)
        if before and not self.content.is_kept(sent, before):
            return self.keep_under_other_key(sent, why, unlimited=unlimited)
        if before is None:
            if len(self.fresh) >= self.room and not unlimited:
                return Answer(sent.key, "refused", 0, problems=(_no_room(),))
            before = KeptReport(
                table=self.table, key=sent.key, item=sent.to_json(), why=why, received_at=self.now
            )
            self.kept[sent.key] = before
            self.fresh.append(before)
        return Answer(sent.key, "kept", 0, kept=before)

    def keep_under_other_key(self, sent: Submission, why: str, *, unlimited: bool = False) -> Answer:
        """Quarantine a submission that used another report's key; returns its answer."""
        answer = self.keep(replace(sent, key=other_key(sent)), why, unlimited=unlimited)
        if answer.status != "kept":
            return replace(answer, key=sent.key)
        text = _("It does not match what was sent before; the organiser decides.")
        return replace(answer, key=sent.key, problems=(ProblemText("key_used", "key", text),))

    def write(self) -> None:
        if self.fresh:
            KeptReport.objects.bulk_create(self.fresh)
            announce(self.table.round.tournament_id)


def _no_room() -> ProblemText:
    text = _("Too many reports from this table are waiting for the organiser; this one stays on the phone.")
    return ProblemText("no_room", "", text)


def keep_all(
    table: Table, submissions: Sequence[Submission], why: str, *, now: datetime, unlimited: bool = False
) -> list[Answer]:
    """Quarantine late reports and those by a revoked link; the table is locked.

    `unlimited`: entered at the desk, where a limit would save no work.
    """
    aside = Aside(table, now)
    aside.read(submissions)
    keys = {key for sent in submissions for key in (sent.key, other_key(sent))}
    stored = {report.key: report for report in table.reports.filter(key__in=keys).defer("parts")}
    answers = [_keep_one(aside, sent, why, stored, unlimited=unlimited) for sent in submissions]
    aside.write()
    return answers


def _keep_one(
    aside: Aside, sent: Submission, why: str, stored: dict[UUID, Report], *, unlimited: bool
) -> Answer:
    for key in (sent.key, other_key(sent)):
        if key in stored and aside.content.is_stored(sent, stored[key]):
            return Answer(sent.key, "duplicate", stored[key].revision)
    keep = aside.keep_under_other_key if sent.key in stored else aside.keep
    return keep(sent, why, unlimited=unlimited)


# Validation by the rules engine, with problems in the reader's words.

MOST_TOKENS = 10_000


@dataclass(frozen=True, slots=True)
class Judged:
    """A result that the rules accept: canonical, with outcome, tokens by position and the parts they add up from."""

    result: dict[str, Any] | None
    outcome: str = ""
    tokens: tuple[int, ...] = ()
    parts: tuple[dict[str, Any], ...] = ()
    warnings: tuple[ProblemText, ...] = ()
    # The same warnings as they are stored.
    doubts: tuple[dict[str, Any], ...] = ()


class Refused(Exception):
    """The rules or the form forbid a report; `problems` say why, in words, and at which field."""

    def __init__(self, *problems: ProblemText) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


TAKEN_BACK = Judged(result=None)


def judge(
    table: Table,
    rulebook: Rulebook,
    names: Sequence[str],
    deal: int,
    result: dict[str, Any],
    *,
    at_desk: bool = False,
) -> Judged:
    """Validate and settle a result reported for a deal; `names` by position are used in messages.

    Raises `Refused`.
    """
    if not 1 <= deal <= table.deals:
        raise Refused(
            ProblemText(
                "no_such_deal",
                "deal",
                _("There is no deal %(deal)d: this table plays %(deals)d.")
                % {"deal": deal, "deals": table.deals},
            )
        )
    if "ruled" in result:
        return _ruled(rulebook, len(names), result, at_desk=at_desk)
    seating = seating_at(table, len(names), deal)
    try:
        read = read_result(result, seating)
    except UnreadableResult as error:
        raise Refused(
            ProblemText(
                "unreadable", error.field, sentence(rulebook, error.text, error.params, names, seating)
            )
        ) from None
    played = seating.declared_by(read.declarer)
    against = problems(read, seating, rulebook)
    found = [problem_said(rulebook, problem, names, played) for problem in against]
    wrong = [problem for problem in found if not problem.is_warning]
    if wrong:
        raise Refused(*wrong)
    settlement = settle_at_table(read, seating, rulebook)
    return Judged(
        result=read.to_json(seating),
        outcome=settlement.outcome,
        tokens=settlement.tokens,
        parts=tuple(part.to_json() for part in settlement.parts),
        warnings=tuple(found),
        doubts=tuple(doubt_of(problem, played) for problem in against),
    )


def _ruled(rulebook: Rulebook, players: int, result: dict[str, Any], *, at_desk: bool) -> Judged:
    """Tokens set by the organiser: of a deal that the rules have no result for, or of all deals (totals only)."""
    tokens = result["ruled"]
    problem = ""
    if not at_desk:
        problem = _("Only the organiser can decide a deal’s tokens by ruling.")
    elif (
        not set(result) <= {"ruled", TOTALS_ONLY}
        or result.get(TOTALS_ONLY, True) is not True
        or not isinstance(tokens, list)
        or len(tokens) != players
        or not all(type(amount) is int and abs(amount) <= MOST_TOKENS for amount in tokens)
    ):
        problem = _("A ruling needs a whole number of tokens for each player.")
    elif adds_up_to_zero(rulebook) and sum(tokens) != 0:
        problem = _("The tokens must add up to 0; they add up to %(sum)d.") % {"sum": sum(tokens)}
    if problem:
        raise Refused(ProblemText("ruling", "ruled", problem))
    outcome = TOTALS_ONLY if TOTALS_ONLY in result else "ruled"
    return Judged(result=result, outcome=outcome, tokens=tuple(tokens))


def adds_up_to_zero(rulebook: Rulebook) -> bool:
    """Whether the players' tokens of a deal add up to 0: not where a pool pays and takes, or one alone scores."""
    return rulebook.zero_sum and rulebook.pool is None


def preview(table: Table, deal: int, result: dict[str, Any], *, at_desk: bool = True) -> Judged:
    """Validate and settle a report without storing it. Raises `Refused`."""
    return judge(table, rulebook_of(table.round.tournament), names_at(table), deal, result, at_desk=at_desk)
