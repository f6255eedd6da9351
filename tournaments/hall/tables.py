"""Pages of tables and of duplicate boards."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from core.tables.files import CONTENT_TYPES
from tournaments.boards.analysis import analyses_of, analysis_text
from tournaments.boards.dealing import Folder, fingerprint
from tournaments.boards.folders import cards_of, is_sealed, opened_rounds
from tournaments.boards.results import lines_of, ranking_of_players, ranking_of_teams
from tournaments.boards.text import folder_texts, line_texts, seat_averages, seat_titles, seats_in
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import signed
from tournaments.exports.result_tables import comparison_csv, ranking_csv
from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.hall.referee import why_address
from tournaments.ledger.queries import board, current_round, rulebook_of, with_names
from tournaments.ledger.scoresheet import Column, ScoreSheet, SheetLine, result_sentence, score_sheet
from tournaments.ledger.seating import penalties_at, seating_at
from tournaments.models import BoardSet, Round, Tournament
from tournaments.reporting.reader.results import NOWHERE
from tournaments.web.guards import find_round, find_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.models import Report, Table


# The tables of a round, and each table's sheet with every correction to it.

# So many tables are shown at a time.
ON_A_PAGE = 60
# Columns joined into one cell on narrow screens.
ON_PHONES = ("declarer", "contract", "trump", "result")


@require_safe
def hall_tables(request: HallRequest, code: str, number: int | None = None) -> HttpResponseBase:
    """The tables of round `number`, or of the round that is played now."""
    tournament = find_tournament(code)
    round_ = current_round(tournament) if number is None else find_round(tournament, number)
    part, asked = "now" if number is None else str(number), request.GET.get("page", "")
    keep = asked in ("", "1")  # the common requests; others are rendered on request
    return live_page(
        request, tournament, "tables", lambda: _tables(tournament, round_, asked), part=part, keep=keep
    )


def _tables(tournament: Tournament, round_: Round | None, asked: str) -> dict[str, Any]:
    page = Paginator(board(round_) if round_ else [], ON_A_PAGE).get_page(asked)
    with_names(page.object_list)
    return {"round": round_, "rounds": tournament.rounds.order_by("number"), "page": page, "rows": list(page)}


@require_safe
def hall_table(request: HallRequest, code: str, round_number: int, number: int) -> HttpResponseBase:
    tournament = find_tournament(code)
    table = find_table(tournament, round_number, number)
    part = f"{round_number}.{number}"
    return live_page(request, tournament, "table", lambda: _sheet(table), part=part)


@require_safe
def hall_printed_sheet(
    _request: HttpRequest, code: str, round_number: int, number: int, **_printed: object
) -> HttpResponse:
    """The target of the QR code on a sheet with tick boxes, for phones.

    That of a list leads to its page, that of a seat card to whose it is.
    """
    if round_number == NOWHERE and number != NOWHERE:
        return redirect("hall_player", find_tournament(code).code, number)
    if round_number == NOWHERE:
        return redirect("desk_list", find_tournament(code).code)
    table = find_table(find_tournament(code), round_number, number)
    return redirect("hall_table", table.round.tournament.code, round_number, number)


def _sheet(table: Table) -> dict[str, Any]:
    sheet = score_sheet(table)
    return {
        "round": table.round,
        "table": table,
        "sheet": sheet,
        # Other tables have yet to play these cards.
        "sealed": bool(table.folders) and is_sealed(table.round),
        "columns": sheet.columns,
        "on_phones": ON_PHONES,
        "lines": [
            (line, _cells(line, sheet.columns), _amounts(line, sheet.players), _why(sheet, line))
            for line in sheet.lines
        ],
        "corrections": corrections(sheet),
        "penalties": penalties_at(table),
    }


def _cells(line: SheetLine, columns: Sequence[Column]) -> list[tuple[str, str]]:
    """(column, text) of a line after its number; seats by their letters, as on paper."""
    texts = {
        "folder": str(line.folder or ""),
        "dealer": _letter(line.dealer),
        "sits_out": _letter(line.sits_out),
        "declarer": _letter(line.declarer),
        "contract": line.contract,
        "trump": line.trump,
        "result": line.result,
        "pool": "" if line.pool is None else str(line.pool),
        "remark": line.remark,
    }
    return [(column.key, texts[column.key]) for column in columns if column.key in texts]


def _why(sheet: ScoreSheet, line: SheetLine) -> str:
    """URL of the referee's explanation of the deal; "" if it is not reported or was ruled by hand."""
    if not line.report:
        return ""
    seating = seating_at(sheet.table, sheet.players, line.number)
    code = sheet.table.round.tournament.code
    return why_address(code, sheet.rulebook, seating, line.report.result)


def _letter(position: int | None) -> str:
    return "" if position is None else SEAT_LETTERS[position]


def _amounts(line: SheetLine, players: int) -> list[tuple[bool, str, str]]:
    """(sits out, tokens, running total) of each player; nothing where the deal is not reported."""
    if not line.reported:
        return [(line.sits_out == position, "", "") for position in range(players)]
    return [
        (line.sits_out == position, signed(tokens) if tokens else "", signed(running))
        for position, (tokens, running) in enumerate(zip(line.tokens, line.running, strict=True))
    ]


@dataclass(frozen=True, slots=True)
class Version:
    """A deal as it was reported once, in words, with (name, tokens) of each player."""

    report: Report
    said: str
    tokens: list[tuple[str, int]]


def corrections(sheet: ScoreSheet) -> list[tuple[int, list[Version]]]:
    """Each deal that was reported more than once, with all its versions, the first one first."""
    corrected = {line.number for line in sheet.lines if line.corrected}
    names = sheet.names
    versions: dict[int, list[Version]] = defaultdict(list)
    for report in sheet.table.reports.filter(deal_number__in=corrected).order_by("deal_number", "revision"):
        # A report that takes a deal back has no tokens.
        tokens = list(zip(names, report.tokens, strict=False))
        said = result_sentence(sheet.rulebook, report, names)
        versions[report.deal_number].append(Version(report, said, tokens))
    return list(versions.items())


# Boards in the hall: fingerprints before a round; after it the cards, every result on them, and the ranking.


@dataclass(frozen=True, slots=True)
class RoundOfBoards:
    """A round's boards as far as they may be shown: the seed is "" while they are sealed."""

    number: int
    fingerprint: str
    seed: str


def find_with_boards(code: str) -> Tournament:
    """The tournament, if it is played with boards."""
    tournament = find_tournament(code)
    if not tournament.boards:
        raise Http404
    return tournament


def opened_folders(round_: Round) -> list[Folder]:
    """The cards of a round that is over; none where it was played without. Raises Http404 while they are sealed."""
    if is_sealed(round_):
        raise Http404
    tournament = round_.tournament
    board_set = BoardSet.objects.filter(tournament=tournament, round_number=round_.number).first()
    return cards_of(board_set) if board_set else []


@require_safe
def hall_boards(request: HallRequest, code: str) -> HttpResponseBase:
    tournament = find_with_boards(code)
    return live_page(request, tournament, "boards", lambda: ranking(tournament))


def ranking(tournament: Tournament) -> dict[str, Any]:
    opened = opened_rounds(tournament)
    numbers = {round_.number for round_ in opened}
    return {
        "sets": [
            RoundOfBoards(
                dealt.round_number, fingerprint(dealt.seed), dealt.seed * (dealt.round_number in numbers)
            )
            for dealt in tournament.board_sets_dealt.all()
        ],
        "players": ranking_of_players(tournament, opened),
        "teams": ranking_of_teams(tournament, opened),
    }


@require_safe
def hall_boards_round(request: HallRequest, code: str, number: int) -> HttpResponseBase:
    """The cards of every folder of a round that is over."""
    tournament = find_with_boards(code)
    round_ = find_round(tournament, number)
    if is_sealed(round_):
        return redirect("hall_boards", tournament.code)
    return live_page(request, tournament, "boards_round", lambda: _cards(round_), part=str(number))


def _cards(round_: Round) -> dict[str, Any]:
    rulebook = rulebook_of(round_.tournament)
    return {"round": round_, "folders": [folder_texts(folder, rulebook) for folder in opened_folders(round_)]}


@require_safe
def hall_folder(request: HallRequest, code: str, number: int, folder: int) -> HttpResponseBase:
    """A folder's cards, and what every table made of them."""
    tournament = find_with_boards(code)
    round_ = find_round(tournament, number)
    if is_sealed(round_):
        return redirect("hall_boards", tournament.code)
    part = f"{number}.{folder}"
    return live_page(request, tournament, "folder", lambda: _round_context(round_, folder), part=part)


def _round_context(round_: Round, number: int) -> dict[str, Any]:
    folders = opened_folders(round_)
    if not 1 <= number <= len(folders):
        raise Http404
    rulebook = rulebook_of(round_.tournament)
    lines = lines_of([round_], folder=number)
    roles = seats_in(lines)
    analyses = analyses_of(round_)
    found = analyses.get(number)
    return {
        "round": round_,
        "folder": folder_texts(folders[number - 1], rulebook),
        "before": number - 1,
        "after": number + 1 if number < len(folders) else 0,
        "seats": seat_titles(rulebook, roles),
        "lines": [line_texts(rulebook, line, roles) for line in lines],
        "averages": seat_averages(rulebook, lines, roles),
        "is_analysed": number in analyses,
        "analysis": None if found is None else analysis_text(rulebook, number, found, lines),
    }


@require_safe
def hall_comparison(_request: HallRequest, code: str, number: int) -> HttpResponseBase:
    """The round's results with datum and difference, for spreadsheets."""
    tournament = find_with_boards(code)
    round_ = find_round(tournament, number)
    if is_sealed(round_):
        return redirect("hall_boards", tournament.code)
    return _file(f"{tournament.code}-{number}", comparison_csv(round_))


@require_safe
def hall_duplicate(_request: HallRequest, code: str) -> HttpResponse:
    """The ranking on the same cards, for spreadsheets."""
    tournament = find_with_boards(code)
    return _file(tournament.code, ranking_csv(tournament))


def _file(name: str, data: bytes) -> HttpResponse:
    return HttpResponse(
        data,
        content_type=CONTENT_TYPES["csv"],
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"', "Cache-Control": "no-store"},
    )
