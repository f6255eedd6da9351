"""Starting and closing rounds, opening and closing single tables, the clock, and how long a deal takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Account
from core.errors import NotPossible, clean_reason
from scoring import ENGINE_VERSION
from tournaments.boards.analysis import update_analysis
from tournaments.boards.folders import make_boards
from tournaments.changes.locks import held_tables, locked
from tournaments.changes.log import write_down, write_down_at
from tournaments.ledger.queries import count_reported, rulebook_of
from tournaments.lifecycle.drawing import as_it_stands
from tournaments.lifecycle.ending import leave_time_after_a_correction
from tournaments.lifecycle.webhook_events import Event, tell
from tournaments.models import Entry, KeptReport, RevokedSecret, Round, Table, Tournament
from tournaments.models.base import MOST_MINUTES, MOST_PAUSES, read_pauses, written_pauses
from tournaments.models.events import free_code
from tournaments.models.play import make_secret, on_own_day

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.ledger.queries import BoardRow
    from tournaments.models.base import Clock


# A round's life: started, closed, opened again.


@transaction.atomic
def start_round(round_: Round, *, account: Account, now: datetime, minutes: int | None = None) -> Round:
    """Let play begin, with a clock of so many minutes, none for 0; without a word of it, as the rounds before.

    The first start freezes the tournament's rules.
    """
    tournament = locked(round_.tournament)
    refuse_called_off(tournament)
    round_ = as_it_stands(round_)
    if not round_.is_drawn:
        raise NotPossible(_("Round %(number)d has already been started.") % {"number": round_.number})
    if tournament.is_posted:
        raise NotPossible(_("The final standings have been published. Reopen the tournament first."))
    open_before = tournament.rounds.filter(number__lt=round_.number).exclude(state=Round.State.CLOSED).first()
    if open_before:
        raise NotPossible(_("Close round %(number)d first.") % {"number": open_before.number})
    gone = round_.seats.exclude(entry__status=Entry.Status.PRESENT).select_related("entry__player").first()
    if gone:
        raise NotPossible(
            _("%(name)s is seated but no longer checked in. Draw again.") % {"name": gone.entry}
        )
    if round_.is_match_by_match:
        raise NotPossible(_("The matches of this round are played one by one, each on its own day."))
    freeze_rules(tournament, now)
    make_boards([round_], account=account, now=now)
    round_.state = Round.State.RUNNING
    round_.started_at = now
    if minutes is not None:
        set_minutes(tournament, minutes)
    discard_results(tournament)
    begin_with_the_round(tournament, round_, now)
    round_.save(update_fields=["state", "started_at", *FIELDS])
    about = [tournament, round_, *round_.tables.all()]
    said: dict[str, object] = {"round": round_.number}
    text = gettext_noop("Started round {round}")
    if round_.clock_minutes:
        text = gettext_noop("Started round {round} with a clock of {minutes} minutes")
        said["minutes"] = round_.clock_minutes
    write_down(tournament, account, text, now=now, about=about, **said)
    return round_


def freeze_rules(tournament: Tournament, now: datetime) -> None:
    """Begin the tournament with the rules that it has now, unless it has begun."""
    if not tournament.rules_frozen:
        tournament.options = dict(rulebook_of(tournament).options)
        tournament.rules_version = ENGINE_VERSION
        tournament.state = Tournament.State.RUNNING
        tournament.started_at = now
        tournament.save(update_fields=["options", "rules_version", "state", "started_at"])


def discard_results(tournament: Tournament) -> None:
    """Delete the materialized results: while a round is running they differ from the standings."""
    tournament.results.all().delete()


def why_start_stays(round_: Round) -> str:
    """Why a round's start cannot be taken back any more, in words; "" where it can."""
    if not round_.is_running:
        return _("Round %(number)d is not running.") % {"number": round_.number}
    if round_.tables.filter(reports_count__gt=0).exists():
        if round_.tables.filter(dealt__current__result__isnull=False).exists():
            return _("Deals have been reported in round %(number)d.") % {"number": round_.number}
        text = _(
            "Deals were reported in round %(number)d and undone. Such reports are kept, so the tables "
            "cannot be changed."
        )
        return text % {"number": round_.number}
    waiting = KeptReport.objects.filter(table__round=round_, state=KeptReport.State.WAITING)
    if waiting.exists():
        return _("A late report is waiting in round %(number)d; decide on it first.") % {
            "number": round_.number
        }
    if round_.tables.exclude(ended_early_at=None).exists():
        return _("A table of round %(number)d has been ended.") % {"number": round_.number}
    return ""


@transaction.atomic
def take_start_back(round_: Round, *, account: Account, now: datetime) -> Round:
    """Let a round that was started too early be one that is drawn, while nothing is reported in it.

    Links and codes stay as they were printed. Where no other round was ever started, the rules can be changed again.
    """
    tournament = locked(round_.tournament)
    round_ = as_it_stands(round_)
    if why := why_start_stays(round_):
        raise NotPossible(why)
    round_.state = Round.State.DRAWN
    round_.started_at = round_.clock_started_at = None
    round_.save(update_fields=["state", "started_at", "clock_started_at"])
    if not tournament.rounds.exclude(state=Round.State.DRAWN).exists():
        tournament.rules_version = ""
        tournament.state = Tournament.State.SETUP
        tournament.started_at = None
        tournament.save(update_fields=["rules_version", "state", "started_at"])
    for table in held_tables().filter(round=round_):
        table.version += 1
        table.save(update_fields=["version"])
    text = gettext_noop("Undid the start of round {round}")
    write_down(tournament, account, text, now=now, about=[tournament, round_], round=round_.number)
    return round_


def refuse_called_off(tournament: Tournament) -> None:
    if tournament.is_called_off:
        raise NotPossible(_("The tournament is called off. Reinstate it first."))


def missing_at(round_: Round) -> list[tuple[Table, str]]:
    """Unfinished tables that keep a round from being closed, each with the reason.

    A match played on another day, or decided by a ruling, does not keep it open.
    """
    elsewhere = on_own_day("match__") | Q(match__awarded_home__isnull=False)
    return missing_in(round_.tables.exclude(elsewhere))


def missing_in(tables: QuerySet[Table]) -> list[tuple[Table, str]]:
    """Each of these tables that is not done, and why in words."""
    done_at = Count("dealt", filter=Q(dealt__current__result__isnull=False))
    missing: list[tuple[Table, str]] = []
    for table in tables.annotate(done=done_at).order_by("number").prefetch_related("seats"):
        if table.ended_early_at:
            continue
        done = table.done
        not_agreed = sum(seat.agreed_at is None for seat in table.seats.all())
        if done < table.deals:
            missing.append(
                (table, _("%(done)d of %(deals)d deals reported") % {"done": done, "deals": table.deals})
            )
        elif not_agreed:
            why = ngettext(
                "not confirmed by %(count)d player", "not confirmed by %(count)d players", not_agreed
            )
            missing.append((table, why % {"count": not_agreed}))
    return missing


# Logs that an earlier Spadille has written.
EARLIER = gettext_noop("Closed round {round} with {count} unfinished table(s): {reason}")
WITHOUT = {
    (True, False): gettext_noop("Closed round {round} while deals were missing at table {deals}: {reason}"),
    (False, True): gettext_noop(
        "Closed round {round} before every player had agreed to the sheet of table {yes}: {reason}"
    ),
    (True, True): gettext_noop(
        "Closed round {round} while deals were missing at table {deals}, and before every "
        "player had agreed to the sheet of table {yes}: {reason}"
    ),
}


def _closed_without(tables: Iterable[Table]) -> tuple[str, dict[str, str]]:
    """The log's text of what was missing at closing, and at which tables."""
    lacking: dict[bool, list[str]] = {True: [], False: []}
    for table in tables:
        lacking[count_reported(table) < table.deals].append(str(table.number))
    deals, yes = ", ".join(lacking[True]), ", ".join(lacking[False])
    said = {name: tables for name, tables in {"deals": deals, "yes": yes}.items() if tables}
    return WITHOUT[bool(deals), bool(yes)], said


@transaction.atomic
def close_round(round_: Round, *, account: Account, now: datetime, force_reason: str = "") -> Round:
    """Close a round. With unfinished tables it takes a reason; later reports are quarantined."""
    tournament = locked(round_.tournament)
    # Captains who were reporting have finished; those behind them find the round closed.
    round_ = as_it_stands(round_)
    if round_.is_closed:
        raise NotPossible(_("Round %(number)d has already been closed.") % {"number": round_.number})
    if not round_.is_running:
        raise NotPossible(_("Round %(number)d has not been started.") % {"number": round_.number})
    missing = missing_at(round_)
    if missing and not force_reason.strip():
        tables = "; ".join(
            _("table %(number)d: %(why)s") % {"number": table.number, "why": why} for table, why in missing
        )
        raise NotPossible(_("Not every table is done: %(tables)s.") % {"tables": tables}, "force_reason")
    round_.state = Round.State.CLOSED
    round_.closed_at = now
    round_.save(update_fields=["state", "closed_at"])
    if missing:
        text, at_tables = _closed_without(table for table, _why in missing)
        reason = clean_reason(force_reason)
        said = at_tables | {"reason": reason}
    else:
        text, said = gettext_noop("Closed round {round}"), {}
    # With its tables: where their chains of reports end is part of what is decided.
    about = [round_, *round_.tables.all()]
    write_down(tournament, account, text, now=now, about=about, round=round_.number, **said)
    leave_time_after_a_correction(tournament, account=account, now=now)
    tell(tournament, Event.ROUND_CLOSED, rounds=[round_], now=now)
    update_analysis(round_, account=account, now=now)
    return round_


@transaction.atomic
def reopen_round(round_: Round, *, reason: str, account: Account, now: datetime) -> Round:
    """Let a closed round be corrected again; its captains' links live again with it."""
    tournament = locked(round_.tournament)
    reason = clean_reason(reason)
    round_ = as_it_stands(round_)
    refuse_called_off(tournament)
    if tournament.is_finished:
        raise NotPossible(_("Reopen the tournament first."))
    if not round_.is_closed:
        raise NotPossible(_("Round %(number)d is open.") % {"number": round_.number})
    if tournament.rounds.filter(state=Round.State.RUNNING).exists():
        raise NotPossible(_("Another round is being played; close it first."))
    if round_.is_match_by_match:
        raise NotPossible(_("The matches of this round are played one by one: reopen a match instead."))
    round_.state = Round.State.RUNNING
    round_.closed_at = round_.clock_started_at = None  # its time was over
    round_.save(update_fields=["state", "closed_at", "clock_started_at"])
    discard_results(tournament)
    update_analysis(round_, account=account, now=now)
    write_down(
        tournament,
        account,
        gettext_noop("Reopened round {round}: {reason}"),
        now=now,
        about=[round_],
        round=round_.number,
        reason=reason,
    )
    return round_


# A round's clock: start, pause, extend, remove. It has no effect on play: late tables play on.
#
# Extending includes the clock that was shown (`seen`, its minutes), so that a double click extends once.

FIELDS = ["clock_started_at", "clock_minutes", "clock_pauses"]
# Forty deals take two hours; a clock is announced in steps of five minutes.
MINUTES_A_DEAL, STEP = 3, 5


def usual_minutes(tournament: Tournament) -> int:
    """The usual minutes of a round: as in the rounds before it, or by the number of its deals."""
    by_deals = -(-tournament.deals_per_round * MINUTES_A_DEAL // STEP) * STEP
    return tournament.round_minutes or min(by_deals, MOST_MINUTES)


def set_minutes(tournament: Tournament, minutes: int) -> None:
    """Set the minutes of this round and of later ones; 0: without a clock."""
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
    """Start or restart the clock; rounds to come begin with the same number of minutes."""
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


# How quickly tables play, and who is behind: by the deals they have reported, not by who looks when.
#
# A pace is counted to a table's last report, so that it is the same on every screen until there is a new one.

# So many deals behind the middle table a table is slow: an eighth of a round, a good quarter of an hour.
SLOW_BY = 5
# Fewer deals say nothing of a pace, nor does less time, in seconds.
LEAST_DEALS, LEAST_TIME = 3, 300
HOUR = 3600


@dataclass(frozen=True, slots=True)
class Pace:
    """Deals an hour, None before there is anything to count; whether the table ends after the others, or the clock."""

    an_hour: int | None
    is_behind: bool


def deals_behind(rows: Sequence[BoardRow]) -> dict[int, int]:
    """Table's primary key -> how many deals it is behind the median table (negative: ahead).

    Compared by the share of their own deals, since a table of three plays fewer in the same time.
    """
    if not rows:
        return {}
    middle = median(row.reported / row.table.deals for row in rows)
    return {row.table.pk: round(middle * row.table.deals) - row.reported for row in rows}


def paces(round_: Round, rows: Sequence[BoardRow]) -> Mapping[int, Pace]:
    """Table's primary key -> its pace. By the clock, behind is who would need longer than it gives."""
    behind = deals_behind(rows)
    found = {}
    for row in rows:
        played = _seconds(round_, row)
        tells = row.reported >= LEAST_DEALS and played >= LEAST_TIME
        an_hour = round(row.reported * HOUR / played) if tells else None
        late = behind[row.table.pk] >= SLOW_BY
        if round_.clock is not None and tells:
            late = played * row.table.deals / row.reported > round_.clock.minutes * 60
        found[row.table.pk] = Pace(an_hour, late and not row.complete and not row.done)
    return found


def _seconds(round_: Round, row: BoardRow) -> float:
    """Seconds that a table had played at its last report; 0 if that is not meaningful."""
    begun = round_.started_at
    if row.last_report_at is None or begun is None:
        return 0.0
    if round_.clock is not None:
        return round_.clock.time_run(row.last_report_at).total_seconds()
    return (row.last_report_at - begun).total_seconds()


# What the desk does with one table of a running round.


def _locked(table: Table) -> Table:
    """The table, locked after its tournament, as every step of the desk locks."""
    locked(table.round.tournament)
    found = held_tables().filter(pk=table.pk).first()
    if found is None:
        raise NotPossible(_("The draw has changed in the meantime; check it again."))
    return found


def _table_of_running_round(table: Table) -> Table:
    """The table, locked, if it is open."""
    table = _locked(table)
    if not table.is_open:
        raise NotPossible(_("The round is not running."))
    return table


@transaction.atomic
def end_table_early(table: Table, *, reason: str, account: Account, now: datetime) -> Table:
    """Let a table's sheet count unchanged although it is incomplete or unsigned."""
    reason = clean_reason(reason)
    table = _table_of_running_round(table)
    if table.ended_early_at is None:
        table.ended_early_at = now
        table.ended_early_reason = reason
        table.version += 1
        table.save(update_fields=["ended_early_at", "ended_early_reason", "version"])
        write_down_at(
            table,
            account,
            gettext_noop("Round {round}, table {table} ended early: {reason}"),
            now=now,
            reason=reason,
        )
    return table


@transaction.atomic
def resume_table(table: Table, *, account: Account, now: datetime) -> Table:
    """Take back that a table was ended early."""
    table = _table_of_running_round(table)
    if table.ended_early_at is not None:
        table.ended_early_at = None
        table.ended_early_reason = ""
        table.version += 1
        table.save(update_fields=["ended_early_at", "ended_early_reason", "version"])
        write_down_at(
            table,
            account,
            gettext_noop("Round {round}, table {table} continues"),
            now=now,
        )
    return table


@transaction.atomic
def revoke_link(table: Table, *, account: Account, now: datetime) -> Table:
    """Replace a table's captain's link and code; the old ones then lead to an explanation.

    Replaces the link that `table` was loaded with: a double click makes one new link.
    """
    seen, table = table.secret, _locked(table)
    if table.secret != seen:
        return table
    RevokedSecret.objects.create(secret=table.secret, table=table, revoked_at=now)
    table.secret = make_secret()
    table.code = free_code(Table)
    table.version += 1
    table.save(update_fields=["secret", "code", "version"])
    write_down_at(
        table,
        account,
        gettext_noop("Round {round}, table {table}: new captain’s link"),
        now=now,
    )
    return table
