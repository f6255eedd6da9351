"""Recording a report: validate, recognise duplicates and conflicts, store the next version of the deal."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from django.db import connection, transaction
from django.db.transaction import Atomic
from django.utils.translation import gettext as _

from clubs.models import Actor
from core.errors import NotPossible
from core.log_messages import author_name
from core.sql import Statement, among, bulk_insert, execute_batch, rows_to_models
from tournaments.changes.chain import seal_table
from tournaments.changes.locks import share
from tournaments.changes.versions import announce, announced_later, announcing
from tournaments.domain.outcomes import declarer_of, is_totals_only
from tournaments.domain.terms import UNDO, ProblemText, reason_code
from tournaments.ledger.deal_sums import Sums, moved_sums, moving_sums
from tournaments.ledger.queries import NamesAt, rulebook_of
from tournaments.ledger.report_chain import put_at_end
from tournaments.ledger.seating import is_dealt_as_seen, share_out, turns_at
from tournaments.ledger.submissions import (
    KEY_USED,
    TAKEN_BACK,
    Answer,
    Aside,
    Judged,
    Refused,
    Submission,
    judge,
    keep_all,
    other_key,
)
from tournaments.models import Flag, Report, Seat, Table, Tournament

if TYPE_CHECKING:
    from collections.abc import Mapping


# Settling a batch of reports at one table, in one transaction.

# How long after a report its captain may take it back without a reason: the phone offers ten seconds, the rest is
# for the way.
UNDO_TIME = timedelta(minutes=2)
# So many versions of a deal a captain's link may make; the desk may go on.
MOST_VERSIONS = 100
# Queries of every report are in SQL: building them with the ORM takes longer than running them.
KEY = Report._meta.get_field("key")
READ = ", ".join(str(field.column) for field in Report._meta.concrete_fields if field.name != "parts")
REPORTS = f"""
    SELECT {READ} FROM tournaments_report
    WHERE table_id = %s AND (key {{keys}} OR deal_number {{deals}}) ORDER BY sequence"""
SEATS = "SELECT id, table_id, position, tokens FROM tournaments_seat WHERE table_id = %s ORDER BY position"
MOVE = "UPDATE tournaments_seat SET agreed_at = NULL, tokens = CASE position{cases} END WHERE table_id = %s"
END = """
    UPDATE tournaments_table
    SET version = %s, reports_count = %s, last_hash = %s, seal = %s, last_report_at = %s WHERE id = %s"""
COUNTS_NOW = """
    INSERT INTO tournaments_deal (table_id, number, current_id)
    SELECT table_id, deal_number, id FROM tournaments_report WHERE id {reports}
    ON CONFLICT (table_id, number) DO UPDATE SET current_id = excluded.current_id"""


@dataclass(frozen=True, slots=True)
class Author:
    """The source of a report: a captain's phone, an account at the desk, or a program by its key."""

    source: Literal["captain", "desk", "program"]
    account: Actor | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """The answers in the order of the submissions, and the table with its round and tournament after them.

    `since` is the table's previous version if these deals are the only change, else None.
    """

    answers: list[Answer]
    table: Table
    tokens: list[int]
    since: int | None = None


def record(table: Table, submissions: Sequence[Submission], author: Author, *, now: datetime) -> list[Answer]:
    """Settle each submission: see `settle`."""
    return settle(table, submissions, author, now=now).answers


def settle(table: Table, submissions: Sequence[Submission], author: Author, *, now: datetime) -> Settled:
    """Answer each submission in the order given, with the table locked.

    Stores reports, updates deals and the seats' tokens, withdraws signatures from a sheet that changes, and raises
    the version. A captain's report to a table that is not open, or whose link was replaced, is quarantined; the
    desk gets `NotPossible` instead.
    """
    with atomic_report():
        return _settle(table, submissions, author, now=now)


def _settle(table: Table, submissions: Sequence[Submission], author: Author, *, now: datetime) -> Settled:
    # Queried after the lock: the round may have been closed while we waited for it.
    table = share(table.pk)
    if not table.is_open:
        if author.source == "desk":
            raise NotPossible(_("The round is not running: reopen it to correct a deal."))
        why = "closed" if table.has_begun else "early"
    elif table.ended_early_at is not None and author.source != "desk":
        why = "ended"
    else:
        batch, before = _Batch(table, author, now), table.version
        answers = batch.settle(submissions)
        since = None if batch.replaced or batch.disputed else before
        return Settled(answers, table, [seat.tokens for seat in batch.seats], since)
    answers = keep_all(table, submissions, why, now=now)
    return Settled(answers, table, list(table.seats.values_list("tokens", flat=True)))


def recount(table: Table, submissions: Sequence[Submission], author: Author, *, now: datetime) -> None:
    """Report deals again after the table's dealer, seats, deals or rules changed.

    The caller holds the table's lock.
    """
    answers = _Batch(table, author, now, recounts=True).settle(submissions)
    if any(answer.status not in ("accepted", "duplicate") for answer in answers):
        raise NotPossible(_("The sheet has changed in the meantime. Check it again."))


@transaction.atomic
def keep_aside(
    table: Table, submissions: Sequence[Submission], why: str, *, now: datetime, unlimited: bool = False
) -> list[Answer]:
    """Quarantine reports sent by a revoked link, or (`unlimited`) were typed at the desk, for the organiser to
    decide.
    """
    return keep_all(share(table.pk), submissions, why, now=now, unlimited=unlimited)


class _Batch:
    """Reads what is concerned once, decides item by item in memory, writes once at the end."""

    def __init__(self, table: Table, author: Author, now: datetime, *, recounts: bool = False) -> None:
        """`recounts`: existing reports are repeated because the table's dealer, seats, numbering or rules changed."""
        self.table = table
        self.author = author
        self.now = now
        self.recounts = recounts
        self.rulebook = rulebook_of(table.round.tournament)
        self.seats: list[Seat] = []
        self.current: dict[int, Report] = {}
        self.known: dict[UUID, Report] = {}
        self.made: list[Report] = []
        self.replaced: list[Report] = []
        self.disputed: dict[int, Judged] = {}
        self.warned: dict[int, Judged] = {}
        self.submissions: Sequence[Submission] = ()

    def settle(self, submissions: Sequence[Submission]) -> list[Answer]:
        self.submissions = submissions
        # Deal 1 may carry the totals of a table without deals; then no other can be reported.
        keys, deals = {s.key for s in submissions}, {1} | {s.deal for s in submissions}
        self._read(keys, deals, seats=True)
        if elsewhere := {known.deal_number for key, known in self.known.items() if key in keys} - deals:
            self._read(keys, elsewhere)
        answers = [self._settle_one(submission) for submission in submissions]
        if self.disputed:
            raise_conflicts(self.table, self.disputed, now=self.now)
        if self.made:
            self._write()
        if "aside" in vars(self):
            self.aside.write()
        return answers

    def _read(self, keys: Collection[UUID], deals: Collection[int], *, seats: bool = False) -> None:
        """Load the table's reports: the newest version of each deal; with keys, also the reports that have them."""
        asked = [Statement(SEATS, [self.table.pk])] * seats
        if keys:
            asked.append(self._reported(keys, deals))
        told = execute_batch(*asked)
        if seats:
            self.seats = rows_to_models(Seat, told.pop(0))
        for report in rows_to_models(Report, told[0]) if keys else ():
            self.known[report.key] = self.current[report.deal_number] = report

    @cached_property
    def names(self) -> NamesAt:
        return NamesAt(self.table, len(self.seats))

    def _reported(self, keys: Collection[UUID], deals: Collection[int]) -> Statement:
        sent = among([KEY.get_db_prep_value(key, connection) for key in keys], "uuid")
        at = among(deals, "integer")
        return Statement(
            REPORTS.format(keys=sent.sql, deals=at.sql), [self.table.pk, *sent.params, *at.params]
        )

    def _settle_one(self, submission: Submission) -> Answer:
        current = self.current.get(submission.deal)
        revision = current.revision if current else 0
        if submission.key in self.known:
            return self._settle_known(submission, current)
        try:
            judged = self._judge(submission, current)
        except Refused as refused:
            return Answer(submission.key, "refused", revision, problems=refused.problems, current=current)
        if current is not None and self._says_the_same(current, judged):
            return Answer(submission.key, "duplicate", revision, current=current)
        if submission.base != revision:
            if self.author.source != "desk":
                self.disputed[submission.deal] = judged
            return Answer(submission.key, "conflict", revision, current=current)
        try:
            reason = self._reason(submission, current)
        except Refused as refused:
            return Answer(submission.key, "refused", revision, problems=refused.problems, current=current)
        report = self._store(submission, judged, revision + 1, reason)
        return Answer(report.key, "accepted", report.revision, warnings=judged.warnings, current=report)

    def _settle_known(self, submission: Submission, current: Report | None) -> Answer:
        """Answer a submission whose key is known: a duplicate only if the content is the same, too.

        A form of the desk that was sent before and changed since gets the version that counts instead.
        """
        for key in (submission.key, other_key(submission)):
            known = self.known.get(key) or self.table.reports.filter(key=key).first()
            if known and self.aside.content.is_stored(submission, known):
                now = self.current.get(known.deal_number, known)
                return Answer(submission.key, "duplicate", known.revision, current=now)
        if self.author.source == "desk":
            return Answer(submission.key, "conflict", current.revision if current else 0, current=current)
        return self.aside.keep_under_other_key(submission, KEY_USED)

    @cached_property
    def aside(self) -> Aside:
        """The quarantine of reports that use another report's key."""
        aside = Aside(self.table, self.now)
        aside.read(self.submissions)
        return aside

    def _says_the_same(self, current: Report, judged: Judged) -> bool:
        """Whether a submission equals the report that counts, with the deal's current dealer."""
        if judged.result is None or current.result != judged.result:
            return current.result == judged.result
        counted = current.dealer, current.outcome, current.tokens
        return counted == (self._dealer(current.deal_number), judged.outcome, list(judged.tokens))

    def _judge(self, submission: Submission, current: Report | None) -> Judged:
        self._refuse_beside_totals(submission)
        refuse_unseen_seats(self.table, submission, self.names)
        if submission.result is not None:
            # A ruling keeps the source "ruling" when its deal is moved.
            at_desk = self.author.source == "desk" or self.recounts
            return judge(
                self.table, self.rulebook, self.names, submission.deal, submission.result, at_desk=at_desk
            )
        if current is None:
            text = _("Deal %(deal)d has not been reported.") % {"deal": submission.deal}
            raise Refused(ProblemText("nothing_to_take_back", "deal", text))
        return TAKEN_BACK

    def _refuse_beside_totals(self, submission: Submission) -> None:
        """A table has deals, or totals without deals, never both. Raises Refused."""
        first = self.current.get(1)
        if submission.deal != 1 and first is not None and is_totals_only(first.result):
            text = _("This table’s totals were entered without deals; undo them at deal 1 first.")
            raise Refused(ProblemText("totals_only", "deal", text))
        if not is_totals_only(submission.result):
            return
        if submission.deal != 1:
            text = _("A table’s totals are entered at deal 1.")
            raise Refused(ProblemText("totals_only", "deal", text))
        others = self.table.dealt.filter(current__result__isnull=False).exclude(number=1)
        if others.exists() or any(report.deal_number != 1 and report.result for report in self.made):
            text = _("Deals of this table have been reported: its totals follow from them.")
            raise Refused(ProblemText("totals_only", "deal", text))

    def _reason(self, submission: Submission, current: Report | None) -> str:
        """The reason to store. Raises Refused where one is missing, or where a link has changed the deal too often."""
        if current and current.revision >= MOST_VERSIONS and self.author.source != "desk":
            often = _("This deal has been changed too many times: ask the organiser.")
            raise Refused(ProblemText("too_often", "", often))
        if submission.reason or current is None or current.result is None:
            return reason_code(submission.reason)
        taken_back_in_time = (
            submission.result is None
            and Report.Source.DESK not in (self.author.source, current.source)
            and self.now - current.recorded_at <= UNDO_TIME
        )
        if not taken_back_in_time:
            missing = _("Say why the deal is corrected, in a few words.")
            raise Refused(ProblemText("reason_missing", "reason", missing))
        return UNDO

    def _store(self, submission: Submission, judged: Judged, revision: int, reason: str) -> Report:
        table, said = self.table, judged.result or {}
        before = self.current.get(submission.deal)
        report = Report(
            table=table,
            deal_number=submission.deal,
            revision=revision,
            key=submission.key,
            result=judged.result,
            dealer=self._dealer(submission.deal),
            outcome=judged.outcome,
            contract=said.get("contract", ""),
            declarer=declarer_of(judged.result),
            tokens=list(judged.tokens),
            parts=list(judged.parts),
            source=self.author.source,
            author=author_name(self.author.account),
            reason=reason,
            made_at=submission.made_at,
            recorded_at=self.now,
        )
        put_at_end(report, table)
        if before:
            self.replaced.append(before)
            self._move(before.tokens, -1)
        self._move(report.tokens, +1)
        self.current[submission.deal] = self.known[submission.key] = report
        self.made.append(report)
        if submission.asked:
            self.warned.pop(submission.deal, None)
        else:
            self.warned[submission.deal] = judged
        return report

    def _dealer(self, deal: int) -> int:
        return turns_at(self.table, len(self.seats)).dealer(deal)

    def _move(self, tokens: Iterable[int], sign: int) -> None:
        for seat, amount in zip(self.seats, tokens, strict=False):
            seat.tokens += sign * amount

    def _write(self) -> None:
        bulk_insert(self.made)
        changed = {report.deal_number for report in self.made}
        sentences = [self._counting(sorted(changed))]
        if not self.recounts:
            sentences.append(
                ending_flags(self.table, changed, author_name(self.author.account), now=self.now)
            )
        sentences += self._end()
        moved = moved_sums(self.table, self.replaced, self.made)
        execute_batch(*sentences, *changes_in_common(self.table.round.tournament, moved))
        if not self.recounts:
            mark_rare(self.table, self.warned, self.author.source, now=self.now)
        share_out(self.table)

    def _counting(self, deals: Sequence[int]) -> Statement:
        """The statement that makes the newest report of each of these deals the one that counts."""
        counting = among([self.current[deal].pk for deal in deals], "bigint")
        return Statement(COUNTS_NOW.format(reports=counting.sql), counting.params)

    def _end(self) -> list[Statement]:
        """The statements that store the seats' tokens and the end of the table's hash chain."""
        table = self.table
        table.version += 1
        table.last_report_at = self.now
        table.seal = seal_table(table)
        cases = " WHEN %s THEN %s" * len(self.seats)
        moved = [number for seat in self.seats for number in (seat.position, seat.tokens)]
        at = connection.ops.adapt_datetimefield_value(self.now)
        end = [table.version, table.reports_count, table.last_hash, table.seal, at, table.pk]
        return [Statement(MOVE.format(cases=cases), [*moved, table.pk]), Statement(END, end)]


# Two phones that report a deal differently: the desk sees it until a new version ends the dispute.

END_FLAGS = """
    UPDATE tournaments_flag SET settled_at = %s, settled_by = %s
    WHERE table_id = %s AND settled_at IS NULL AND deal {deals}
    AND (kind IN ('conflict', 'rare') OR (kind = 'later' AND words = ''))"""


def raise_conflicts(table: Table, disputed: Mapping[int, Judged], *, now: datetime) -> None:
    """Flag each deal, once, with the conflicting result of the second phone."""
    for deal, judged in disputed.items():
        second = {"result": judged.result, "outcome": judged.outcome}
        _flag, created = Flag.objects.get_or_create(
            table=table,
            kind=Flag.Kind.CONFLICT,
            deal=deal,
            settled_at=None,
            defaults={"about": second, "raised_at": now},
        )
        if created:
            announce(table.round.tournament_id)


def ending_flags(table: Table, deals: Collection[int], author: str, *, now: datetime) -> Statement:
    """Statement that closes the flags of deals whose new version is from a sender who had seen the current one.

    Conflicts, warnings about the old versions and marks for later are resolved by it. A question in words stays
    open.
    """
    changed = among(deals, "integer")
    settled = connection.ops.adapt_datetimefield_value(now)
    # With each report: in SQL, as in `changes.locks.share`.
    return Statement(END_FLAGS.format(deals=changed.sql), [settled, author, table.pk, *changed.params])


# Legal but rare results are flagged until an organiser has looked at them, or a new version replaces them.


def mark_rare(table: Table, deals: Mapping[int, Judged], source: str, *, now: datetime) -> None:
    """Flag each of these deals whose new version has warnings, unless it was typed at the desk.

    Deals that the phone asked about, and that were confirmed there, are not in `deals`.
    """
    if source == Report.Source.DESK:
        return
    rare = [
        Flag(
            table=table,
            kind=Flag.Kind.RARE,
            deal=deal,
            about={"warnings": list(judged.doubts)},
            raised_at=now,
        )
        for deal, judged in sorted(deals.items())
        if judged.doubts
    ]
    if rare:  # Django thinks for a while about nothing too
        Flag.objects.bulk_create(rare)


# Validation of results entered before their sender knew of a change of dealer or seats: the phone sends again.


def refuse_unseen_seats(table: Table, submission: Submission, names: Sequence[str]) -> None:
    """Raise Refused where the deal has another number or other seats than the sender knew, and that matters."""
    if unseen := unseen_seats(table, submission, names):
        raise Refused(unseen)


def unseen_seats(table: Table, submission: Submission, names: Sequence[str]) -> ProblemText | None:
    """The problem of a turn or seats that the sender did not know; None where there is none, or it does not matter.

    A sender that does not say how many changes it has seen is taken to have seen them all.
    """
    seen, told = submission.turns, submission.result
    if seen is None or seen >= len(table.turns) or told in (None, {"all_passed": True}):
        return None
    players, deal = len(names), submission.deal
    if is_dealt_as_seen(table, players, deal, seen):
        return None
    seating = turns_at(table, players).seating(deal)
    said = {"deal": deal, "dealer": names[seating.dealer]}
    text = _(
        "Dealer or seats have been changed in the meantime: %(dealer)s deals deal %(deal)d. Check it again."
    )
    if seating.sits_out == seating.dealer:
        text = _(
            "Dealer or seats have been changed in the meantime: %(dealer)s deals deal %(deal)d "
            "and sits out. Check it again."
        )
    elif seating.sits_out is not None:
        said["out"] = names[seating.sits_out]
        text = _(
            "Dealer or seats have been changed in the meantime: %(dealer)s deals deal %(deal)d, "
            "%(out)s sits out. Check it again."
        )
    return ProblemText("reseated", "", text % said)


# Reports of several tables in one transaction: what they change in common is changed once, at its end.
#
# That is a tournament's version and its sums of deals. Until then the transaction locks its own tables alone, so that
# on PostgreSQL it blocks no other process; each table takes four statements less.

# By primary keys of tournaments: the year, and what the sums change by. None outside of a group.
_moved_later: ContextVar[dict[int, tuple[int, Sums]] | None] = ContextVar("moved_later", default=None)


# As `changes.locks.share`, for the tournaments of several tables.
SHARED = """
    SELECT id FROM tournaments_tournament WHERE id IN (
        SELECT r.tournament_id FROM tournaments_round r JOIN tournaments_table t ON t.round_id = r.id
        WHERE t.secret IN ({secrets})) ORDER BY id FOR KEY SHARE"""


@contextmanager
def changed_at_the_end(paths: Sequence[str]) -> Iterator[None]:
    """Put off to the end of the block what reports change in common; an exception leaves it out.

    Runs inside a transaction, which an exception of a report that was stored must undo as a whole. `paths` are those of
    the reports' requests: their tournaments are locked first, in the order of their keys, as by everybody who locks
    several (`changes.locks.hold_each`).
    """
    if connection.features.has_select_for_update:
        secrets = sorted({path.split("/")[2].replace("\0", "") for path in paths})
        execute_batch(Statement(SHARED.format(secrets=", ".join(["%s"] * len(secrets))), secrets))
    announced: set[int] = set()
    moved: dict[int, tuple[int, Sums]] = {}
    reset = announced_later.set(announced), _moved_later.set(moved)
    try:
        yield
    finally:
        announced_later.reset(reset[0])
        _moved_later.reset(reset[1])
    # In the order of their keys, as everybody who changes several tournaments (`changes.locks`).
    changes = [announcing(tournament) for tournament in sorted(announced)]
    for tournament, (year, sums) in sorted(moved.items()):
        changes += moving_sums(tournament, year, sums)
    execute_batch(*changes)


def atomic_report() -> Atomic:
    """A transaction of a report's changes; in a group without a savepoint, since an error undoes the whole group."""
    return transaction.atomic(savepoint=_moved_later.get() is None)


def changes_in_common(tournament: Tournament, moved: Sums) -> list[Statement]:
    """Statements that raise the tournament's version and change its sums; none if that is put off."""
    moved_later, year = _moved_later.get(), tournament.date.year
    if moved_later is None:
        return [announcing(tournament.pk), *moving_sums(tournament.pk, year, moved)]
    announce(tournament.pk)
    moved_later.setdefault(tournament.pk, (year, Sums()))[1].join(moved)
    return []
