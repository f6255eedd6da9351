"""Matches that teams play at home: each has a day of its own and is started alone, by a captain or at the desk.

The first match that is started opens its round, and every round before it, without the others being played: such a
round is stored as closed, each of its matches waits for its own day (`Match.waits`), and `closed_at` is set when the
last of them has been played.
"""

from __future__ import annotations

from datetime import date, datetime, time
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from tournaments.boards.folders import make_boards
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.lifecycle.drawing import draw, rounds_drawn_at_once
from tournaments.lifecycle.fixtures import season_dates
from tournaments.lifecycle.line_ups import bound_above, seats_of, stays_above
from tournaments.lifecycle.playing import discard_results, freeze_rules, refuse_called_off
from tournaments.lifecycle.rulings import announce_days, hold_match, log_of_match, touch_tables
from tournaments.models import Entry, KeptReport, Match, Round, Seat, Table

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import Model

    from clubs.models import Account
    from tournaments.models import Team, Tournament


@transaction.atomic
def plan_season(
    tournament: Tournament,
    *,
    first: date,
    weeks: int,
    left_out: Collection[date] = (),
    at_home: bool,
    account: Account,
    now: datetime,
) -> list[Round]:
    """Draw all rounds that have not started by the teams' wishes, one every so many weeks from the first date on.

    With `at_home` each match gets a day of its own. Raises NotPossible.
    """
    tournament = locked(tournament)
    dates = season_dates(first, weeks, left_out, rounds_drawn_at_once(tournament))
    rounds = draw(tournament, seed=None, dates=dates, account=account, now=now)
    announce_days(tournament, now)
    if at_home:
        give_own_days(tournament, account=account, now=now)
    return rounds


@transaction.atomic
def give_own_days(tournament: Tournament, *, account: Account, now: datetime) -> int:
    """Let each match of the drawn rounds have its round's date as a day of its own; return how many have one now.

    Raises NotPossible where a round has no date.
    """
    tournament = locked(tournament)
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))
    drawn = tournament.rounds.filter(state=Round.State.DRAWN)
    if without := drawn.filter(date=None).order_by("number").first():
        raise NotPossible(_("Round %(number)d has no date yet.") % {"number": without.number})
    matches = list(
        Match.objects.filter(round__in=drawn, day=None, away__isnull=False).select_related("round")
    )
    if not matches:
        raise NotPossible(_("Every match in the drawn rounds already has its own day."))
    for match in matches:
        match.day = match.round.date
    Match.objects.bulk_update(matches, ["day"])
    announce_days(tournament, now)
    text = gettext_noop("Each match is played on its own day: {count}")
    write_down(tournament, account, text, now=now, about=matches, count=len(matches))
    return len(matches)


def start_of(match: Match) -> datetime | None:
    """The beginning of a match on a day of its own; at midnight where the hour is not known, None without a day."""
    if match.own_day is None:
        return None
    return timezone.make_aware(datetime.combine(match.own_day, match.hour or time()))


def why_no_start(match: Match, now: datetime) -> str:
    """Why a captain cannot start a match yet, in words; "" where it can be started."""
    if not match.awaits_start or match.own_day is None:
        return _("The match is not waiting to be started.")
    if timezone.localdate(now) < match.own_day:
        text = _("The match is on %(day)s and can be started on that day.")
        return text % {"day": date_format(match.own_day, "DATE_FORMAT")}
    return ""


def matches_at_home(team: Team) -> list[Match]:
    """The team's matches to come that have a day of their own and are started alone, by day."""
    own = Match.objects.filter(Q(home=team) | Q(away=team), away__isnull=False, day__isnull=False)
    to_come = own.filter(started_at=None, ended_at=None, awarded_home=None)
    found = to_come.select_related("round__tournament", "home", "away")
    return sorted(found, key=lambda match: (match.own_day, match.round.number))


def running_alone(team: Team) -> list[Match]:
    """The team's matches that were started alone and have not been ended."""
    own = Match.objects.filter(Q(home=team) | Q(away=team), started_at__isnull=False, ended_at=None)
    return list(own.filter(awarded_home=None).select_related("round__tournament", "home", "away"))


@transaction.atomic
def start_match(match: Match, *, team: Team | None = None, account: Account | None, now: datetime) -> Match:
    """Open the tables of a match that is played alone; a `team` does so by its link, from the match's day on.

    The first start freezes the tournament's rules. Raises NotPossible.
    """
    tournament, match = hold_match(match)
    refuse_called_off(tournament)
    if tournament.is_posted:
        raise NotPossible(_("The final standings have been published. Reopen the tournament first."))
    if match.is_running:
        return match  # the other captain was faster
    if not match.awaits_start:
        raise NotPossible(_("The match is not waiting to be started."))
    if team is not None and (why := why_no_start(match, now)):
        raise NotPossible(why)
    entries: list[Entry] = []
    for side in filter(None, (match.home, match.away)):
        if side.withdrawn:
            text = _("%(team)s has withdrawn: the desk decides the match by a ruling.")
            raise NotPossible(text % {"team": side})
        entries += _check_in(match, side, by_captain=team is not None)
    about = _open_rounds(tournament, match.round, account=account, now=now)
    match.started_at = now
    match.save(update_fields=["started_at"])
    touch_tables(match)
    discard_results(tournament)
    text = gettext_noop("Round {round}: {match} started")
    if team is not None:
        text = gettext_noop("Round {round}: {match} started, by {team}")
    said = {"team": team} if team is not None else {}
    about += [match, *entries, *match.tables.select_related("round")]
    write_down(tournament, account, text, now=now, about=about, round=match.round.number, match=match, **said)
    return match


def _check_in(match: Match, team: Team, *, by_captain: bool) -> list[Entry]:
    """Check in who sits for the team, and return them. Raises NotPossible for who has withdrawn or plays elsewhere."""
    entries = [seat.entry for seat in seats_of(match, team)]
    if gone := next((entry for entry in entries if entry.status == Entry.Status.WITHDRAWN), None):
        text = _("%(name)s has withdrawn: change the line-up first.")
        raise NotPossible(text % {"name": gone})
    bound = bound_above(match, team) if by_captain else set()
    if above := next((entry for entry in entries if entry.pk in bound), None):
        text = _("%(why)s Change the line-up first, or ask the organiser to start the match.")
        raise NotPossible(text % {"why": stays_above(match.round.tournament, above)})
    coming = [entry.pk for entry in entries]
    playing = Seat.objects.filter(entry__in=coming, table__in=Table.open_ones())
    if busy := playing.exclude(table__match=match).select_related("entry__player").first():
        text = _("%(name)s is sitting in another match that is being played.")
        raise NotPossible(text % {"name": busy.entry})
    Entry.objects.filter(pk__in=coming, status=Entry.Status.ENTERED).update(status=Entry.Status.PRESENT)
    return entries


def _open_rounds(
    tournament: Tournament, round_: Round, *, account: Account | None, now: datetime
) -> list[Model]:
    """Open the drawn rounds up to this one for their matches to be played one by one; return what changed."""
    opened = list(tournament.rounds.filter(state=Round.State.DRAWN, number__lte=round_.number))
    if not opened:
        return []
    lacking = Match.objects.filter(round__in=opened, away__isnull=False, day=None, awarded_home=None)
    if match := lacking.select_related("round", "home", "away").order_by("round__number", "number").first():
        text = _("Give every match of round %(number)d its own day first, or start that round.")
        raise NotPossible(text % {"number": match.round.number})
    freeze_rules(tournament, now)
    make_boards(opened, account=account, now=now)
    for one in opened:
        one.state, one.started_at = Round.State.CLOSED, now
    Round.objects.bulk_update(opened, ["state", "started_at"])
    return [tournament, *opened, *Table.objects.filter(round__in=opened).select_related("round")]


@transaction.atomic
def take_match_start_back(match: Match, *, account: Account, now: datetime) -> Match:
    """Let a match that was started too early wait again, while nothing is reported in it."""
    tournament, match = hold_match(match)
    if not match.is_running:
        return match
    tables = match.tables.all()
    if tables.filter(reports_count__gt=0).exists():
        raise NotPossible(_("Deals have been reported in the match."))
    if KeptReport.objects.filter(table__in=tables, state=KeptReport.State.WAITING).exists():
        raise NotPossible(_("A late report is waiting at a table of the match; decide on it first."))
    match.started_at = None
    match.save(update_fields=["started_at"])
    touch_tables(match)
    log_of_match(
        tournament, match, account, gettext_noop("Round {round}: undid the start of {match}"), now=now
    )
    return match
