"""What the chain of decisions has said of entries, before one of its links and behind it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.models import Entry, Tournament

CHANGING = ("status", "fee_paid")


def name_of(entry: Entry) -> str:
    """What the chain calls an entry."""
    return f"entry {entry.number}"


def before(tournament: Tournament, number: int, names: set[str]) -> dict[str, dict[str, Any]]:
    """What the last link before one says of each of these."""
    found: dict[str, dict[str, Any]] = {}
    earlier = tournament.chain.filter(number__lt=number).order_by("-number")
    for content in earlier.values_list("content", flat=True).iterator():
        found |= {name: content[name] or {} for name in names & content.keys() - found.keys()}
        if len(found) == len(names):
            break
    return found


def changed_since(tournament: Tournament, number: int, entries: Iterable[Entry]) -> dict[str, set[int]]:
    """By field (`CHANGING`), of whom a link behind this one has said otherwise, if only for a while; by key."""
    named = {name_of(entry): entry.pk for entry in entries}
    said: dict[str, list[dict[str, Any]]] = defaultdict(list)
    later = tournament.chain.filter(number__gt=number).values_list("content", flat=True)
    for content in later.iterator():
        for name in named.keys() & content.keys():
            said[name].append(content[name] or {})
    then = before(tournament, number + 1, set(said))
    return {
        field: {
            named[name]
            for name, links in said.items()
            if any(link.get(field) != then.get(name, {}).get(field) for link in links)
        }
        for field in CHANGING
    }
