"""Finishing a tournament, posting and correcting results, calling tournaments off."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Account
from core.errors import NotPossible, clean_reason
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.ledger.queries import open_tables
from tournaments.lifecycle.webhook_events import Event, tell
from tournaments.models import Match, Objection, Penalty, Report, Round, Table, Tournament
from tournaments.models.base import DRAWN_INTO_GROUPS, SAMPLE_REMOVED
from tournaments.models.play import on_own_day

# The end of a tournament: standings are posted, wait for objections, become final, and may be reopened.
#
# The time until which objections are accepted is stored; the worker (`manage.py jobs --work`) calls
# `finish_what_is_due`. Nothing is due while a round is reopened because of an objection.


def still_to_play(tournament: Tournament) -> QuerySet[Match]:
    """The matches that are played on a day of their own and have not been ended, by their rounds."""
    waiting = Match.objects.filter(on_own_day(), round__tournament=tournament, away__isnull=False)
    waiting = waiting.filter(ended_at=None, awarded_home=None).select_related("round", "home", "away")
    return waiting.order_by("round__number", "number")


def why_not_finish(tournament: Tournament) -> str:
    """The reason why the standings cannot become final; "" if they can."""
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


def why_not_final(tournament: Tournament) -> str:
    """The reason why published standings do not become final; "" if they can."""
    waiting = Objection.objects.filter(tournament=tournament, state=Objection.State.OPEN)
    found = waiting.select_related("team", "entry__player", "club").first()
    if found is None:
        return ""
    text = _("Objection %(number)d by %(who)s is open: decide it first.")
    return text % {"number": found.number, "who": found.who}


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
    """Set the time for objections to end in so many minutes from now, earlier or later than before.

    0 ends it at once.
    """
    tournament = locked(tournament)
    if not tournament.is_posted:
        raise NotPossible(
            _("There is no objection period: the standings have not been published as provisional.")
        )
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
    if problem := why_not_finish(tournament) or why_not_final(tournament):
        raise NotPossible(problem)
    tournament.state = Tournament.State.FINISHED
    tournament.finished_at, tournament.objections_until = now, None
    tournament.save(update_fields=["state", "finished_at", "objections_until"])
    write_down(tournament, account, text, now=now, about=[tournament])
    tell(tournament, Event.FINISHED, now=now)
    return tournament


def finish_what_is_due(now: datetime) -> list[Tournament]:
    """Make standings final whose time for objections is over; skips those corrected or prolonged meanwhile.

    An error with one tournament does not stop the others; it is raised at the end.
    """
    # Sorted in Python: with ORDER BY, SQLite scans all tournaments instead of the few that are due.
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
    if until is None or until > now or tournament.is_called_off:
        return None
    if why_not_finish(tournament) or why_not_final(tournament):
        return None
    text = gettext_noop("The objection period is over: the standings are final")
    return finish(tournament, account=None, now=now, text=text)


@transaction.atomic
def reopen_tournament(
    tournament: Tournament, *, reason: str, account: Account, now: datetime, minutes: int = 0
) -> Tournament:
    """Reopen final standings: for objections during so many minutes, or with 0 for further play."""
    tournament = locked(tournament)
    reason = clean_reason(reason)
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


# A tournament is called off, and taken up again: a state, with a reason and a line in its log; nothing is deleted.


def why_not(tournament: Tournament) -> str:
    """The reason why a tournament cannot be cancelled; "" if it can."""
    if tournament.is_posted:
        return _("Its final standings have been published. Reopen it first, giving a reason.")
    table = open_tables().filter(round__tournament=tournament).select_related("round", "match").first()
    if table and table.round.is_running:
        return _("Round %(number)d is running. Close it first.") % {"number": table.round.number}
    if table:
        text = _("%(match)s is still to be played: end it, or decide it by a ruling.")
        return text % {"match": table.match}
    if tournament.group_of and _has_sent_on(tournament):
        return _("The next stage of its championship was created from it. Call that off first.")
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
    reason = clean_reason(reason)
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
    """Cancel a sample tournament in any state; the caller makes sure that only sample players are in it."""
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


# Corrections since the final standings were posted, as shown to players.


def corrected_since_posted(tournament: Tournament) -> list[str]:
    """A sentence for each table with deals reported since, one for rulings; none where nothing was posted."""
    since = tournament.posted_at
    if since is None:
        return []
    touched = Table.objects.filter(round__tournament=tournament, last_report_at__gt=since)
    later = Report.objects.filter(table__in=touched.values("pk"), recorded_at__gt=since).order_by(
        "table__round__number", "table__number", "deal_number"
    )
    deals: dict[tuple[int, int], set[int]] = {}
    for round_, table, deal in later.values_list("table__round__number", "table__number", "deal_number"):
        deals.setdefault((round_, table), set()).add(deal)
    said = [_at_table(round_, table, sorted(numbers)) for (round_, table), numbers in deals.items()]
    ruled = Penalty.objects.filter(tournament=tournament)
    rulings = ruled.filter(Q(ruled_at__gt=since) | Q(cancelled_at__gt=since)).count()
    if rulings:
        text = ngettext("%(count)d ruling.", "%(count)d rulings.", rulings)
        said.append(text % {"count": rulings})
    return said


def _at_table(round_: int, table: int, deals: list[int]) -> str:
    text = ngettext(
        "Round %(round)d, table %(table)d: deal %(deals)s.",
        "Round %(round)d, table %(table)d: deals %(deals)s.",
        len(deals),
    )
    return text % {"round": round_, "table": table, "deals": ", ".join(map(str, deals))}
