"""What is stored at the tables of many tournaments, read for a recount: much at once, and never too much."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from core.canonical_json import as_text, json_of
from core.sql import key_set
from tournaments.ledger.report_chain import STORED, ReportRow
from tournaments.models import (
    Deal,
    FolderChange,
    FormerSeat,
    Report,
    Round,
    Seat,
    SeatChange,
    Table,
    Tournament,
)

if TYPE_CHECKING:
    from scoring.seats import Change

AT_ONCE = 400  # tables


@dataclass(slots=True)
class TableRow:
    """What a recount asks of a table itself, as it is stored; nobody changes its lists."""

    pk: int
    round: Round
    folders: list[int]
    turns: list[Change]
    number: int
    deals: int
    first_dealer: int
    last_hash: str
    reports_count: int
    seal: str


OF_TABLE = (
    *("pk", "round", as_text("folders"), as_text("turns")),
    *("number", "deals", "first_dealer", "last_hash", "reports_count", "seal"),
)


class Sits(NamedTuple):
    """A seat as it is stored."""

    position: int
    entry_id: int
    tokens: int


class Sat(NamedTuple):
    """A former seat as it is stored; `through` is the last deal that counts for who sat there."""

    position: int
    entry_id: int
    tokens: int
    through: int


class AtTable(NamedTuple):
    """A table, its seats by position, its reports in their order, and which of these each deal counts (primary key).

    `formers` are those who left, in their order, `changes` what was written down of dealers and seats, `folders` with
    which folder each deal was last said to be played.
    """

    table: TableRow
    seats: list[Sits]
    reports: list[ReportRow]
    current: dict[int, int]
    formers: list[Sat]
    changes: list[Any]
    folders: dict[int, int]


def tables_of(tournaments: Mapping[int, Tournament]) -> Iterator[tuple[int, Iterator[AtTable]]]:
    """Each tournament with its tables in their order; of one that has none, none.

    All that is recounted at a table is read for many at once, and never for too many. Reports and seats are rows here
    with the fields of one: making a model of each takes as long as recounting it.
    """
    rounds = (
        Round.objects.filter(tournament__in=key_set(tournaments))
        .only("tournament", "number", "state")
        .in_bulk()
    )
    for round_ in rounds.values():
        round_.tournament = tournaments[round_.tournament_id]
    of_each: dict[int, list[tuple[int, int, int]]] = {pk: [] for pk in tournaments}
    tables = Table.objects.filter(round__in=key_set(rounds)).order_by()
    for pk, round_id, number in tables.values_list("pk", "round", "number"):
        at = rounds[round_id]
        of_each[at.tournament_id].append((at.number, number, pk))
    in_order = [pk for places in of_each.values() for *_place, pk in sorted(places)]
    waiting = (at for some in _parts(in_order) for at in _read(some, rounds))
    for pk, places in of_each.items():
        # All of them are taken from what waits, whoever has seen enough.
        here = islice(waiting, len(places))
        yield pk, here
        deque(here, maxlen=0)


def _parts(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(keys), AT_ONCE):
        yield keys[first : first + AT_ONCE]


def _read(keys: Sequence[int], rounds: Mapping[int, Round]) -> list[AtTable]:
    """These tables by their primary keys, in this order."""
    here = key_set(keys)
    tables = {
        pk: TableRow(pk, rounds[of], json_of(cards), json_of(turns), *row)
        for pk, of, cards, turns, *row in Table.objects.filter(pk__in=here).order_by().values_list(*OF_TABLE)
    }
    found = {pk: AtTable(tables[pk], [], [], {}, [], [], {}) for pk in keys}
    seats = Seat.objects.filter(table__in=here).order_by("table_id", "position")
    for pk, *sits in seats.values_list("table", *Sits._fields):
        found[pk].seats.append(Sits(*sits))
    formers = FormerSeat.objects.filter(table__in=here).order_by("through", "pk")
    for pk, *sat in formers.values_list("table", *Sat._fields):
        found[pk].formers.append(Sat(*sat))
    changes = SeatChange.objects.filter(table__in=here).order_by("sequence")
    for pk, change in changes.values_list("table", "change"):
        found[pk].changes.append(change)
    folders = FolderChange.objects.filter(table__in=here).order_by("pk")
    for pk, deal, folder in folders.values_list("table", "deal_number", "now"):
        found[pk].folders[deal] = folder
    # In the order of an index: nothing has to be sorted.
    reports = Report.objects.filter(table__in=here).order_by("table_id", "sequence").values_list(*STORED)
    for pk, rows in groupby(map(ReportRow._make, reports), attrgetter("table_id")):
        found[pk].reports.extend(rows)
    deals = Deal.objects.filter(table__in=here).order_by("table_id", "number")
    for pk, counts in groupby(deals.values_list("table", "number", "current"), itemgetter(0)):
        found[pk].current.update((deal, key) for _pk, deal, key in counts)
    return list(found.values())
