"""Sheets of teams: standings, the cross table, and a match with each table's result for both teams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.pdf.files import CannotMake
from core.pdf.fonts import cut, ems, wrap
from core.pdf.page import Page, chunks
from core.pdf.store import kept_file, refuse_many_cells
from tournaments.domain.amounts import in_kroner
from tournaments.domain.terms import signed
from tournaments.ledger.queries import current_round
from tournaments.lifecycle.home_matches import confirmations, score_of
from tournaments.lifecycle.money import prizes_by_team, prizes_in_kind_text, reckon
from tournaments.paper.page import POINT, Occasion, measured, packed, prize_column, size_for
from tournaments.standings.columns import On, explanations, select_columns
from tournaments.standings.team_ranking import side_of
from tournaments.standings.team_text import (
    TEAMS,
    cross_tables,
    ranking_in_words,
    rankings,
    rounds_of_matches,
    tables_of_matches,
    when_of,
)
from tournaments.standings.teams import team_standings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from tournaments.lifecycle.home_matches import TableResult
    from tournaments.models import Match, Round, Tournament
    from tournaments.standings.columns import Column
    from tournaments.standings.team_ranking import Row
    from tournaments.standings.team_text import CrossRow, CrossTable, MatchLine, RoundOfMatches
    from tournaments.standings.teams import TeamStandings


# Pairs and teams on paper: standings, cross table, schedule with results.

ROWS_A_PAGE = 36
# So many have larger letters.
ROOMY = 20
LONGEST_NAME = 48
# Characters of the standings' numbers that leave names their room, and how many the gap between two columns takes.
CHARACTERS, BETWEEN = 76, 2
# Millimetres of the schedule: page height, a round's heading, a match, a line of notes.
SCHEDULE, HEADING, MATCH, NOTE = 236.0, 8.5, 7.0, 3.6
# Maximum stretch of a match's row to fill the page; distance of the writing line above its foot.
GROWN, WRITTEN_BELOW = 1.6, 1.2
# A round with more matches continues on another page.
MATCHES_A_PAGE = 24
NOTE_EMS, MATCH_ROOM, MATCH_SIZES = 66.0, 98.0, (10.0, 7.0)


def standings_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """The standings after a round, or during it, a division after the other; at the end with the prizes."""
    tournament = round_.tournament
    is_final = occasion.is_final
    prizes = _prizes(tournament) if is_final else {}
    table = team_standings(tournament, through=round_.number)
    parts = [
        (ranking, part)
        for ranking in rankings(tournament, table)
        for part in chunks(ranking.rows, ROWS_A_PAGE)
    ]
    columns = _columns(table, prizes)
    return [
        Page(
            "paper/teams.html#standings",
            name=_("Final standings") if is_final else _("Standings"),
            css="ranking of-teams" + " roomy" * (len(part) <= ROOMY),
            context={
                "occasion": occasion,
                "standings": table,
                "words": tournament.format_row.words,
                "division": ranking.name,
                "is_final": is_final,
                "winners": ranking.winners,
                "has_prizes": bool(prizes),
                "things": prizes_in_kind_text(tournament) if is_final else [],
                "columns": columns,
                "lines": [(row, cut(row.name, LONGEST_NAME)) for row in part],
                "explanations": explanations(columns),
                "decided": ranking_in_words(tournament) if number == len(parts) else [],
            },
        )
        for number, (ranking, part) in enumerate(parts, 1)
    ]


def _columns(table: TeamStandings, prizes: Mapping[int, str]) -> list[Column[Row, TeamStandings]]:
    """The columns that fit next to the names; prizes last."""
    columns = select_columns(TEAMS, On.PAPER, table)
    won: list[Column[Row, TeamStandings]] = [prize_column(prizes)] if prizes else []
    return list(measured([*columns, *won], table.rows, CHARACTERS, between=BETWEEN, wrapped=True))


def _prizes(tournament: Tournament) -> dict[int, str]:
    """Each prize in kroner, by the number of the pair or team."""
    won = prizes_by_team(tournament, reckon(tournament).by_place)
    return {number: in_kroner(amount) for number, amount in won.items() if amount}


@dataclass(frozen=True)
class Meeting:
    """A match on paper: sides, result, and notes by line; type in points."""

    tables: str
    names: str
    size: float
    score: str
    tokens: str
    notes: Sequence[str]

    @property
    def height(self) -> float:
        return MATCH + NOTE * len(self.notes)


@dataclass(frozen=True)
class Block:
    """A round of the schedule, or a part of one that is too long for a page."""

    number: int
    day: date | None
    meetings: Sequence[Meeting]
    byes: Sequence[str]

    @property
    def height(self) -> float:
        return HEADING + sum(meeting.height for meeting in self.meetings) + NOTE * len(self.byes)


def schedule_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """Every round with its day, its matches and their tables, results or room for them, rulings and byes."""
    table = team_standings(round_.tournament)
    found = rounds_of_matches(table, tables_of_matches(round_.tournament))
    blocks = [block for each in found for block in _blocks(each)]
    parts = packed(blocks, [block.height for block in blocks], SCHEDULE)
    fullest = max((sum(block.height for block in some) for some in parts), default=SCHEDULE)
    line = MATCH * min(GROWN, SCHEDULE / fullest)
    named = f"match-{line * 100:.0f}"
    return [
        Page(
            "paper/teams.html#schedule",
            name=_("Schedule"),
            css=f"ranking of-teams {named}",
            styles=f".{named} .meeting:not(.titles) > p:first-child"
            f" {{ height: {line:.2f}mm; line-height: {line:.2f}mm; }}"
            f".{named} .meeting .to-write {{ height: {line - WRITTEN_BELOW:.2f}mm; }}",
            context={"occasion": occasion, "rounds": some},
        )
        for some in parts
    ]


def _blocks(found: RoundOfMatches) -> list[Block]:
    meetings = [_meeting(match) for match in found.matches]
    byes = [" ".join((_("Bye:"), ", ".join(found.byes)))] if found.byes else []
    parts = chunks(meetings, MATCHES_A_PAGE) or [[]]
    lines = [line for bye in byes for line in wrap(bye, NOTE_EMS)]
    return [Block(found.number, found.day, part, lines if part is parts[-1] else []) for part in parts]


def _meeting(match: MatchLine) -> Meeting:
    names = f"{cut(match.home, LONGEST_NAME)} – {cut(match.away, LONGEST_NAME)}"
    notes = wrap(match.state, NOTE_EMS) if match.state else []
    tables = "+".join(map(str, match.tables))
    return Meeting(tables, names, size_for(names, MATCH_ROOM, *MATCH_SIZES), match.score, match.tokens, notes)


# The cross table on paper, as large as possible, in portrait or landscape.

# Millimetres of what the table has: upright, and lying.
ROOMS = {"": (187.0, 236.0), "landscape": (274.0, 148.0)}
SIZES = [size / 2 for size in range(32, 13, -1)]  # points, the largest first
# In em: width of rank and total, padding of a cell, maximum width of a name, and a line of text.
RANK, TOTAL, PADDING, NAME, LINE = 3.0, 5.0, 1.0, 20.0, 1.35
TALLEST = 24.0
# Teams side by side where even the smallest letters have no room for more.
MOST = 16


@dataclass(frozen=True)
class Layout:
    """Whether the page is upright ("") or lying, its type in points, and a line's height in millimetres."""

    css: str
    size: float
    row: float

    @property
    def name(self) -> str:
        return f"crossed-{self.size:.1f}-{self.row:.1f}".replace(".", "-")

    @property
    def styles(self) -> str:
        return (
            f".{self.name} .cross-table{{font-size:{self.size}pt}}.{self.name} td{{height:{self.row:.2f}mm}}"
        )


def cross_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """The current cross table."""
    tournament = round_.tournament
    return [
        Page(
            "paper/teams.html#cross",
            name=_("Cross table"),
            css=f"ranking of-teams {layout.css} {layout.name}",
            styles=layout.styles,
            context={
                "occasion": occasion,
                "words": tournament.format_row.words,
                "division": table.name,
                "columns": [line.row for line in table.rows[first : first + MOST]],
                "lines": [
                    (cut(line.row.name, LONGEST_NAME), line, line.cells[first : first + MOST])
                    for line in table.rows
                ],
            },
        )
        for table in cross_tables(tournament)
        for layout in (_layout(table),)
        for first in range(0, max(1, len(table.rows)), MOST)
    ]


def _layout(table: CrossTable) -> Layout:
    """The layout in the largest type that fits, upright unless landscape allows a larger one."""
    ways = [(css, _size(table.rows, *room)) for css, room in ROOMS.items()]
    css, size = max(ways, key=lambda way: way[1])
    _width, height = ROOMS[css]
    return Layout(css, size or SIZES[-1], min(TALLEST, height / (len(table.rows) + 1)))


def _size(rows: Sequence[CrossRow], width: float, height: float) -> float:
    """The largest type in points with which the table fits; 0 where none does."""
    cells = [cell for line in rows for cell in line.cells if cell]
    widest = max((ems(f"{points} {tokens}") for cell in cells for points, tokens in cell), default=1.0)
    lines = max((len(cell) for cell in cells), default=1)
    name = min(NAME, max((ems(line.row.name) for line in rows), default=1.0)) + PADDING
    wide = RANK + name + TOTAL + (widest + PADDING) * min(MOST, len(rows))
    high = LINE * (lines + 0.4) * (len(rows) + 1)
    fitting = (size for size in SIZES if wide * size * POINT <= width and high * size * POINT <= height)
    return next(fitting, 0.0)


# One sheet of pairs and teams as a file for the hall.

TOO_LONG = gettext_noop(
    "This is too long to be made while you wait. Save it as a spreadsheet instead, or ask an organiser."
)
NOT_DRAWN = gettext_noop("No matches have been drawn yet.")
MAKE = {"standings": standings_pages, "cross": cross_pages, "schedule": schedule_pages}


def teams_pdf(tournament: Tournament, what: str, *, printed_at: datetime, asker: str = "") -> bytes:
    """The "standings", the "cross" table or the "schedule" as one file. Raises CannotMake."""
    round_ = current_round(tournament)
    if round_ is None:
        raise CannotMake(NOT_DRAWN)
    if what == "cross":  # at the desk it is a job, as long as it may be
        divisions = team_standings(tournament).divisions
        refuse_many_cells(sum(len(division.rows) ** 2 for division in divisions), TOO_LONG)
    pages = MAKE[what](round_, Occasion(round_, printed_at))
    title = f"{pages[0].name}, {tournament.name}"
    return kept_file(pages, title, printed_at=printed_at, asker=asker)


def match_pages(match: Match, occasion: Occasion) -> list[Page]:
    """The page of a match; before the match, with room to write the results by hand."""
    score = score_of(match)
    agreed = confirmations(match, score)
    is_played = any(one.reported for one in score.tables)
    sides = [(match.home, 0), *([(match.away, 1)] if match.away else [])]
    return [
        Page(
            "paper/teams.html#match",
            name=_("Match sheet"),
            css="ranking of-teams match-sheet",
            context={
                "occasion": occasion,
                "match": match,
                "when": when_of(match),
                "is_played": is_played,
                "tables": [
                    (one, signed(one.tokens[0]), signed(one.tokens[1]), _rows(one, at_second=place > 0))
                    for place, one in enumerate(score.tables)
                ],
                "ruling": match.awarded_reason,
                "sides": [
                    (
                        team,
                        signed(score.tokens[side]) if is_played else "",
                        str(score.points[side]) if score.is_complete else "",
                        agreed.get(team.pk),
                    )
                    for team, side in sides
                ],
            },
        )
    ]


def _rows(result: TableResult, *, at_second: bool) -> list[tuple[str, str, bool, str]]:
    """A table's seats: the letter, the player, whether they sit for the home team, and their tokens."""
    seats = result.table.seats.select_related("entry__player", "entry__club", "entry__tournament__host")
    return [
        (
            seat.letter,
            seat.entry.shown_name,
            side_of(seat.position, at_second=at_second) == 0,
            signed(seat.tokens) if result.reported else "",
        )
        for seat in seats.order_by("position")
    ]


def match_pdf(match: Match, *, printed_at: datetime, asker: str = "") -> bytes:
    """A match's sheet as one file. Raises CannotMake."""
    pages = match_pages(match, Occasion(match.round, printed_at))
    return kept_file(pages, f"{pages[0].name}, {match}", printed_at=printed_at, asker=asker)
