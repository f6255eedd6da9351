"""Standings as a sheet, for the wall and for the press."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.pdf.fonts import FIGURE, cut, ems, plain, to_the_right, wrap
from core.pdf.page import Cell, Line, Page, Pieces, TextTable, chunks
from tournaments.domain.amounts import in_kroner
from tournaments.ledger.seating import substitutes_text
from tournaments.lifecycle.money import prizes_in_kind_text, reckon
from tournaments.paper.page import (
    POINT,
    Occasion,
    heading,
    in_one_size,
    measured,
    packed,
    prize_column,
    size_for,
)
from tournaments.standings.columns import PLAYERS, On, explanations, select_columns
from tournaments.standings.players import standings, winners_in_words
from tournaments.standings.team_text import places_by_total
from tournaments.standings.tie_breaks import carried_in_words, comparison_in_words, tie_breaks_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.models import Round, Tournament
    from tournaments.standings.columns import Column
    from tournaments.standings.players import Standings
    from tournaments.standings.tie_breaks import Row


# The standings on paper, with the tie-breaks that decided.

PAGE_WIDTH = 187.0
# Millimetres: what lines and explanations share on a page; a player's line, at least and at most; a line of words.
ROOM, LOWEST, TALLEST, WORDS, GAP = 240.0, 3.8, 6.4, 4.0, 4.0
# Minimum width of names; widths of a figure, which shrinks for names; and of tie-breaks, which shrink, too.
NAME_AT_LEAST, FIGURE_AT_LEAST, FIGURE_AT_MOST = 58.0, 1.5, 1.95
TIES_AT_MOST, TIES_IN_LITTLE_ROOM, TIE_SIZE = 66.0, 34.0, 7.0
# Figures before the name.
RANK, NUMBER = 3, 5
# The columns of the table: rank, number, name, and those behind it.
NUMBERED, NAMED, BEHIND = 1, 2, 3
NAME_SIZES, CLUB_SIZES, WORDS_SIZE = (9.5, 7.0), (7.5, 7.0), 7.5
# Names of up to so many millimetres with their clubs are not set smaller than this: figures give way first.
NAME_AT_MOST, NAME_READ_WITH_EASE = 78.0, 9.0
LONGEST_NAME, LONGEST_CLUB = 80, 60
FIRST_THREE, FIVE = 3, 5


@dataclass(frozen=True)
class Layout:
    """Widths of a row of the standings: columns in figures, tie-breaks in mm."""

    widths: tuple[int, ...]
    ties: float
    # Width of the longest name, with its club.
    wanted: float = NAME_AT_LEAST

    @property
    def figures(self) -> int:
        return RANK + NUMBER + sum(self.widths)

    @property
    def figure(self) -> float:
        room = (PAGE_WIDTH - self.ties - self.wanted) / self.figures
        return max(FIGURE_AT_LEAST, min(FIGURE_AT_MOST, room))

    @property
    def name(self) -> float:
        return PAGE_WIDTH - self.ties - self.figures * self.figure

    def css(self, row: float) -> str:
        lengths = (f"{length:.2f}".replace(".", "-") for length in (self.ties, self.figure, row))
        return "-".join(["ranking", *map(str, self.widths), *lengths])

    def styles(self, row: float) -> str:
        page = f".{self.css(row)}"
        return (
            f"{page} .line{{font-size:{self.figure / FIGURE:.4f}mm}}"
            f"{page} .line,{page} .line span{{height:{row:.2f}mm;line-height:{row:.2f}mm}}"
            f"{page} .name{{width:{self.name - 1.9:.3f}mm;margin-right:.9mm}}"
            f"{page} .ties{{width:{self.ties:.3f}mm}}"
        )


@dataclass(frozen=True)
class Columns:
    """Columns after the names with their widths, total and compared value last; and notes."""

    numbers: Mapping[Column[Row, Standings], int]
    last: Mapping[Column[Row, Standings], int]
    words: Sequence[Column[Row, Standings]]

    def layout(self, rows: Sequence[Row]) -> Layout:
        widths = (*self.numbers.values(), *self.last.values())
        wanted = max((NAME_AT_LEAST, *(_with_club(row, NAME_SIZES[1]) for row in rows)))
        with_ease = max((_with_club(row, NAME_READ_WITH_EASE) for row in rows), default=0.0)
        wanted = max(wanted, min(NAME_AT_MOST, with_ease))
        if not self.words:
            return Layout(widths, 0.0, wanted)
        longest = max((ems(self.told_apart(row)) for row in rows), default=0.0) * TIE_SIZE * POINT + 4.0
        # Figures give way before this is set smaller, names with their clubs do not.
        spare = PAGE_WIDTH - wanted - (RANK + NUMBER + sum(widths)) * FIGURE_AT_LEAST
        least = min(TIES_IN_LITTLE_ROOM, longest)
        return Layout(widths, max(least, min(TIES_AT_MOST, longest, spare)), wanted)

    def told_apart(self, row: Row) -> str:
        return ", ".join(filter(None, (column.cell_text(row) for column in self.words)))


def _with_club(row: Row, size: float) -> float:
    """Millimetres for a name in this size and the club behind it, as small as it is set."""
    return (ems(row.name) * size + ems(row.club) * CLUB_SIZES[1]) * POINT + 4.0


def columns_of(table: Standings, prizes: Mapping[int, str]) -> Columns:
    columns = select_columns(PLAYERS, On.PAPER, table)
    words = [column for column in columns if column.css == "words"]
    won: list[Column[Row, Standings]] = [prize_column(prizes)] if prizes else []
    room = (PAGE_WIDTH - NAME_AT_LEAST - (TIES_IN_LITTLE_ROOM if words else 0)) / FIGURE_AT_LEAST
    amounts = [column for column in columns if column.css != "words"]
    widths = measured([*amounts, *won], table.rows, room - RANK - NUMBER)
    last = {column: width for column, width in widths.items() if column.behind_sum or column in won}
    return Columns(
        {column: width for column, width in widths.items() if column not in last},
        last,
        words,
    )


def standings_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """The standings after a round, or during it: then they say that they are provisional.

    After the last round of a finished tournament they are final, and say who has won, and what.
    """
    # Where pairs or teams win, this is what each player has got for them.
    is_final = occasion.is_final and not round_.tournament.in_teams
    prizes = _prizes(round_.tournament) if is_final else {}
    table = standings(round_.tournament, through=round_.number)
    columns = columns_of(table, prizes)
    # A club shared by all is omitted, to leave the room to the names.
    rows = table.rows if table.has_clubs else [replace(row, club="") for row in table.rows]
    layout = columns.layout(rows)
    said = _explanations(
        round_,
        table,
        columns,
        with_prizes=bool(prizes),
        things=prizes_in_kind_text(round_.tournament) if is_final else [],
    )
    parts, row = _shared_out(rows, GAP + WORDS * sum(len(lines) for _title, lines in said))
    begun = any(line.total for line in table.rows)
    first = next(iter(columns.last))
    total = {first: columns.last[first]}
    rest = {column: width for column, width in columns.last.items() if column is not first}
    heads = {
        "before": _heading_before(),
        "after": _headings(columns.numbers, BEHIND),
        "last": _headings(total, behind := BEHIND + len(columns.numbers)),
        "rest": _headings(rest, behind + 1),
    }
    sizes = iter(in_one_size([_name_size(line, layout) for line in rows], NAME_SIZES[0]))
    printed = [
        [_line(line, next(sizes), columns, layout, is_honoured=begun) for line in part] for part in parts
    ]
    return [
        Page(
            "paper/ranking.html#standings",
            name=_("Final standings") if is_final else _("Standings"),
            css=f"ranking {layout.css(row)}",
            styles=layout.styles(row),
            context={
                "occasion": occasion,
                "standings": table,
                "is_final": is_final,
                "winners": winners_in_words([row.name for row in table.first]),
                "lines": lines,
                "five": FIVE,
                "said": said if lines is printed[-1] else [],
            }
            | heads,
            tables=[_table(columns, heads, lines)] if lines else [],
        )
        for lines in printed
    ]


def _table(columns: Columns, heads: Mapping[str, Line], lines: Sequence[Mapping[str, Any]]) -> TextTable:
    """The structure of a page's lines for screen readers: elements in the order of `paper/ranking.html#standings`."""
    words = BEHIND + len(columns.numbers) + len(columns.last)
    rows = [
        Pieces(
            0, _pieces(heads["before"], NAMED, heads["after"], (heads["last"],), heads["rest"]), is_head=True
        )
    ]
    for number, line in enumerate(lines, start=1):
        ties = [words] if line["ties"] else []
        pieces = _pieces(line["before"], NAMED, line["numbers"], (line["total"],), line["rest"], *ties)
        rows.append(Pieces(number, pieces))
    return TextTable(words + bool(columns.words), rows, NAMED)


def _pieces(*pieces: str | int | tuple[str]) -> list[str | int | tuple[str]]:
    """The pieces of a line without texts that are empty: there is no element of them."""
    return [piece for piece in pieces if piece]


def _explanations(
    round_: Round, table: Standings, columns: Columns, *, with_prizes: bool, things: Sequence[str]
) -> list[tuple[str, list[str]]]:
    """Explanations of the columns: a bold heading and its lines."""
    numbers = explanations([*columns.numbers, *columns.last])
    carried = carried_in_words() if table.has_carried else ""
    said = [("", " ".join(filter(None, (comparison_in_words(table.comparison), carried, *numbers))))]
    told_apart = tie_breaks_text(table.rulebook, table.tie_break_codes)
    if told_apart:
        said.append(("", _("Tie-breaks, in this order:")))
    said += [
        (f"{place}. {tie_break.name}", f"– {tie_break.explanation}")
        for place, tie_break in enumerate(told_apart, start=1)
    ]
    said += [("", each) for each in substitutes_text(round_.tournament, through=round_.number)]
    said += [("", each) for each in things]
    if with_prizes:
        said.append(("", _("Prizes are in kroner.")))
    said.append(("", _("A place with = is shared. A dash means that the player did not play in that round.")))
    room = PAGE_WIDTH / (WORDS_SIZE * POINT) * 0.96
    return [(title, wrap(text, room - 1.1 * ems(title))) for title, text in said if text]


def _shared_out(rows: Sequence[Row], words: float) -> tuple[list[Sequence[Row]], float]:
    """Distribute the rows over pages, with their height: as few pages as also hold the texts on the last, all full."""
    pages = max(1, math.ceil((len(rows) * LOWEST + words) / ROOM))
    # The last page has so many rows fewer as the words take; where that is all of them, the words stand alone.
    most = max(1, math.ceil((len(rows) + words / LOWEST) / pages))
    parts = chunks(rows, most) or [[]]
    if len(parts) < pages:
        parts.append([])
    rooms = [ROOM] * (len(parts) - 1) + [ROOM - words]
    return parts, min(TALLEST, *(room / max(1, len(part)) for room, part in zip(rooms, parts, strict=True)))


def _prizes(tournament: Tournament) -> dict[int, str]:
    """Each prize in kroner, by the player's number."""
    balances = reckon(tournament).balances
    return {balance.row.number: in_kroner(balance.prize) for balance in balances if balance.prize}


def _heading_before() -> Line:
    line = to_the_right(_("No."), RANK + NUMBER - 1) + "   "
    return Line(line, [Cell(NUMBERED, len(line))])


def _headings(columns: Mapping[Column[Row, Standings], int], first: int) -> Line:
    return _right_aligned([(heading(column), width) for column, width in columns.items()], first)


def _right_aligned(texts: Sequence[tuple[str, int]], first: int) -> Line:
    """Texts at the right of so many figures each, in the columns from the first one on."""
    line, cells = "", []
    for column, (text, width) in enumerate(texts, start=first):
        line += to_the_right(text, width)
        if text:
            cells.append(Cell(column, len(line)))
    return Line(line, cells)


def _line(row: Row, size: float, columns: Columns, layout: Layout, *, is_honoured: bool) -> dict[str, Any]:
    """A player's line: numbers filled up to their columns; the name in this size, the club as large as fits."""
    total, *rest = ((column.cell_text(row), width) for column, width in columns.last.items())
    behind = BEHIND + len(columns.numbers)
    name, club = _name_and_club(row)
    told_apart = columns.told_apart(row)
    honoured = is_honoured and row.rank <= FIRST_THREE
    return {
        "before": _before(row),
        "name": name,
        "size": size,
        "club": club,
        "club_size": size_for(club, layout.name - 3 - ems(name) * size * POINT, *CLUB_SIZES),
        "css": " top" * honoured,
        "numbers": _right_aligned(
            [(column.cell_text(row), width) for column, width in columns.numbers.items()], BEHIND
        ),
        "total": _right_aligned([total], behind),
        "rest": _right_aligned(rest, behind + 1),
        "ties": told_apart,
        "ties_size": size_for(told_apart, layout.ties - 3, TIE_SIZE, 6.0),
    }


def _name_and_club(row: Row) -> tuple[str, str]:
    """The name, and what is behind it: the club, and a note where one applies."""
    name, club = cut(row.name, LONGEST_NAME), cut(row.club, LONGEST_CLUB)
    notes = [(row.withdrawn, _("withdrawn")), (not row.has_enough_deals, _("too few deals"))]
    if said := ", ".join(note for applies, note in notes if applies):
        club = f"{club} ({said})".strip()
    return name, club


def _name_size(row: Row, layout: Layout) -> float:
    """The size in which a name has room before its club, in points."""
    name, club = _name_and_club(row)
    room = layout.name - 3 - ems(club) * CLUB_SIZES[1] * POINT
    return size_for(name, max(room, ems(name) * NAME_SIZES[1] * POINT), *NAME_SIZES)


def _before(row: Row) -> Line:
    place = _place(row)
    line = place + to_the_right(str(row.number), NUMBER - 1)
    return Line(line + "   ", [Cell(0, len(place)), Cell(NUMBERED, len(line) + len("   "))])


def _place(row: Row) -> str:
    """The rank, right-aligned on its figures, followed by the sign of a shared place."""
    return to_the_right(str(row.rank), RANK - 1) + ("=" if row.shared else "   ")


# The standings for a newspaper: who won, and everybody by place, as a page and as plain text.

# Lines of print in the two columns of a page, and how wide a column is, in em.
LINES_A_PAGE, COLUMN = 92, 23.0


class Ranked(Protocol):
    """A player, a pair or a team in the standings."""

    @property
    def rank(self) -> int: ...
    @property
    def shared(self) -> bool: ...
    @property
    def name(self) -> str: ...
    @property
    def club(self) -> str: ...


@dataclass(frozen=True)
class Listing:
    """A ranking: unit, winner once play is over, and a row for each."""

    name: str
    winners: str
    lines: Sequence[str]


def listings(tournament: Tournament) -> list[Listing]:
    """The lists of the current standings, as on pages."""
    groups, total = places_by_total(tournament)
    return [
        Listing(
            plain(group.name),
            winners_in_words([plain(row.name) for row in group.rows if row.rank == 1])
            if tournament.is_played
            else "",
            [_press_line(row, total.cell_text(row)) for row in group.rows if row.played],
        )
        for group in groups
    ]


def _press_line(row: Ranked, total: str) -> str:
    """ "3= Anna Lund, Skovby, +12"; without a club that the name has already."""
    name, club = plain(row.name), plain(row.club)
    of_club = f", {club}" if club and club not in name else ""
    return f"{row.rank}{'=' if row.shared else '.'} {name}{of_club}, {total}"


def lead(tournament: Tournament) -> str:
    """The subtitle: the kind of ranking, and the number of participants."""
    count = tournament.entries.filter(seats__isnull=False).distinct().count()
    took_part = ngettext("%(count)d player took part", "%(count)d players took part", count) % {
        "count": count
    }
    said = [plain(tournament.host.name), plain(tournament.place), date_format(tournament.date), took_part]
    return " · ".join(filter(None, [*said, _state(tournament)]))


def _state(tournament: Tournament) -> str:
    if tournament.provisional_until:
        return _("provisional until %(time)s") % {"time": tournament.provisional_until}
    return "" if tournament.is_played else _("provisional")


def _prizes_in_kind(tournament: Tournament) -> list[str]:
    """Prizes in kind and their winners, once play is over."""
    return [plain(line) for line in prizes_in_kind_text(tournament)] if tournament.is_played else []


def press_text(tournament: Tournament) -> str:
    """The list as it is sent to a newspaper."""
    parts = [plain(tournament.name), lead(tournament)]
    parts += [
        "\n".join(filter(None, [listing.name, listing.winners, *listing.lines]))
        for listing in listings(tournament)
    ]
    parts += ["\n".join(things)] if (things := _prizes_in_kind(tournament)) else []
    return "\n\n".join(parts) + "\n"


def press_pages(tournament: Tournament, occasion: Occasion) -> list[Page]:
    """The pages of the press list, in two columns."""
    listed = listings(tournament)
    return [
        Page(
            "paper/ranking.html#press",
            name=_("List for the press"),
            css="ranking press",
            context={
                "occasion": occasion,
                "lead": lead(tournament),
                "listing": listing,
                # A total never has a line for itself.
                "lines": [",\N{NO-BREAK SPACE}".join(line.rsplit(", ", 1)) for line in part],
                "is_first": index == 0,
            },
        )
        for listing, lines in zip(
            listed, [[]] * (len(listed) - 1) + [_prizes_in_kind(tournament)], strict=True
        )
        for index, part in enumerate(_press_shared_out([*listing.lines, *lines]))
    ]


def _press_shared_out(lines: Sequence[str]) -> list[list[str]]:
    """Distribute the lines over pages by the room of their columns, where long ones take two lines of print."""
    return packed(lines, [len(wrap(line, COLUMN)) for line in lines], LINES_A_PAGE) or [[]]
