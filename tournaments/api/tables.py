"""Rounds, their tables with who sits there, and each table's deals."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from django.db.models import Sum
from ninja import Router
from pydantic import Field

from tournaments.api.base import (
    USUAL_ON_A_PAGE,
    Code,
    Cursor,
    Limit,
    Number,
    RoundNumber,
    Shape,
    Source,
    of_tournament,
    page_of,
    read_cursor,
    replies,
)
from tournaments.api.events import RoundLine, round_line
from tournaments.boards.folders import is_sealed
from tournaments.domain.terms import reason_words, suit_name
from tournaments.hall.live import find_tournament
from tournaments.hall.tables import corrections
from tournaments.ledger.queries import board, reported_deals, with_names
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import Round, Table
from tournaments.web.lookup import find_round, find_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.hall.tables import Version
    from tournaments.ledger.queries import BoardRow
    from tournaments.ledger.scoresheet import ScoreSheet, SheetLine
    from tournaments.models import Report

router = Router(tags=["tables"])


class RoundShape(RoundLine):
    """A round, with how far it is."""

    tables: int = Field(description="How many tables it has.")
    deals: int = Field(description="Deals to be played at all tables.")
    reported: int = Field(description="Deals reported at all tables.")
    byes: list[int] = Field(description="Who has no seat, by number.")


class Rounds(Shape):
    """The rounds of a tournament that are drawn."""

    items: list[RoundShape] = Field(description="The rounds, in their order.")


class SeatShape(Shape):
    """A seat and its player: position 0 is seat A; `tokens` are the position's sum."""

    position: int = Field(description="The seat as a number, 0 for A.")
    seat: str = Field(description="The seat: A, B, C, D or E.")
    number: int = Field(description="The player's number in the tournament.")
    name: str = Field(description="The name as the hall shows it.")
    tokens: int = Field(description="Tokens won in this seat so far; a loss is negative.")


class TableLine(Shape):
    """A table of a round."""

    number: int = Field(description="The table's number.")
    hall: str = Field(description="The name of its hall; empty where the tournament is played in one place.")
    deals: int = Field(description="Deals to be played.")
    reported: int = Field(description="Deals reported.")
    ended_early: bool = Field(description="Whether the table ended before all deals were played.")
    match: str | None = Field(description="The match of pairs or teams that is played here; null for none.")
    seats: list[SeatShape] = Field(description="Who sits here, by position.")


class Tables(Shape):
    """A page of a round's tables."""

    round: RoundLine = Field(description="The round.")
    items: list[TableLine] = Field(description="The tables on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class DealVersion(Shape):
    """A deal as it was reported once; `tokens` by position, none where it was taken back."""

    revision: int = Field(description="Which version of the deal, from 1.")
    said: str = Field(description="What it came to, in the language asked for.")
    tokens: list[int] = Field(description="Tokens by position; empty where the deal was taken back.")
    reason: str = Field(description="Why the deal was corrected; empty for the first version.")
    source: Source = Field(
        description="Who reported it: a captain's phone, the organiser's desk, or a program with a key."
    )
    reported_at: datetime = Field(description="When it was stored.")


class DealShape(Shape):
    """A deal in a table's sheet. Seats are positions; what is not reported is null or empty.

    `result` is as it was reported; `declarer`, `outcome` and `tokens` are what the rules make of it.
    """

    number: int = Field(description="The deal's number, from 1.")
    dealer: int = Field(description="The dealer's position.")
    sits_out: int | None = Field(description="The position of who sits out; null at tables without one.")
    folder: int | None = Field(
        description="The folder that the cards come from; null without duplicate boards."
    )
    reported: bool = Field(description="Whether the deal is reported.")
    revision: int = Field(description="0 where nothing was ever reported.")
    result: dict[str, Any] | None = Field(
        description="The result as it was reported; null where it is not reported."
    )
    outcome: str = Field(description="The outcome's code, such as `won`; empty where nobody declared.")
    declarer: int | None = Field(description="The declarer's position; null where nobody declared.")
    contract: str = Field(description="The contract's name, in the language asked for.")
    contract_code: str = Field(
        description="The contract's code, the same in every language; empty where nobody declared."
    )
    trump: str = Field(description="The trump suit's sign, such as ♥; empty where there is none.")
    trump_code: str = Field(description="The trump suit: `S`, `H`, `D` or `C`; empty where there is none.")
    trump_name: str = Field(
        description="The trump suit's name, in the language asked for; empty where there is none."
    )
    said: str = Field(description="What it came to, in the reader’s words.")
    remark: str = Field(description="Further words: tricks, tout, fouls; may be empty.")
    tokens: list[int] = Field(description="Tokens by position; empty where the deal is not reported.")
    running: list[int] = Field(description="The sum of tokens after this deal, by position.")
    source: Source | None = Field(
        description="Who reported it: a captain's phone, the organiser's desk, or a program; null before that."
    )
    reported_at: datetime | None = Field(
        description="When the version that counts was stored; null before that."
    )
    versions: list[DealVersion] = Field(description="Of a corrected deal, all versions, the first one first.")


class TableShape(TableLine):
    """A table's sheet; `sealed`: others are still to play these cards, so its deals are not published."""

    round: int = Field(description="The round's number.")
    sealed: bool = Field(
        description="Whether the deals are kept back until others have played the same cards."
    )
    lines: list[DealShape] = Field(description="The deals, in their order; empty while `sealed`.")


@router.get("/tournaments/{str:code}/rounds", response=replies(Rounds))
def tournament_rounds(request: HttpRequest, code: Code) -> HttpResponseBase:
    """The rounds that are drawn, with how far each is."""
    found = find_tournament(code)
    return of_tournament(
        request, found, lambda: Rounds(items=[_round(one) for one in found.rounds.order_by("number")])
    )


@router.get("/tournaments/{str:code}/rounds/{int:number}", response=replies(RoundShape))
def tournament_round(request: HttpRequest, code: Code, number: Number) -> HttpResponseBase:
    """A round, with how far it is."""
    found = find_tournament(code)
    one = find_round(found, number)
    return of_tournament(request, found, lambda: _round(one))


def _round(round_: Round) -> RoundShape:
    deals = round_.tables.aggregate(deals=Sum("deals"))["deals"] or 0
    return RoundShape(
        **round_line(round_).model_dump(),
        tables=round_.tables.count(),
        deals=deals,
        reported=sum(reported_deals(round_).values()),
        byes=round_.byes,
    )


@router.get("/tournaments/{str:code}/rounds/{int:number}/tables", response=replies(Tables))
def round_tables(
    request: HttpRequest, code: Code, number: Number, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The tables of a round with who sits there, by their numbers."""
    found, after = find_tournament(code), read_cursor(cursor, int)
    one = find_round(found, number)
    return of_tournament(request, found, lambda: _tables(request, one, limit, int(after[0]) if after else 0))


def _tables(request: HttpRequest, round_: Round, limit: int, after: int) -> Tables:
    rows = [row for row in board(round_) if row.table.number > after][: limit + 1]
    here, behind = page_of(request, rows, limit, lambda row: (row.table.number,))
    with_names(here)
    return Tables(round=round_line(round_), items=[_table_line(row, round_) for row in here], next=behind)


def _table_line(row: BoardRow, round_: Round) -> TableLine:
    return TableLine(
        number=row.table.number,
        hall=round_.tournament.hall_at(row.table.number),
        deals=row.table.deals,
        reported=row.reported,
        ended_early=row.has_ended,
        match=str(row.table.match) if row.table.match else None,
        seats=[
            SeatShape(
                position=seat.position,
                seat=seat.letter,
                number=seat.entry.number,
                name=seat.entry.shown_name,
                tokens=seat.tokens,
            )
            for seat in row.seats
        ],
    )


@router.get(
    "/tournaments/{str:code}/rounds/{int:round_number}/tables/{int:number}", response=replies(TableShape)
)
def table(request: HttpRequest, code: Code, round_number: RoundNumber, number: Number) -> HttpResponseBase:
    """A table's sheet: every deal with every correction to it."""
    found = find_tournament(code)
    one = find_table(found, round_number, number)
    return of_tournament(request, found, lambda: _sheet(one))


def _sheet(table: Table) -> TableShape:
    sheet = score_sheet(table)
    sealed = bool(table.folders) and is_sealed(table.round)
    versions = {} if sealed else dict(corrections(sheet))
    return TableShape(
        round=table.round.number,
        number=table.number,
        hall=table.round.tournament.hall_at(table.number),
        deals=table.deals,
        reported=sheet.reported,
        ended_early=table.ended_early_at is not None,
        match=str(table.match) if table.match else None,
        seats=_seats(sheet),
        sealed=sealed,
        lines=[] if sealed else [_deal(line, versions.get(line.number, [])) for line in sheet.lines],
    )


def _seats(sheet: ScoreSheet) -> list[SeatShape]:
    return [
        SeatShape(
            position=seat.position, seat=seat.letter, number=seat.number, name=seat.name, tokens=seat.tokens
        )
        for seat in sheet.seats
    ]


def _source(report: Report) -> Source:
    return cast("Source", report.reported_by.value)


def _deal(line: SheetLine, versions: Sequence[Version]) -> DealShape:
    report = line.report
    trump = (report.result or {}).get("trump", "") if report else ""
    return DealShape(
        number=line.number,
        dealer=line.dealer,
        sits_out=line.sits_out,
        folder=line.folder,
        reported=line.reported,
        revision=line.revision,
        result=report.result if report else None,
        outcome=report.outcome if report else "",
        declarer=line.declarer,
        contract=line.contract,
        contract_code=report.contract if report else "",
        trump=line.trump,
        trump_code=trump,
        trump_name=suit_name(trump) if trump else "",
        said=line.result,
        remark=line.remark,
        tokens=list(line.tokens),
        running=list(line.running),
        source=_source(report) if report else None,
        reported_at=report.recorded_at if report else None,
        versions=[
            DealVersion(
                revision=version.report.revision,
                said=version.said,
                tokens=[tokens for _name, tokens in version.tokens],
                reason=reason_words(version.report.reason),
                source=_source(version.report),
                reported_at=version.report.recorded_at,
            )
            for version in versions
        ],
    )
