"""The standings on paper, with what tells equal totals apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from tournaments.ledger.seats_said import substitutes_told
from tournaments.money.settling_up import reckon
from tournaments.paper.columns import heading, measured, prize_column
from tournaments.paper.grid import MONO_WIDTH
from tournaments.paper.pages import Occasion, Page, chunks
from tournaments.paper.text import cut, fill
from tournaments.standings.columns import PLAYERS, On, explanations, shown
from tournaments.standings.comparing_said import carried_in_words, comparison_in_words
from tournaments.standings.players import standings
from tournaments.standings.tie_breaks import tie_breaks_said
from tournaments.standings.winners import winners_in_words
from tournaments.values.amounts import in_kroner

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.models import Round, Tournament
    from tournaments.standings.columns import Column
    from tournaments.standings.players import Standings
    from tournaments.standings.rows import Row

ROWS_A_PAGE = 40
# With more rows than this on the last page, the explanations take a page of their own.
ROWS_ABOVE_EXPLANATIONS = 31
PAGE_WIDTH = 187.0
# Millimetres: what names ask for; what a character of the numbers has, which names give way to; and tie-breaks.
NAME_AT_LEAST, CHARACTER_AT_LEAST, CHARACTER_AT_MOST = 58.0, 1.5, 1.9
TIES, TIES_IN_LITTLE_ROOM = 52.0, 34.0
# Characters before the name.
RANK, NUMBER = 4, 5


@dataclass(frozen=True)
class Layout:
    """How wide everything on a line of the standings is: columns by characters, what told equal totals apart in mm."""

    widths: tuple[int, ...]
    ties: float

    @property
    def css(self) -> str:
        return "-".join(["ranking", *map(str, self.widths), f"{self.ties:.0f}"])

    @property
    def characters(self) -> int:
        return RANK + NUMBER + sum(self.widths)

    @property
    def character(self) -> float:
        room = (PAGE_WIDTH - self.ties - NAME_AT_LEAST) / self.characters
        return max(CHARACTER_AT_LEAST, min(CHARACTER_AT_MOST, room))

    @property
    def styles(self) -> str:
        name = PAGE_WIDTH - self.ties - self.characters * self.character
        return (
            f".{self.css} .line{{font-size:{self.character / MONO_WIDTH:.4f}mm}}"
            f".{self.css} .name{{width:{name - 1:.3f}mm;margin-right:.9mm}}"
            f".{self.css} .ties{{width:{self.ties:.3f}mm}}"
        )


@dataclass(frozen=True)
class Columns:
    """The columns behind the names with their characters, the total and what goes by it last; and the words."""

    numbers: Mapping[Column[Row, Standings], int]
    last: Mapping[Column[Row, Standings], int]
    words: Sequence[Column[Row, Standings]]

    @property
    def layout(self) -> Layout:
        widths = (*self.numbers.values(), *self.last.values())
        if not self.words:
            return Layout(widths, 0.0)
        needed = (RANK + NUMBER + sum(widths)) * CHARACTER_AT_MOST + NAME_AT_LEAST + TIES
        return Layout(widths, TIES if needed <= PAGE_WIDTH else TIES_IN_LITTLE_ROOM)


def columns_of(table: Standings, prizes: Mapping[int, str]) -> Columns:
    columns = shown(PLAYERS, On.PAPER, table)
    words = [column for column in columns if column.css == "words"]
    won: list[Column[Row, Standings]] = [prize_column(prizes)] if prizes else []
    room = (PAGE_WIDTH - NAME_AT_LEAST - (TIES_IN_LITTLE_ROOM if words else 0)) / CHARACTER_AT_LEAST
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
    layout = columns.layout
    substitutes = substitutes_told(round_.tournament, through=round_.number)
    parts = chunks(table.rows, ROWS_A_PAGE) or [[]]
    if len(parts[-1]) > ROWS_ABOVE_EXPLANATIONS:
        parts.append([])
    return [
        Page(
            "paper/_standings.html",
            name=_("Final standings") if is_final else _("Standings"),
            css=f"ranking {layout.css}",
            styles=layout.styles,
            context={
                "occasion": occasion,
                "standings": table,
                "tie_breaks": tie_breaks_said(table.rulebook, table.tie_break_codes),
                "is_final": is_final,
                "winners": winners_in_words([row.name for row in table.first]),
                "before": _heading_before(),
                "after": _headings(columns.numbers),
                "last": _headings(columns.last),
                "compared": comparison_in_words(table.comparison),
                "carried": carried_in_words() if table.has_carried else "",
                "explanations": explanations([*columns.numbers, *columns.last]),
                "prizes": bool(prizes),
                "lines": [_line(row, columns) for row in part],
                "is_last": part is parts[-1],
                "substitutes": substitutes,
            },
        )
        for part in parts
    ]


def _prizes(tournament: Tournament) -> dict[int, str]:
    """Each prize in kroner, by the player's number."""
    balances = reckon(tournament).balances
    return {balance.row.number: in_kroner(balance.prize) for balance in balances if balance.prize}


def _heading_before() -> str:
    return " " * RANK + fill(_("No."), NUMBER - 1, ">") + " "


def _headings(columns: Mapping[Column[Row, Standings], int]) -> str:
    return "".join(fill(heading(column), width, ">") for column, width in columns.items())


def _line(row: Row, columns: Columns) -> dict[str, Any]:
    """A player's line: numbers padded to their columns, the name to be cut by its width on paper."""
    rank = f"{row.rank}=" if row.shared else f"{row.rank} "
    (total, *rest) = (fill(column.written(row), width, ">") for column, width in columns.last.items())
    return {
        "before": fill(rank, RANK, ">") + fill(str(row.number), NUMBER - 1, ">") + " ",
        "name": cut(row.name, 80),
        "club": cut(row.club, 60),
        "withdrawn": row.withdrawn,
        "numbers": "".join(
            fill(column.written(row), width, ">") for column, width in columns.numbers.items()
        ),
        "total": total,
        "rest": "".join(rest),
        "ties": ", ".join(filter(None, (column.written(row) for column in columns.words))),
    }
