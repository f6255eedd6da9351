"""Rulings: penalties, awarded matches, postponed matches."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Account
from core.errors import NotPossible, clean_reason
from core.log_messages import author_name
from core.text import clean_text
from tournaments.boards.analysis import update_analysis
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.log_values import SET_DAYS
from tournaments.lifecycle.ending import leave_time_after_a_correction
from tournaments.lifecycle.line_ups import match_as_it_stands
from tournaments.lifecycle.playing import missing_in
from tournaments.lifecycle.webhook_events import Event, tell
from tournaments.models import Entry, Match, Penalty, Postponement, Round, Table, Team, Tournament
from tournaments.models.events import MOST_MATCH_POINTS

# A match that is not played with its round: on another day, or decided by a ruling.


def hold_match(match: Match) -> tuple[Tournament, Match]:
    """Lock the tournament and refresh the match; raises NotPossible if no ruling is possible."""
    tournament = locked(match.round.tournament)
    match = match_as_it_stands(match)
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))
    if match.is_bye:
        raise NotPossible(_("A bye is not played."))
    return tournament, match


def announce_days(tournament: Tournament, now: datetime) -> None:
    """Calendars have an event for each match day."""
    Tournament.objects.filter(pk=tournament.pk).announce(now)


def touch_tables(match: Match) -> None:
    """Let phones at the match's tables look again."""
    for table in Table.objects.filter(match=match):
        table.version += 1
        table.save(update_fields=["version"])


def log_of_match(
    tournament: Tournament,
    match: Match,
    account: Account | None,
    text: str,
    *,
    now: datetime,
    **params: object,
) -> None:
    """Write a step down that may have opened or sealed the round's folders."""
    update_analysis(match.round, account=account, now=now)
    write_down(
        tournament,
        account,
        text,
        now=now,
        about=[match, match.round],
        round=match.round.number,
        match=match,
        **params,
    )


def overtake_proposals(match: Match, now: datetime) -> None:
    """Close what captains have proposed for the match: it has been moved or decided."""
    proposals = Postponement.objects.filter(match=match, state=Postponement.State.OPEN)
    proposals.update(state=Postponement.State.OVERTAKEN, answered_at=now)


@transaction.atomic
def postpone(
    match: Match,
    to: date,
    *,
    begins_at: time | None = None,
    place: str = "",
    account: Account | None,
    now: datetime,
) -> Match:
    """Play a match on another day: its round can be closed meanwhile, and its tables stay open until it is ended.

    Where each match has a day of its own, any day will do. Raises NotPossible at `day` for one before its round's
    otherwise: no table of it is open before.
    """
    tournament, match = hold_match(match)
    if match.is_awarded:
        raise NotPossible(_("The match has been decided by a ruling."))
    if match.round.is_closed and match.tables.filter(reports_count__gt=0).exists():
        raise NotPossible(_("The match has been played, and its round is closed."))
    earliest = match.round.date or tournament.date
    if match.day is None and to < earliest:
        text = _("The round is on %(day)s; choose that date or a later one.")
        raise NotPossible(text % {"day": date_format(earliest, "DATE_FORMAT")}, "day")
    overtake_proposals(match, now)
    match.postponed_to, match.ended_at = None if to == match.day else to, None
    match.begins_at, match.place = begins_at, clean_text(place)
    match.save(update_fields=["postponed_to", "ended_at", "begins_at", "place"])
    announce_days(tournament, now)
    touch_tables(match)
    text = gettext_noop("Round {round}: {match} is played on {day}")
    log_of_match(tournament, match, account, text, now=now, day=to)
    return match


@transaction.atomic
def play_with_its_round(match: Match, *, account: Account, now: datetime) -> Match:
    """Take back that a match is played on another day."""
    tournament, match = hold_match(match)
    if match.own_day is None:
        return match
    if match.round.is_closed and match.day is not None:
        raise NotPossible(_("The matches of this round are played one by one, each on its own day."))
    if match.round.is_closed and match.tables.filter(reports_count__gt=0).exists():
        raise NotPossible(_("The match is in progress; end it instead."))
    match.postponed_to = match.day = match.begins_at = match.ended_at = None
    match.save(update_fields=["postponed_to", "day", "begins_at", "ended_at"])
    announce_days(tournament, now)
    touch_tables(match)
    log_of_match(
        tournament, match, account, gettext_noop("Round {round}: {match} is played with the round"), now=now
    )
    return match


def _end_round(round_: Round, now: datetime) -> None:
    """Note when the last match of a round was played that is played match by match."""
    if round_.is_closed and round_.closed_at is None:
        left = round_.matches.filter(away__isnull=False, ended_at=None, awarded_home=None)
        if not left.exists():
            round_.closed_at = now
            round_.save(update_fields=["closed_at"])
            tell(round_.tournament, Event.ROUND_CLOSED, rounds=[round_], now=now)


@transaction.atomic
def end_match(match: Match, *, account: Account | None, now: datetime) -> Match:
    """Close a postponed match once every deal of it is reported and agreed to."""
    tournament, match = hold_match(match)
    if not match.waits:
        raise NotPossible(_("The match is not waiting to be played."))
    missing = missing_in(Table.objects.filter(match=match))
    if missing:
        tables = "; ".join(
            _("table %(number)d: %(why)s") % {"number": table.number, "why": why} for table, why in missing
        )
        raise NotPossible(_("Not every table is done: %(tables)s.") % {"tables": tables})
    match.ended_at = now
    match.save(update_fields=["ended_at"])
    _end_round(match.round, now)
    touch_tables(match)
    log_of_match(tournament, match, account, gettext_noop("Round {round}: {match} has been played"), now=now)
    return match


@transaction.atomic
def resume_match(match: Match, *, account: Account, now: datetime) -> Match:
    """Open the tables of a postponed match that was ended, to correct something."""
    tournament, match = hold_match(match)
    if match.ended_at is not None:
        match.ended_at = None
        match.save(update_fields=["ended_at"])
        touch_tables(match)
        log_of_match(
            tournament, match, account, gettext_noop("Round {round}: {match} is open again"), now=now
        )
    return match


@transaction.atomic
def award(match: Match, points: Mapping[str, int], *, reason: str, account: Account, now: datetime) -> Match:
    """Decide a match by a ruling: match points for `home` and `away`, and no tokens."""
    tournament, match = hold_match(match)
    reason = clean_reason(reason)
    won, drawn, lost = tournament.match_points
    for side in ("home", "away"):
        if not 0 <= points[side] <= won:
            raise NotPossible(_("0 to %(most)d match points.") % {"most": won}, side)
    most = max(won + lost, 2 * drawn)
    if sum(points.values()) > most:
        text = ngettext(
            "A match has %(most)d match point in all.",
            "A match has %(most)d match points in all.",
            most,
        )
        raise NotPossible(text % {"most": most}, "away")
    overtake_proposals(match, now)
    match.awarded_home, match.awarded_away, match.awarded_reason = points["home"], points["away"], reason
    match.save(update_fields=["awarded_home", "awarded_away", "awarded_reason"])
    if match.own_day:
        announce_days(tournament, now)
    _end_round(match.round, now)
    touch_tables(match)
    text = gettext_noop("Round {round}: {match} decided {home}–{away} by ruling: {reason}")
    log_of_match(tournament, match, account, text, now=now, reason=reason, **points)
    return match


@transaction.atomic
def take_award_back(match: Match, *, account: Account, now: datetime) -> Match:
    """Let a match count by what is played."""
    tournament, match = hold_match(match)
    if match.is_awarded:
        match.awarded_home = match.awarded_away = None
        match.awarded_reason = ""
        match.save(update_fields=["awarded_home", "awarded_away", "awarded_reason"])
        if match.own_day:
            announce_days(tournament, now)
        touch_tables(match)
        text = gettext_noop("Round {round}: withdrew the ruling on {match}")
        log_of_match(tournament, match, account, text, now=now)
    return match


@transaction.atomic
def set_dates(
    tournament: Tournament, days: Mapping[int, date | None], *, account: Account, now: datetime
) -> None:
    """Set the day of each round, by the rounds' numbers."""
    tournament = locked(tournament)
    changed = [
        round_ for round_ in tournament.rounds.all() if round_.date != days.get(round_.number, round_.date)
    ]
    for round_ in changed:
        round_.date = days[round_.number]
        round_.save(update_fields=["date"])
    if changed:
        announce_days(tournament, now)
        write_down(tournament, account, SET_DAYS, now=now, about=changed, rounds=len(changed))


# Penalties (strafpoint) and compensations: tokens or match points by ruling, outside a table's zero sum.

MOST_TOKENS = 1000  # more is a slip of the keyboard, not a ruling
RULED = gettext_noop("{player}: {tokens} tokens by ruling: {reason}")
RULED_POINTS = gettext_noop("{player}: {points} match points by ruling: {reason}")
CANCELLED = gettext_noop("Cancelled the ruling of {tokens} tokens for {player}: {reason}")
CANCELLED_POINTS = gettext_noop("Cancelled the ruling of {points} match points for {player}: {reason}")


def _locked_unless_final(tournament: Tournament) -> Tournament:
    """Lock the tournament; raises if its standings are final, since they were paid by: it must be reopened first."""
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
    """Give a player, or a pair or team, a penalty or (positive) a compensation, in a column of its own.

    Either tokens or, for a pair or team as a whole, match points.
    """
    tournament = _locked_unless_final(whom.tournament)
    reason = clean_reason(reason)
    _refuse(whom, tokens, match_points)
    penalty = Penalty.objects.create(
        tournament=tournament,
        entry=whom if isinstance(whom, Entry) else None,
        team=whom if isinstance(whom, Team) else None,
        round=round_,
        tokens=tokens,
        match_points=match_points,
        reason=reason,
        ruled_by=author_name(account),
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
    """Parameters of the log message."""
    return {"points" if penalty.match_points else "tokens": f"{penalty.amount:+d}"}


@transaction.atomic
def cancel_penalty(penalty: Penalty, *, reason: str, account: Account, now: datetime) -> Penalty:
    tournament = _locked_unless_final(penalty.tournament)
    reason = clean_reason(reason)
    penalty = Penalty.objects.select_related("entry__player", "team").get(pk=penalty.pk)
    if penalty.cancelled_at is None:
        penalty.cancelled_at = now
        penalty.cancelled_by = author_name(account)
        penalty.cancel_reason = reason
        penalty.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
        text = CANCELLED_POINTS if penalty.match_points else CANCELLED
        said = {"player": penalty.whom, "reason": reason, **_amount(penalty)}
        write_down(tournament, account, text, now=now, about=[penalty], **said)
        leave_time_after_a_correction(tournament, account=account, now=now)
    return penalty
