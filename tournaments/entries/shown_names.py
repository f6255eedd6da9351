"""What players are called in lists over many evenings: as their club shows them, told apart where two are alike."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clubs.models import Club, Membership, Player, named
from tournaments.models.entries import told_apart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


class Of(NamedTuple):
    """An entry of a player, which they are named by: `club` is theirs, or for a guest the host."""

    player: int
    club: int
    number: int


def shown_names(entries: Iterable[Of]) -> dict[int, str]:
    """Player -> the name as their club shows it, by an entry of each; the member's number where it shows numbers."""
    found = list(entries)
    people = Player.objects.filter(pk__in=[of.player for of in found]).order_by()
    names = dict(people.values_list("pk", "name"))
    styles = dict(Club.objects.filter(pk__in={of.club for of in found}).values_list("pk", "name_style"))
    by_number = [of.player for of in found if styles[of.club] == Club.NameStyle.NUMBER]
    numbers = _numbers(by_number)
    shown = {
        of.player: named(names[of.player], styles[of.club], numbers.get((of.player, of.club), of.number))
        for of in found
    }
    times = Counter(shown.values())
    alike = [of for of in found if times[shown[of.player]] > 1]
    return shown | _told_apart(alike, shown, _numbers([of.player for of in alike]))


def _numbers(players: Collection[int]) -> dict[tuple[int, int], int]:
    """The numbers that members have, or had last, by player and club."""
    if not players:
        return {}
    held = Membership.objects.filter(player__in=players, number__isnull=False)
    return {
        (player, club): number
        for player, club, number in held.values_list("player", "club", "number")
        if number is not None
    }


def _told_apart(
    alike: Iterable[Of], shown: Mapping[int, str], numbers: Mapping[tuple[int, int], int]
) -> dict[int, str]:
    return {
        of.player: told_apart(
            shown[of.player], numbers.get((of.player, of.club), of.number), has_namesake=True
        )
        for of in alike
    }
