"""Reports that do not count as they come: kept as they came, for the organiser to take in or to set aside.

A report is what it says, not the key it comes with: what comes under a key that is another report's is kept under a key
made of both, so that it is lost to nobody, and sent twice is kept once.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from tournaments.changes.versions import announce
from tournaments.domain.terms import ProblemSaid
from tournaments.ledger.answers import Answer
from tournaments.ledger.judging import Refused, judge
from tournaments.ledger.submissions import Submission, read_submission
from tournaments.ledger.tables import NamesAt, rulebook_of
from tournaments.models import KeptReport, Report

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tournaments.models import Table

# So many reports of a table wait for the organiser, and no more: two phones that send the whole slip, each deal
# corrected once. What a phone is not rid of stays on it, and comes when there is room.
MOST_WAITING_A_DEAL = 4
FEWEST_WAITING = 40
# Why a report was kept that came under the key of another one.
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
        """The result as the ledger writes it; as it came where the rules refuse it."""
        if sent.result is None:
            return None
        try:
            return judge(self.table, self.rulebook, self.names, sent.deal, sent.result, at_desk=True).result
        except Refused:
            return sent.result


class Aside:
    """Keeps reports of one table, which is locked, and writes them at once at the end."""

    def __init__(self, table: Table, now: datetime) -> None:
        self.table = table
        self.now = now
        self.content = Content(table)
        self.kept: dict[UUID, KeptReport] = {}
        self.fresh: list[KeptReport] = []
        waiting = table.kept_reports.filter(state=KeptReport.State.WAITING).count()
        self.room = most_waiting(table) - waiting

    def read(self, submissions: Sequence[Submission]) -> None:
        """Take in at once what has been kept under these keys."""
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
        """Keep what came under the key of another report; the answer says so."""
        answer = self.keep(replace(sent, key=other_key(sent)), why, unlimited=unlimited)
        if answer.status != "kept":
            return replace(answer, key=sent.key)
        text = _("It does not fit what was sent before; the organiser decides.")
        return replace(answer, key=sent.key, problems=(ProblemSaid("key_used", "key", text),))

    def write(self) -> None:
        if self.fresh:
            KeptReport.objects.bulk_create(self.fresh)
            announce(self.table.round.tournament_id)


def _no_room() -> ProblemSaid:
    text = _("Too many reports of this table wait for the organiser; this one stays on the phone.")
    return ProblemSaid("no_room", "", text)


def keep_all(
    table: Table, submissions: Sequence[Submission], why: str, *, now: datetime, unlimited: bool = False
) -> list[Answer]:
    """Keep reports that came too late or by a dead link; the table is locked.

    `unlimited`: somebody at the desk brings them, who would not have less to look at otherwise.
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
