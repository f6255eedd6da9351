"""Many players were checked in, or said to have paid, by one press of a button: taken back by another.

The chain's link of that moment names them; who is named by a later one as something else is left as they are now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext_noop

from tournaments.entries.entering import locked, refuse_when_finished
from tournaments.models import Entry, Round
from tournaments.steps.logbook import write_down_each
from tournaments.steps.undoing import Undone

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
    marked, changed = _marked(tournament, at, "status")
    here = [entry for entry in marked if entry.status == Entry.Status.PRESENT]
    back, undone = _parted(here, changed | _played(here))
    Entry.objects.filter(pk__in=[entry.pk for entry in back]).update(status=Entry.Status.ENTERED)
    text = gettext_noop("{player} is not here after all")
    write_down_each(tournament, account, text, [{"player": entry} for entry in back], now=now, about=back)
    return undone


@transaction.atomic
def take_paying_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """Who was said `at` a moment to have paid the entry fee has not after all."""
    tournament = locked(tournament)
    marked, changed = _marked(tournament, at, "fee_paid")
    back, undone = _parted([entry for entry in marked if entry.fee_paid], changed)
    Entry.objects.filter(pk__in=[entry.pk for entry in back]).update(fee_paid=False)
    text = gettext_noop("{player} has not paid the fee after all")
    write_down_each(tournament, account, text, [{"player": entry} for entry in back], now=now, about=back)
    return undone


@transaction.atomic
def take_list_back(tournament: Tournament, at: datetime, *, account: Account, now: datetime) -> Undone:
    """What a list for the door has said `at` a moment, of who is here and who has paid, is taken back together."""
    here = take_check_in_back(tournament, at, account=account, now=now)
    paid = take_paying_back(tournament, at, account=account, now=now)
    return Undone(here.count + paid.count, list(dict.fromkeys((*here.stands, *paid.stands))))


def _marked(tournament: Tournament, at: datetime, field: str) -> tuple[list[Entry], set[int]]:
    """Whose `field` the links of a moment have changed, and the keys of those of whom a later link says otherwise."""
    links = list(tournament.chain.filter(at=at).order_by("number"))
    if not links:
        return [], set()
    entries = {f"entry {entry.number}": entry for entry in tournament.entries.select_related("player")}
    then = {
        name: thing for link in links for name, thing in link.content.items() if name in entries and thing
    }
    before = _before(tournament, links[0].number, set(then))
    then = {name: thing for name, thing in then.items() if before.get(name, {}).get(field) != thing[field]}
    later = tournament.chain.filter(number__gt=links[-1].number).values_list("content", flat=True)
    changed = {
        entries[name].pk
        for content in later.iterator()
        for name in then.keys() & content.keys()
        if (content[name] or {}).get(field) != then[name][field]
    }
    return [entries[name] for name in then], changed


def _before(tournament: Tournament, number: int, names: set[str]) -> dict[str, dict[str, Any]]:
    """What the last link before one says of each of these."""
    found: dict[str, dict[str, Any]] = {}
    earlier = tournament.chain.filter(number__lt=number).order_by("-number")
    for content in earlier.values_list("content", flat=True).iterator():
        found |= {name: content[name] or {} for name in names & content.keys() - found.keys()}
        if len(found) == len(names):
            break
    return found


def _played(entries: Collection[Entry]) -> set[int]:
    """Who of these has sat at a table of a round that was started."""
    among = Entry.objects.filter(pk__in=[entry.pk for entry in entries])
    sat = among.filter(seats__round__state__in=[Round.State.RUNNING, Round.State.CLOSED])
    return set((sat | among.filter(former_seats__isnull=False)).values_list("pk", flat=True))


def _parted(marked: Collection[Entry], stands: Collection[int]) -> tuple[list[Entry], Undone]:
    """Who of the marked is as before again, and what is said of all of them; those stand whose keys are given."""
    back = [entry for entry in marked if entry.pk not in stands]
    return back, Undone(len(back), [str(entry) for entry in marked if entry.pk in stands])
