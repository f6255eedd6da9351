"""Results from before the program, as histories tell them: who won what, as far as they may be named."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q

from clubs.models import Club, Membership, named
from clubs.names import folded
from core.sql import asked
from tournaments.domain.comparison import Amount
from tournaments.models import OldEvent, OldPlace
from tournaments.models.names import NAMELESS
from tournaments.people import who
from tournaments.people.span import Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.db.models import QuerySet

    from clubs.models import Player


class OldWinner(NamedTuple):
    """Who was first, as the club shows its people; `player` is None for a name alone.

    A number leads nowhere: it would tell whose it is.
    """

    player: int | None
    name: str
    tokens: Amount | None
    is_number: bool = False


@dataclass(slots=True)
class OldHeld:
    """An old event and who was first at it."""

    event: OldEvent
    first: list[OldWinner] = field(default_factory=list)


def old_events(around: Club, span: Span) -> list[OldHeld]:
    """Those of a club, or of a union and its clubs, the newest first; no more is known of them than the year."""
    if span not in (Span(), Span(year=span.year)):
        return []
    found = OldEvent.objects.filter(host__in=who.hosts(around)).select_related("host")
    if span.year is not None:
        found = found.filter(year=span.year)
    held = {event.pk: OldHeld(event) for event in found}
    first = list(told_of(OldPlace.objects.filter(event__in=held, place=1)))
    numbers = _numbers({one.player_id for one in first if one.player_id}, held.values())
    for one in first:
        at = held[one.event_id]
        if winner := _shown(one, at.event.host, numbers):
            at.first.append(winner)
    return list(held.values())


def told_of(places: QuerySet[OldPlace]) -> QuerySet[OldPlace]:
    """Those of them that name somebody who has neither been erased nor objected."""
    found = places.exclude(name=NAMELESS).exclude(player__name=NAMELESS).exclude(player__has_objected=True)
    return found.select_related("player").order_by("place", "pk")


Numbers = dict[tuple[int, int], int | None]


def _numbers(players: Collection[int], held: Iterable[OldHeld]) -> Numbers:
    """What members are called, by player and club, at those hosts that show numbers."""
    hosts = {one.event.host_id for one in held if one.event.host.name_style == Club.NameStyle.NUMBER}
    found = Membership.objects.filter(player__in=players, club__in=hosts, number__isnull=False)
    return {(player, club): number for player, club, number in found.values_list("player", "club", "number")}


def _shown(one: OldPlace, host: Club, numbers: Numbers) -> OldWinner | None:
    if host.name_style != Club.NameStyle.NUMBER:
        full = one.player.name if one.player else one.name
        return OldWinner(one.player_id, named(full, host.name_style, None), one.amount)
    number = numbers.get((one.player_id or 0, host.pk))
    return None if number is None else OldWinner(one.player_id, str(number), one.amount, is_number=True)


def old_wins(held: Iterable[OldHeld]) -> dict[tuple[int, str], int]:
    """How many evenings each won: by the player and no name, or by 0 and a name alone. Titles are no evenings."""
    found: dict[tuple[int, str], int] = defaultdict(int)
    names: dict[str, str] = {}
    for one in held:
        for winner in one.first if one.event.kind == OldEvent.Kind.EVENING else ():
            name = names.setdefault(folded(winner.name), winner.name)
            found[(winner.player, "") if winner.player else (0, name)] += 1
    return found


def old_titles(player: Player) -> list[OldPlace]:
    """The seasons and championships from before the program that somebody won, for their own page; the newest first."""
    return _won(player.pk)


@asked
def _won(player: int) -> QuerySet[OldPlace]:
    own = Q(event__host__statistics=Club.Statistics.EVERYWHERE) & ~Q(
        event__host__name_style=Club.NameStyle.NUMBER
    )
    won = OldPlace.objects.filter(own, player=player, place=1, event__removed_at=None)
    found = told_of(won.filter(event__kind=OldEvent.Kind.TITLE)).select_related("event__host")
    return found.order_by("-event__year", "-event__date", "pk")
