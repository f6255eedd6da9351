"""Boards on paper when a round is over: the hand records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from core.pdf.fonts import in_columns
from core.pdf.page import Page, chunks
from tournaments.boards.dealing import fingerprint
from tournaments.boards.folders import cards_of, is_sealed
from tournaments.boards.text import FolderTold, HandTold, folder_told
from tournaments.ledger.queries import rulebook_of
from tournaments.paper.pages import Occasion

if TYPE_CHECKING:
    from tournaments.models import BoardSet, Round

RECORDS_A_PAGE = 15
# Hollow signs for the red suits: a printer has black alone.
ON_PAPER = {"S": "♠", "H": "♡", "D": "♢", "C": "♣"}
TALON_COLUMNS = 3
# Of a card of the talon, in em: its place in each column (the first has one figure), and the card: the knave has two
# letters in some languages.
PLACES, CARD = (1.24, 1.82, 1.82), 2.8


def on_paper(folder: FolderTold) -> dict[str, Any]:
    """A folder with its hands and its talon as lines of print."""
    return {
        "folder": folder,
        "hands": [(hand, _hand_lines(hand)) for hand in folder.hands],
        "talon": _talon_lines(folder),
    }


def _hand_lines(hand: HandTold) -> list[str]:
    return [f"{ON_PAPER[held.suit]} {held.ranks.replace(' ', '') or '–'}" for held in hand.suits]


def _talon_lines(folder: FolderTold) -> list[str]:
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
