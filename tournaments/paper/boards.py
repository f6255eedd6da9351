"""Sheets of duplicate boards: folders, movement, comparison; booklets of an evening's folders."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import segno
from django.urls import reverse
from django.utils.translation import gettext as _

from core.pdf.files import pdf_of
from core.pdf.fonts import BETWEEN, cut, ems, in_columns, plain, titles_of
from core.pdf.page import Page, chunks, rows_below
from tournaments.boards.analysis import analyses_of, analysis_text
from tournaments.boards.dealing import fingerprint
from tournaments.boards.folders import Beginning, beginnings, cards_of, is_sealed, opened_rounds
from tournaments.boards.results import Ranked, lines_of, ranking_of_players, ranking_of_teams
from tournaments.boards.text import (
    FolderTexts,
    HandTexts,
    Told,
    folder_texts,
    in_tenths,
    line_texts,
    seat_averages,
    seat_titles,
    seats_in,
    with_names_of_gains,
)
from tournaments.domain.terms import SUIT_SIGNS, signed
from tournaments.ledger.queries import rulebook_of
from tournaments.paper.page import POINT, Occasion, Printed, cards_to_cut, every_table, packed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from scoring.rulebook import Rulebook
    from tournaments.boards.analysis import AnalysisText, Makes
    from tournaments.boards.dealing import Folder
    from tournaments.boards.results import Line
    from tournaments.models import BoardSet, Round, Table, Tournament


# Boards on paper when a round is over: the hand records.

RECORDS_A_PAGE = 15
# Hollow signs for the red suits: a printer has black alone.
ON_PAPER = {"S": "♠", "H": "♡", "D": "♢", "C": "♣"}
TALON_COLUMNS = 3
# Of a card of the talon, in em: its place in each column (the first has one figure), and the card: the knave has two
# letters in some languages.
PLACES, CARD = (1.24, 1.82, 1.82), 2.8


def on_paper(folder: FolderTexts) -> dict[str, Any]:
    """A folder with its hands and its talon as lines of print."""
    return {
        "folder": folder,
        "hands": [(hand, _hand_lines(hand)) for hand in folder.hands],
        "talon": _talon_lines(folder),
    }


def _hand_lines(hand: HandTexts) -> list[str]:
    return [f"{ON_PAPER[held.suit]} {held.ranks.replace(' ', '') or '–'}" for held in hand.suits]


def _talon_lines(folder: FolderTexts) -> list[str]:
    """The talon down the columns, each card with its place."""
    signs = {"♥": ON_PAPER["H"], "♦": ON_PAPER["D"]}
    cards = [(str(place), f"{signs.get(card[0], card[0])}{card[1:]}") for place, card in folder.talon]
    rows = -(-len(cards) // TALON_COLUMNS)
    columns = [cards[start : start + rows] for start in range(0, len(cards), rows)]
    return [
        in_columns(
            [
                cell
                for room, column in zip(PLACES, columns, strict=False)
                if row < len(column)
                for cell in ((column[row][0], room, ">"), (column[row][1], CARD, "<"))
            ]
        )
        for row in range(rows)
    ]


def record_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """The cards of every folder of a round that is over."""
    board_set = _open_set(round_)
    rulebook = rulebook_of(round_.tournament)
    folders = (
        [on_paper(folder_texts(folder, rulebook)) for folder in cards_of(board_set)] if board_set else []
    )
    return [
        Page(
            "paper/boards.html#hand_records",
            name=_("Hand records"),
            css="plan hand-records",
            context={
                "occasion": occasion,
                "folders": part,
                "seed": board_set.seed if board_set else "",
                "fingerprint": fingerprint(board_set.seed) if board_set else "",
            },
        )
        for part in chunks(folders, RECORDS_A_PAGE) or [[]]
    ]


def _open_set(round_: Round) -> BoardSet | None:
    """The round's set; None where there is none, or where it is sealed."""
    if is_sealed(round_):
        return None
    return round_.tournament.board_sets_dealt.filter(round_number=round_.number).first()


# What each table made of the same cards, on paper: the ranking by differences, then folder by folder.

# Millimetres of a landscape page: width, room for lines, line height, gap between two folders.
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
    lines = [(line.folder, line_texts(rulebook, line, roles)) for line in found]
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
        pages.append(Page("paper/boards.html#comparison", _("Comparison"), context, css, styles, [table]))
    return pages


@dataclass(frozen=True)
class Layout:
    """The type's size in points, the room of a name in em, and of each seat whether it has numbers."""

    size: float
    name: float
    numbered: tuple[bool, ...]


def _layout(lines: Sequence[Told], seats: int) -> Layout:
    """The largest type at which complete names fit; players who sit out without payments have no figures."""
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
            "paper/boards.html#lines",
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


# Labels and inserts for a round's folders: each folder's hands and talon, to be cut apart.
#
# They show every card, so they are rendered on request and never stored.

FOLDERS_A_PAGE = 6
# Length of the fingerprint that distinguishes folders on one table.
MARK = 8


def folders_pdf(board_set: BoardSet, *, printed_at: datetime) -> bytes:
    """The file. Raises CannotMake."""
    tournament = board_set.tournament
    rulebook = rulebook_of(tournament)
    folders = [on_paper(folder_texts(folder, rulebook)) for folder in cards_of(board_set)]
    occasion = {"tournament": plain(tournament.name), "printed_at": printed_at}
    pages = [
        Page(
            "paper/boards.html#inserts",
            name=_("Folders from %(number)d") % {"number": part[0]["folder"].number},
            css="inserts",
            context={
                "occasion": occasion,
                "folders": part,
                "round_number": board_set.round_number,
                "mark": fingerprint(board_set.seed)[:MARK],
            },
        )
        for part in chunks(folders, FOLDERS_A_PAGE)
    ]
    title = _("Folders")
    return pdf_of(pages, f"{title}, {tournament.name}")


# Movement cards: at each table, with which folders it begins, in what order it plays them, and who gets them next.

CARDS_A_PAGE = 6


@dataclass(frozen=True)
class Card:
    """A table's card: its folders in runs (deals, folders), and where it begins where sets are shared."""

    table: int
    runs: Sequence[tuple[str, str]]
    beginning: Beginning | None
    hall: str = ""


def movement_pages(round_: Round, occasion: Occasion, is_printed: Printed = every_table) -> list[Page]:
    """A card for each table."""
    begins = {beginning.table: beginning for beginning in beginnings(round_)}
    cards = [
        Card(table.number, _runs(table), begins.get(table.number), round_.tournament.hall_at(table.number))
        for table in round_.tables.order_by("number")
        if table.folders and is_printed(table.number)
    ]
    return cards_to_cut(
        "paper/boards.html#movement", occasion, cards, CARDS_A_PAGE, name=_("Movement cards"), css="movement"
    )


def _runs(table: Table) -> list[tuple[str, str]]:
    """The table's folders by deal, as ranges: first and last."""
    folders = [table.folder_of(deal) or 0 for deal in range(1, table.deals + 1)]
    breaks = [index for index, (one, other) in enumerate(pairwise(folders), start=1) if other != one + 1]
    edges = [0, *breaks, len(folders)]
    return [
        (_span(begin + 1, end), _span(folders[begin], folders[end - 1])) for begin, end in pairwise(edges)
    ]


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


# Maximum tables on a folder's first page and on each further one, with room for their average below; contracts per
# seat; letters of a declarer's name.
FIRST, FURTHER, CONTRACTS, LONGEST_DECLARER = 15, 35, 6, 24


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
        yield Page(
            "paper/boards.html#booklet", _("Folder %(number)d, round %(round)d") % named, context, "leaf"
        )


def _row(texts: Told, seats: Sequence[str]) -> dict[str, Any]:
    """A table's row of the folder, with each seat's tokens; a declarer whose name is left out is called by the seat."""
    declared = zip(seats, texts.cells, strict=True)
    declarer = next((cell.name or seat for seat, cell in declared if cell and cell.declares), "")
    return {
        "table": texts.table,
        "contract": f"{texts.contract} {SIGN_OF.get(texts.trump, '')}".strip(),
        "declarer": cut(declarer, LONGEST_DECLARER),
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
