"""Many players at once: entered, checked in, paid for. In the log each has a line; the chain has one link for all."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, NoReturn

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.errors import NotPossible
from tournaments.changes.log import NAMED, write_down_each
from tournaments.entries.chained import changed_since
from tournaments.entries.entering import (
    ENTERED,
    already_settled,
    locked,
    refuse_another_fee,
    refuse_when_finished,
    refuse_when_settled,
    refuse_withdrawn,
)
from tournaments.models import Entry
from tournaments.models.names import tell_apart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from clubs.models import Account, Club, Player
    from tournaments.models import Tournament
    from tournaments.models.play import EntryQuerySet


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
    """Say that everybody is here who is found and entered; returns how many.

    Nobody where somebody else than `account` entered one of them, or said them not to be here after all, behind the
    link `seen` of the chain.
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
    """Say that everybody has paid the entry fee who is found and here; returns how many.

    Nobody where somebody else than `account` said of one that they have come, or have not paid after all, behind the
    link `seen` of the chain; nor where the fee is another than `fee`.
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
    """What a page said of everybody who would be marked holds still, but for what `account` has done, or nobody is."""
    if seen is None or not entries:
        return
    changed = changed_since(tournament, seen, entries, but_by=account)
    unseen = [str(entry) for entry in entries if any(entry.pk in changed[field] for field in fields)]
    if unseen:
        text = _(
            "Someone else has made changes since you opened the page: %(names)s. Nobody has been "
            "ticked; here is the page as it is now."
        )
        _refuse(text % {"names": ", ".join(unseen[:NAMED]) + (" …" if len(unseen) > NAMED else "")})


@dataclass(frozen=True, slots=True)
class TickedOff:
    """How many are here now, and have paid now, who were not or had not before; and why of some that cannot be said."""

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
    """Say that those with these numbers are here, and that those have paid, who may come later.

    Who has withdrawn, whose fee is settled already, and of whom somebody has said otherwise behind the link `seen` of
    the chain, when the list was read, holds up nobody else; a fee that is another than the `fee` of then holds up all.
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
                    _("%(name)s is left unchanged: someone has changed that since the list was read.")
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
