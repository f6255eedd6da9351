"""A name that changes in a club changes on every page that shows it, at once.

Pages are kept by their tournament's version (`standings.players`, `hall.live`), and clubs know of no tournaments: so
these listen. What a player or a club has taken back from the public must not stay there until the next deal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F, Q
from django.db.models.signals import post_save, pre_save
from django.dispatch import receiver
from django.utils import timezone

from clubs.models import Club, Player, players_changed
from core.jobs.kinds import Because, thing_named
from core.jobs.queue import withdraw
from tournaments.changes.chain import append
from tournaments.changes.versions import announce_beside
from tournaments.models import Entry, Season, Tournament
from tournaments.models.names import name_pairs_anew, tell_apart

if TYPE_CHECKING:
    from collections.abc import Sequence


@receiver(post_save, sender=Player)
def announce_player(instance: Player, *, created: bool, **_signal: Any) -> None:
    if not created:
        _chain_names([instance.pk])
        _announce(Q(entries__player=instance))


@receiver(players_changed)
def announce_players(players: Sequence[int], **_signal: Any) -> None:
    _chain_names(players)
    _announce(Q(entries__player__in=players))


@receiver(pre_save, sender=Club)
def tell_calendars(instance: Club, **_signal: Any) -> None:
    """Calendars and feeds say whose evening it is."""
    if Club.objects.filter(pk=instance.pk).exclude(name=instance.name).exists():
        told = Tournament.objects.filter(host=instance)
        told.update(told_changes=F("told_changes") + 1, told_at=timezone.now())


@receiver(post_save, sender=Club)
def announce_club(instance: Club, *, created: bool, **_signal: Any) -> None:
    """A club's name, or how its players are named: also those without a club where it is the host."""
    if not created:
        name_pairs_anew(instance)
        _announce(Q(host=instance) | Q(entries__club=instance))


@transaction.atomic
def _chain_names(players: Sequence[int]) -> None:
    """Who is called otherwise by their club is the same player: the chains of their tournaments know it."""
    entries: dict[int, list[Entry]] = {}
    for entry in Entry.objects.filter(player__in=players).order_by("tournament", "pk"):
        entries.setdefault(entry.tournament_id, []).append(entry)
    for tournament, named in entries.items():
        append(tournament, named, now=timezone.now())


def _announce(shown_in: Q) -> None:
    found = list(Tournament.objects.filter(shown_in).distinct().select_related("host"))
    for tournament in found:
        tell_apart(tournament)
    keys = [tournament.pk for tournament in found]
    Tournament.objects.filter(pk__in=keys).update(version=F("version") + 1)
    announce_beside(keys)
    seasons = Season.objects.filter(Q(evenings__in=keys) | Q(host__in={one.host_id for one in found}))
    hosts = {one.host for one in found}
    clubs = {pk for host in hosts for pk in (host.pk, host.union_id) if pk}
    withdraw(
        Because.SHOWN_OTHERWISE,
        {thing_named("season", pk) for pk in seasons.values_list("pk", flat=True)}
        | {thing_named("club", pk) for pk in clubs},
    )
