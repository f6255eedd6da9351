"""Actions at a table besides reports: first dealer, seat changes, calls, signatures; undo of a press of a button.

A press is identified by its time: every row that it changed carries it, rows changed again since do not.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4, uuid5

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.models import Account
from core.errors import NoRoom, NotPossible, clean_reason
from core.log_messages import author_name, translatable
from core.text import clean_text
from scoring.seats import changes_in_force
from tournaments.changes.locks import held_tables, hold
from tournaments.changes.log import Undone, write_down_at
from tournaments.changes.versions import announce
from tournaments.domain.terms import CALLS, reason_code
from tournaments.ledger.deal_sums import move_turns
from tournaments.ledger.late_reports import wait_again
from tournaments.ledger.preview import Outlook
from tournaments.ledger.queries import count_reported
from tournaments.ledger.recording import Author, recount
from tournaments.ledger.seating import turns_at
from tournaments.ledger.submissions import Submission
from tournaments.models import Flag, KeptReport, Seat, SeatChange, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.seats import Change
    from tournaments.ledger.preview import Line
    from tournaments.models import Tournament


# Changes in the middle of a round (another dealer, swapped seats, an inserted deal): later deals are reported again.
#
# Reports are only ever added: each deal whose result changes gets a new version, with the reason.

# What becomes of a deal that the rules do not allow any more: open again, or its tokens as they were, by a ruling.
TAKE_BACK, KEEP = "back", "keep"


@transaction.atomic
def change_seats(
    table: Table,
    change: Change,
    *,
    seen: str,
    resolved: Mapping[int, str],
    reason: str,
    account: Account | None,
    now: datetime,
) -> Outlook:
    """Change the dealer, the seats or the numbering of deals, and report every later deal again.

    `seen` is the fingerprint of the preview that was confirmed. `resolved` maps each deal that the rules no longer
    allow to its replacement; a deal that drops out has the number after the last. Without an account the captain
    made the change.
    """
    table = held_at_play(table, account)
    outlook = Outlook(table, change)
    if seen != outlook.seen:
        raise NotPossible(_("The sheet has changed in the meantime. Check it again."), "seen")
    reason = clean_reason(reason)
    _refuse_unresolved(outlook, resolved, by_captain=account is None)
    write_change(table, change, reason=reason, account=account, now=now)
    if outlook.moves:
        _move_along(table, outlook, now=now)
    submissions = [_told_again(line, resolved, reason) for line in outlook.resettled]
    author = Author("desk" if account else "captain", account)
    if submissions:
        recount(table, submissions, author, now=now)
    text, params = _log_message(outlook)
    write_down_at(table, account, text, now=now, **params, reason=reason)
    return outlook


def _refuse_unresolved(outlook: Outlook, resolved: Mapping[int, str], *, by_captain: bool) -> None:
    allowed = (TAKE_BACK,) if by_captain else (TAKE_BACK, KEEP)
    for line in outlook.impossible:
        if resolved.get(line.deal) not in allowed:
            text = _("Decide what happens to deal %(deal)d, which the rules no longer allow.")
            raise NotPossible(text % {"deal": line.deal}, f"deal_{line.deal}")
    beyond = outlook.table.deals + 1
    if outlook.falls_out and resolved.get(beyond) != TAKE_BACK:
        text = _("Deal %(deal)d would move past the end. Mark it as not counting.")
        raise NotPossible(text % {"deal": outlook.table.deals}, f"deal_{beyond}")


def _told_again(line: Line, resolved: Mapping[int, str], reason: str) -> Submission:
    """The report of a deal after the change."""
    result: dict[str, Any] | None = line.judged.result if line.judged else None
    if line.is_impossible and line.source is not None and resolved[line.deal] == KEEP:
        result = {"ruled": list(line.source.tokens)}
    base = line.was.revision if line.was else 0
    return Submission(key=uuid4(), deal=line.deal, base=base, result=result, reason=reason)


def _move_along(table: Table, outlook: Outlook, *, now: datetime) -> None:
    """Move what refers to later deals by number: open marks and calls, and until when a former player sat."""
    by, first = outlook.moves, outlook.first + (outlook.moves < 0)
    waiting = table.flags.filter(settled_at=None)
    waiting.filter(deal__gte=first).update(deal=F("deal") + by)
    # A deal beyond the end is none of this table's any more: a call is still one, a mark is past with its deal.
    gone = waiting.filter(deal__gt=table.deals)
    gone.filter(kind=Flag.Kind.CALL).update(deal=None)
    gone.update(settled_at=now)
    came = [change for change in changes_in_force(table.turns) if "left" in change and "came" in change]
    for change, former in zip(came, table.former_seats.order_by("pk"), strict=True):
        former.through = change["deal"] - 1
        former.save(update_fields=["through"])


def _log_message(outlook: Outlook) -> tuple[str, dict[str, Any]]:
    """The text of the log line of a change of seats."""
    change = outlook.change
    meant = outlook.table.turns[change["back"]] if "back" in change else change
    seats = outlook.table.seats.select_related("entry__player")
    who = {seat.position: seat.entry for seat in seats}
    if "swap" in meant:
        one, other = (who[position] for position in meant["swap"])
        text = SWAP_TAKEN_BACK if "back" in change else SWAPPED
        return text, {"deal": outlook.first, "one": one, "other": other}
    if "dealer" in meant:
        text = DEALER_TAKEN_BACK if "back" in change else DEALER_MOVED
        return text, {"deal": outlook.first, "player": who[meant["dealer"]]}
    return (PUT_IN if outlook.moves > 0 else TAKEN_OUT), {"deal": outlook.first}


DEALER_MOVED = gettext_noop("Round {round}, table {table}: {player} deals from deal {deal} on: {reason}")
SWAPPED = gettext_noop(
    "Round {round}, table {table}: {one} and {other} swap seats from deal {deal} on: {reason}"
)
PUT_IN = gettext_noop(
    "Round {round}, table {table}: inserted a forgotten deal as deal {deal}; later ones move up: {reason}"
)
TAKEN_OUT = gettext_noop("Round {round}, table {table}: removed deal {deal}; later ones move down: {reason}")
DEALER_TAKEN_BACK = gettext_noop(
    "Round {round}, table {table}: undid that {player} deals from deal {deal} on: {reason}"
)
SWAP_TAKEN_BACK = gettext_noop(
    "Round {round}, table {table}: undid that {one} and {other} swap seats from deal {deal} on: {reason}"
)


# What a table does besides reporting deals and calling the desk: say who deals first, agree to the sheet.


def running(table: Table) -> Table:
    """The table, locked, if it is open."""
    hold(table.round.tournament_id)
    table = held_tables().get(pk=table.pk)
    if not table.is_open:
        raise NotPossible(_("The round is not running."))
    return table


def changed(table: Table) -> None:
    table.version += 1
    table.save(update_fields=["version"])
    announce(table.round.tournament_id)


@transaction.atomic
def set_first_dealer(table: Table, position: int, *, now: datetime, account: Account | None = None) -> Table:
    """Let another seat deal first. Only while no deal has been reported: afterwards every deal would change."""
    table = running(table)
    seats = {seat.position: seat for seat in table.seats.select_related("entry__player")}
    if position not in seats:
        raise NotPossible(_("There is no such seat at this table."), "first_dealer")
    if position == turns_at(table, len(seats)).dealer(1):
        return table
    if table.folders:
        raise NotPossible(_("The folders decide who deals: A deals first."), "first_dealer")
    if table.reports_count:
        raise NotPossible(_("Deals have already been reported; ask the organiser."), "first_dealer")
    write_change(table, {"deal": 1, "dealer": position}, reason="", account=account, now=now)
    write_down_at(
        table,
        account,
        gettext_noop("Round {round}, table {table}: {player} deals first"),
        now=now,
        player=seats[position].entry,
    )
    return table


@transaction.atomic
def agree(seat: Seat, *, now: datetime) -> Seat:
    """A player's yes to the finished sheet, as `seat` was read from it. Any later correction takes it back."""
    table = running(seat.table)
    if not Seat.objects.filter(pk=seat.pk, tokens=seat.tokens).exists():
        raise NotPossible(_("The sheet has changed in the meantime. Check it again."), "tokens")
    if count_reported(table) < table.deals and table.ended_early_at is None:
        raise NotPossible(_("Not every deal has been reported yet."))
    if Seat.objects.filter(pk=seat.pk, agreed_at=None).update(agreed_at=now):
        changed(table)
    seat.refresh_from_db()
    return seat


@transaction.atomic
def disagree(seat: Seat) -> Seat:
    """Take a yes back, given by mistake or in another player's name."""
    table = running(seat.table)
    if Seat.objects.filter(pk=seat.pk).exclude(agreed_at=None).update(agreed_at=None):
        changed(table)
    seat.refresh_from_db()
    return seat


# Calls from a table to the desk: call the organiser, mark a deal for later, remove the mark, resolve all.

WORDS_LENGTH = 200
# Limits of calls for one table, open and in total: more do not help, and the desk could not read them.
MOST_OPEN_CALLS, MOST_EVER = 10, 400


@transaction.atomic
def raise_flag(
    table: Table, kind: str, *, deal: int | None, words: str, now: datetime, key: UUID | None = None
) -> Flag:
    """Call the organiser, or mark a deal to be looked at later.

    The same call twice is one flag; by its `key`, the phone's, also when the desk has settled it meanwhile. Raises
    `NoRoom` where so many wait already.
    """
    table = running(table)
    typed = clean_text(words)
    words = reason_code(typed)
    if len(words) > WORDS_LENGTH:
        raise NotPossible(_("Use at most %(most)d characters.") % {"most": WORDS_LENGTH}, "words")
    if kind not in (Flag.Kind.CALL, Flag.Kind.LATER):
        raise NotPossible(_("Call the organiser, or mark a deal for later."), "kind")
    if deal is not None and not 1 <= deal <= table.deals:
        raise NotPossible(_("There is no deal %(deal)d at this table.") % {"deal": deal}, "deal")
    same = table.flags.filter(kind=kind, deal=deal, words__in=(words, typed))
    if key and table.flags.filter(key=key).exclude(pk__in=same).exists():
        key = uuid5(key, f"{kind} {deal} {words}")  # another call used it: this one has other content
    if known := same.filter(Q(settled_at=None) | Q(key=key, key__isnull=False)).first():
        return known
    _make_room(table, kind)
    flag = Flag.objects.create(table=table, kind=kind, deal=deal, words=words, raised_at=now, key=key)
    changed(table)
    return flag


def _make_room(table: Table, kind: str) -> None:
    """Raise `NoRoom` where there is none."""
    asked = table.flags.filter(kind__in=(Flag.Kind.CALL, Flag.Kind.LATER))
    waiting = asked.filter(kind=kind, settled_at=None).count()
    most = MOST_OPEN_CALLS if kind == Flag.Kind.CALL else table.deals
    if waiting >= most or asked.count() >= MOST_EVER:
        raise NoRoom(_("Too much from this table is waiting for the organiser; this stays on the phone."))


@transaction.atomic
def take_mark_back(table: Table, deal: int | None, *, now: datetime) -> None:
    """A deal was marked for later by mistake, or has been looked at at the table. Twice is once."""
    table = running(table)
    if table.flags.filter(kind=Flag.Kind.LATER, deal=deal, settled_at=None).update(settled_at=now):
        changed(table)


@transaction.atomic
def take_call_back(table: Table, words: str, *, now: datetime) -> None:
    """The organiser was called with these words by mistake, or need not come any more. Twice is once."""
    table = running(table)
    typed = clean_text(words)
    calls = table.flags.filter(
        kind=Flag.Kind.CALL, deal=None, words__in=(reason_code(typed), typed), settled_at=None
    )
    if calls.update(settled_at=now):
        changed(table)


def words_for_log(flag: Flag) -> str | dict[str, Any]:
    """The words of a call or mark for a line of the log: as typed, or a term that is translated when it is shown."""
    code = reason_code(flag.words)
    return (
        translatable(CALLS[code]) if code in CALLS else flag.words or translatable(Flag.Kind(flag.kind).label)
    )


@transaction.atomic
def settle_flag(flag: Flag, account: Account, *, now: datetime) -> Flag:
    hold(flag.table.round.tournament_id)
    table = held_tables().get(pk=flag.table_id)
    flag = Flag.objects.get(pk=flag.pk)
    flag.table = table
    if flag.settled_at is None:
        flag.settled_at = now
        flag.settled_by = author_name(account)
        flag.save(update_fields=["settled_at", "settled_by"])
        changed(flag.table)
        text = (
            gettext_noop("Round {round}, table {table}: settled “{words}”")
            if flag.deal is None
            else gettext_noop("Round {round}, table {table}, deal {deal}: settled “{words}”")
        )
        said: dict[str, Any] = {"words": words_for_log(flag)}
        if flag.deal is not None:
            said["deal"] = flag.deal
        write_down_at(flag.table, account, text, now=now, **said)
    return flag


# A table's list of changes of dealers and seats: the one place where something is put to its end.


def held_at_play(table: Table, account: Account | None) -> Table:
    """The table, locked. Raises an error if it is closed: a captain changes nothing there."""
    hold(table.round.tournament_id)
    table = held_tables().get(pk=table.pk)
    if not table.is_open:
        raise NotPossible(_("The round is not running."))
    if table.ended_early_at is not None and account is None:
        raise NotPossible(_("The organiser has ended this table."))
    return table


def write_change(
    table: Table, change: Change, *, reason: str, account: Account | None, now: datetime
) -> None:
    """Put a change at the end of the table's list, where nothing is ever altered; the caller holds the table."""
    before = table.turns
    table.turns = [*before, dict(change)]
    table.version += 1
    SeatChange.objects.create(
        table=table,
        sequence=len(table.turns),
        change=dict(change),
        reason=reason,
        author=author_name(account),
        changed_at=now,
    )
    table.save(update_fields=["turns", "version"])
    announce(table.round.tournament_id)
    move_turns(table, before)


@transaction.atomic
def take_settling_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """Calls, differences and marks that were settled `at` a moment wait again, those of tables that are still open."""
    hold(tournament.pk)
    settled = Flag.objects.filter(table__round__tournament=tournament, settled_at=at).exclude(settled_by="")
    undone = Undone()
    for flag in settled.order_by("pk"):
        table = held_tables().get(pk=flag.table_id)
        if not table.is_open:
            undone.stands.append(_table_link(table))
            continue
        flag.settled_at, flag.settled_by = None, ""
        flag.save(update_fields=["settled_at", "settled_by"])
        changed(table)
        text = gettext_noop("Round {round}, table {table}: “{words}” is waiting again")
        write_down_at(table, account, text, now=now, words=words_for_log(flag))
        undone.count += 1
    return undone


@transaction.atomic
def take_yeses_back(tournament: Tournament, at: datetime, **_by: object) -> Undone:
    """Undo the signatures made `at` a moment, at tables that are still open. Signatures are not in the log."""
    hold(tournament.pk)
    signed = Seat.objects.filter(table__round__tournament=tournament, agreed_at=at).order_by()
    undone = Undone()
    for table in held_tables().filter(pk__in=signed.values("table")).order_by("round__number", "number"):
        if table.is_open:
            undone.count += table.seats.filter(agreed_at=at).update(agreed_at=None)
            changed(table)
        else:
            undone.stands.append(_table_link(table))
    return undone


@transaction.atomic
def take_setting_aside_back(
    tournament: Tournament, at: datetime, *, account: Account, now: datetime
) -> Undone:
    """Late reports that were set aside `at` a moment wait again."""
    hold(tournament.pk)
    decided = KeptReport.objects.filter(table__round__tournament=tournament, decided_at=at)
    aside = list(decided.filter(state=KeptReport.State.SET_ASIDE).select_related("table__round__tournament"))
    for kept in aside:
        wait_again(kept, account, now=now)
    return Undone(len(aside))


def _table_link(table: Table) -> str:
    return _("table %(number)d of round %(round)d") % {"number": table.number, "round": table.round.number}
