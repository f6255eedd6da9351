"""Every deal of a player's evening, in columns of lines: round, deal, what it was, tokens, and the sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from django.utils.translation import gettext as _

from core.pdf.fonts import in_columns, titles_of
from core.pdf.page import Page, chunks
from core.pdf.text_tables import rows_below
from tournaments.domain.terms import signed
from tournaments.paper.names import POINT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Millimetres: what a page has below its head and its titles; a deal's line, and the width of a column.
ROOM, LINE, COLUMN = 240.0, 3.8, 91.0
COLUMNS, LINES = 2, int(ROOM / LINE)
DEAL_SIZE = 8.0  # points
ROUND, DEAL, AMOUNT = 4.2, 3.1, 3.6  # em


class ShownDeal(Protocol):
    """A deal of the player's: what it was to them, what it brought, and what all came to with it."""

    @property
    def round(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def what(self) -> str: ...
    @property
    def tokens(self) -> int: ...
    @property
    def sum(self) -> int: ...


def deal_pages(deals: Sequence[ShownDeal], common: Mapping[str, Any]) -> list[Page]:
    """`common` is what stands at the head of every page."""
    heading = titles_of(_cells(_("Round"), _("Deal"), "", "+/−", _("total")))
    return [
        Page(
            "paper/_evening_deals.html",
            name=_("Every deal"),
            css="ranking evening",
            context={**common, "heading": heading, "columns": columns},
            tables=[rows_below(len(heading), column, named_by=1) for column in columns],
        )
        for columns in columns_of(deals)
    ]


def columns_of(deals: Sequence[ShownDeal]) -> list[list[Sequence[str]]]:
    """The columns of lines of each page; those of the last are as long as each other."""
    lines = [
        in_columns(
            _cells(str(deal.round), str(deal.number), deal.what, signed(deal.tokens), signed(deal.sum))
        )
        for deal in deals
    ]
    pages = chunks(lines, COLUMNS * LINES)
    return [chunks(page, -(-len(page) // COLUMNS)) for page in pages]


def _cells(round_: str, deal: str, what: str, tokens: str, total: str) -> list[tuple[str, float, str]]:
    words = COLUMN / (DEAL_SIZE * POINT) - ROUND - DEAL - 2 * AMOUNT - 1.0
    return [
        (round_, ROUND, ">"),
        (deal, DEAL, ">"),
        (what, words, "<"),
        (tokens, AMOUNT, ">"),
        (total, AMOUNT, ">"),
    ]
