"""What each table made of the same cards, on paper: the ranking by differences, then folder by folder."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.fonts import BETWEEN, ems, in_columns, plain, titles_of
from core.pdf.page import Page, chunks
from core.pdf.text_tables import rows_below
from tournaments.boards.folders import is_sealed
from tournaments.boards.results import Ranked, lines_of, ranking_of_players, ranking_of_teams
from tournaments.boards.text import Told, in_tenths, seat_titles, seats_in, told
from tournaments.domain.terms import SUIT_SIGNS, signed
from tournaments.ledger.queries import rulebook_of
from tournaments.paper.boards import ON_PAPER
from tournaments.paper.names import POINT
from tournaments.paper.pages import Occasion, packed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Round

# Millimetres of a lying page: its width, what its lines share, a line; what stands between two folders.
WIDTH, ROOM, LINE, GAP = 274.0, 152.0, 4.1, 0.8
# Points: as large as the longest name lets it be.
SIZES = (9.0, 8.5, 8.0, 7.5, 7.0)
# Columns in em; names share what is left.
FOLDER, TABLE, DEAL, CONTRACT, RESULT, TOKENS, DIFFERENCE = 4.2, 3.2, 3.2, 10.2, 6.6, 3.1, 3.7
DECLARES = "▸ "
# The ranking: millimetres that its lines share on an upright page, the lowest and the tallest line.
RANKED, LOWEST, TALLEST = 235.0, 4.7, 8.0
PLACE, NAME, DIFFERED, DEALS, CARDS, PLAIN, PLAIN_PLACE = 3.0, 21.0, 6.0, 4.5, 5.0, 5.0, 8.5
SIGN_OF = {SUIT_SIGNS[suit]: sign for suit, sign in ON_PAPER.items()}


def comparison_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """The ranking on the same cards, then every folder with what each table made of it."""
    if is_sealed(round_):
        return []
    tournament = round_.tournament
    found = lines_of([round_])
    pages = _ranking_pages(_("Pairs and teams"), ranking_of_teams(tournament, [round_]), occasion)
    pages += _ranking_pages(_("Players"), ranking_of_players(tournament, [round_]), occasion)
    rulebook, roles = rulebook_of(tournament), seats_in(found)
    lines = [(line.folder, told(rulebook, line, roles)) for line in found]
    layout = _layout([line for _folder, line in lines], len(roles))
    most = int(ROOM / LINE)
    folders = [
        (folder, part)
        for folder, of_folder in groupby(lines, key=lambda line: line[0])
        for part in chunks([line for _folder, line in of_folder], most)
    ]
    heights = [LINE * len(part) + GAP for _folder, part in folders]
    titles = _titles(layout, seat_titles(rulebook, roles))
    for part in packed(folders, heights, ROOM):
        printed = [
            [_line(layout, str(folder) * (index == 0), line) for index, line in enumerate(some)]
            for folder, some in part
        ]
        context = {"occasion": occasion, "titles": titles, "folders": printed}
        css = f"ranking landscape compared size-{layout.size * 10:.0f}"
        named = f".size-{layout.size * 10:.0f}"
        styles = f"{named} .layer, {named} .titles {{ font-size: {layout.size}pt; }}"
        table = rows_below(len(titles), *printed, named_by=None)
        pages.append(Page("paper/_comparison.html", _("Comparison"), context, css, styles, [table]))
    return pages


@dataclass(frozen=True)
class Layout:
    """The type's size in points, the room of a name in em, and of each seat whether it has numbers."""

    size: float
    name: float
    numbered: tuple[bool, ...]


def _layout(lines: Sequence[Told], seats: int) -> Layout:
    """As large as whole names let it be; who sits out and neither pays nor gets has no numbers."""
    cells = [[line.cells[seat] for line in lines] for seat in range(seats)]
    numbered = tuple(any(cell and cell.tokens != signed(0) for cell in some) for some in cells)
    longest = max((ems(plain(cell.name)) for some in cells for cell in some if cell), default=0.0)
    wanted = longest + ems(DECLARES) + BETWEEN
    fixed = FOLDER + TABLE + DEAL + CONTRACT + RESULT + (TOKENS + DIFFERENCE) * sum(numbered)
    for size in SIZES:
        name = (WIDTH / (size * POINT) - fixed) / max(1, seats)
        if name >= wanted:
            break
    return Layout(size, name, numbered)


def _titles(layout: Layout, seats: Sequence[str]) -> list[tuple[str, float, str]]:
    cells = [
        (_("Folder"), FOLDER, "<"),
        (_("Table"), TABLE, ">"),
        (_("Deal"), DEAL, ">"),
        (_("Contract"), CONTRACT, "<"),
        (_("Result"), RESULT, "<"),
    ]
    for seat, numbered in zip(seats, layout.numbered, strict=True):
        cells.append((seat, layout.name, "<"))
        if numbered:
            cells += [("+/−", TOKENS, ">"), (_("diff."), DIFFERENCE, ">")]
    return titles_of(cells)


def _line(layout: Layout, folder: str, line: Told) -> str:
    contract = f"{line.contract} {SIGN_OF.get(line.trump, '')}".strip()
    cells = [
        (folder, FOLDER, "<"),
        (str(line.table), TABLE, ">"),
        (str(line.deal), DEAL, ">"),
        (contract, CONTRACT, "<"),
        (line.result, RESULT, "<"),
    ]
    for cell, numbered in zip(line.cells, layout.numbered, strict=True):
        declares = DECLARES if cell and cell.declares else ""
        cells.append((declares + cell.name if cell else "", layout.name, "<"))
        if numbered:
            cells += [
                (cell.tokens if cell else "", TOKENS, ">"),
                (cell.difference if cell else "", DIFFERENCE, ">"),
            ]
    return in_columns(cells)


def _ranking_pages(title: str, rows: Sequence[Ranked], occasion: Occasion) -> list[Page]:
    heading = _("On the same cards")
    titles = [
        ("", PLACE, ">"),
        (title, NAME, "<"),
        (_("Difference"), DIFFERED, ">"),
        (_("Deals"), DEALS, ">"),
    ]
    if any(row.plain_rank for row in rows):
        titles += [(_("Cards"), CARDS, ">"), (_("Tokens"), PLAIN, ">"), (_("Plain place"), PLAIN_PLACE, ">")]
    parts = chunks(rows, int(RANKED / LOWEST))
    line = min(TALLEST, RANKED / max(map(len, parts), default=1))
    named = f"line-{line * 100:.0f}"
    printed = [[_ranked(row) for row in part] for part in parts]
    return [
        Page(
            "paper/_lines.html",
            name=heading,
            css=f"plan lines {named}",
            styles=f".{named} .layer {{ line-height: {line:.2f}mm; }}",
            context={
                "occasion": occasion,
                "heading": heading,
                "titles": titles_of(titles),
                "lines": lines,
            },
            tables=[rows_below(len(titles), lines)],
        )
        for lines in printed
    ]


def _ranked(row: Ranked) -> str:
    cells = [
        (f"{row.rank}=" if row.shared else str(row.rank), PLACE, ">"),
        (row.name, NAME, "<"),
        (in_tenths(row.score.difference), DIFFERED, ">"),
        (str(row.score.deals), DEALS, ">"),
    ]
    if row.plain_rank is not None and row.tokens is not None and row.split is not None:
        cells += [
            (in_tenths(row.split.cards), CARDS, ">"),
            (signed(row.tokens), PLAIN, ">"),
            (str(row.plain_rank), PLAIN_PLACE, ">"),
        ]
    return in_columns(cells)
