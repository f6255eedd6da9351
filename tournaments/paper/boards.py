"""Boards on paper when a round is over: the hand records and the comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from tournaments.boards import fingerprint
from tournaments.boards.cards_said import FolderTold, HandTold, folder_told
from tournaments.boards.folders import cards_of, is_sealed
from tournaments.boards.ranking import Ranked, ranking_of_players, ranking_of_teams
from tournaments.boards.results import lines_of
from tournaments.boards.said import Told, in_tenths, seat_titles, seats_in, told
from tournaments.ledger.tables import rulebook_of
from tournaments.paper.pages import Occasion, Page, chunks
from tournaments.paper.text import fill, plain
from tournaments.words.terms import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import BoardSet, Round

RECORDS_A_PAGE = 15
# Lines of print on a page of the comparison, and the characters of its columns.
LINES_A_PAGE = 73
TABLE, DEAL, CONTRACT, RESULT, NAME, TOKENS, DIFFERENCE = 4, 5, 17, 11, 13, 4, 7
DECLARES = " ›"
RANKED_A_PAGE = 52
PLAIN = 17
# Hollow signs for the red suits: a printer has black alone.
ON_PAPER = {"S": "♠", "H": "♡", "D": "♢", "C": "♣"}
TALON_COLUMNS = 3


def on_paper(folder: FolderTold) -> dict[str, Any]:
    """A folder with its hands and its talon as lines of print."""
    return {
        "folder": folder,
        "hands": [(hand, _hand_lines(hand)) for hand in folder.hands],
        "talon": "\n".join(_talon_lines(folder)),
    }


def _hand_lines(hand: HandTold) -> str:
    return "\n".join(f"{ON_PAPER[held.suit]} {held.ranks.replace(' ', '') or '–'}" for held in hand.suits)


def _talon_lines(folder: FolderTold) -> list[str]:
    """The talon down the columns, each card with its place."""
    signs = {"♥": ON_PAPER["H"], "♦": ON_PAPER["D"]}
    cards = [f"{place:>2} {signs.get(card[0], card[0])}{card[1:]}" for place, card in folder.talon]
    rows = -(-len(cards) // TALON_COLUMNS)
    columns = [cards[start : start + rows] for start in range(0, len(cards), rows)]
    return [
        "  ".join(fill(column[row], 5) for column in columns if row < len(column)).rstrip()
        for row in range(rows)
    ]


def record_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """The cards of every folder of a round that is over."""
    board_set = _opened(round_)
    rulebook = rulebook_of(round_.tournament)
    folders = [on_paper(folder_told(folder, rulebook)) for folder in cards_of(board_set)] if board_set else []
    return [
        Page(
            "paper/_hand_records.html",
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


def _opened(round_: Round) -> BoardSet | None:
    """The round's set; None where there is none, or where it is sealed."""
    if is_sealed(round_):
        return None
    return round_.tournament.board_sets_dealt.filter(round_number=round_.number).first()


def comparison_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """The ranking on the same cards, then every folder with what each table made of it."""
    if is_sealed(round_):
        return []
    tournament = round_.tournament
    lines = lines_of([round_])
    pages = []
    pages += _ranking_pages(_("Pairs and teams"), ranking_of_teams(tournament, [round_]), occasion)
    pages += _ranking_pages(_("Players"), ranking_of_players(tournament, [round_]), occasion)
    roles = seats_in(lines)
    rulebook = rulebook_of(tournament)
    titles = _titles(seat_titles(rulebook, roles))
    printed: list[tuple[str, bool]] = []
    for line in lines:
        heading = _("Folder %(number)d") % {"number": line.folder}
        if not any(text == heading for text, _bold in printed):
            printed.append((heading, True))
        printed.append((_line(told(rulebook, line, roles)), False))
    for part in chunks(_without_orphans(printed), LINES_A_PAGE):
        context = {
            "occasion": occasion,
            "heading": _("Comparison"),
            "explained": _(
                "› declares · tokens, then the difference from the mean of the others in that seat"
            ),
            "titles": titles,
            "lines": part,
        }
        pages.append(Page("paper/_lines.html", name=_("Comparison"), css="plan lines", context=context))
    return pages


def _without_orphans(printed: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """The lines with a blank one wherever a heading would stand alone at the foot of a page."""
    placed: list[tuple[str, bool]] = []
    for text, bold in printed:
        if bold and len(placed) % LINES_A_PAGE == LINES_A_PAGE - 1:
            placed.append(("", False))
        placed.append((text, bold))
    return placed


def _titles(seats: Sequence[str]) -> str:
    columns = [
        fill(_("Table"), TABLE + 2),
        fill(_("Deal"), DEAL),
        fill(_("Contract"), CONTRACT),
        fill(_("Result"), RESULT),
    ]
    return "".join(columns) + "".join(
        " " * len(DECLARES) + fill(seat, NAME + TOKENS + DIFFERENCE - len(DECLARES)) for seat in seats
    )


def _line(line: Told) -> str:
    text = fill(str(line.table), TABLE, ">") + "  " + fill(str(line.deal), DEAL - 2, ">") + "  "
    trump = ON_PAPER[{"♠": "S", "♥": "H", "♦": "D", "♣": "C"}[line.trump]] if line.trump else ""
    text += fill(f"{line.contract} {trump}".strip(), CONTRACT) + fill(line.result, RESULT)
    for cell in line.cells:
        if cell is None:
            text += " " * (NAME + TOKENS + DIFFERENCE)
            continue
        text += (DECLARES if cell.declares else " " * len(DECLARES)) + fill(cell.name, NAME - len(DECLARES))
        text += fill(cell.tokens, TOKENS, ">") + fill(cell.difference, DIFFERENCE, ">")
    return text.rstrip()


def _ranking_pages(title: str, rows: Sequence[Ranked], occasion: Occasion) -> list[Page]:
    heading = _("On the same cards")
    titles = fill("", 6) + fill(title, 34) + fill(_("Difference"), 12, ">") + fill(_("Deals"), 8, ">")
    if any(row.plain_rank for row in rows):
        titles += fill(_("Tokens"), 9, ">") + fill(_("Plain place"), PLAIN, ">")
    return [
        Page(
            "paper/_lines.html",
            name=heading,
            css="plan lines wide",
            context={
                "occasion": occasion,
                "heading": heading,
                "titles": titles,
                "lines": [(_ranked(row), False) for row in part],
            },
        )
        for part in chunks(rows, RANKED_A_PAGE)
    ]


def _ranked(row: Ranked) -> str:
    place = fill(f"{row.rank}=" if row.shared else f"{row.rank} ", 5, ">") + " "
    text = place + fill(plain(row.name), 34) + fill(in_tenths(row.score.difference), 12, ">")
    text += fill(str(row.score.deals), 8, ">")
    if row.plain_rank is not None and row.tokens is not None:
        text += fill(signed(row.tokens), 9, ">") + fill(str(row.plain_rank), PLAIN, ">")
    return text
