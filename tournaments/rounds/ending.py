"""The end of a tournament: its standings become final, or open again."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from tournaments.entries.entering import locked
from tournaments.models import Match, Round, Tournament
from tournaments.steps.logbook import write_down
from tournaments.steps.refusals import NotPossible, needed_reason


def still_to_play(tournament: Tournament) -> QuerySet[Match]:
    """The matches that are played on another day and have not been ended, by their rounds."""
    waiting = Match.objects.filter(round__tournament=tournament, postponed_to__isnull=False)
    waiting = waiting.filter(ended_at=None, awarded_home=None).select_related("round", "home", "away")
    return waiting.order_by("round__number", "number")


def why_not_finish(tournament: Tournament) -> str:
    """What keeps the standings from becoming final, in words; "" if nothing does."""
    if tournament.is_finished:
        return _("The tournament has been finished already.")
    if not tournament.rounds.filter(state=Round.State.CLOSED).exists():
        return _("No round has been played to its end.")
    running = tournament.rounds.filter(state=Round.State.RUNNING).first()
    if running:
        return _("Close round %(number)d first.") % {"number": running.number}
    waiting = still_to_play(tournament).first()
    if waiting:
        return _("%(match)s is still to be played: end it, or decide it by a ruling.") % {"match": waiting}
    return ""


@transaction.atomic
def finish(tournament: Tournament, *, account: Account, now: datetime) -> Tournament:
    """Make the standings final. Every round that was started must be closed."""
    tournament = locked(tournament)
    if problem := why_not_finish(tournament):
        raise NotPossible(problem)
    tournament.state = Tournament.State.FINISHED
    tournament.finished_at = now
    tournament.save(update_fields=["state", "finished_at"])
    write_down(tournament, account, gettext_noop("Finished the tournament"), now=now, about=[tournament])
    return tournament


@transaction.atomic
def reopen_tournament(tournament: Tournament, *, reason: str, account: Account, now: datetime) -> Tournament:
    tournament = locked(tournament)
    reason = needed_reason(reason)
    if not tournament.is_finished:
        raise NotPossible(_("The tournament is not finished."))
    tournament.state = Tournament.State.RUNNING
    tournament.finished_at = None
    tournament.save(update_fields=["state", "finished_at"])
    text = gettext_noop("Reopened the tournament: {reason}")
    write_down(tournament, account, text, now=now, about=[tournament], reason=reason)
    return tournament
