"""Boards in the hall: fingerprints before a round; after it the cards, every result on them, and the ranking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from core.tables.files import CONTENT_TYPES
from tournaments.boards.analysis import analyses_of
from tournaments.boards.analysis_text import analysis_text
from tournaments.boards.dealing import Folder, fingerprint
from tournaments.boards.folders import cards_of, is_sealed, opened_rounds
from tournaments.boards.results import lines_of, ranking_of_players, ranking_of_teams
from tournaments.boards.text import folder_told, seat_titles, seats_in, told
from tournaments.exports.result_tables import comparison_csv, ranking_csv
from tournaments.hall.live import HallRequest, find_tournament, live_page
from tournaments.ledger.queries import rulebook_of
from tournaments.models import BoardSet, Round, Tournament
from tournaments.web.lookup import find_round

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase


@dataclass(frozen=True, slots=True)
class RoundOfBoards:
    """A round's boards as far as they may be told: the seed is "" while they are sealed."""

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
    return {"round": round_, "folders": [folder_told(folder, rulebook) for folder in opened_folders(round_)]}


@require_safe
def hall_folder(request: HallRequest, code: str, number: int, folder: int) -> HttpResponseBase:
    """A folder's cards, and what every table made of them."""
    tournament = find_with_boards(code)
    round_ = find_round(tournament, number)
    if is_sealed(round_):
        return redirect("hall_boards", tournament.code)
    part = f"{number}.{folder}"
    return live_page(request, tournament, "folder", lambda: _played(round_, folder), part=part)


def _played(round_: Round, number: int) -> dict[str, Any]:
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
        "folder": folder_told(folders[number - 1], rulebook),
        "before": number - 1,
        "after": number + 1 if number < len(folders) else 0,
        "seats": seat_titles(rulebook, roles),
        "lines": [told(rulebook, line, roles) for line in lines],
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
