"""A tournament is called off, and taken up again: a state, with a reason and a line in its log; nothing is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible, needed_reason
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.ledger.queries import open_tables
from tournaments.models import Tournament
from tournaments.models.base import DRAWN_INTO_GROUPS, SAMPLE_REMOVED

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account


def why_not(tournament: Tournament) -> str:
    """What keeps a tournament from being called off, in words; "" if nothing does."""
    if tournament.is_posted:
        return _(
            "Its final standings are published, so it has taken place. Reopen it first, giving a reason."
        )
    table = open_tables().filter(round__tournament=tournament).select_related("round", "match").first()
    if table and table.round.is_running:
        return _("Round %(number)d is running. Close it first.") % {"number": table.round.number}
    if table:
        text = _("%(match)s is still to be played: end it, or decide it by a ruling.")
        return text % {"match": table.match}
    if tournament.group_of and _has_sent_on(tournament):
        return _("The next stage of its championship was made from it. Call that off first.")
    return ""


def _has_sent_on(tournament: Tournament) -> bool:
    stage = tournament.group_of
    if stage is None:
        return False
    later = Tournament.objects.filter(
        stage__championship=stage.championship_id, stage__number__gt=stage.number
    )
    return later.not_called_off().exists()


@transaction.atomic
def call_off(tournament: Tournament, *, reason: str, account: Account, now: datetime) -> Tournament:
    """Let it be in no list and count nowhere; all that is known of it stays.

    Raises NotPossible while a round is running, or once a championship has gone on from it.
    """
    tournament = locked(tournament)
    reason = needed_reason(reason)
    if tournament.is_called_off:
        raise NotPossible(_("The tournament has already been called off."))
    if problem := why_not(tournament):
        raise NotPossible(problem)
    tournament.called_off_at, tournament.called_off_reason = now, reason
    tournament.save(update_fields=["called_off_at", "called_off_reason"])
    text = gettext_noop("Called off the tournament: {reason}")
    write_down(tournament, account, text, now=now, about=[tournament], reason=reason)
    return tournament


@transaction.atomic
def call_off_as_drawn(tournament: Tournament, into: object, *, account: Account, now: datetime) -> None:
    """Call off what its players were entered in until they were drawn into groups; the caller has locked it."""
    tournament.called_off_at, tournament.called_off_reason = now, DRAWN_INTO_GROUPS
    tournament.save(update_fields=["called_off_at", "called_off_reason"])
    text = gettext_noop("Its players were drawn into the groups of “{championship}”")
    write_down(tournament, account, text, now=now, about=[tournament], championship=into)


@transaction.atomic
def call_off_sample(tournament: Tournament, *, account: Account, now: datetime) -> None:
    """Call off what sample players play, in whatever state it is; the caller has seen to it that nobody else does."""
    tournament = locked(tournament)
    tournament.called_off_at, tournament.called_off_reason = now, SAMPLE_REMOVED
    tournament.save(update_fields=["called_off_at", "called_off_reason"])
    write_down(tournament, account, gettext_noop("Removed the sample players"), now=now, about=[tournament])


@transaction.atomic
def take_up_again(tournament: Tournament, *, account: Account, now: datetime) -> Tournament:
    """Let it be as it was; where its championship has gone on meanwhile, it is none of its groups any more."""
    tournament = locked(tournament)
    if not tournament.is_called_off:
        raise NotPossible(_("The tournament has not been called off."))
    if _has_sent_on(tournament):
        tournament.stage = None
    tournament.called_off_at, tournament.called_off_reason = None, ""
    tournament.save(update_fields=["called_off_at", "called_off_reason", "stage"])
    write_down(tournament, account, gettext_noop("Reinstated the tournament"), now=now, about=[tournament])
    return tournament
