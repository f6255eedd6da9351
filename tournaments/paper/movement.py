"""Movement cards: at each table, with which folders it begins, in what order it plays them, and who gets them next."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.page import Page
from tournaments.boards.folders import Beginning, beginnings
from tournaments.paper.pages import cards_to_cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Round, Table
    from tournaments.paper.pages import Occasion

CARDS_A_PAGE = 6


@dataclass(frozen=True)
class Card:
    """A table's card: its folders in runs (deals, folders), and where it begins where sets are shared."""

    table: int
    runs: Sequence[tuple[str, str]]
    beginning: Beginning | None


def movement_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """A card for each table."""
    begins = {beginning.table: beginning for beginning in beginnings(round_)}
    cards = [
        Card(table.number, _runs(table), begins.get(table.number))
        for table in round_.tables.order_by("number")
        if table.folders
    ]
    return cards_to_cut(
        "paper/_movement.html", occasion, cards, CARDS_A_PAGE, name=_("Movement cards"), css="movement"
    )


def _runs(table: Table) -> list[tuple[str, str]]:
    """The table's folders by deal, those that follow one another said together: first and last."""
    folders = [table.folder_of(deal) or 0 for deal in range(1, table.deals + 1)]
    breaks = [index for index, (one, other) in enumerate(pairwise(folders), start=1) if other != one + 1]
    edges = [0, *breaks, len(folders)]
    return [
        (_span(begin + 1, end), _span(folders[begin], folders[end - 1])) for begin, end in pairwise(edges)
    ]


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"
