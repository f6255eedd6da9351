"""The lines of a score sheet: each text at its place in a monospaced line, each hairline in a drawing behind.

A page of forty deals has about 480 cells. As an HTML table they take many times as long to lay out as forty
lines of text over a picture of the grid.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

from scoring.seats import Seating, dealer_of
from tournaments.ledger.scoresheet import COLUMNS
from tournaments.paper.text import fill

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# A character of DejaVu Sans Mono in em; and in millimetres on a score sheet, which is 110 of them wide.
MONO_WIDTH = 0.60205
CHARACTER = 1.7

# Characters in each column at a table of four: as much as hand and print need.
WIDTHS = {
    "number": 5,
    "folder": 0,
    "dealer": 6,
    "sits_out": 6,
    "declarer": 6,
    "contract": 16,
    "trump": 5,
    "result": 10,
    "pool": 0,
    "remark": 12,
}
# Characters for a player's tokens and running total.
PAIR = (5, 6)
# Nobody sits out at other tables: the room goes to the players and to the remarks. All come to 110 characters.
WIDTHS_AT = {
    2: WIDTHS | {"sits_out": 0, "remark": 34},
    3: WIDTHS | {"sits_out": 0, "result": 18, "remark": 12},
    4: WIDTHS,
    5: WIDTHS | {"sits_out": 0, "contract": 13, "result": 9, "remark": 11},
}
PAIR_AT = {2: (7, 7), 3: (7, 7), 4: PAIR, 5: PAIR}
# Where there is a pool: its column, and longer results, at the cost of others.
POOL = {"pool": 5, "contract": -1, "result": 2, "remark": -6}
# Where cards come out of folders: their column.
FOLDERS = {"folder": 5, "dealer": -1, "remark": -4}

CENTRED = ("folder", "dealer", "sits_out", "declarer", "trump")
HAIRLINE, LINE, RULE, DOT = 0.12, 0.2, 0.42, 1.0


@dataclass(frozen=True)
class Row:
    """A line of the grid: texts by column, tokens and running totals by seat; `label` spans the columns."""

    texts: Mapping[str, str] = field(default_factory=dict)
    tokens: Sequence[str] = ()
    running: Sequence[str] = ()
    label: str = ""


@dataclass(frozen=True)
class Grid:
    """Where everything is on a page of a score sheet. Lengths are in mm, from the grid's upper left corner.

    `first` and `deals` are the deals on this page; a page that is not the table's first has a line above them
    for what is brought forward. `feet` are the lines of totals below.
    """

    players: int
    first_dealer: int
    first: int
    deals: int
    row: float
    feet: int
    foot: float
    with_pool: bool = False
    with_folders: bool = False
    # Who deals each deal, where that was changed in the middle; else the turn goes around from the first dealer on.
    dealers: tuple[int, ...] = ()
    # Who sat out in each deal; else as the dealer has it.
    sat_out: tuple[int | None, ...] = ()

    @property
    def name(self) -> str:
        """The CSS class of pages with this grid."""
        row = f"{self.row:.2f}".replace(".", "-") + "-pool" * self.with_pool + "-folders" * self.with_folders
        name = f"grid-{self.players}-{self.first_dealer}-{self.first}-{self.deals}-{row}-{self.feet}"
        for positions in filter(None, (self.dealers, self.sat_out)):
            name += "-" + "".join("x" if position is None else str(position) for position in positions)
        return name

    @property
    def brought_forward(self) -> bool:
        return self.first > 1

    @property
    def rows(self) -> int:
        return self.deals + self.brought_forward

    @cached_property
    def widths(self) -> dict[str, int]:
        """Characters in each column before the players', by key, in the order of every sheet."""
        widths = dict(WIDTHS_AT[self.players])
        for columns, there in ((POOL, self.with_pool), (FOLDERS, self.with_folders)):
            if there:
                widths |= {key: widths[key] + more for key, more in columns.items()}
        return {column.key: widths[column.key] for column in COLUMNS if widths[column.key]}

    @property
    def pair(self) -> tuple[int, int]:
        """Characters for a player's tokens and running total."""
        return PAIR_AT[self.players]

    @property
    def player(self) -> int:
        return sum(self.pair)

    @property
    def left(self) -> int:
        """Characters before the first player's columns."""
        return sum(self.widths.values())

    @property
    def characters(self) -> int:
        return self.left + self.players * self.player

    @property
    def width(self) -> float:
        return self.characters * CHARACTER

    @property
    def height(self) -> float:
        return self.rows * self.row + self.feet * self.foot

    def columns(self) -> list[tuple[str, float, float]]:
        """(key, left edge, width) of each column before the players'."""
        edges, at = [], 0
        for key, width in self.widths.items():
            edges.append((key, at * CHARACTER, width * CHARACTER))
            at += width
        return edges

    def light(self, rows: Sequence[Row]) -> str:
        """The lines in ordinary type."""
        return "\n".join(self._light(row).rstrip() for row in rows)

    def _light(self, row: Row) -> str:
        if row.label:
            return fill(row.label, self.left - 1, ">")
        tokens, running = self.pair
        texts = (self._text(key, width, row.texts) for key, width in self.widths.items())
        return "".join(texts) + "".join(_amount(text, tokens) + " " * running for text in row.tokens)

    def heavy(self, rows: Sequence[Row]) -> str:
        """The lines in bold type, from the first player's column on: what the eye looks for; or nothing."""
        tokens, running = self.pair
        lines = ("".join(" " * tokens + _amount(text, running) for text in row.running) for row in rows)
        return "\n".join(lines) if any(row.running for row in rows) else ""

    def subheadings(self, tokens: str, running: str) -> str:
        """What stands above a player's two columns, from the first player's column on."""
        pair = zip((tokens, running), self.pair, strict=True)
        return "".join(fill(text, width - 1, ">") + " " for text, width in pair) * self.players

    def _text(self, key: str, width: int, texts: Mapping[str, str]) -> str:
        text = texts.get(key, "")
        if key == "pool":
            return _amount(text, width)
        if key == "number":
            return fill(text, width - 2, ">") + "  "
        return fill(text, width, "^") if key in CENTRED else " " + fill(text, width - 1)

    def room(self, key: str) -> int:
        """Characters a text may have in a column before it is cut."""
        return self.widths[key] - (key not in CENTRED)


def _amount(text: str, width: int) -> str:
    """A number at the right of its column, off the line where there is room for that."""
    return fill(text, width - 1, ">") + " " if len(text) < width else fill(text, width)


def picture(grid: Grid) -> str:
    """The grid as SVG: hairlines, shaded cells of those who sit out, dots for those who deal.

    A kind of mark is one path of strokes, and a stroke is two commands: it is drawn anew on each page.
    """
    size = f"{grid.width:.3f} {grid.height:.3f}"
    width, height = size.split()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {size}">'
        f'<path d="{_shades(grid)}" stroke="#dcdcdc" stroke-width="{grid.row:.3f}"/>'
        f'<path d="{_dots(grid)}" stroke="#000" stroke-width="{DOT}" stroke-linecap="round"/>'
        f'<path d="{_hairlines(grid)}" stroke="#000" stroke-width="{HAIRLINE}"/>'
        f'<path d="{_lines(grid)}" stroke="#000" stroke-width="{LINE}"/>'
        f'<path d="{_rules(grid)}" stroke="#000" stroke-width="{RULE}"/>'
        "</svg>"
    )


def _middles(grid: Grid) -> Iterator[tuple[Seating, float]]:
    """Each deal's seating, and the height of the middle of its line."""
    for index in range(grid.deals):
        usual = dealer_of(grid.first + index, grid.players, grid.first_dealer)
        dealer = grid.dealers[index] if grid.dealers else usual
        yield Seating(grid.players, dealer), (index + grid.brought_forward + 0.5) * grid.row


def _shades(grid: Grid) -> str:
    deals = list(_middles(grid))
    sat_out = grid.sat_out or [seating.sits_out for seating, _middle in deals]
    return "".join(
        f"M{_player_edge(grid, position):.2f} {middle:.2f}h{grid.player * CHARACTER:.2f}"
        for position, (_seating, middle) in zip(sat_out, deals, strict=True)
        if position is not None
    )


def _dots(grid: Grid) -> str:
    """At the left of the dealer's tokens: a stroke of no length with a round end."""
    return "".join(
        f"M{_player_edge(grid, seating.dealer) + DOT:.2f} {middle:.2f}h0.01"
        for seating, middle in _middles(grid)
    )


def _player_edge(grid: Grid, position: int) -> float:
    return (grid.left + position * grid.player) * CHARACTER


def _hairlines(grid: Grid) -> str:
    """Between deals, and between a player's tokens and running total."""
    path = "".join(f"M0 {index * grid.row:.2f}H{grid.width:.2f}" for index in range(1, grid.rows))
    tokens = grid.pair[0] * CHARACTER
    for position in range(grid.players):
        path += f"M{_player_edge(grid, position) + tokens:.2f} 0V{grid.rows * grid.row:.2f}"
    return path


def _lines(grid: Grid) -> str:
    """Between columns; after each turn of the deal around the table; between the lines of totals."""
    deals_top = grid.brought_forward * grid.row
    path = "".join(
        f"M{edge:.2f} {deals_top:.2f}V{grid.rows * grid.row:.2f}" for _key, edge, _width in grid.columns()[1:]
    )
    turns = range(grid.players - (grid.first - 1) % grid.players, grid.deals, grid.players)
    path += "".join(f"M0 {deals_top + index * grid.row:.2f}H{grid.width:.2f}" for index in turns)
    for foot in range(1, grid.feet):
        path += f"M0 {grid.rows * grid.row + foot * grid.foot:.2f}H{grid.width:.2f}"
    return path


def _rules(grid: Grid) -> str:
    """The frame, the edges of the players, and the line above the totals."""
    bottom = grid.rows * grid.row
    inset = RULE / 2
    right, end = f"{grid.width - inset:.2f}", f"{grid.height - inset:.2f}"
    path = f"M0 {inset}H{right}M0 {end}H{right}M{inset} 0V{end}M{right} 0V{end}M0 {bottom:.2f}H{right}"
    path += "".join(
        f"M{_player_edge(grid, position):.2f} 0V{grid.height:.2f}" for position in range(grid.players)
    )
    if grid.brought_forward:
        path += f"M0 {grid.row:.2f}H{grid.width:.2f}"
    return path


@cache
def stylesheet(grid: Grid) -> str:
    """What a grid's pages need beside the common style sheet: the picture, and the places of the headings."""
    page = f".{grid.name}"
    data = b64encode(picture(grid).encode()).decode()
    headings = "".join(
        f"{page} .h-{key}{{left:{left:.3f}mm;width:{width:.3f}mm}}" for key, left, width in grid.columns()
    )
    players = "".join(
        f"{page} .h-player-{position}"
        f"{{left:{_player_edge(grid, position):.3f}mm;width:{grid.player * CHARACTER:.3f}mm}}"
        for position in range(grid.players)
    )
    return (
        f"{page} .heavy{{left:{_player_edge(grid, 0):.3f}mm}}"
        f"{page} .grid{{width:{grid.width:.3f}mm;height:{grid.height:.3f}mm;"
        f"background:url(data:image/svg+xml;base64,{data}) 0 0/100% 100% no-repeat}}"
        f"{page} pre{{font-size:{CHARACTER / MONO_WIDTH:.4f}mm}}"
        f"{page} .deals{{line-height:{grid.row:.3f}mm;height:{grid.rows * grid.row:.3f}mm}}"
        f"{page} .feet{{line-height:{grid.foot:.3f}mm;height:{grid.feet * grid.foot:.3f}mm;"
        f"top:{grid.rows * grid.row:.3f}mm}}"
        f"{headings}{players}"
    )
