"""Players who are shown under the same name in a tournament, told apart by their numbers.

Whether somebody has a namesake is stored with the entry, since names stand on every page and are read one by one.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clubs.names import shown_order
from tournaments.models import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.models import Tournament


def as_shown(entries: Iterable[Entry]) -> list[Entry]:
    """Entries in the order of what everybody sees of them: it tells nothing, either, of a name that is not shown."""
    return sorted(entries, key=lambda entry: (shown_order(entry.plain_name), entry.number))


def tell_apart(tournament: Tournament, *, called: str = "") -> None:
    """Mark who has a namesake, and nobody else; of those alone whose first name is that of `called`, where given."""
    entries = tournament.entries.select_related("player", "club", "tournament__host")
    if called:
        entries = entries.filter(player__name__istartswith=called.partition(" ")[0])
    shown = {entry: entry.plain_name.casefold() for entry in entries}
    times = Counter(shown.values())
    changed = [entry for entry, name in shown.items() if entry.has_namesake != (times[name] > 1)]
    for entry in changed:
        entry.has_namesake = not entry.has_namesake
    Entry.objects.bulk_update(changed, ["has_namesake"])
