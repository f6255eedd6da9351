"""The booklet of an evening's folders, A5: the cards, what could be made, what each table made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import segno
from django.urls import reverse
from django.utils.translation import gettext as _

from core.pdf.fonts import cut
from core.pdf.page import Page, chunks
from tournaments.boards.analysis import analyses_of
from tournaments.boards.analysis_text import analysis_text
from tournaments.boards.folders import cards_of, opened_rounds
from tournaments.boards.results import lines_of
from tournaments.boards.text import (
    folder_texts,
    line_texts,
    seat_averages,
    seat_titles,
    seats_in,
    with_names_of_gains,
)
from tournaments.ledger.queries import rulebook_of
from tournaments.paper.boards import SIGN_OF, on_paper
from tournaments.paper.page import Occasion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scoring.rulebook import Rulebook
    from tournaments.boards.analysis import Makes
    from tournaments.boards.analysis_text import AnalysisText
    from tournaments.boards.dealing import Folder
    from tournaments.boards.results import Line
    from tournaments.boards.text import Told
    from tournaments.models import Round, Tournament

# Maximum tables on a folder's first page and on each further one, with room for their average below; contracts per
# seat; letters of a declarer's name.
FIRST, FURTHER, CONTRACTS, NAME = 15, 35, 6, 24


def booklet_pages(tournament: Tournament, occasion: Occasion, base_url: str) -> list[Page]:
    """A page or more for each folder that was played in a round that is over, with a code that leads to playing it."""
    return [page for round_ in opened_rounds(tournament) for page in _pages_of(round_, occasion, base_url)]


def _pages_of(round_: Round, occasion: Occasion, base_url: str) -> Iterator[Page]:
    board_set = round_.tournament.board_sets_dealt.filter(round_number=round_.number).first()
    if board_set is None:
        return
    analyses = analyses_of(round_)
    lines: dict[int, list[Line]] = {}
    for line in lines_of([round_]):
        lines.setdefault(line.folder, []).append(line)
    for folder in cards_of(board_set):
        played = lines.get(folder.number)
        if played:
            address = base_url + reverse(
                "hall_folder_play", args=[round_.tournament.code, round_.number, folder.number]
            )
            found = analyses.get(folder.number)
            yield from folder_pages(round_, folder, played, found, occasion, play_at=address)


def first_page(
    round_: Round, folder: Folder, lines: Sequence[Line], found: Sequence[Makes] | None, occasion: Occasion
) -> Page:
    """A folder's page for a season's booklet, with as many tables as it has room for and the names of who gained."""
    return next(folder_pages(round_, folder, lines, found, occasion, names=with_names_of_gains))


def folder_pages(
    round_: Round,
    folder: Folder,
    lines: Sequence[Line],
    found: Sequence[Makes] | None,
    occasion: Occasion,
    *,
    play_at: str = "",
    names: Callable[[Told], Told] = lambda told: told,
) -> Iterator[Page]:
    """A folder's page, and further ones where more tables played it; `play_at` is where it can be played.

    `names` leaves out names of a table's row.
    """
    rulebook = rulebook_of(round_.tournament)
    shown = on_paper(folder_texts(folder, rulebook))
    first: dict[str, Any] = {"one": shown, "analysis": _analysis(rulebook, folder.number, found, lines)}
    if play_at:
        first["play"] = segno.make(play_at, error="m", micro=False).svg_data_uri(border=0, scale=2, nl=False)
    roles = seats_in(lines)
    titles = seat_titles(rulebook, roles)
    rows = [_row(names(line_texts(rulebook, line, roles)), titles) for line in lines]
    parts = [rows[:FIRST], *(chunks(rows[FIRST:], FURTHER))]
    named = {"number": folder.number, "round": round_.number}
    for number, part in enumerate(parts):
        context: dict[str, Any] = {
            "occasion": occasion,
            "round_number": round_.number,
            "folder": shown["folder"],
            "seats": titles,
            "rows": part,
        }
        if not number:
            context |= first
        if number == len(parts) - 1:
            context["averages"] = seat_averages(rulebook, lines, roles)
        yield Page("paper/_booklet.html", _("Folder %(number)d, round %(round)d") % named, context, "leaf")


def _row(texts: Told, seats: Sequence[str]) -> dict[str, Any]:
    """A table's row of the folder, with each seat's tokens; a declarer whose name is left out is called by the seat."""
    declared = zip(seats, texts.cells, strict=True)
    declarer = next((cell.name or seat for seat, cell in declared if cell and cell.declares), "")
    return {
        "table": texts.table,
        "contract": f"{texts.contract} {SIGN_OF.get(texts.trump, '')}".strip(),
        "declarer": cut(declarer, NAME),
        "result": texts.result,
        "tokens": [cell.tokens if cell else "" for cell in texts.cells],
    }


def _analysis(
    rulebook: Rulebook, number: int, found: Sequence[Makes] | None, lines: Sequence[Line]
) -> AnalysisText | None:
    """The folder's analysis with hollow signs for red suits; None where it is not analysed."""
    if found is None:
        return None
    return analysis_text(rulebook, number, found, lines, signs=SIGN_OF, most=CONTRACTS)
