"""Reports of deals: the only way in which a result is stored.

A deal's result is reported by a captain's phone or at the desk, validated by the rules engine, and stored as the
next version of that deal: nothing is overwritten. Each submission gets an answer of its own:

accepted    stored; it counts from now on
duplicate   its key is known with the same content, or the same result counts already: submission is idempotent
conflict    the deal changed since the sender read it; the answer has the version that counts
refused     invalid by the rules or the format; the problems say why, by field
kept        too late, or under the key of another report: quarantined unchanged, for the organiser to take in or
            set aside; refused where too many of the table's reports are waiting already
"""

from tournaments.ledger.late_reports import set_all_aside, set_aside, take_in, wait_again
from tournaments.ledger.preview import Outlook, may_be_taken_back
from tournaments.ledger.recording import Author, Settled, changed_at_the_end, keep_aside, record, settle
from tournaments.ledger.report_chain import broken_chain, report_hash
from tournaments.ledger.submissions import (
    Answer,
    Judged,
    Refused,
    Submission,
    UnreadableSubmission,
    adds_up_to_zero,
    judge,
    preview,
    read_submission,
)
from tournaments.ledger.table_actions import (
    KEEP,
    TAKE_BACK,
    agree,
    change_seats,
    disagree,
    raise_flag,
    set_first_dealer,
    settle_flag,
    take_call_back,
    take_mark_back,
)

__all__ = [
    "KEEP",
    "TAKE_BACK",
    "Answer",
    "Author",
    "Judged",
    "Outlook",
    "Refused",
    "Settled",
    "Submission",
    "UnreadableSubmission",
    "adds_up_to_zero",
    "agree",
    "broken_chain",
    "change_seats",
    "changed_at_the_end",
    "disagree",
    "judge",
    "keep_aside",
    "may_be_taken_back",
    "preview",
    "raise_flag",
    "read_submission",
    "record",
    "report_hash",
    "set_all_aside",
    "set_aside",
    "set_first_dealer",
    "settle",
    "settle_flag",
    "take_call_back",
    "take_in",
    "take_mark_back",
    "wait_again",
]
