"""A player's own evening on paper: place, tables, games, and every deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from django.utils.translation import gettext as _

from tournaments.paper.faces import DISPLAY
from tournaments.paper.kept import kept_file
from tournaments.paper.names import POINT, size_for
from tournaments.paper.pages import Page, chunks
from tournaments.paper.text import cut, in_columns, plain, titles_of
from tournaments.words.terms import signed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tournaments.models import Tournament

# Millimetres: what a page has below its head; a table, a contract, a title; a deal's line, and the width of a column.
ROOM, TABLE, CONTRACT, TITLE, LINE, COLUMN = 238.0, 9.0, 5.0, 9.0, 3.8, 91.0
COLUMNS = 2
TABLES_A_PAGE = 14
DEAL_SIZE = 8.0  # points
ROUND, DEAL, AMOUNT = 4.2, 3.1, 3.6  # em
LONGEST = 60
# Millimetres for the name at the head, and its type in points.
NAMED, NAME_SIZES = 125.0, (24.0, 13.0)


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


def evening_pdf(
    tournament: Tournament, evening: Mapping[str, Any], *, printed_at: datetime, asker: str = ""
) -> bytes:
    """The file, of what the player's page in the hall shows as `evening`. Raises CannotMake."""
    entry, name = evening["entry"], cut(evening["entry"].shown_name, LONGEST)
    seats, contracts = evening["seats"], list(evening["contracts"])
    *full, last = chunks(seats, TABLES_A_PAGE) or [[]]
    used = TABLE * len(last) + CONTRACT * len(contracts) + TITLE * (2 + bool(contracts))
    context = {
        "occasion": {
            "tournament": plain(tournament.name),
            "host": plain(tournament.host.name),
            "date": tournament.date,
            "printed_at": printed_at,
        },
        "name": name,
        "size": size_for(name, NAMED, *NAME_SIZES, DISPLAY),
        "entry_number": entry.number,
        "club": cut(entry.club.name, LONGEST) if entry.club else "",
        "row": evening["row"],
        "team_row": evening.get("team_row"),
        "words": tournament.format_row.words,
        "penalties": list(evening["penalties"]),
        "heading": titles_of(_cells(_("Round"), _("Deal"), "", "+/−", _("total"))),
    }
    first, *later = _columns(evening.get("deals", ()), used)
    shown = [
        *({"tables": _tables(part)} for part in full),
        {"tables": _tables(last), "contracts": contracts, "columns": first},
        *({"columns": columns} for columns in later),
    ]
    pages = [
        Page(
            "paper/_evening.html",
            name=name,
            css="ranking evening",
            context=context | {"tables": None, "is_first": index == 0} | part,
        )
        for index, part in enumerate(shown)
    ]
    return kept_file(pages, f"{name}, {tournament.name}", printed_at=printed_at, asker=asker)


def _tables(seats: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rounds' tables, with who sits there too in words."""
    return [
        {**seat, "with": ", ".join(plain(other.shown_name) for other in seat["others"])} for seat in seats
    ]


def _columns(deals: Sequence[ShownDeal], used: float) -> list[list[str]]:
    """The columns of each page: below what stands on the first, then on pages of their own."""
    lines = [
        in_columns(
            _cells(str(deal.round), str(deal.number), deal.what, signed(deal.tokens), signed(deal.sum))
        )
        for deal in deals
    ]
    beside = max(0, int((ROOM - used) / LINE))
    first, rest = lines[: COLUMNS * beside], lines[COLUMNS * beside :]
    # As long as each other, where one page holds them all.
    each = beside if rest else max(1, -(-len(first) // COLUMNS))
    alone = int((ROOM - TITLE) / LINE)
    later = [chunks(part, alone) for part in chunks(rest, COLUMNS * alone)]
    return [["\n".join(column) for column in columns] for columns in (chunks(first, max(1, each)), *later)]


def _cells(round_: str, deal: str, what: str, tokens: str, total: str) -> list[tuple[str, float, str]]:
    words = COLUMN / (DEAL_SIZE * POINT) - ROUND - DEAL - 2 * AMOUNT - 1.0
    return [
        (round_, ROUND, ">"),
        (deal, DEAL, ">"),
        (what, words, "<"),
        (tokens, AMOUNT, ">"),
        (total, AMOUNT, ">"),
    ]
