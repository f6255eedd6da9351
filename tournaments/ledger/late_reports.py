"""Late reports in quarantine: the organiser takes each in or sets it aside; none is dropped."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from core.errors import NotPossible
from core.log_messages import author_name
from tournaments.changes.locks import hold
from tournaments.changes.log import write_down_at
from tournaments.domain.terms import CAME_AS_CODE, CAME_LATE
from tournaments.ledger.recording import Author, record
from tournaments.ledger.submissions import Answer, Content, Submission, other_key, read_submission
from tournaments.models import KeptReport, Table

# Reason of a kept report that was typed or scanned at the desk from a phone, with the table's link or an old one.
BY_CODE, BY_OLD_CODE = "code", "code_old_link"


def _decide(kept: KeptReport, state: str, account: Account, now: datetime) -> None:
    kept.state = state
    kept.decided_at = now
    kept.decided_by = author_name(account)
    kept.save(update_fields=["state", "decided_at", "decided_by"])


def _locked(kept: KeptReport) -> KeptReport:
    hold(kept.table.round.tournament_id)
    query = KeptReport.objects.select_for_update(of=("self",)).select_related("table__round__tournament")
    return query.get(pk=kept.pk)


@transaction.atomic
def take_in(
    kept: KeptReport, account: Account, *, now: datetime, seen: int | None = None, turns: int | None = None
) -> Answer:
    """Store a kept report now, as a report of the desk with the reason that it came late.

    `seen` is the revision of its deal that the organiser saw it with, `turns` the number of changes of dealer and
    seats by then; without it, those that the phone had seen. Raises `NotPossible` if either has changed, while the
    round is not running, if the rules refuse it, or if it was decided already.
    """
    kept = _locked(kept)
    if kept.state == KeptReport.State.TAKEN:
        raise NotPossible(_("This report has already been accepted."))
    sent = read_submission(kept.item)
    deal = kept.table.dealt.filter(number=sent.deal).select_related("current").first()
    by_code = kept.why in (BY_CODE, BY_OLD_CODE)
    why = CAME_AS_CODE if by_code else CAME_LATE
    base = deal.current.revision if deal else 0
    if seen not in (None, base):
        raise NotPossible(
            _("Deal %(deal)d was changed in the meantime: check both again.") % {"deal": sent.deal}
        )
    late = replace(
        sent,
        key=_free_key(kept, sent),
        base=base,
        reason=sent.reason or why,
        turns=sent.turns if turns is None else turns,
    )
    answer = record(kept.table, [late], Author("desk", account), now=now)[0]
    if answer.status == "refused":
        raise NotPossible(" ".join(problem.message for problem in answer.problems))
    _decide(kept, KeptReport.State.TAKEN, account, now)
    write_down_at(
        kept.table,
        account,
        gettext_noop("Round {round}, table {table}: accepted deal {deal} from the captain’s code")
        if by_code
        else gettext_noop("Round {round}, table {table}: accepted a late report of deal {deal}"),
        now=now,
        deal=sent.deal,
    )
    return answer


def _free_key(kept: KeptReport, sent: Submission) -> UUID:
    """The report's own key, or another one if that key has been used meanwhile."""
    other = kept.table.reports.filter(key=sent.key).first()
    return sent.key if other is None or Content(kept.table).is_stored(sent, other) else other_key(sent)


@transaction.atomic
def set_aside(kept: KeptReport, account: Account, *, now: datetime) -> KeptReport:
    """Mark a kept report as not counted; it stays readable and can be reopened."""
    kept = _locked(kept)
    if kept.state == KeptReport.State.TAKEN:
        raise NotPossible(_("This report has already been accepted."))
    if kept.state == KeptReport.State.WAITING:
        _decide(kept, KeptReport.State.SET_ASIDE, account, now)
        write_down_at(
            kept.table,
            account,
            gettext_noop("Round {round}, table {table}: set a late report of deal {deal} aside"),
            now=now,
            deal=kept.item["deal"],
        )
    return kept


@transaction.atomic
def set_all_aside(table: Table, account: Account, *, newest: int, now: datetime) -> int:
    """Set aside all of a table that wait, up to the `newest` (primary key) that was on the page; returns how many."""
    hold(table.round.tournament_id)
    waiting = table.kept_reports.filter(state=KeptReport.State.WAITING, pk__lte=newest)
    count = waiting.update(state=KeptReport.State.SET_ASIDE, decided_at=now, decided_by=author_name(account))
    if count:
        text = gettext_noop("Round {round}, table {table}: set {count} late reports aside")
        write_down_at(table, account, text, now=now, count=count)
    return count


@transaction.atomic
def wait_again(kept: KeptReport, account: Account, *, now: datetime) -> KeptReport:
    """Undo setting aside."""
    kept = _locked(kept)
    if kept.state == KeptReport.State.SET_ASIDE:
        _decide(kept, KeptReport.State.WAITING, account, now)
        write_down_at(
            kept.table,
            account,
            gettext_noop("Round {round}, table {table}: a late report of deal {deal} is waiting again"),
            now=now,
            deal=kept.item["deal"],
        )
    return kept
