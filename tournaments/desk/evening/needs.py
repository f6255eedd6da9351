"""Open points for the desk: calls, differences, deals for later, late reports, read sheets, missing signatures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from django.db.models import Case, Count, IntegerField, Max, Min, Q, Value, When, prefetch_related_objects

from tournaments.ledger.queries import NAMED_SEATS
from tournaments.models import Flag, KeptReport, SheetPicture, Table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from tournaments.ledger.queries import HowFar
    from tournaments.models import Tournament

# Maximum number listed next to the board; the tables themselves show the rest.
LISTED = 12
# A call cannot wait, a difference hardly, a mark can.
FIRST = Case(
    When(kind=Flag.Kind.CALL, then=Value(0)),
    When(kind=Flag.Kind.CONFLICT, then=Value(1)),
    default=Value(2),
    output_field=IntegerField(),
)


@dataclass(frozen=True, slots=True)
class LateAt:
    """The number of late reports of a table, and the time of the first."""

    round: int
    table: int
    count: int
    since: datetime


@dataclass(frozen=True, slots=True)
class SheetAt:
    """A table's sheet was read from a photograph, the first then, and waits to be looked at and taken in."""

    round: int
    table: int
    since: datetime


class Needs:
    """All open points; `tables` are those of the running round. A table that is only slow is none."""

    def __init__(self, tournament: Tournament, tables: Sequence[HowFar]) -> None:
        self.tournament = tournament
        self.tables = tables

    @cached_property
    def count(self) -> int:
        """The number of open points; the late reports of a table are one."""
        return (
            self._raised["all"]
            + self._tables_late
            + len(self._sheets)
            + len(self.unsigned)
            + len(self.gaps)
            + len(self.short)
        )

    @property
    def newest_call(self) -> int:
        """Primary key of the newest call that is open; 0 for none."""
        return self._raised["call"] or 0

    @cached_property
    def _raised(self) -> dict[str, int]:
        calls = Q(kind=Flag.Kind.CALL)
        return self.flags.order_by().aggregate(all=Count("pk"), call=Max("pk", filter=calls))

    @property
    def _waiting(self) -> QuerySet[KeptReport]:
        waiting = KeptReport.State.WAITING
        return KeptReport.objects.filter(table__round__tournament=self.tournament, state=waiting).order_by()

    @cached_property
    def _tables_late(self) -> int:
        return self._waiting.aggregate(tables=Count("table", distinct=True))["tables"]

    @property
    def flags(self) -> QuerySet[Flag]:
        """Open calls, conflicts and marks, urgent ones first, then the oldest. A rare deal can wait.

        None for a finished tournament: they could not be handled, unless it is reopened.
        """
        if self.tournament.is_finished or self.tournament.is_called_off:
            return Flag.objects.none()
        raised = Flag.objects.filter(table__round__tournament=self.tournament, settled_at=None)
        return raised.exclude(kind=Flag.Kind.RARE).order_by(FIRST, "raised_at", "pk")

    @cached_property
    def flags_with_names(self) -> list[tuple[Flag, list[str]]]:
        """The first of them, each with its table and the names of who sits there."""
        flags = list(self.flags.select_related("table__round")[:LISTED])
        prefetch_related_objects([flag.table for flag in flags], NAMED_SEATS)
        return [(flag, [seat.entry.shown_name for seat in flag.table.seats.all()]) for flag in flags]

    @cached_property
    def late(self) -> list[LateAt]:
        """The tables of which late reports wait, those first that wait longest."""
        if not self._tables_late:
            return []
        named = self._waiting.values_list("table__round__number", "table__number")
        counted = named.annotate(count=Count("pk"), since=Min("received_at")).order_by("since")
        return [LateAt(*row) for row in counted[:LISTED]]

    @cached_property
    def _sheets(self) -> list[SheetAt]:
        if not self.tournament.is_running or self.tournament.is_called_off:
            return []
        not_taken = SheetPicture.objects.filter(
            tournament=self.tournament, state=SheetPicture.State.READ, taken_at=None
        )
        open_ = Table.open_ones().filter(round__tournament=self.tournament)
        named = (
            not_taken.filter(table__in=open_).order_by().values_list("table__round__number", "table__number")
        )
        return [SheetAt(*row) for row in named.annotate(since=Min("sent_at")).order_by("since")]

    @property
    def sheets(self) -> list[SheetAt]:
        """The tables whose sheet was read and is not taken in, those first that wait longest."""
        return self._sheets[:LISTED]

    @property
    def unsigned(self) -> list[HowFar]:
        """Tables with all deals reported and signatures missing."""
        return [table for table in self.tables if table.waits_for_signatures]

    @property
    def short(self) -> list[HowFar]:
        """Tables with deals left to play where a withdrawn player still has a seat."""
        return [table for table in self.tables if table.lacks_player]

    @property
    def gaps(self) -> list[HowFar]:
        """The tables whose pool does not follow from the deal before, by rules that have one."""
        return [table for table in self.tables if table.gaps]

    @property
    def more(self) -> int:
        """The number of open points not listed, and of tables with late reports or a read sheet."""
        of_tables = self._tables_late - len(self.late) + len(self._sheets) - len(self.sheets)
        return self._raised["all"] - len(self.flags_with_names) + of_tables
