"""A round's clock: started, paused, lengthened, taken away. It decides nothing: who is late plays on.

Lengthening says which clock it saw (`seen`, its minutes), so that the second of two clicks lengthens nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.models.base import MOST_MINUTES, MOST_PAUSES, read_pauses, written_pauses
from tournaments.rounds.drawing import as_it_stands

if TYPE_CHECKING:
    from datetime import datetime

    from clubs.models import Account
    from tournaments.models import Round, Tournament
    from tournaments.models.base import Clock

FIELDS = ["clock_started_at", "clock_minutes", "clock_pauses"]
# Forty deals take two hours; a clock is said in steps of five minutes.
MINUTES_A_DEAL, STEP = 3, 5


def usual_minutes(tournament: Tournament) -> int:
    """For how long a round of this tournament is played: as the rounds before it, or by the number of its deals."""
    by_deals = -(-tournament.deals_per_round * MINUTES_A_DEAL // STEP) * STEP
    return tournament.round_minutes or min(by_deals, MOST_MINUTES)


def set_minutes(tournament: Tournament, minutes: int) -> None:
    """For how long this round and those to come are played; 0: without a clock."""
    if not 0 <= minutes <= MOST_MINUTES:
        raise NotPossible(_("From 1 to %(most)d minutes.") % {"most": MOST_MINUTES}, "minutes")
    tournament.round_minutes = minutes
    tournament.save(update_fields=["round_minutes"])


def begin_with_the_round(tournament: Tournament, round_: Round, now: datetime) -> None:
    """A round that is started has the clock of the rounds before it, from now on; `round_` is not stored yet."""
    round_.clock_started_at = now if tournament.round_minutes else None
    round_.clock_minutes, round_.clock_pauses = tournament.round_minutes, []


@transaction.atomic
def start_clock(round_: Round, *, minutes: int, account: Account, now: datetime) -> Round:
    """Start the clock, or start it anew; rounds to come begin with the same number of minutes."""
    tournament, round_ = _running(round_)
    if not minutes:
        raise NotPossible(_("From 1 to %(most)d minutes.") % {"most": MOST_MINUTES}, "minutes")
    set_minutes(tournament, minutes)
    begin_with_the_round(tournament, round_, now)
    text = gettext_noop("Started the clock of round {round}: {minutes} minutes")
    return _store(tournament, round_, text, account=account, now=now, minutes=minutes)


@transaction.atomic
def pause_clock(round_: Round, *, account: Account, now: datetime) -> Round:
    tournament, round_ = _running(round_)
    clock, pauses = _clock_of(round_), read_pauses(round_.clock_pauses)
    if clock.is_paused:
        raise NotPossible(_("The clock is already paused."))
    if len(pauses) >= MOST_PAUSES:
        raise NotPossible(_("The clock has been paused too often: start a new one."))
    round_.clock_pauses = written_pauses([*pauses, (now, None)])
    text = gettext_noop("Paused the clock of round {round}")
    return _store(tournament, round_, text, account=account, now=now)


@transaction.atomic
def go_on_with_clock(round_: Round, *, account: Account, now: datetime) -> Round:
    tournament, round_ = _running(round_)
    paused_at = _clock_of(round_).paused_at
    if paused_at is None:
        raise NotPossible(_("The clock is already running."))
    pauses = read_pauses(round_.clock_pauses)
    round_.clock_pauses = written_pauses([*pauses[:-1], (paused_at, max(now, paused_at))])
    text = gettext_noop("Resumed the clock of round {round}")
    return _store(tournament, round_, text, account=account, now=now)


@transaction.atomic
def lengthen_clock(round_: Round, *, minutes: int, seen: int, account: Account, now: datetime) -> Round:
    """Add so many minutes, or take some away, to a clock of `seen` minutes."""
    tournament, round_ = _running(round_)
    clock = _clock_of(round_)
    if clock.minutes != seen:
        raise NotPossible(_("The clock has been changed in the meantime."))
    if not 1 <= clock.minutes + minutes <= MOST_MINUTES:
        raise NotPossible(_("From 1 to %(most)d minutes.") % {"most": MOST_MINUTES}, "minutes")
    round_.clock_minutes += minutes
    text = gettext_noop("Changed the clock of round {round} by {minutes} minutes")
    return _store(tournament, round_, text, account=account, now=now, minutes=f"{minutes:+d}")


@transaction.atomic
def take_clock_away(round_: Round, *, account: Account, now: datetime) -> Round:
    """Play on without a clock; rounds to come begin without one."""
    tournament, round_ = _running(round_)
    _clock_of(round_)
    set_minutes(tournament, 0)
    begin_with_the_round(tournament, round_, now)
    text = gettext_noop("Removed the clock of round {round}")
    return _store(tournament, round_, text, account=account, now=now)


def _running(round_: Round) -> tuple[Tournament, Round]:
    tournament = locked(round_.tournament)
    round_ = as_it_stands(round_)
    if not round_.is_running:
        raise NotPossible(_("Round %(number)d is not running.") % {"number": round_.number})
    return tournament, round_


def _clock_of(round_: Round) -> Clock:
    if round_.clock is None:
        raise NotPossible(_("Round %(number)d has no clock.") % {"number": round_.number})
    return round_.clock


def _store(
    tournament: Tournament, round_: Round, text: str, *, account: Account, now: datetime, **said: object
) -> Round:
    round_.save(update_fields=FIELDS)
    write_down(tournament, account, text, now=now, about=(), round=round_.number, **said)
    return round_
