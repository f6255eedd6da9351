"""What was tapped before its sender knew who deals now, and who sits where: it is asked back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tournaments.domain.terms import ProblemSaid
from tournaments.ledger.judging import Refused
from tournaments.ledger.sitting import is_dealt_as_seen, turns_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.ledger.submissions import Submission
    from tournaments.models import Table


def refuse_unseen_seats(table: Table, submission: Submission, names: Sequence[str]) -> None:
    """Raise Refused where the deal has another number or other seats than the sender knew, and that matters."""
    if unseen := unseen_seats(table, submission, names):
        raise Refused(unseen)


def unseen_seats(table: Table, submission: Submission, names: Sequence[str]) -> ProblemSaid | None:
    """What the sender did not know of the deal's number or seats; None where nothing, or where it does not matter.

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
    text = _("Dealer or seats were changed meanwhile: %(dealer)s deals deal %(deal)d. Look at it again.")
    if seating.sits_out == seating.dealer:
        text = _(
            "Dealer or seats were changed meanwhile: %(dealer)s deals deal %(deal)d and sits out. Look at it again."
        )
    elif seating.sits_out is not None:
        said["out"] = names[seating.sits_out]
        text = _(
            "Dealer or seats were changed meanwhile: %(dealer)s deals deal %(deal)d, %(out)s sits out. "
            "Look at it again."
        )
    return ProblemSaid("reseated", "", text % said)
