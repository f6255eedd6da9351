"""What the chain of decisions has said of entries, before one of its links and behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tournaments.changes.chain_contents import ENTRY, LOG_LINE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from clubs.models import Account
    from tournaments.models import Entry, Tournament

CHANGING = ("status", "fee_paid")


def name_of(entry: Entry) -> str:
    """What the chain calls an entry."""
    return f"{ENTRY}{entry.number}"


def before(tournament: Tournament, number: int, names: set[str]) -> dict[str, dict[str, Any]]:
    """What the last link before one says of each of these."""
    found: dict[str, dict[str, Any]] = {}
    earlier = tournament.chain.filter(number__lt=number).order_by("-number")
    for content in earlier.values_list("content", flat=True).iterator():
        found |= {name: content[name] or {} for name in names & content.keys() - found.keys()}
        if len(found) == len(names):
            break
    return found


def changed_since(
    tournament: Tournament, number: int, entries: Iterable[Entry], *, but_by: Account | None = None
) -> dict[str, set[int]]:
    """By field (`CHANGING`), of whom a link behind this one has said otherwise, if only for a while; by key.

    What `but_by` has decided is left out: who ticks a row has seen it.
    """
    named = {name_of(entry): entry.pk for entry in entries}
    later = tournament.chain.filter(number__gt=number).order_by("number")
    told: list[tuple[set[int], dict[str, dict[str, Any]]]] = [
        (_lines(content), {name: content[name] or {} for name in about})
        for content in later.values_list("content", flat=True).iterator()
        if (about := named.keys() & content.keys())
    ]
    own = _lines_by(tournament, but_by, set().union(*(lines for lines, _said in told))) if but_by else set()
    last = before(tournament, number + 1, set().union(*(said for _lines, said in told)))
    changed: dict[str, set[int]] = {field: set() for field in CHANGING}
    for lines, said in told:
        for name, entry in said.items():
            if not lines or lines - own:
                was = last.get(name, {})
                for field in CHANGING:
                    if entry.get(field) != was.get(field):
                        changed[field].add(named[name])
            last[name] = entry
    return changed


def _lines(content: Iterable[str]) -> set[int]:
    """The places in the log of the lines that a link has."""
    return {int(name.removeprefix(LOG_LINE)) for name in content if name.startswith(LOG_LINE)}


def _lines_by(tournament: Tournament, account: Account, lines: Collection[int]) -> set[int]:
    """Those of these places in the log at which a line is by this account."""
    if not lines:
        return set()
    first = min(lines)
    authors = tournament.log.order_by("pk").values_list("account", flat=True)[first - 1 : max(lines)]
    return {place for place, author in enumerate(authors, start=first) if author == account.pk}
