"""Entries: entering, checking in, paying, withdrawing. None is deleted; a withdrawn player can be brought back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max, Q
from django.dispatch import Signal
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from clubs.members import search_filter
from clubs.models import Account, Actor, Club, Player
from clubs.register_models import WITH_NAMES, clubs_in, unions_with
from core.errors import NotPossible, clean_reason
from core.text import clean_text
from tournaments.changes.locks import locked
from tournaments.changes.log import write_down
from tournaments.domain.amounts import in_kroner
from tournaments.models import Entry, Round, Tournament
from tournaments.models.names import tell_apart

if TYPE_CHECKING:
    from tournaments.models.play import EntryQuerySet


ENTERED = gettext_noop("{player} entered as no. {number}")
# Who had a place has it no more, or has it again; the `tournament` is held. Who waits for one may come in.
places_changed = Signal()
GUEST_NAME_LENGTH = Player._meta.get_field("name").max_length or 200


@transaction.atomic
def enter(
    tournament: Tournament, player: Player, *, club: Club | None, account: Actor | None, now: datetime
) -> Entry:
    """Enter a player under the next free number. Entering twice is entering once."""
    tournament = locked(tournament)
    refuse_when_finished(tournament)
    already = tournament.entries.filter(player=player).first()
    if already:
        return already
    last = tournament.entries.aggregate(last=Max("number"))["last"] or 0
    entry = Entry.objects.create(tournament=tournament, player=player, club=club, number=last + 1)
    tell_apart(tournament, called=player.name)
    write_down(
        tournament,
        account,
        ENTERED,
        now=now,
        about=[entry],
        player=player,
        number=entry.number,
    )
    return entry


@transaction.atomic
def enter_guest(tournament: Tournament, name: str, *, account: Actor, now: datetime) -> Entry:
    """Enter a guest, who is in no member list, by name alone."""
    name = _guest_name(name)
    return enter(tournament, Player.objects.create(name=name), club=None, account=account, now=now)


def _guest_name(name: str) -> str:
    name = clean_text(name)
    if not name:
        raise NotPossible(_("Type the guest’s name."), "name")
    if len(name) > GUEST_NAME_LENGTH:
        raise NotPossible(
            _("The name is longer than %(most)d characters.") % {"most": GUEST_NAME_LENGTH}, "name"
        )
    return name


def refuse_when_finished(tournament: Tournament) -> None:
    if tournament.is_finished:
        raise NotPossible(_("The tournament is finished."))


def refuse_withdrawn(entry: Entry) -> None:
    if entry.status == Entry.Status.WITHDRAWN:
        raise NotPossible(_("%(name)s has withdrawn; bring them back first.") % {"name": entry})


@transaction.atomic
def check_in(entry: Entry, *, present: bool, account: Actor | None, now: datetime) -> Entry:
    """Check a player in, or, before their first round, undo that."""
    tournament = locked(entry.tournament)
    refuse_when_finished(tournament)
    entry = Entry.objects.select_related("player").get(pk=entry.pk)
    refuse_withdrawn(entry)
    sat = entry.seats.exclude(round__state=Round.State.DRAWN).exists() or entry.former_seats.exists()
    if not present and sat:
        raise NotPossible(_("%(name)s has already played; withdraw them instead.") % {"name": entry})
    wanted = Entry.Status.PRESENT if present else Entry.Status.ENTERED
    if entry.status == wanted:
        return entry
    entry.status = wanted
    entry.save(update_fields=["status"])
    text = gettext_noop("{player} checked in") if present else gettext_noop("{player} unticked: not here")
    write_down(tournament, account, text, now=now, about=[entry], player=entry)
    return entry


@transaction.atomic
def mark_paid(entry: Entry, *, paid: bool, fee: int | None = None, account: Account, now: datetime) -> Entry:
    """Mark the entry fee as paid or unpaid; not if a payment includes it.

    `fee` is the fee in øre that was shown; if it has changed, nothing is marked.
    """
    tournament = locked(entry.tournament)
    if paid:
        refuse_another_fee(tournament, fee)
    if tournament.entry_fee and Entry.objects.get(pk=entry.pk).fee_paid != paid:
        refuse_when_settled(tournament, [entry], paid=paid)
    if Entry.objects.filter(pk=entry.pk).exclude(fee_paid=paid).update(fee_paid=paid):
        text = (
            gettext_noop("{player} paid the fee")
            if paid
            else gettext_noop("{player} unticked: entry fee not paid")
        )
        write_down(tournament, account, text, now=now, about=[entry], player=entry)
    entry.refresh_from_db(fields=["fee_paid"])
    return entry


def refuse_another_fee(tournament: Tournament, fee: int | None) -> None:
    """Raise if the entry fee is no longer the one that was paid."""
    if fee is not None and fee != tournament.entry_fee:
        text = _(
            "The entry fee has been changed: it was %(was)s kroner on your page and is now "
            "%(fee)s kroner. Nothing has been ticked: press again once that is paid."
        )
        raise NotPossible(text % {"was": in_kroner(fee), "fee": in_kroner(tournament.entry_fee)})


def refuse_when_settled(tournament: Tournament, entries: Collection[Entry], *, paid: bool = True) -> None:
    """Raise if the fee is part of the payments: marked as paid, it would be collected twice.

    A fee that was `paid` is not among them; unmarked, it would be owed outside the settled payments.
    """
    for said in already_settled(tournament, entries, paid=paid).values():
        raise NotPossible(said)


def already_settled(
    tournament: Tournament, entries: Collection[Entry], *, paid: bool = True
) -> dict[int, str]:
    """Entry key -> the reason why its fee can no longer be marked as `paid` or not."""
    named = {entry.pk: entry for entry in entries}
    text = (
        _("%(name)s’s entry fee is already settled by payment %(number)d on the money page.")
        if paid
        else _(
            "%(name)s has settled with payment %(number)d, which counted the entry fee as paid. "
            "First untick it on the money page."
        )
    )
    found: dict[int, str] = {}
    made = tournament.payments.exclude(paid_at=None)
    for number, *both in made.values_list("number", "payer", "payee"):
        for entry in (named[pk] for pk in both if pk in named):
            found.setdefault(entry.pk, text % {"name": entry, "number": number})
    return found


@transaction.atomic
def withdraw(entry: Entry, *, reason: str, account: Account, now: datetime) -> Entry:
    """Take a player out of the rounds that have not started. What they played stays."""
    tournament = locked(entry.tournament)
    refuse_when_finished(tournament)
    reason = clean_reason(reason)
    entry = Entry.objects.select_related("player").get(pk=entry.pk)
    if entry.status != Entry.Status.WITHDRAWN:
        entry.status = Entry.Status.WITHDRAWN
        entry.save(update_fields=["status"])
        write_down(
            tournament,
            account,
            gettext_noop("{player} withdrew: {reason}"),
            now=now,
            about=[entry],
            player=entry,
            reason=reason,
        )
        places_changed.send(Entry, tournament=tournament)
    return entry


@transaction.atomic
def leave_from_home(entry: Entry, *, account: Account | None, now: datetime) -> None:
    """Withdraw by the player's own link, or by the organiser from what was entered from home; needs no reason."""
    tournament = locked(entry.tournament)
    refuse_when_finished(tournament)
    entry = Entry.objects.select_related("player").get(pk=entry.pk)
    if entry.status != Entry.Status.WITHDRAWN:
        entry.status = Entry.Status.WITHDRAWN
        entry.save(update_fields=["status"])
        text = (
            gettext_noop("{player} no longer has a place")
            if account
            else gettext_noop("{player} withdrew from home")
        )
        write_down(tournament, account, text, now=now, about=[entry], player=entry)


@transaction.atomic
def bring_back(entry: Entry, *, account: Account, now: datetime) -> Entry:
    tournament = locked(entry.tournament)
    refuse_when_finished(tournament)
    entry = Entry.objects.select_related("player").get(pk=entry.pk)
    if entry.status == Entry.Status.WITHDRAWN:
        entry.status = Entry.Status.PRESENT
        entry.save(update_fields=["status"])
        write_down(
            tournament, account, gettext_noop("{player} is back"), now=now, about=[entry], player=entry
        )
        places_changed.send(Entry, tournament=tournament)
    return entry


@transaction.atomic
def rename_guest(entry: Entry, name: str, *, account: Account, now: datetime) -> Entry:
    """Put a guest's mistyped name right; members' names are put right in their club."""
    tournament = locked(entry.tournament)
    entry = Entry.objects.select_related("player").get(pk=entry.pk)
    if entry.player.memberships.exists():
        raise NotPossible(_("%(name)s is a club member; change the name there.") % {"name": entry}, "name")
    name = _guest_name(name)
    if name != entry.player.name:
        was = entry.player.name
        entry.player.name = name
        entry.player.save(update_fields=["name"])
        text = gettext_noop("The guest {was} is now called {player}")
        write_down(tournament, account, text, now=now, player=name, was=was)
    return entry


# Search for players of a tournament.


def clubs_near(host: Club) -> list[Club]:
    """The host first, then the clubs it shares a union with or is the union of, if they give the union names."""
    unions = unions_with(host)
    given = {"gives__in": WITH_NAMES}
    near = Q(pk__in=clubs_in(host, **given)) | Q(pk__in=unions) | Q(pk__in=clubs_in(unions, **given))
    return [host, *Club.objects.filter(near).exclude(pk=host.pk)]


def entries_found(tournament: Tournament, query: str) -> EntryQuerySet:
    """The entries whose name, club or number a search finds; case and accents do not matter."""
    entries: EntryQuerySet = tournament.entries.select_related("player", "club")
    if not query.strip():
        return entries
    return entries.filter(
        search_filter(query, Club.objects.filter(entries__tournament=tournament).distinct())
    )
