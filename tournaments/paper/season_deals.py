"""A season's booklet: two small pages for each deal: cards and tables, then the reason and a line of play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.pdf.page import Page
from core.pdf.store import kept_file
from tournaments.ledger.queries import rulebook_of
from tournaments.paper.booklet import first_page
from tournaments.paper.comparison import SIGN_OF
from tournaments.paper.pages import Occasion
from tournaments.seasons.deals_text import line_text, reason_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from tournaments.models import Season
    from tournaments.seasons.deals import ShownDeal


def season_deals_pdf(
    season: Season, deals: Sequence[ShownDeal], *, folded: bool, printed_at: datetime, asker: str = ""
) -> bytes:
    """The booklet as a file; `folded` two pages on a side. Raises CannotMake."""
    pages = [page for deal in deals for page in _pages_of(deal, printed_at)]
    return kept_file(pages, season.name, printed_at=printed_at, asker=asker, folded=folded)


def _pages_of(deal: ShownDeal, printed_at: datetime) -> Iterator[Page]:
    occasion = Occasion(deal.round, printed_at)
    rulebook = rulebook_of(deal.round.tournament)
    first = first_page(deal.round, deal.folder, deal.lines, deal.makes, occasion)
    yield first
    context = {
        "occasion": occasion,
        "round_number": deal.round.number,
        "folder": first.context["folder"],
        "reason": reason_text(rulebook, deal.row, SIGN_OF),
        "comment": deal.row.comment,
        "line": line_text(rulebook, deal.row, SIGN_OF),
    }
    yield Page("paper/_season_deal.html", first.name, context, "leaf")
