"""Entering many players at once, and undoing it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from tournaments.changes.chain_contents import ENTRY, LOG_LINE
from tournaments.changes.locks import locked
from tournaments.changes.log import NAMED, Undone, write_down_each
from tournaments.entries.entering import (
    ENTERED,
    already_settled,
    refuse_another_fee,
    refuse_when_finished,
    refuse_when_settled,
    refuse_withdrawn,
)
from tournaments.models import Entry, Round
from tournaments.models.names import tell_apart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from clubs.models import Account, Club, Player
    from tournaments.models import Tournament
    from tournaments.models.play import EntryQuerySet


# Many players at once: entered, checked in, paid for. In the log each has a line; the chain has one link for all.


@transaction.atomic
def enter_all(
    tournament: Tournament,
    players: Iterable[tuple[Player, Club | None]],
    *,
    here: bool = False,
    account: Account,
    now: datetime,
) -> list[Entry]:
    """Enter players, each for a club, under the next free numbers, and check them in if they are here already.

    Who is entered already stays as they are.
    """
    tournament = locked(tournament)
    refuse_when_finished(tournament)
    already = set(tournament.entries.values_list("player", flat=True))
    last = tournament.entries.aggregate(last=Max("number"))["last"] or 0
    new = {player.pk: (player, club) for player, club in players if player.pk not in already}
    entries = Entry.objects.bulk_create(
        Entry(tournament=tournament, player=player, club=club, number=number)
        for number, (player, club) in zip(count(last + 1), new.values(), strict=False)
    )
    tell_apart(tournament)
    lines = [{"player": entry, "number": entry.number} for entry in entries]
    write_down_each(tournament, account, ENTERED, lines, now=now, about=entries)
    if here:
        check_in_all(tournament, Entry.objects.filter(pk__in=_keys(entries)), account=account, now=now)
    return entries


@transaction.atomic
def check_in_all(
    tournament: Tournament,
    found: EntryQuerySet,
    *,
    seen: int | None = None,
    account: Account,
    now: datetime,
) -> int:
    """Check in all entered players among `found`; returns how many.

    None if another account than `account` entered one of them, or undid a check-in, after link `seen` of the
    chain.
    """
    tournament = locked(tournament)
    refuse_when_finished(tournament)
    coming = found.filter(tournament=tournament, status=Entry.Status.ENTERED).select_related("player")
    entries = list(coming.order_by("number"))
    _refuse_unseen(tournament, entries, seen, account, "status")
    for entry in entries:
        entry.status = Entry.Status.PRESENT
    Entry.objects.filter(pk__in=_keys(entries)).update(status=Entry.Status.PRESENT)
    lines = [{"player": entry} for entry in entries]
    write_down_each(tournament, account, gettext_noop("{player} checked in"), lines, now=now, about=entries)
    return len(entries)


@transaction.atomic
def mark_all_paid(
    tournament: Tournament,
    found: EntryQuerySet,
    *,
    seen: int | None = None,
    fee: int | None = None,
    account: Account,
    now: datetime,
) -> int:
    """Mark the entry fee as paid for all checked-in players among `found`; returns how many.

    None if another account than `account` checked one in, or undid a payment, after link `seen` of the chain, or
    if the fee is no longer `fee`.
    """
    tournament = locked(tournament)
    refuse_another_fee(tournament, fee)
    owing = found.filter(tournament=tournament, status=Entry.Status.PRESENT, fee_paid=False)
    entries = list(owing.select_related("player").order_by("number"))
    _refuse_unseen(tournament, entries, seen, account, "status", "fee_paid")
    if tournament.entry_fee:
        refuse_when_settled(tournament, entries)
    _have_paid(tournament, entries, account=account, now=now)
    return len(entries)


def _refuse_unseen(
    tournament: Tournament, entries: Sequence[Entry], seen: int | None, account: Account, *fields: str
) -> None:
    """Raise unless the page was up to date for all entries to be marked, apart from changes by `account` itself."""
    if seen is None or not entries:
        return
    changed = changed_since(tournament, seen, entries, but_by=account)
    unseen = [str(entry) for entry in entries if any(entry.pk in changed[field] for field in fields)]
    if unseen:
        text = _(
            "Someone else has made changes since you opened the page: %(names)s. Nobody has been ticked; "
            "this is the page as it is now."
        )
        _refuse(text % {"names": ", ".join(unseen[:NAMED]) + (" …" if len(unseen) > NAMED else "")})


@dataclass(frozen=True, slots=True)
class TickedOff:
    """Numbers of players newly checked in and newly paid; and why some could not be."""

    here: int
    paid: int
    refused: Sequence[str]

    def __bool__(self) -> bool:
        return bool(self.here or self.paid)


@transaction.atomic
def tick_off(
    tournament: Tournament,
    here: Collection[int],
    paid: Collection[int],
    *,
    seen: int,
    fee: int | None = None,
    account: Account,
    now: datetime,
) -> TickedOff:
    """Check in the entries with the numbers `here`, and mark those in `paid` as paid, even if not checked in.

    Entries that have withdrawn, whose fee is settled, or that changed after link `seen` of the chain, when the
    list was printed, are skipped with a reason; a fee other than `fee` stops all.
    """
    tournament = locked(tournament)
    if paid:
        refuse_another_fee(tournament, fee)
    among = tournament.entries.filter(number__in={*here, *paid})
    ticked = list(among.select_related("player", "tournament").order_by("number"))
    changed = changed_since(tournament, seen, ticked)
    settled = already_settled(tournament, ticked) if tournament.entry_fee else {}
    refused, coming, payers = [], [], []
    for entry in ticked:
        comes = entry.number in here and entry.status == Entry.Status.ENTERED
        pays = entry.number in paid and not entry.fee_paid
        try:
            refuse_withdrawn(entry)
            if (comes and entry.pk in changed["status"]) or (pays and entry.pk in changed["fee_paid"]):
                _refuse(
                    _("%(name)s was left unchanged: someone has changed the entry since the list was read.")
                    % {"name": entry}
                )
            if comes:
                coming.append(entry.pk)
            if pays:
                if entry.pk in settled:
                    _refuse(settled[entry.pk])
                payers.append(entry)
        except NotPossible as refusal:
            refused.append(refusal.message)
    if coming and tournament.is_finished:  # a fee may be paid still
        refused.append(_("The tournament is finished: no one else can check in."))
        coming = []
    come = 0
    if coming:
        come = check_in_all(tournament, Entry.objects.filter(pk__in=coming), account=account, now=now)
    _have_paid(tournament, payers, account=account, now=now)
    return TickedOff(come, len(payers), refused)


def _refuse(said: str) -> NoReturn:
    raise NotPossible(said)


def _have_paid(tournament: Tournament, entries: Sequence[Entry], *, account: Account, now: datetime) -> None:
    for entry in entries:
        entry.fee_paid = True
    Entry.objects.filter(pk__in=_keys(entries)).update(fee_paid=True)
    lines = [{"player": entry} for entry in entries]
    write_down_each(tournament, account, gettext_noop("{player} paid the fee"), lines, now=now, about=entries)


def _keys(entries: Iterable[Entry]) -> list[int]:
    return [entry.pk for entry in entries]


# What the hash chain recorded of entries, before and after one of its links.

CHANGING = ("status", "fee_paid")


def name_of(entry: Entry) -> str:
    """The name of an entry in the hash chain."""
    return f"{ENTRY}{entry.number}"


def before(tournament: Tournament, number: int, names: set[str]) -> dict[str, dict[str, Any]]:
    """The content of each of these in the last link before a given one."""
    found: dict[str, dict[str, Any]] = {}
    earlier = tournament.chain.filter(number__lt=number).order_by("-number")
    for content in earlier.values_list("content", flat=True).iterator():
        found |= {name: content[name] or {} for name in names & content.keys() - found.keys()}
        if len(found) == len(names):
            break
    return found


def changed_since(
    tournament: Tournament, number: int, entries: Iterable[Entry], *, but_by: Account | None = None
) -> dict[str, set[int]]:
    """For each field (`CHANGING`), the keys of entries that changed after this link, even if they changed back.

    Changes by `but_by` are excluded: that account saw them.
    """
    named = {name_of(entry): entry.pk for entry in entries}
    later = tournament.chain.filter(number__gt=number).order_by("number")
    told: list[tuple[set[int], dict[str, dict[str, Any]]]] = [
        (_lines(content), {name: content[name] or {} for name in about})
        for content in later.values_list("content", flat=True).iterator()
        if (about := named.keys() & content.keys())
    ]
    own = _lines_by(tournament, but_by, set().union(*(lines for lines, _said in told))) if but_by else set()
    last = before(tournament, number + 1, set().union(*(said for _lines, said in told)))
    changed: dict[str, set[int]] = {field: set() for field in CHANGING}
    for lines, said in told:
        for name, entry in said.items():
            if not lines or lines - own:
                was = last.get(name, {})
                for field in CHANGING:
                    if entry.get(field) != was.get(field):
                        changed[field].add(named[name])
            last[name] = entry
    return changed


def _lines(content: Iterable[str]) -> set[int]:
    """The places in the log of the lines that a link has."""
    return {int(name.removeprefix(LOG_LINE)) for name in content if name.startswith(LOG_LINE)}


def _lines_by(tournament: Tournament, account: Account, lines: Collection[int]) -> set[int]:
    """The places in the log, among these, with a line by this account."""
    if not lines:
        return set()
    first = min(lines)
    authors = tournament.log.order_by("pk").values_list("account", flat=True)[first - 1 : max(lines)]
    return {place for place, author in enumerate(authors, start=first) if author == account.pk}


# Undo of a batch that checked in many players, or marked them as paid.
#
# The chain's link of that moment lists them; entries changed by a later link are left as they are.


@transaction.atomic
def take_check_in_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """Undo the check-ins made `at` a moment, except of players who have played."""
    tournament = locked(tournament)
    refuse_when_finished(tournament)
    count, stands = _not_here(tournament, at, account, now)
    return Undone(count, [str(entry) for entry in stands])


@transaction.atomic
def take_paying_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """Undo a batch of entry fees marked as paid `at` a moment; skips entries whose fee has been settled since."""
    count, stands = _not_paid(locked(tournament), at, account, now)
    return Undone(count, [str(entry) for entry in stands])


@transaction.atomic
def take_list_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """Undo a door list applied `at` a moment, for check-ins and fees together.

    If only one of the two can be undone for a player, the message says which. In a finished tournament check-ins
    stay.
    """
    tournament = locked(tournament)
    absent, here = _not_here(tournament, at, account, now)
    owing, paid = _not_paid(tournament, at, account, now)
    stands = [_half(entry, here=entry in here, paid=entry in paid) for entry in dict.fromkeys((*here, *paid))]
    return Undone(absent + owing, stands, finished=tournament.is_finished and bool(here))


def _half(entry: Entry, *, here: bool, paid: bool) -> str:
    """An entry's name, and which of its two marks could not be undone."""
    if here and paid:
        return _("%(player)s (here, and paid)") % {"player": entry}
    return (_("%(player)s (here)") if here else _("%(player)s (paid)")) % {"player": entry}


def _not_here(
    tournament: Tournament, at: datetime, account: Account, now: datetime
) -> tuple[int, list[Entry]]:
    """The text of how many are checked out again, and how many stay checked in."""
    marked, changed = _marked(tournament, at, "status")
    here = [entry for entry in marked if entry.status == Entry.Status.PRESENT]
    stands = {entry.pk for entry in here} if tournament.is_finished else changed | _have_played(here)
    back = [entry for entry in here if entry.pk not in stands]
    Entry.objects.filter(pk__in=[entry.pk for entry in back]).update(status=Entry.Status.ENTERED)
    text = gettext_noop("{player} unticked: not here")
    write_down_each(tournament, account, text, [{"player": entry} for entry in back], now=now, about=back)
    return len(back), [entry for entry in here if entry.pk in stands]


def _not_paid(
    tournament: Tournament, at: datetime, account: Account, now: datetime
) -> tuple[int, list[Entry]]:
    """The text of how many fees are marked unpaid again, and how many stay paid."""
    marked, changed = _marked(tournament, at, "fee_paid")
    paid = [entry for entry in marked if entry.fee_paid]
    settled = already_settled(tournament, paid, paid=False) if tournament.entry_fee else {}
    stands = changed | settled.keys()
    back = [entry for entry in paid if entry.pk not in stands]
    Entry.objects.filter(pk__in=[entry.pk for entry in back]).update(fee_paid=False)
    text = gettext_noop("{player} unticked: entry fee not paid")
    write_down_each(tournament, account, text, [{"player": entry} for entry in back], now=now, about=back)
    return len(back), [entry for entry in paid if entry.pk in stands]


def _marked(tournament: Tournament, at: datetime, field: str) -> tuple[list[Entry], set[int]]:
    """Entries whose `field` was changed by the links of a moment, and the keys of those changed again later."""
    links = list(tournament.chain.filter(at=at).order_by("number"))
    if not links:
        return [], set()
    entries = {name_of(entry): entry for entry in tournament.entries.select_related("player")}
    then = {
        name: thing for link in links for name, thing in link.content.items() if name in entries and thing
    }
    earlier = before(tournament, links[0].number, set(then))
    then = {name: thing for name, thing in then.items() if earlier.get(name, {}).get(field) != thing[field]}
    later = tournament.chain.filter(number__gt=links[-1].number).values_list("content", flat=True)
    changed = {
        entries[name].pk
        for content in later.iterator()
        for name in then.keys() & content.keys()
        if (content[name] or {}).get(field) != then[name][field]
    }
    return [entries[name] for name in then], changed


def _have_played(entries: Collection[Entry]) -> set[int]:
    """Those of the entries that have sat at a table of a started round."""
    among = Entry.objects.filter(pk__in=[entry.pk for entry in entries])
    sat = among.filter(seats__round__state__in=[Round.State.RUNNING, Round.State.CLOSED])
    return set((sat | among.filter(former_seats__isnull=False)).values_list("pk", flat=True))
