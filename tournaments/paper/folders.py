"""What goes into the folders before a round: a label, the three hands and the talon of each, to be cut apart.

They show every card, so they are made for who asks, and kept nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from core.pdf.files import pdf_of
from core.pdf.fonts import plain
from core.pdf.page import Page, chunks
from tournaments.boards.dealing import fingerprint
from tournaments.boards.folders import cards_of
from tournaments.boards.text import folder_told
from tournaments.ledger.queries import rulebook_of
from tournaments.paper.boards import on_paper

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import BoardSet

FOLDERS_A_PAGE = 6
# As much of the fingerprint as tells sets apart that lie on one table.
MARK = 8


def folders_pdf(board_set: BoardSet, *, printed_at: datetime) -> bytes:
    """The file. Raises CannotMake."""
    tournament = board_set.tournament
    rulebook = rulebook_of(tournament)
    folders = [on_paper(folder_told(folder, rulebook)) for folder in cards_of(board_set)]
    occasion = {"tournament": plain(tournament.name), "printed_at": printed_at}
    pages = [
        Page(
            "paper/_inserts.html",
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
