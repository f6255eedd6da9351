"""Every result of a round on boards beside those on the same cards.

What is compared and how is written in `tournaments/boards/comparison.py`. A seat is forehand, middlehand, the dealer or
the fourth player; where the fourth player settles, tables of four are compared with tables of four alone. Rulings and
totals without deals say nothing about the cards: they are left out. What is told here is sealed until the round is
over; `boards.folders.is_sealed` says whether it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from django.db.models import Q

from scoring.seats import Role
from tournaments.boards import Compared, Part, compare
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.seating import Sittings, seating_at
from tournaments.models import Deal, Entry, Report, Round, Table

if TYPE_CHECKING:
    from scoring.rulebooks import Rulebook
    from scoring.seats import Seating

SEATS = (Role.FH, Role.MH, Role.BH, Role.IDLE)


@dataclass(frozen=True, slots=True)
class Place:
    """A player's part in a line: the seat, who sat there, and the tokens with what the others in that seat had."""

    role: Role
    position: int
    entry: Entry
    tokens: int
    compared: Compared | None


@dataclass(frozen=True, slots=True)
class Line:
    """A folder as one table played it."""

    round_number: int
    folder: int
    table: int
    deal: int
    report: Report
    names: tuple[str, ...]
    places: tuple[Place, ...]

    def at(self, role: Role) -> Place | None:
        return next((place for place in self.places if place.role is role), None)


def lines_of(rounds: Sequence[Round], *, folder: int | None = None) -> list[Line]:
    """Every deal of these rounds of one tournament that can be compared, by folder and table; in four queries.

    With a `folder`, the deals that were played with it, in one more.
    """
    if not rounds:
        return []
    rulebook = rulebook_of(rounds[0].tournament)
    dealt = (
        Deal.objects.filter(table__round__in=rounds, current__result__isnull=False)
        .select_related("table__round__tournament", "current")
        .order_by("table__round__number", "table__number", "number")
    )
    if folder is not None:
        dealt = dealt.filter(_played_with(folder, rounds))
    sittings = Sittings(Q(round__in=rounds))
    entries = Entry.objects.select_related("player", "club", "tournament__host", "team__tournament")
    sitting = entries.in_bulk({sat.entry for sat in sittings.all})
    found = [
        (deal, cards, [sitting[entry] for entry in sittings.at(deal.table_id, deal.number)])
        for deal in dealt
        if (cards := deal.table.folder_of(deal.number)) and "ruled" not in (deal.current.result or {})
    ]
    parts = [
        part for deal, folder, entries in found for part in _parts(deal, folder, entries, rulebook=rulebook)
    ]
    by_part = {(one.part.table, one.part.seat): one for one in compare(parts)}
    lines = [_line(deal, folder, entries, by_part) for deal, folder, entries in found]
    return sorted(lines, key=lambda line: (line.round_number, line.folder, line.table))


def _played_with(folder: int, rounds: Sequence[Round]) -> Q:
    """Which deals were played with a folder: at each table at most one."""
    tables: dict[int, list[int]] = defaultdict(list)
    for table, folders in Table.objects.filter(round__in=rounds).values_list("pk", "folders"):
        if folder in folders:
            tables[folders.index(folder) + 1].append(table)
    ways = [Q(number=number, table__in=found) for number, found in tables.items()]
    return reduce(or_, ways, Q(pk__in=()))


def _seating(deal: Deal, players: int) -> Seating:
    """Who held which cards; in pairs with the hand that was taken over."""
    return seating_at(deal.table, players, deal.number, (deal.current.result or {}).get("declarer"))


def _parts(deal: Deal, folder: int, entries: Sequence[Entry], *, rulebook: Rulebook) -> Iterable[Part]:
    """The deal as parts to be compared; a part's table is the deal itself, which tells it apart from all others."""
    seating = _seating(deal, len(entries))
    size = len(entries) if rulebook.house.idle_settles else 0
    cards = (deal.table.round_id, folder, size)
    for position, (entry, tokens) in enumerate(zip(entries, deal.current.tokens, strict=True)):
        yield Part(cards, seating.role_of(position), entry.pk, deal.pk, tokens)


def _line(
    deal: Deal, folder: int, entries: Sequence[Entry], compared: dict[tuple[object, object], Compared]
) -> Line:
    seating = _seating(deal, len(entries))
    places = [
        Place(role, position, entry, tokens, compared.get((deal.pk, role)))
        for position, (role, entry, tokens) in enumerate(
            zip(seating.roles, entries, deal.current.tokens, strict=True)
        )
    ]
    return Line(
        deal.table.round.number,
        folder,
        deal.table.number,
        deal.number,
        deal.current,
        tuple(entry.shown_name for entry in entries),
        tuple(sorted(places, key=lambda place: SEATS.index(place.role))),
    )
