"""A table's sheet: one definition of its columns for the phone, the hall, the desk and the printed page.

The paper that a captain holds, the screen they type into and the PDF that is signed have the same columns in the same
order, so that a line can be read across without looking for its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from core.sql import asked
from scoring.seats import WITH_FOURTH
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.ledger.pool import TablePool
from tournaments.ledger.results_said import result_texts
from tournaments.ledger.seats_said import what_holds
from tournaments.ledger.sitting import Names, names_then, seating_at
from tournaments.ledger.tables import rulebook_of
from tournaments.models import Deal, Entry, Report, Seat, Table

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise as StrPromise

    from scoring.rulebooks import Rulebook


@dataclass(frozen=True)
class Column:
    """A column of every sheet; after these comes a pair of columns (tokens, running total) for each player.

    `folder` is there with boards only, `sits_out` at tables of four, `pool` where the rulebook has one.
    """

    key: str
    title: StrPromise


COLUMNS = (
    Column("number", gettext_lazy("Deal")),
    Column("folder", gettext_lazy("Folder")),
    Column("dealer", gettext_lazy("Dealer")),
    Column("sits_out", gettext_lazy("Sits out")),
    Column("declarer", gettext_lazy("Declarer")),
    Column("contract", gettext_lazy("Contract")),
    Column("trump", gettext_lazy("Trump")),
    Column("result", gettext_lazy("Result")),
    Column("pool", gettext_lazy("Pool")),
    Column("remark", gettext_lazy("Remark")),
)


def columns_of(rulebook: Rulebook, players: int, *, with_folders: bool = False) -> tuple[Column, ...]:
    """The columns of a sheet at a table of so many by these rules."""
    missing = set() if players in WITH_FOURTH else {"sits_out"}
    if not with_folders:
        missing.add("folder")
    if rulebook.pool is None:
        missing.add("pool")
    return tuple(column for column in COLUMNS if column.key not in missing)


@dataclass(frozen=True)
class SeatLine:
    position: int
    entry: Entry
    name: str
    tokens: int
    agreed_at: datetime | None

    @property
    def letter(self) -> str:
        return SEAT_LETTERS[self.position]

    @property
    def number(self) -> int:
        return self.entry.number


@dataclass(frozen=True)
class SheetLine:
    """A deal's line. Positions are seats; the texts are in the reader's language, empty for a deal not reported."""

    number: int
    dealer: int
    sits_out: int | None
    # The folder that it is played with; None where cards are dealt by hand.
    folder: int | None = None
    declarer: int | None = None
    contract: str = ""
    trump: str = ""
    result: str = ""
    remark: str = ""
    # Tokens in the pool before the deal was settled; None where there is none, or it is not known.
    pool: int | None = None
    tokens: tuple[int, ...] = ()
    running: tuple[int, ...] = ()
    report: Report | None = None

    @property
    def reported(self) -> bool:
        return bool(self.tokens)

    @property
    def revision(self) -> int:
        """The revision that a correction must name; 0 where nothing was ever reported."""
        return self.report.revision if self.report else 0

    @property
    def corrected(self) -> bool:
        return self.revision > 1


@dataclass(frozen=True)
class ScoreSheet:
    table: Table
    seats: tuple[SeatLine, ...]
    lines: tuple[SheetLine, ...]
    rulebook: Rulebook
    # None where the rules know no pool.
    pool: TablePool | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        return columns_of(self.rulebook, self.players, with_folders=self.with_folders)

    @cached_property
    def changes(self) -> list[str]:
        """What was changed in the middle of the round, by deal."""
        return what_holds(self.table, self.names)

    @property
    def with_folders(self) -> bool:
        """Whether the cards come out of folders."""
        return bool(self.table.folders)

    @property
    def seats_out(self) -> bool:
        """Whether somebody sits out in each deal."""
        return self.players in WITH_FOURTH

    @property
    def players(self) -> int:
        return len(self.seats)

    @cached_property
    def names(self) -> Names:
        """The players' shown names by position; `in_deal` of them says who sat there then."""
        return Names(self.table, [seat.name for seat in self.seats])

    @property
    def totals(self) -> tuple[int, ...]:
        return (
            tuple(
                sum(amounts)
                for amounts in zip(*(line.tokens for line in self.lines if line.reported), strict=True)
            )
            or (0,) * self.players
        )

    @property
    def side_totals(self) -> tuple[int, ...]:
        """Where pairs or teams meet, what each seat and the one opposite have won together; else nothing."""
        if self.table.match_id is None or not self.seats_out:
            return ()
        totals = self.totals
        return tuple(total + totals[(position + 2) % 4] for position, total in enumerate(totals))

    @property
    def reported(self) -> int:
        return sum(line.reported for line in self.lines)

    @property
    def complete(self) -> bool:
        return self.reported == self.table.deals

    @property
    def all_agreed(self) -> bool:
        return all(seat.agreed_at for seat in self.seats)

    @property
    def next_deal(self) -> int | None:
        """The first deal not reported yet."""
        return next((line.number for line in self.lines if not line.reported), None)

    def deals_left(self, position: int) -> int:
        """How many of the deals not reported yet a seat has to deal."""
        return sum(line.dealer == position and not line.reported for line in self.lines)


def score_sheet(table: Table) -> ScoreSheet:
    """The sheet of a table as it stands, in two queries; `table` comes with its round and tournament."""
    seats = tuple(
        SeatLine(seat.position, seat.entry, seat.entry.shown_name, seat.tokens, seat.agreed_at)
        for seat in _seats(table.pk)
    )
    reports = {deal.number: deal.current for deal in _deals(table.pk)}
    return _sheet(table, seats, reports)


@asked
def _seats(table: int) -> QuerySet[Seat]:
    seats = Seat.objects.select_related("entry__player", "entry__club", "entry__tournament__host")
    return seats.filter(table=table)


@asked
def _deals(table: int) -> QuerySet[Deal]:
    return Deal.objects.select_related("current").filter(table=table)


def _sheet(table: Table, seats: tuple[SeatLine, ...], reports: Mapping[int, Report]) -> ScoreSheet:
    rulebook = rulebook_of(table.round.tournament)
    pool = TablePool(rulebook, len(seats), reports) if rulebook.pool else None
    lines = _lines(table, rulebook, Names(table, [seat.name for seat in seats]), reports, pool)
    return ScoreSheet(table, seats, tuple(lines), rulebook, pool)


def blank_sheet(table: Table) -> ScoreSheet:
    """The sheet as it is printed before play, whatever has been reported since."""
    sheet = score_sheet(table)
    return _sheet(table, sheet.seats, {})


def _lines(
    table: Table,
    rulebook: Rulebook,
    names: Sequence[str],
    reports: Mapping[int, Report],
    pool: TablePool | None,
) -> list[SheetLine]:
    lines = []
    running = [0] * len(names)
    for number in range(1, table.deals + 1):
        report = reports.get(number)
        told = (report.result if report else None) or {}
        seating = seating_at(table, len(names), number, told.get("declarer"))
        dealer, sits_out = seating.dealer, seating.sits_out
        if report is None or report.result is None:
            lines.append(SheetLine(number, dealer, sits_out, table.folder_of(number), report=report))
            continue
        running = [total + tokens for total, tokens in zip(running, report.tokens, strict=True)]
        lines.append(
            SheetLine(
                number,
                dealer,
                sits_out,
                table.folder_of(number),
                declarer=report.declarer,
                **result_texts(
                    rulebook, report.result, report.outcome, names_then(names, number), seating=seating
                ),
                pool=pool.lay(number, report) if pool else None,
                tokens=tuple(report.tokens),
                running=tuple(running),
                report=report,
            )
        )
    return lines


def history(table: Table, deal: int) -> list[Report]:
    """Every version of a deal's result, oldest first."""
    return list(table.reports.filter(deal_number=deal).order_by("revision"))
