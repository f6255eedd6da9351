"""Rounds, their tables with who sits there, and each table's deals; duplicate boards."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from django.db.models import Sum
from django.http import Http404
from ninja import Router
from pydantic import Field

from core.tables.files import number_of
from scoring.seats import ACTIVE
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
from tournaments.boards.analysis import analyses_of
from tournaments.boards.folders import folder_count, is_sealed
from tournaments.boards.results import lines_of
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import reason_words, suit_name
from tournaments.hall.live import find_tournament
from tournaments.hall.tables import corrections, find_with_boards, opened_folders, ranking
from tournaments.ledger.queries import board, reported_deals, with_names
from tournaments.ledger.scoresheet import score_sheet
from tournaments.models import Round, Table
from tournaments.web.guards import find_round, find_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.boards.analysis import Makes
    from tournaments.boards.dealing import Folder
    from tournaments.boards.results import Line, Place, Ranked
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


# Duplicate boards: the ranking on the same cards; of a round that is over each folder, and what was made of it.

boards_router = Router(tags=["boards"])


class BoardSetShape(Shape):
    """A round's boards; the seed that they were dealt from is published when the round is over."""

    round: int = Field(description="The round's number.")
    fingerprint: str = Field(description="The SHA-256 of the seed.")
    seed: str | None = Field(
        description="The seed that the cards were dealt from; null until the round is over."
    )


class RankedShape(Shape):
    """A line of the ranking on the same cards; `difference` is the tokens less the mean of the others' in that seat.

    `tokens` and `place_by_tokens` are those of the standings, null for pairs and teams.
    """

    place: int = Field(description="The place in this ranking.")
    shared: bool = Field(description="Whether others have the same place.")
    number: int = Field(description="The number of the player, pair or team.")
    name: str = Field(description="The name as the hall shows it.")
    deals: int = Field(description="Deals that were compared.")
    difference: int | float = Field(description="The sum of differences from the mean.")
    tokens: int | None = Field(description="Tokens in the standings; null for pairs and teams.")
    place_by_tokens: int | None = Field(description="The place in the standings; null for pairs and teams.")


class BoardsShape(Shape):
    """The ranking over all rounds that are over."""

    sets: list[BoardSetShape] = Field(description="The boards of each round.")
    players: list[RankedShape] = Field(description="The players, the first place first.")
    teams: list[RankedShape] = Field(description="The pairs or teams, the first place first.")


class HandShape(Shape):
    """The cards that a role was dealt: FH, MH or BH (forehand, middlehand, backhand)."""

    role: str = Field(description="The role: `FH`, `MH` or `BH`.")
    cards: list[str] = Field(description="The cards, suit before rank: `SA` is the ace of spades.")


class PartShape(Shape):
    """A player's part in a deal; `others` held the same cards, `datum` is the mean of what they got.

    Without other results there is neither `datum` nor `difference`.
    """

    role: str = Field(description="The role: `FH`, `MH` or `BH`.")
    seat: str = Field(description="The seat: A, B, C, D or E.")
    number: int = Field(description="The player's number in the tournament.")
    name: str = Field(description="The name as the hall shows it.")
    tokens: int = Field(description="Tokens won in this deal.")
    others: int = Field(description="How many others held the same cards.")
    datum: int | float | None = Field(
        description="The mean of the others' tokens; null with nobody to compare with."
    )
    difference: int | float | None = Field(
        description="Tokens less `datum`; null with nobody to compare with."
    )


class PlayedShape(Shape):
    """A folder as one table played it; `declarer` is a seat's letter, empty where all passed."""

    table: int = Field(description="The table's number.")
    deal: int = Field(description="The deal's number.")
    result: dict[str, Any] = Field(description="The result as it was reported.")
    outcome: str = Field(description="The outcome's code, such as `won`; empty where nobody declared.")
    declarer: str = Field(description="The declarer's seat; empty where nobody declared.")
    places: list[PartShape] = Field(description="The players' parts, by seat.")


class MakeableShape(Shape):
    """The share of sampled exchanges with which best play makes a contract from a seat, all cards known."""

    role: str = Field(description="The declarer's role: `FH`, `MH`, `BH`, or `IDLE`, the fourth player.")
    contract_code: str = Field(description="The contract's code, such as `solo`.")
    trump_code: str = Field(
        description="The trump suit: `S`, `H`, `D` or `C`; empty where the contract or the talon decides."
    )
    made: int = Field(description="Exchanges after which best play makes it.")
    solved: int = Field(description="Exchanges that were worked out.")
    exact: bool = Field(description="Whether nobody exchanges: then it is certain.")
    at_least: float = Field(description="The lower end of the share's 95 per cent interval.")
    at_most: float = Field(description="The upper end of the share's 95 per cent interval.")


class FolderShape(Shape):
    """A folder; `sealed`: others are still to play it, so neither cards nor results are published."""

    round: int = Field(description="The round's number.")
    folder: int = Field(description="The folder's number.")
    sealed: bool = Field(description="Whether others are still to play it: then nothing else is told.")
    hands: list[HandShape] = Field(description="The hands as they were dealt.")
    talon: list[str] = Field(description="The talon as it was dealt.")
    items: list[PlayedShape] = Field(description="The tables that have played it.")
    makeable: list[MakeableShape] | None = Field(
        description="What could be made with it, by seat; null until it is worked out."
    )


@boards_router.get("/tournaments/{str:code}/boards", response=replies(BoardsShape))
def tournament_boards(request: HttpRequest, code: Code) -> HttpResponseBase:
    """The ranking on the same cards; 404 where boards are not duplicated."""
    found = find_with_boards(code)
    return of_tournament(request, found, lambda: _ranking(ranking(found)))


def _ranking(told: dict[str, Any]) -> BoardsShape:
    return BoardsShape(
        sets=[
            BoardSetShape(round=one.number, fingerprint=one.fingerprint, seed=one.seed or None)
            for one in told["sets"]
        ],
        players=_ranked(told["players"]),
        teams=_ranked(told["teams"]),
    )


def _ranked(rows: Iterable[Ranked]) -> list[RankedShape]:
    return [
        RankedShape(
            place=row.rank,
            shared=row.shared,
            number=row.number,
            name=row.name,
            deals=row.score.deals,
            difference=number_of(row.score.difference),
            tokens=row.tokens,
            place_by_tokens=row.plain_rank,
        )
        for row in rows
    ]


@boards_router.get(
    "/tournaments/{str:code}/boards/{int:round_number}/folders/{int:number}", response=replies(FolderShape)
)
def board_folder(
    request: HttpRequest, code: Code, round_number: RoundNumber, number: Number
) -> HttpResponseBase:
    """A folder's cards, and what every table made of them."""
    found = find_with_boards(code)
    one = find_round(found, round_number)
    if not 1 <= number <= folder_count(found):  # also while they are sealed: each response is stored
        raise Http404
    return of_tournament(request, found, lambda: _folder(one, number))


def _folder(round_: Round, number: int) -> FolderShape:
    if is_sealed(round_):
        return FolderShape(
            round=round_.number, folder=number, sealed=True, hands=[], talon=[], items=[], makeable=None
        )
    folders = opened_folders(round_)
    if not 1 <= number <= len(folders):
        raise Http404
    folder = folders[number - 1]
    return FolderShape(
        round=round_.number,
        folder=number,
        sealed=False,
        hands=hand_shapes(folder),
        talon=list(folder.talon),
        items=[played_shape(line) for line in lines_of([round_], folder=number)],
        makeable=_makeable(analyses_of(round_).get(number)),
    )


def _makeable(found: list[Makes] | None) -> list[MakeableShape] | None:
    if found is None:
        return None
    shapes = []
    for one in found:
        # Nothing is sampled where no player exchanges.
        low, high = (one.odds.share, one.odds.share) if one.exact else one.odds.interval
        shapes.append(
            MakeableShape(
                role=one.role,
                contract_code=one.contract,
                trump_code=one.trump,
                made=one.made,
                solved=one.solved,
                exact=one.exact,
                at_least=round(low, 3),
                at_most=round(high, 3),
            )
        )
    return shapes


def hand_shapes(folder: Folder) -> list[HandShape]:
    """A folder's hands as they were dealt."""
    return [HandShape(role=role.value, cards=list(folder.hand(role))) for role in ACTIVE]


def played_shape(line: Line) -> PlayedShape:
    """A folder as one table played it."""
    report = line.report
    return PlayedShape(
        table=line.table,
        deal=line.deal,
        result=report.result or {},
        outcome=report.outcome,
        declarer="" if report.declarer is None else SEAT_LETTERS[report.declarer],
        places=[_part(line, place) for place in line.places],
    )


def _part(line: Line, place: Place) -> PartShape:
    compared = place.compared
    return PartShape(
        role=place.role.value,
        seat=SEAT_LETTERS[place.position],
        number=place.entry.number,
        name=line.names[place.position],
        tokens=place.tokens,
        others=compared.others if compared else 0,
        datum=number_of(compared.datum) if compared else None,
        difference=number_of(compared.difference) if compared else None,
    )
