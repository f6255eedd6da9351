"""The end of a tournament: its standings are posted, objections are heard, and they become final, or open again.

The moment until which objections are heard is stored; `finish_what_is_due` is called beside the pages all the time
(`manage.py jobs --work`) and does what is due. While a round is open again because of an objection, nothing is.
"""

from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from core.errors import NotPossible, needed_reason
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.models import Match, Round, Tournament
from tournaments.rounds.telling import Event, tell


def still_to_play(tournament: Tournament) -> QuerySet[Match]:
    """The matches that are played on another day and have not been ended, by their rounds."""
    waiting = Match.objects.filter(round__tournament=tournament, postponed_to__isnull=False)
    waiting = waiting.filter(ended_at=None, awarded_home=None).select_related("round", "home", "away")
    return waiting.order_by("round__number", "number")


def why_not_finish(tournament: Tournament) -> str:
    """What keeps the standings from becoming final, in words; "" if nothing does."""
    if tournament.is_finished:
        return _("The tournament has already been finished.")
    if not tournament.rounds.filter(state=Round.State.CLOSED).exists():
        return _("No round has been played to the end.")
    running = tournament.rounds.filter(state=Round.State.RUNNING).first()
    if running:
        return _("Close round %(number)d first.") % {"number": running.number}
    waiting = still_to_play(tournament).first()
    if waiting:
        return _("%(match)s is still to be played: end it, or decide it by a ruling.") % {"match": waiting}
    return ""


# Minutes for objections that the desk offers; 0 is final at once.
MINUTES_OFFERED = (0, 10, 15, 20, 30, 45, 60, 90, 120, 1440)
USUAL_MINUTES = 30
# What players have at least, once a round that was opened again is closed, or a ruling was made.
LEAST_AFTER_A_CORRECTION = timedelta(minutes=10)


@transaction.atomic
def post(tournament: Tournament, *, minutes: int, account: Account, now: datetime) -> Tournament:
    """Post the final standings as provisional for so many minutes; final at once for none."""
    tournament = locked(tournament)
    if tournament.is_posted:
        raise NotPossible(_("The standings have already been published."))
    if not minutes:
        return finish(tournament, account=account, now=now)
    if problem := why_not_finish(tournament):
        raise NotPossible(problem)
    until = now + timedelta(minutes=minutes)
    tournament.posted_at, tournament.objections_until = now, until
    tournament.save(update_fields=["posted_at", "objections_until"])
    text = gettext_noop("Published the final standings: objections until {until}")
    write_down(tournament, account, text, now=now, about=[tournament], until=until)
    return tournament


@transaction.atomic
def hear_objections(tournament: Tournament, *, minutes: int, account: Account, now: datetime) -> Tournament:
    """Let the time for objections end so many minutes from now, sooner or later than was said; at once for none."""
    tournament = locked(tournament)
    if not tournament.is_posted:
        raise NotPossible(_("There is no objection period: the standings are not published as provisional."))
    if not minutes:
        return finish(tournament, account=account, now=now)
    _move(tournament, now + timedelta(minutes=minutes), account=account, now=now)
    return tournament


def _move(tournament: Tournament, until: datetime, *, account: Account | None, now: datetime) -> None:
    tournament.objections_until = until
    tournament.save(update_fields=["objections_until"])
    text = gettext_noop("Objections can now be made until {until}")
    write_down(tournament, account, text, now=now, about=[tournament], until=until)


def leave_time_after_a_correction(tournament: Tournament, *, account: Account, now: datetime) -> None:
    """A round that was opened again is closed, or a ruling was made: players have time to look at what changed."""
    least = now + LEAST_AFTER_A_CORRECTION
    if tournament.objections_until is not None and tournament.objections_until < least:
        _move(tournament, least, account=account, now=now)


@transaction.atomic
def finish(
    tournament: Tournament,
    *,
    account: Account | None,
    now: datetime,
    text: str = gettext_noop("Finished the tournament"),
) -> Tournament:
    """Make the standings final. Every round that was started must be closed."""
    tournament = locked(tournament)
    if problem := why_not_finish(tournament):
        raise NotPossible(problem)
    tournament.state = Tournament.State.FINISHED
    tournament.finished_at, tournament.objections_until = now, None
    tournament.save(update_fields=["state", "finished_at", "objections_until"])
    write_down(tournament, account, text, now=now, about=[tournament])
    tell(tournament, Event.FINISHED, now=now)
    return tournament


def finish_what_is_due(now: datetime) -> list[Tournament]:
    """Make final what nobody objects to any more; what was corrected or prolonged meanwhile is left.

    One that cannot be made final keeps no other from it. Raises what went wrong with such, when all have been tried.
    """
    # Put in order here: asked for in it, SQLite looks through all there are instead of the few that hear objections.
    due = Tournament.objects.not_called_off().filter(objections_until__lte=now).order_by()
    finished, faults = [], []
    for one in sorted(due, key=lambda tournament: tournament.pk):
        try:
            finished += [done] if (done := _finish_if_due(one, now)) else []
        except (OperationalError, InterfaceError):  # of the database, not of this tournament
            raise
        except Exception as fault:  # noqa: BLE001 - raised when the others have been tried
            fault.add_note(f"tournament {one.code}")
            faults.append(fault)
    if faults:
        raise ExceptionGroup("Standings that are due could not be made final", faults)
    return finished


@transaction.atomic
def _finish_if_due(tournament: Tournament, now: datetime) -> Tournament | None:
    tournament = locked(tournament)
    until = tournament.objections_until
    if until is None or until > now or tournament.is_called_off or why_not_finish(tournament):
        return None
    text = gettext_noop("The objection period is over: the standings are final")
    return finish(tournament, account=None, now=now, text=text)


@transaction.atomic
def reopen_tournament(
    tournament: Tournament, *, reason: str, account: Account, now: datetime, minutes: int = 0
) -> Tournament:
    """Let the standings be final no longer: objections are heard for so many minutes, or for none play goes on."""
    tournament = locked(tournament)
    reason = needed_reason(reason)
    if not tournament.is_played:
        raise NotPossible(_("The tournament is not finished."))
    until = now + timedelta(minutes=minutes) if minutes else None
    tournament.state = Tournament.State.RUNNING
    tournament.finished_at, tournament.objections_until = None, until
    tournament.posted_at = (tournament.posted_at or now) if until else None
    tournament.save(update_fields=["state", "finished_at", "posted_at", "objections_until"])
    text = gettext_noop("Reopened the tournament: {reason}")
    write_down(tournament, account, text, now=now, about=[tournament], reason=reason)
    tell(tournament, Event.REOPENED, now=now)
    if until:
        _move(tournament, until, account=account, now=now)
    return tournament
