"""Penalties (strafpoint) and compensations: tokens by ruling, outside a table's zero sum."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from tournaments.entries import locked
from tournaments.logbook import name_of, write_down
from tournaments.models import Entry, Penalty, Round, Team, Tournament
from tournaments.refusals import NotPossible, needed_reason

MOST_TOKENS = 1000  # more is a slip of the keyboard, not a ruling
RULED = gettext_noop("{player}: {tokens} tokens by ruling: {reason}")
CANCELLED = gettext_noop("Cancelled the ruling of {tokens} tokens for {player}: {reason}")


def _locked_unless_final(tournament: Tournament) -> Tournament:
    """Standings that were called final, and were paid by, change for nobody before the tournament is reopened."""
    tournament = locked(tournament)
    if tournament.is_finished:
        raise NotPossible(_("The standings are final. Reopen the tournament first, with a reason."))
    return tournament


@transaction.atomic
def penalise(
    whom: Entry | Team, *, tokens: int, reason: str, round_: Round | None, account: Account, now: datetime
) -> Penalty:
    """Give a player, or a pair or team, a penalty (or, positive, a compensation) of some tokens, in its own column."""
    tournament = _locked_unless_final(whom.tournament)
    reason = needed_reason(reason)
    if tokens == 0:
        raise NotPossible(_("A penalty of 0 tokens changes nothing."), "tokens")
    if abs(tokens) > MOST_TOKENS:
        raise NotPossible(_("That is more than 1000 tokens."), "tokens")
    penalty = Penalty.objects.create(
        tournament=tournament,
        entry=whom if isinstance(whom, Entry) else None,
        team=whom if isinstance(whom, Team) else None,
        round=round_,
        tokens=tokens,
        reason=reason,
        ruled_by=name_of(account),
        ruled_at=now,
    )
    write_down(
        tournament,
        account,
        RULED,
        now=now,
        player=whom,
        tokens=f"{tokens:+d}",
        reason=reason,
    )
    return penalty


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
        write_down(
            tournament,
            account,
            CANCELLED,
            now=now,
            player=penalty.whom,
            tokens=f"{penalty.tokens:+d}",
            reason=reason,
        )
    return penalty
