"""The deals of a person, of all evenings, in the order in which they were played: read from the ledger each time."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q

from scoring.outcomes import Outcome
from scoring.seats import Role
from tournaments.domain.outcomes import TOTALS_ONLY
from tournaments.ledger.deal_sums import RULED, CountedDeal, deals_at
from tournaments.ledger.seating import Sat, Sittings
from tournaments.models import FormerSeat, Seat, Table

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from tournaments.models import Entry

DECLARED, JOINED, DEFENDED, SAT_OUT, PASSED = "declared", "joined", "defended", "sat_out", "washed_out"


class Place(NamedTuple):
    """Where a table was: `evening` is the tournament's primary key."""

    day: date
    evening: int
    code: str
    round: int
    table: int


class OwnDeal(NamedTuple):
    """A deal at one of the person's tables, who sat at `position`; `table` is the table's primary key."""

    place: Place
    table: int
    number: int
    position: int
    deal: CountedDeal

    @property
    def tokens(self) -> int:
        return self.deal.tokens[self.position]

    @property
    def role(self) -> Role:
        """What the person was in the deal; in pairs with the hand that was taken over."""
        return self.deal.roles[self.position]

    @property
    def is_dealt(self) -> bool:
        """Whether the person was dealt cards: not who sat out, also where the fourth player joined."""
        return self.role is not Role.IDLE

    @property
    def kind(self) -> str:
        """What the deal was to the person, as `standings.statistics` calls it."""
        outcome = self.deal.sort.outcome
        if outcome in KINDS:
            return KINDS[outcome]
        if self.deal.declarer == self.position:
            return DECLARED
        if self.position in self.deal.joined:
            return JOINED
        return SAT_OUT if self.role is Role.IDLE else DEFENDED


KINDS: dict[str, str] = {Outcome.WASHOUT: PASSED, RULED: RULED, TOTALS_ONLY: TOTALS_ONLY}


class AtTables(NamedTuple):
    """The deals of a person in their order, and who sat where at the tables."""

    deals: list[OwnDeal]
    sittings: Sittings


def tables_of(entries: QuerySet[Entry]) -> set[int]:
    """The tables (by primary key) at which one of these entries sat."""
    return _tables_by(list(entries.values_list("pk", flat=True)))


def _tables_by(mine: Collection[int]) -> set[int]:
    seats = Seat.objects.filter(entry__in=mine).order_by().values_list("table", flat=True)
    formers = FormerSeat.objects.filter(entry__in=mine).order_by().values_list("table", flat=True)
    return {*seats, *formers}


# Of a table, for its Place: a season of teams is played on many days.
WHERE = (
    "pk", "round__date", "round__tournament__date", "round__tournament", "round__tournament__code", "round__number",
    "number",
)  # fmt: skip


def deals_of(entries: QuerySet[Entry], tables: Collection[int] | None = None) -> AtTables:
    """The deals of one person by these entries of theirs; at these of their tables, unless at all."""
    return deals_by(list(entries.values_list("pk", flat=True)), tables)


def deals_by(own: Collection[int], tables: Collection[int] | None = None) -> AtTables:
    """The same by the primary keys of the entries."""
    at = Table.objects.filter(pk__in=_tables_by(own) if tables is None else tables, reports_count__gt=0)
    rows = at.order_by().values_list(*WHERE)
    places = {table: Place(own_day or day, *where) for table, own_day, day, *where in rows}
    mine = set(own)
    sittings = Sittings(Q(table__in=list(places)))
    times: dict[int, list[Sat]] = defaultdict(list)
    for sat in sittings.all:
        if sat.entry in mine:
            times[sat.table].append(sat)
    played: dict[int, list[OwnDeal]] = defaultdict(list)
    for deal in deals_at(Table.objects.filter(pk__in=list(places))):
        place, here = places[deal.table], played[deal.table]
        for sat in times[deal.table]:
            if sat.played(deal.number):
                here.append(OwnDeal(place, deal.table, deal.number, sat.position, deal))
    found = [one for table in sorted(played, key=places.__getitem__) for one in played[table]]
    return AtTables(found, sittings)
