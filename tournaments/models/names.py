"""The names shown for entries, pairs and players who share a name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from django.db.models import Q
from django.utils import translation
from django.utils.translation import gettext as _

from clubs.models import Club, Membership, Player, format_name
from clubs.names import shown_order
from tournaments.domain.formats import NAMED_BY_PLAYERS
from tournaments.models import Entry, Team
from tournaments.models.play import told_apart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tournaments.models import Tournament


# Players' names in lists over many evenings: as their club shows them, with namesakes distinguished.


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
        of.player: format_name(
            names[of.player], styles[of.club], numbers.get((of.player, of.club), of.number)
        )
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


# Namesakes in a tournament, distinguished by their numbers.
#
# Whether a player has a namesake is stored with the entry, since names are on every page and queried one by one.


def as_shown(entries: Iterable[Entry]) -> list[Entry]:
    """Entries sorted by what everyone can see of them: the order reveals nothing of a hidden name."""
    return sorted(entries, key=lambda entry: (shown_order(entry.plain_name), entry.number))


def tell_apart(tournament: Tournament, *, called: str = "") -> None:
    """Update which entries have namesakes; `called` limits the update to those with the same first name."""
    entries = tournament.entries.select_related("player", "club")
    if called:
        entries = entries.filter(player__name__istartswith=called.partition(" ")[0])
    shown = {entry: entry.plain_name.casefold() for entry in entries}
    times = Counter(shown.values())
    changed = [entry for entry, name in shown.items() if entry.has_namesake != (times[name] > 1)]
    for entry in changed:
        entry.has_namesake = not entry.has_namesake
    Entry.objects.bulk_update(changed, ["has_namesake"])


# What a pair without a name of its own is called: its players, no more of them than the hall may show.

NAME_LENGTH = Team._meta.get_field("name").max_length or 80
BETWEEN_NAMES = " / "


def named_by(entries: Sequence[Entry]) -> str:
    """The players as the hall may show them; first names alone where that is too long."""
    names = [entry.plain_name for entry in entries]
    if len(BETWEEN_NAMES.join(names)) > NAME_LENGTH:
        names = [name.split()[0] for name in names]
    return BETWEEN_NAMES.join(names)[:NAME_LENGTH]


def usual_team_names(number: int) -> set[str]:
    """The names, in every language, that a team of this number has until it is given another."""
    names = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            names.add(usual_team_name(number))
    return names


def usual_team_name(number: int) -> str:
    return _("Team %(number)d") % {"number": number}


def name_pairs_anew(club: Club) -> None:
    """Call pairs that are called by their players' names by what the hall may show of these now."""
    pairs = Team.objects.filter(tournament__format__in=NAMED_BY_PLAYERS)
    for pair in pairs.filter(Q(tournament__host=club) | Q(members__club=club)).distinct():
        players = pair.members.select_related("player", "club", "tournament__host")
        entries = list(players.filter(reserve=False).order_by("number"))
        name = named_by(entries)
        if _is_named_by(pair, entries) and not pair.tournament.teams.filter(name=name).exists():
            Team.objects.filter(pk=pair.pk).update(name=name)


def _is_named_by(pair: Team, entries: Sequence[Entry]) -> bool:
    parts = pair.name.split(BETWEEN_NAMES)
    return len(parts) == len(entries) and all(
        part in {entry.player.name_in_style(style, entry.number) for style in Club.NameStyle.values}
        for part, entry in zip(parts, entries, strict=True)
    )


NAMELESS = "N.N."  # nomen nescio, as sheets have always called a player without a name
