"""The standings on paper, with what tells equal totals apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from tournaments.ledger.seats_said import substitutes_told
from tournaments.ledger.tables import rulebook_of
from tournaments.money.settling_up import reckon
from tournaments.paper.grid import MONO_WIDTH
from tournaments.paper.pages import Occasion, Page, chunks
from tournaments.paper.text import EN_DASH, cut, fill
from tournaments.standings.comparing_said import carried_in_words, comparison_in_words
from tournaments.standings.players import Row, Standings, standings
from tournaments.standings.ties import tie_breaks_said, ties_in_words
from tournaments.standings.winners import winners_in_words
from tournaments.values.amounts import in_kroner
from tournaments.words.terms import signed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tournaments.models import Round, Tournament
    from tournaments.values.comparing import Amount

ROWS_A_PAGE = 40
# With more rows than this on the last page, the explanations take a page of their own.
ROWS_ABOVE_EXPLANATIONS = 31
PAGE_WIDTH = 187.0
# Millimetres: what names ask for; what a character of the numbers has, which names give way to; and tie-breaks.
NAME_AT_LEAST, CHARACTER_AT_LEAST, CHARACTER_AT_MOST = 58.0, 1.5, 1.9
TIES, TIES_IN_LITTLE_ROOM = 52.0, 34.0
# Characters in each column of numbers; a round has as many as it needs.
RANK, NUMBER, ROUND_AT_LEAST, PENALTIES, TOTAL, CARRIED, PRIZE = 4, 5, 5, 6, 7, 6, 9


@dataclass(frozen=True)
class Layout:
    """How wide everything on a line of the standings is."""

    rounds: int
    round: int
    has_penalties: bool
    has_ties: bool
    carried: int = 0
    total: int = TOTAL
    prize: int = 0

    @property
    def css(self) -> str:
        numbers = (
            self.rounds,
            self.round,
            int(self.has_penalties),
            int(self.has_ties),
            self.carried,
            self.total,
            self.prize,
        )
        return "-".join(["ranking", *map(str, numbers)])

    @property
    def characters(self) -> int:
        rounds = self.rounds * self.round
        return (
            RANK + NUMBER + self.carried + rounds + self.has_penalties * PENALTIES + self.total + self.prize
        )

    @property
    def ties(self) -> float:
        """Millimetres for what told equal totals apart."""
        if not self.has_ties:
            return 0.0
        needed = self.characters * CHARACTER_AT_MOST + NAME_AT_LEAST + TIES
        return TIES if needed <= PAGE_WIDTH else TIES_IN_LITTLE_ROOM

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


def standings_pages(round_: Round, occasion: Occasion) -> list[Page]:
    """The standings after a round, or during it: then they say that they are provisional.

    After the last round of a finished tournament they are final, and say who has won, and what.
    """
    # Where pairs or teams win, this is what each player has got for them.
    is_final = occasion.is_final and not round_.tournament.in_teams
    prizes = _prizes(round_.tournament) if is_final else {}
    table = standings(round_.tournament, through=round_.number)
    rulebook = rulebook_of(round_.tournament)
    ties = ties_in_words(rulebook, table.rows, table.tie_break_codes)
    amounts = [len(signed(tokens)) for row in table.rows for tokens in row.rounds if tokens is not None]
    widest = max([ROUND_AT_LEAST, *(amount + 1 for amount in amounts)])
    layout = Layout(
        len(table.rounds),
        widest,
        table.has_penalties,
        bool(ties),
        _widest(CARRIED, [row.carried for row in table.rows]) if table.has_carried else 0,
        _widest(TOTAL, [row.total for row in table.rows]),
        max([PRIZE, *(len(prize) + 2 for prize in prizes.values())]) if prizes else 0,
    )
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
                "tie_breaks": tie_breaks_said(rulebook, table.tie_break_codes),
                "is_final": is_final,
                "winners": winners_in_words([row.name for row in table.first]),
                "before": _heading_before(),
                "after": _heading_after(table, layout),
                "total": fill(_("Total"), layout.total, ">"),
                "prize": fill(_("Prize"), layout.prize, ">") if layout.prize else "",
                "compared": comparison_in_words(table.comparison),
                "carried": carried_in_words() if table.has_carried else "",
                "lines": [
                    _line(row, layout, ties.get(row.entry_id, ""), prizes.get(row.number, "")) for row in part
                ],
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


def _widest(least: int, amounts: Iterable[Amount]) -> int:
    """Characters for a column of these amounts, with a blank before them."""
    return max([least, *(len(signed(amount)) + 1 for amount in amounts)])


def _heading_before() -> str:
    return " " * RANK + fill(_("No."), NUMBER - 1, ">") + " "


def _heading_after(table: Standings, layout: Layout) -> str:
    rounds = (fill(_("R%(number)d") % {"number": number}, layout.round, ">") for number in table.rounds)
    carried = fill(_("Along"), layout.carried, ">") if layout.carried else ""
    return carried + "".join(rounds) + (fill(_("Pen."), PENALTIES, ">") if layout.has_penalties else "")


def _line(row: Row, layout: Layout, ties: str, prize: str) -> dict[str, Any]:
    """A player's line: numbers padded to their columns, the name to be cut by its width on paper."""
    rank = f"{row.rank}=" if row.shared else f"{row.rank} "
    rounds = (EN_DASH if tokens is None else signed(tokens) for tokens in row.rounds)
    numbers = "".join(fill(tokens, layout.round, ">") for tokens in rounds)
    if layout.carried:
        numbers = fill(signed(row.carried) if row.carried else "", layout.carried, ">") + numbers
    if layout.has_penalties:
        numbers += fill(signed(row.penalties) if row.penalties else "", PENALTIES, ">")
    return {
        "before": fill(rank, RANK, ">") + fill(str(row.number), NUMBER - 1, ">") + " ",
        "name": cut(row.name, 80),
        "club": cut(row.club, 60),
        "withdrawn": row.withdrawn,
        "numbers": numbers,
        "total": fill(signed(row.total), layout.total, ">"),
        "prize": fill(prize, layout.prize, ">"),
        "ties": ties,
    }
