"""A match that is not played with its round: on another day, or decided by a ruling."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from core.errors import NotPossible, needed_reason
from tournaments.boards.analysis_job import update_analysis
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.log_values import SET_DAYS
from tournaments.models import Match, Table, Tournament
from tournaments.rounds.playing import missing_in
from tournaments.teams.lineups import match_as_it_stands

if TYPE_CHECKING:
    from clubs.models import Account


def _held(match: Match) -> tuple[Tournament, Match]:
    """The match as it stands, with its tournament locked; raises NotPossible where nothing can be ruled."""
    tournament = locked(match.round.tournament)
    match = match_as_it_stands(match)
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))
    if match.is_bye:
        raise NotPossible(_("A bye is not played."))
    return tournament, match


def _announce_days(tournament: Tournament, now: datetime) -> None:
    """Calendars have an event for each match day."""
    Tournament.objects.filter(pk=tournament.pk).announce(now)


def _touch_tables(match: Match) -> None:
    """Let phones at the match's tables look again."""
    for table in Table.objects.filter(match=match):
        table.version += 1
        table.save(update_fields=["version"])


def _log(
    tournament: Tournament, match: Match, account: Account, text: str, *, now: datetime, **params: object
) -> None:
    """Write a step down that may have opened or sealed the round's folders."""
    update_analysis(match.round, account=account, now=now)
    write_down(
        tournament, account, text, now=now, about=[match], round=match.round.number, match=match, **params
    )


@transaction.atomic
def postpone(match: Match, to: date, *, account: Account, now: datetime) -> Match:
    """Play a match on another day: its round can be closed meanwhile, and its tables stay open until it is ended.

    Raises NotPossible at `day` for one before its round's: no table of it is open before.
    """
    tournament, match = _held(match)
    if match.is_awarded:
        raise NotPossible(_("The match has been decided by a ruling."))
    if match.round.is_closed and match.tables.filter(reports_count__gt=0).exists():
        raise NotPossible(_("The match has been played, and its round is closed."))
    earliest = match.round.date or tournament.date
    if to < earliest:
        text = _("The round is played on %(day)s; choose that date or a later one.")
        raise NotPossible(text % {"day": date_format(earliest, "DATE_FORMAT")}, "day")
    match.postponed_to, match.ended_at = to, None
    match.save(update_fields=["postponed_to", "ended_at"])
    _announce_days(tournament, now)
    _touch_tables(match)
    _log(
        tournament, match, account, gettext_noop("Round {round}: {match} is played on {day}"), now=now, day=to
    )
    return match


@transaction.atomic
def play_with_its_round(match: Match, *, account: Account, now: datetime) -> Match:
    """Take back that a match is played on another day."""
    tournament, match = _held(match)
    if match.postponed_to is None:
        return match
    if match.round.is_closed and match.tables.filter(reports_count__gt=0).exists():
        raise NotPossible(_("The match is in progress; end it instead."))
    match.postponed_to = match.ended_at = None
    match.save(update_fields=["postponed_to", "ended_at"])
    _announce_days(tournament, now)
    _touch_tables(match)
    _log(tournament, match, account, gettext_noop("Round {round}: {match} is played with the round"), now=now)
    return match


@transaction.atomic
def end_match(match: Match, *, account: Account, now: datetime) -> Match:
    """Close a postponed match once every deal of it is reported and agreed to."""
    tournament, match = _held(match)
    if not match.is_postponed:
        raise NotPossible(_("The match is not waiting to be played."))
    missing = missing_in(Table.objects.filter(match=match))
    if missing:
        tables = "; ".join(
            _("table %(number)d: %(why)s") % {"number": table.number, "why": why} for table, why in missing
        )
        raise NotPossible(_("Not every table is done: %(tables)s.") % {"tables": tables})
    match.ended_at = now
    match.save(update_fields=["ended_at"])
    _touch_tables(match)
    _log(tournament, match, account, gettext_noop("Round {round}: {match} has been played"), now=now)
    return match


@transaction.atomic
def resume_match(match: Match, *, account: Account, now: datetime) -> Match:
    """Open the tables of a postponed match that was ended, to correct something."""
    tournament, match = _held(match)
    if match.ended_at is not None:
        match.ended_at = None
        match.save(update_fields=["ended_at"])
        _touch_tables(match)
        _log(tournament, match, account, gettext_noop("Round {round}: {match} is open again"), now=now)
    return match


@transaction.atomic
def award(match: Match, points: Mapping[str, int], *, reason: str, account: Account, now: datetime) -> Match:
    """Decide a match by a ruling: match points for `home` and `away`; it brings nobody tokens."""
    tournament, match = _held(match)
    reason = needed_reason(reason)
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
    match.awarded_home, match.awarded_away, match.awarded_reason = points["home"], points["away"], reason
    match.save(update_fields=["awarded_home", "awarded_away", "awarded_reason"])
    if match.postponed_to:
        _announce_days(tournament, now)
    _touch_tables(match)
    text = gettext_noop("Round {round}: {match} decided {home}–{away} by ruling: {reason}")
    _log(tournament, match, account, text, now=now, reason=reason, **points)
    return match


@transaction.atomic
def take_award_back(match: Match, *, account: Account, now: datetime) -> Match:
    """Let a match count by what is played."""
    tournament, match = _held(match)
    if match.is_awarded:
        match.awarded_home = match.awarded_away = None
        match.awarded_reason = ""
        match.save(update_fields=["awarded_home", "awarded_away", "awarded_reason"])
        if match.postponed_to:
            _announce_days(tournament, now)
        _touch_tables(match)
        text = gettext_noop("Round {round}: the ruling on {match} is withdrawn")
        _log(tournament, match, account, text, now=now)
    return match


@transaction.atomic
def set_dates(
    tournament: Tournament, days: Mapping[int, date | None], *, account: Account, now: datetime
) -> None:
    """Say on which day each round is played, by the rounds' numbers."""
    tournament = locked(tournament)
    changed = [
        round_ for round_ in tournament.rounds.all() if round_.date != days.get(round_.number, round_.date)
    ]
    for round_ in changed:
        round_.date = days[round_.number]
        round_.save(update_fields=["date"])
    if changed:
        _announce_days(tournament, now)
        write_down(tournament, account, SET_DAYS, now=now, about=changed, rounds=len(changed))
