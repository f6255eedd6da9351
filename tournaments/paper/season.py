"""Seasons and championships as sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from core.pdf.fonts import ems, plain, wrap
from core.pdf.page import Page, chunks
from core.pdf.store import kept_file, refuse_many_cells
from tournaments.domain.terms import people, rank_words, unsigned
from tournaments.ledger.queries import rulebook_of
from tournaments.paper.boards import ON_PAPER, SIGN_OF, first_page
from tournaments.paper.page import POINT, Occasion, packed, shares, size_for, sizes_for
from tournaments.seasons.deals import line_text, reason_text
from tournaments.seasons.season import days_of, season_in_words
from tournaments.standings.players import winners_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from tournaments.models import Award, Championship, Season
    from tournaments.seasons.deals import ShownDeal
    from tournaments.seasons.ladder_table import Placed, SeasonTable


# A season's ladder on paper: as many evenings side by side as a page has room for, then the next page.

# A page has so many rows of the usual height, more of lower ones where that saves a page; a last page of fewer than
# some shares with the others.
ROWS_A_PAGE, FEW_ROWS = 34, 8
# Millimetres: what names and evenings share, the least for a name, and for an evening by how long its longest text is.
ROOM, LEAST_NAME, WELL_NAMED, WIDEST = 147.0, 46.0, 74.0, 18.0
EVENING = {6: 9.8, 9: 13.4}
# Minimum column width (em) for a card beside the text.
WITH_CARD = 16.0
# Millimetres below a table's head; height of a player's row, a line of text, spacing.
BELOW, ROWS, WORDS, GAP = 240.0, (6.0, 5.5, 5.0), 4.0, 3.0
# The sentence above the first page's table.
LEAD = 6.5
LINE_EMS = 68.0
NAME_SIZES, CLUB_SIZE = (9.0, 6.0), 7.0
# Places that stand out by their ground, as in the final standings.
FIRST_PLACES = 3

# The yearbook is made in a job; it has places and totals, and the results of every evening.
TOO_LONG = gettext_noop(
    "This ladder is too long to be made while you wait. Save it as a spreadsheet instead. It is also in "
    "the season’s yearbook, without a column for each evening; an organiser can create that."
)


class ShownCell(Protocol):
    """An evening's text in a line, with the card of the evening or ""; dropped where it does not count."""

    @property
    def text(self) -> str: ...
    @property
    def dropped(self) -> bool: ...
    @property
    def card(self) -> str: ...


class ShownLine(Protocol):
    """A player's line in words."""

    @property
    def row(self) -> Placed: ...
    @property
    def total(self) -> str: ...
    @property
    def cells(self) -> Sequence[ShownCell]: ...


def season_pdf(
    season: Season,
    table: SeasonTable,
    lines_of: Callable[[], Sequence[ShownLine]],
    awards: Sequence[tuple[Award, str]],
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The PDF; `lines_of` renders the table's rows, called only if needed.

    Raises CannotMake, for example with too many players and evenings to render during a request.
    """
    refuse_many_cells(len(table.rows) * len(table.evenings), TOO_LONG)
    lines = lines_of()
    occasion = {
        "tournament": plain(season.name),
        "host": plain(season.host.name),
        "starts": season.starts,
        "ends": season.ends,
        "printed_at": printed_at,
    }
    longest = max((len(cell.text) + 2 * cell.dropped for line in lines for cell in line.cells), default=0)
    least = next((width for most, width in EVENING.items() if longest <= most), max(EVENING.values()))
    columns = [
        range(first, first + count)
        for first, count in shares(len(table.evenings), int((ROOM - LEAST_NAME) / least))
    ]
    clubs = table.clubs
    is_over = not table.provisional and season.ends < printed_at.date()
    winners = winners_in_words([plain(row.name) for row in table.rows if row.line.rank == 1])
    said = season_in_words(season, of_teams=table.of_teams)
    if any(cell.card for line in lines for cell in line.cells):
        said = [*said, _("The card beside each evening is the one the player took home.")]
    lead = lead_in_words(lines, len(table.evenings), is_over=is_over)
    words = [*said, *(f"{award.title}: {name}, {award.words}" for award, name in awards), ""]
    parts, row = min(
        ((_parts_of(lines, columns, words, row, LEAD * bool(lead)), row) for row in ROWS),
        key=lambda found: len(found[0]),
    )
    names = [plain(line.row.name) for line in lines]
    css = f"rows-{row * 10:.0f}"
    pages = [
        Page(
            "paper/season.html#ladder",
            name=_("Ladder"),
            css=f"ranking season {css}",
            styles=f".season.{css} :is(td, th:not(.few)) {{ height: {row}mm; }}",
            context={
                "occasion": occasion,
                "evenings": _columns(table, some),
                "width": (width := _width(len(some), least)),
                "beside": width >= WITH_CARD,
                "has_cards": any(line.cells[index].card for line in lines for index in some),
                "lines": _lines(part, names, some, ROOM - len(some) * width, with_club=clubs),
                "is_last": number == len(parts),
                "of_teams": table.of_teams,
                "said": said,
                "awards": [(plain(award.title), plain(name), plain(award.words)) for award, name in awards],
                "provisional": table.provisional,
                "winner": winners if is_over else "",
                "lead": lead if number == 1 else "",
                "has_dropped": table.has_dropped,
            },
        )
        for number, (some, part) in enumerate(parts, start=1)
    ]
    title = ", ".join((_("Ladder"), season.name))
    return kept_file(pages, title, printed_at=printed_at, asker=asker)


def _columns(table: SeasonTable, some: range) -> list[tuple[int, str, str, str]]:
    """Number, date, day in words and name of some of the evenings."""
    days = days_of([evening.date for evening in table.evenings])
    return [
        (index + 1, date_format(evening.date, "j/n"), days[index], evening.name)
        for index, evening in ((index, table.evenings[index]) for index in some)
    ]


def _width(evenings: int, least: float) -> float:
    """The millimetres of each of so many evenings: as many as the names can spare."""
    return round(max(least, min(WIDEST, (ROOM - WELL_NAMED) / max(evenings, 1))), 2)


def lead_in_words(lines: Sequence[ShownLine], evenings: int, *, is_over: bool) -> str:
    """Who leads, by how much and after how many evenings, or who has won; "" if nobody has a place."""
    first = [line for line in lines if line.row.line.rank == 1]
    if not first:
        return ""
    names, total = [plain(line.row.name) for line in first], first[0].total
    words = {"names": people(names), "total": total}
    if is_over:
        said = ngettext(
            "%(names)s won the season with %(total)s.",
            "%(names)s share first place in the season with %(total)s.",
            len(first),
        )
        return said % words
    behind = next((line.row.line.total for line in lines if line.row.line.rank > 1), None)
    if len(first) > 1 or behind is None:
        said = ngettext(
            "%(names)s leads with %(total)s.", "%(names)s share the lead with %(total)s.", len(first)
        )
        return said % words
    said = ngettext(
        "%(name)s leads with %(total)s, %(gap)s ahead of the next, after %(count)d evening.",
        "%(name)s leads with %(total)s, %(gap)s ahead of the next, after %(count)d evenings.",
        evenings,
    )
    gap = unsigned(first[0].row.line.total - behind)
    return said % {"name": names[0], "total": total, "gap": gap, "count": evenings}


def _parts_of(
    lines: Sequence[ShownLine], columns: Sequence[range], words: Sequence[str], row: float, lead: float
) -> list[tuple[range, Sequence[ShownLine]]]:
    """The evenings and players of each page, in rows of this height; one more page where the words have no room."""
    a_page = int(ROWS_A_PAGE * ROWS[0] / row)
    shared = chunks(lines, a_page) or [[]]
    if len(shared) > 1 and len(shared[-1]) < FEW_ROWS:
        shared = [lines[first : first + count] for first, count in shares(len(lines), a_page)]
    parts = [(some, part) for some in columns for part in shared]
    some, part = parts[-1]
    printed = -(-len(some) // 2) + sum(len(wrap(text, LINE_EMS)) for text in words)
    if len(part) * row + 2 * GAP + printed * WORDS > BELOW - lead * (len(parts) == 1):
        parts.append((range(0), []))
    return parts


def _lines(
    part: Sequence[ShownLine], names: Sequence[str], columns: Sequence[int], room: float, *, with_club: bool
) -> list[dict[str, Any]]:
    """Players' lines, with `names` of the whole ladder in one size; `room` is for the name and the club behind it."""
    sizes = sizes_for(names, room, *NAME_SIZES)
    largest = max(sizes, default=NAME_SIZES[0])
    found = []
    for line in part:
        place = line.row.line
        name, club = plain(line.row.name), plain(line.row.club) if with_club else ""
        rank = f"{place.rank}=" if place.shared else str(place.rank)
        size = size_for(name, room, largest, NAME_SIZES[1])
        found.append(
            {
                "rank": rank if place.rank else "–",
                "css": "top" if 0 < place.rank <= FIRST_PLACES else "",
                "name": name,
                "club": club,
                "size": size,
                "club_size": size_for(club, room - ems(name) * size * POINT - 2, CLUB_SIZE, 5.5),
                "total": line.total,
                "played": place.played,
                "cells": [(cell, _card(cell.card)) for cell in (line.cells[index] for index in columns)],
            }
        )
    return found


def _card(card: str) -> str:
    """A card as its corner has it; "" for none."""
    return f"{ON_PAPER[card[0]]}{rank_words(card[1])}" if card else ""


# A championship on paper: its stages in the order of play, as many groups on a page as have room.

CHAMPIONSHIP_ROWS_A_PAGE = 36
# Millimetres: a page's height, a group's heading with its table's, a note on a stage, a row.
CHAMPIONSHIP_ROOM, HEADING, SAID, CHAMPIONSHIP_ROW = 247.0, 16.0, 7.0, 6.0


@dataclass(frozen=True)
class Part:
    """A group's table, or a part of one that is too long for a page; `is_first` of its stage, `is_last` likewise."""

    table: Any
    group: Any
    lines: Sequence[Any]
    is_first: bool
    is_last: bool

    @property
    def group_name(self) -> str:
        return plain(self.group.tournament.name)

    @property
    def height(self) -> float:
        """The height in millimetres, with the names of expected players where no line has been played for."""
        lines = len(self.lines) or len(self.group.expected) + 1
        return HEADING + SAID * self.is_first + SAID * self.is_last + CHAMPIONSHIP_ROW * lines


def championship_pdf(
    championship: Championship,
    stages: Sequence[tuple[Any, Sequence[tuple[Any, Sequence[Any]]]]],
    *,
    printed_at: datetime,
    asker: str = "",
) -> bytes:
    """The file, of stages as the hall shows them. Raises CannotMake."""
    occasion = {
        "tournament": plain(championship.name),
        "host": plain(championship.host.name),
        "date": championship.date,
        "printed_at": printed_at,
    }
    parts = [part for table, groups in stages for part in _parts(table, groups)]
    pages = [
        Page(
            "paper/season.html#championship",
            name=some[0].table.stage.name if some else _("Championship"),
            css="ranking season championship",
            context={"occasion": occasion, "parts": some},
        )
        for some in packed(parts, [part.height for part in parts], CHAMPIONSHIP_ROOM) or [[]]
    ]
    return kept_file(pages, championship.name, printed_at=printed_at, asker=asker)


def _parts(table: Any, groups: Sequence[tuple[Any, Sequence[Any]]]) -> list[Part]:
    """The tables of a stage's groups, none longer than a page."""
    found = [
        (group, part) for group, lines in groups for part in chunks(lines, CHAMPIONSHIP_ROWS_A_PAGE) or [[]]
    ]
    return [
        Part(table, group, [_championship_line(line) for line in lines], number == 1, number == len(found))
        for number, (group, lines) in enumerate(found, start=1)
    ]


def _championship_line(line: Any) -> dict[str, Any]:
    return {
        "rank": f"{line.party.rank}=" if line.party.shared else str(line.party.rank),
        "name": plain(line.party.name),
        "club": plain(line.party.club),
        "amounts": line.amounts,
        "way": line.way,
        "goes_on": line.goes_on,
        "line_below": line.line_below,
    }


# A season's booklet: two small pages for each deal: cards and tables, then the reason and a line of play.


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
    yield Page("paper/season.html#deal", first.name, context, "leaf")
