"""Many players were checked in, or said to have paid, by one press of a button: taken back by another.

The chain's link of that moment names them; who is named by a later one as something else is left as they are now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournaments.changes.log import Undone, write_down_each
from tournaments.entries.chained import before, name_of
from tournaments.entries.entering import already_settled, locked, refuse_when_finished
from tournaments.models import Entry, Round

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from clubs.models import Account
    from tournaments.models import Tournament


@transaction.atomic
def take_check_in_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """Who was checked in `at` a moment is not here after all, but for who has played."""
    tournament = locked(tournament)
    refuse_when_finished(tournament)
    count, stands = _not_here(tournament, at, account, now)
    return Undone(count, [str(entry) for entry in stands])


@transaction.atomic
def take_paying_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """Who was said `at` a moment to have paid the entry fee has not after all, but for who has settled since."""
    count, stands = _not_paid(locked(tournament), at, account, now)
    return Undone(count, [str(entry) for entry in stands])


@transaction.atomic
def take_list_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """What a list for the door has said `at` a moment, of who is here and who has paid, is taken back together.

    Of somebody the one may stand and the other not: it is said which. Of a finished tournament all who are here stand.
    """
    tournament = locked(tournament)
    absent, here = _not_here(tournament, at, account, now)
    owing, paid = _not_paid(tournament, at, account, now)
    stands = [_half(entry, here=entry in here, paid=entry in paid) for entry in dict.fromkeys((*here, *paid))]
    return Undone(absent + owing, stands, finished=tournament.is_finished and bool(here))


def _half(entry: Entry, *, here: bool, paid: bool) -> str:
    """Somebody, and which of what a list has said of them stands."""
    if here and paid:
        return _("%(player)s (here, and paid)") % {"player": entry}
    return (_("%(player)s (here)") if here else _("%(player)s (paid)")) % {"player": entry}


def _not_here(
    tournament: Tournament, at: datetime, account: Account, now: datetime
) -> tuple[int, list[Entry]]:
    """How many are not here after all, and who is still."""
    marked, changed = _marked(tournament, at, "status")
    here = [entry for entry in marked if entry.status == Entry.Status.PRESENT]
    stands = {entry.pk for entry in here} if tournament.is_finished else changed | _played(here)
    back = [entry for entry in here if entry.pk not in stands]
    Entry.objects.filter(pk__in=[entry.pk for entry in back]).update(status=Entry.Status.ENTERED)
    text = gettext_noop("{player} is not here after all")
    write_down_each(tournament, account, text, [{"player": entry} for entry in back], now=now, about=back)
    return len(back), [entry for entry in here if entry.pk in stands]


def _not_paid(
    tournament: Tournament, at: datetime, account: Account, now: datetime
) -> tuple[int, list[Entry]]:
    """How many have not paid after all, and who has still."""
    marked, changed = _marked(tournament, at, "fee_paid")
    paid = [entry for entry in marked if entry.fee_paid]
    settled = already_settled(tournament, paid, paid=False) if tournament.entry_fee else {}
    stands = changed | settled.keys()
    back = [entry for entry in paid if entry.pk not in stands]
    Entry.objects.filter(pk__in=[entry.pk for entry in back]).update(fee_paid=False)
    text = gettext_noop("{player} has not paid the fee after all")
    write_down_each(tournament, account, text, [{"player": entry} for entry in back], now=now, about=back)
    return len(back), [entry for entry in paid if entry.pk in stands]


def _marked(tournament: Tournament, at: datetime, field: str) -> tuple[list[Entry], set[int]]:
    """Whose `field` the links of a moment have changed, and the keys of those of whom a later link says otherwise."""
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


def _played(entries: Collection[Entry]) -> set[int]:
    """Who of these has sat at a table of a round that was started."""
    among = Entry.objects.filter(pk__in=[entry.pk for entry in entries])
    sat = among.filter(seats__round__state__in=[Round.State.RUNNING, Round.State.CLOSED])
    return set((sat | among.filter(former_seats__isnull=False)).values_list("pk", flat=True))
