"""Penalties (strafpoint) and compensations: tokens or match points by ruling, outside a table's zero sum."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from core.errors import NotPossible, needed_reason
from core.log_messages import name_of
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.models import Entry, Penalty, Round, Team, Tournament
from tournaments.models.events import MOST_MATCH_POINTS
from tournaments.rounds.ending import leave_time_after_a_correction

MOST_TOKENS = 1000  # more is a slip of the keyboard, not a ruling
RULED = gettext_noop("{player}: {tokens} tokens by ruling: {reason}")
RULED_POINTS = gettext_noop("{player}: {points} match points by ruling: {reason}")
CANCELLED = gettext_noop("Cancelled the ruling of {tokens} tokens for {player}: {reason}")
CANCELLED_POINTS = gettext_noop("Cancelled the ruling of {points} match points for {player}: {reason}")


def _locked_unless_final(tournament: Tournament) -> Tournament:
    """Standings that were called final, and were paid by, change for nobody before the tournament is reopened."""
    tournament = locked(tournament)
    if tournament.is_finished:
        raise NotPossible(_("The standings are final. Reopen the tournament first, giving a reason."))
    return tournament


@transaction.atomic
def penalise(
    whom: Entry | Team,
    *,
    tokens: int = 0,
    match_points: int = 0,
    reason: str,
    round_: Round | None,
    account: Account,
    now: datetime,
) -> Penalty:
    """Give a player, or a pair or team, a penalty (or, positive, a compensation), in its own column.

    It is some tokens or, for a pair or team as a whole, some match points.
    """
    tournament = _locked_unless_final(whom.tournament)
    reason = needed_reason(reason)
    _refuse(whom, tokens, match_points)
    penalty = Penalty.objects.create(
        tournament=tournament,
        entry=whom if isinstance(whom, Entry) else None,
        team=whom if isinstance(whom, Team) else None,
        round=round_,
        tokens=tokens,
        match_points=match_points,
        reason=reason,
        ruled_by=name_of(account),
        ruled_at=now,
    )
    text = RULED_POINTS if match_points else RULED
    about = [penalty]
    write_down(
        tournament, account, text, now=now, about=about, player=whom, reason=reason, **_amount(penalty)
    )
    leave_time_after_a_correction(tournament, account=account, now=now)
    return penalty


def _refuse(whom: Entry | Team, tokens: int, match_points: int) -> None:
    if tokens == match_points == 0:
        raise NotPossible(_("A penalty of 0 tokens has no effect."), "tokens")
    if abs(tokens) > MOST_TOKENS:
        raise NotPossible(_("That is more than 1000 tokens."), "tokens")
    if match_points and tokens:
        raise NotPossible(_("Tokens and match points are two separate rulings."), "tokens")
    if match_points and not isinstance(whom, Team):
        raise NotPossible(_("Match points belong to the pair or team: choose it as a whole."), "team")
    if abs(match_points) > MOST_MATCH_POINTS:
        text = _("That is more than %(most)d match points.")
        raise NotPossible(text % {"most": MOST_MATCH_POINTS}, "tokens")


def _amount(penalty: Penalty) -> dict[str, str]:
    """What the log says of it."""
    return {"points" if penalty.match_points else "tokens": f"{penalty.amount:+d}"}


@transaction.atomic
def cancel_penalty(penalty: Penalty, *, reason: str, account: Account, now: datetime) -> Penalty:
    tournament = _locked_unless_final(penalty.tournament)
    reason = needed_reason(reason)
    penalty = Penalty.objects.select_related("entry__player", "team").get(pk=penalty.pk)
    if penalty.cancelled_at is None:
        penalty.cancelled_at = now
        penalty.cancelled_by = name_of(account)
        penalty.cancel_reason = reason
        penalty.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
        text = CANCELLED_POINTS if penalty.match_points else CANCELLED
        said = {"player": penalty.whom, "reason": reason, **_amount(penalty)}
        write_down(tournament, account, text, now=now, about=[penalty], **said)
        leave_time_after_a_correction(tournament, account=account, now=now)
    return penalty
