"""A round's life: started, closed, opened again."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from clubs.models import Account
from core.errors import NotPossible, needed_reason
from scoring import ENGINE_VERSION
from tournaments.boards.analysis_job import update_analysis
from tournaments.boards.folders import make_boards
from tournaments.changes.locks import held_tables, locked
from tournaments.changes.log import write_down
from tournaments.ledger.queries import count_reported, rulebook_of
from tournaments.models import Entry, KeptReport, Round, Table, Tournament
from tournaments.rounds.clock import FIELDS as CLOCK
from tournaments.rounds.clock import begin_with_the_round, set_minutes
from tournaments.rounds.drawing import as_it_stands
from tournaments.rounds.ending import leave_time_after_a_correction
from tournaments.rounds.telling import Event, tell


@transaction.atomic
def start_round(round_: Round, *, account: Account, now: datetime, minutes: int | None = None) -> Round:
    """Let play begin, with a clock of so many minutes, none for 0; without a word of it, as the rounds before.

    The first start freezes the tournament's rules.
    """
    tournament = locked(round_.tournament)
    _refuse_called_off(tournament)
    round_ = as_it_stands(round_)
    if not round_.is_drawn:
        raise NotPossible(_("Round %(number)d has already been started.") % {"number": round_.number})
    if tournament.is_posted:
        raise NotPossible(_("The final standings are published. Reopen the tournament first."))
    open_before = tournament.rounds.filter(number__lt=round_.number).exclude(state=Round.State.CLOSED).first()
    if open_before:
        raise NotPossible(_("Close round %(number)d first.") % {"number": open_before.number})
    gone = round_.seats.exclude(entry__status=Entry.Status.PRESENT).select_related("entry__player").first()
    if gone:
        raise NotPossible(
            _("%(name)s is seated but no longer checked in. Draw again.") % {"name": gone.entry}
        )
    if not tournament.rules_frozen:
        tournament.options = dict(rulebook_of(tournament).options)
        tournament.rules_version = ENGINE_VERSION
        tournament.state = Tournament.State.RUNNING
        tournament.started_at = now
        tournament.save(update_fields=["options", "rules_version", "state", "started_at"])
    make_boards([round_], account=account, now=now)
    round_.state = Round.State.RUNNING
    round_.started_at = now
    if minutes is not None:
        set_minutes(tournament, minutes)
    _discard_results(tournament)
    begin_with_the_round(tournament, round_, now)
    round_.save(update_fields=["state", "started_at", *CLOCK])
    about = [tournament, round_, *round_.tables.all()]
    said: dict[str, object] = {"round": round_.number}
    text = gettext_noop("Started round {round}")
    if round_.clock_minutes:
        text = gettext_noop("Started round {round} with a clock of {minutes} minutes")
        said["minutes"] = round_.clock_minutes
    write_down(tournament, account, text, now=now, about=about, **said)
    return round_


def _discard_results(tournament: Tournament) -> None:
    """Delete the kept results: while a round is played they are not those of the standings."""
    tournament.results.all().delete()


def why_start_stays(round_: Round) -> str:
    """Why a round's start cannot be taken back any more, in words; "" where it can."""
    if not round_.is_running:
        return _("Round %(number)d is not running.") % {"number": round_.number}
    if round_.tables.filter(reports_count__gt=0).exists():
        if round_.tables.filter(dealt__current__result__isnull=False).exists():
            return _("Deals have been reported in round %(number)d.") % {"number": round_.number}
        text = _(
            "Deals were reported in round %(number)d and taken back. The record keeps such reports,"
            " so the tables stay as they are."
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


def _refuse_called_off(tournament: Tournament) -> None:
    if tournament.is_called_off:
        raise NotPossible(_("The tournament is called off. Reinstate it first."))


def missing_at(round_: Round) -> list[tuple[Table, str]]:
    """What keeps a round from being closed: each table that is not done, and why in words.

    A match that is played on another day, or decided by a ruling, keeps no round open.
    """
    elsewhere = Q(match__postponed_to__isnull=False) | Q(match__awarded_home__isnull=False)
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
EARLIER = gettext_noop("Closed round {round} with {count} table(s) not done: {reason}")
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
    """What was missing, as the log has it, and at which tables."""
    lacking: dict[bool, list[str]] = {True: [], False: []}
    for table in tables:
        lacking[count_reported(table) < table.deals].append(str(table.number))
    deals, yes = ", ".join(lacking[True]), ", ".join(lacking[False])
    said = {name: tables for name, tables in {"deals": deals, "yes": yes}.items() if tables}
    return WITHOUT[bool(deals), bool(yes)], said


@transaction.atomic
def close_round(round_: Round, *, account: Account, now: datetime, force_reason: str = "") -> Round:
    """End a round. With tables that are not done it takes a reason; reports that come later are kept aside."""
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
        reason = needed_reason(force_reason)
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
    reason = needed_reason(reason)
    round_ = as_it_stands(round_)
    _refuse_called_off(tournament)
    if tournament.is_finished:
        raise NotPossible(_("Reopen the tournament first."))
    if not round_.is_closed:
        raise NotPossible(_("Round %(number)d is open.") % {"number": round_.number})
    if tournament.rounds.filter(state=Round.State.RUNNING).exists():
        raise NotPossible(_("Another round is running; close it first."))
    round_.state = Round.State.RUNNING
    round_.closed_at = round_.clock_started_at = None  # its time was over
    round_.save(update_fields=["state", "closed_at", "clock_started_at"])
    _discard_results(tournament)
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
