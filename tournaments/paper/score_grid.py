"""The grid of a score sheet, and drawing it."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING

from core.pdf.fonts import FIGURE, SPACE, cut_to, ems, spaces, to_the_right
from core.pdf.page import Cell, Head, Line, Lines, Pieces, TextTable
from tournaments.ledger.scoresheet import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


# The lines of a score sheet: each deal a line of text in an element of its own, hairlines a picture (`drawing`).
#
# A page of forty deals has about 480 cells. As an HTML table they take many times as long to lay out as forty lines
# of text over a picture of the grid. A line is filled up to each of its columns with spaces, to a hair's breadth: how
# wide its letters are is known (`core.pdf.fonts`).

# Millimetres above the deals.
HEAD = 10.4
# A figure's width in millimetres, by which all columns are counted.
CHARACTER = 1.85
FONT_SIZE = CHARACTER / FIGURE
# That of the heads: 7 points.
SMALL = 7 * 25.4 / 72
# A line has so many.
CHARACTERS = 101

# Figures in each column at a table of four: as much as hand and print need.
WIDTHS = {
    "number": 4,
    "folder": 0,
    "dealer": 4,
    "sits_out": 5,
    "declarer": 6,
    "contract": 14,
    "trump": 5,
    "result": 10,
    "pool": 0,
    "remark": 13,
}
# Figures for a player's tokens and running total, by number of players; only tables of four have a player sitting
# out.
PAIR_AT = {2: (7, 7), 3: (6, 6), 4: (5, 5), 5: (5, 5)}
WIDTHS_AT = {
    2: WIDTHS | {"sits_out": 0, "remark": 30},
    3: WIDTHS | {"sits_out": 0, "contract": 15, "result": 15, "remark": 16},
    4: WIDTHS,
    5: WIDTHS | {"sits_out": 0, "contract": 12, "result": 9, "remark": 11},
}
# Where there is a pool: its column, and longer results, at the cost of others.
POOL = {"pool": 4, "contract": -1, "result": 1, "remark": -4}
# Where cards come out of folders: their column.
FOLDERS = {"folder": 5, "contract": -1, "remark": -4}
# Where a turn of the deal is to be added up on paper: room for that at the right.
CHECK = 3

CENTRED = ("folder", "dealer", "sits_out", "declarer", "trump")


@dataclass(frozen=True)
class Row:
    """A line of the grid: texts by column, tokens and running totals by seat; `label` spans the columns."""

    texts: Mapping[str, str] = field(default_factory=dict)
    tokens: Sequence[str] = ()
    running: Sequence[str] = ()
    label: str = ""


@dataclass(frozen=True)
class Grid:
    """The layout of a page of a score sheet. Lengths are in mm, from the grid's upper left corner.

    `first` and `deals` are the deals on this page; a page that is not the table's first has a line above them
    for what is brought forward. `feet` are the lines of totals below, each `foot` high.
    """

    players: int
    first: int
    dealers: tuple[int, ...]
    # Who sits out in each deal.
    sits_out: tuple[int | None, ...]
    row: float
    feet: int
    foot: float
    with_pool: bool = False
    with_folders: bool = False
    # On a sheet for the pencil: room to add up each turn of the deal, and dashes where nothing is to be written.
    with_check: bool = False
    with_dashes: bool = False

    @property
    def deals(self) -> int:
        return len(self.dealers)

    @property
    def name(self) -> str:
        """The CSS class of pages with this grid."""
        row = f"{self.row:.2f}-{self.feet}-{self.foot:.2f}".replace(".", "-")
        told = "-pool" * self.with_pool + "-folders" * self.with_folders + "-check" * self.with_check
        told += "-dashes" * self.with_dashes
        seats = (
            ("x" if seat is None else str(seat) for seat in each) for each in (self.dealers, self.sits_out)
        )
        return f"grid-{self.players}-{self.first}-{row}{told}-{'-'.join(map(''.join, seats))}"

    @property
    def brought_forward(self) -> bool:
        return self.first > 1

    @property
    def rows(self) -> int:
        return self.deals + self.brought_forward

    @cached_property
    def widths(self) -> dict[str, int]:
        """Figures in each column before the players', by key, in the order of every sheet."""
        widths = dict(WIDTHS_AT[self.players])
        for columns, there in ((POOL, self.with_pool), (FOLDERS, self.with_folders)):
            if there:
                widths |= {key: widths[key] + more for key, more in columns.items()}
        widths["remark"] -= CHECK * self.with_check
        return {column.key: widths[column.key] for column in COLUMNS if widths[column.key]}

    @property
    def pair(self) -> tuple[int, int]:
        """Figures for a player's tokens and running total."""
        return PAIR_AT[self.players]

    @property
    def player(self) -> int:
        return sum(self.pair)

    @property
    def figures_width(self) -> int:
        """Figures before the first player's columns."""
        return sum(self.widths.values())

    @property
    def characters(self) -> int:
        return self.figures_width + self.players * self.player + CHECK * self.with_check

    @property
    def width(self) -> float:
        return self.characters * CHARACTER

    @property
    def top(self) -> float:
        """The top of the first line, below the heads."""
        return HEAD

    @property
    def height(self) -> float:
        return HEAD + self.rows * self.row + self.feet * self.foot

    def edge(self, position: int) -> float:
        """The left edge of a player's columns; beyond the last player that of the room to add up."""
        return (self.figures_width + position * self.player) * CHARACTER

    def columns(self) -> list[tuple[str, float, float]]:
        """(key, left edge, width) of each column before the players'."""
        edges, at = [], 0
        for key, width in self.widths.items():
            edges.append((key, at * CHARACTER, width * CHARACTER))
            at += width
        return edges

    def light(self, rows: Sequence[Row]) -> list[Line]:
        """The lines in ordinary type, one for each row."""
        return [self._light(row) for row in rows]

    def _light(self, row: Row) -> Line:
        if row.label:
            line = to_the_right(row.label, self.figures_width - 1)
            return Line(line, [Cell(0, len(line), len(self.widths))])
        line, at, cells = "", 0, []
        for column, (key, width) in enumerate(self.widths.items()):
            text = "" if key == "dealer" else self._text(key, width, row.texts)
            if text:
                line += spaces(at * FIGURE - ems(line)) + text
                cells.append(Cell(column, len(line)))
            at += width
        if any(row.tokens):
            line += spaces(at * FIGURE - ems(line))
            line = self._amounts(line, row.tokens, cells, self.pair, first=True)
        return Line(line.rstrip(), cells)

    def _amounts(
        self, line: str, texts: Sequence[str], cells: list[Cell], widths: tuple[int, int], *, first: bool
    ) -> str:
        """A line with a number in one column of each player's two, the first or the second; `cells` get theirs."""
        before, width, after = (0, widths[0], widths[1]) if first else (widths[0], widths[1], 0)
        for position, text in enumerate(texts):
            number = amount(text, width)
            line += blank(before) + number
            if text:
                column = len(self.widths) + 2 * position + (not first)
                cells.append(Cell(column, len(line) - len(number) + len(number.rstrip())))
            line += blank(after)
        return line

    def discs(self, rows: Sequence[Row]) -> list[Line]:
        """The dealers' letters, which stand on black discs, one for each row."""
        column = list(self.widths).index("dealer")
        letters = (row.texts.get("dealer", "") for row in rows)
        return [Line(letter, [Cell(column, len(letter))]) for letter in letters]

    def heavy(self, rows: Sequence[Row]) -> list[Line]:
        """The lines in bold type, one for each row, from the first player's column on; none where no row has totals."""
        if not any(row.running for row in rows):
            return []
        lines = []
        for row in rows:
            cells: list[Cell] = []
            line = self._amounts("", row.running, cells, self.pair, first=False)
            lines.append(Line(line.rstrip(), cells))
        return lines

    def subheadings(self, tokens: str, running: str) -> list[Line]:
        """The small line above the players' columns, from the first player's column on."""
        line, at, cells = "", 0, []
        for position in range(self.players):
            for second, (text, width) in enumerate(zip((tokens, running), self.pair, strict=True)):
                at += width
                ends = (at - 1) * FIGURE * FONT_SIZE / SMALL
                line += spaces(ends - ems(line) - ems(text)) + text
                cells.append(Cell(len(self.widths) + 2 * position + second, len(line)))
        return [Line(line, cells)]

    def nought(self) -> Line:
        """The sum of the last totals of all players."""
        return Line("= 0", [Cell(len(self.widths) + 2 * self.players, len("= 0"))])

    def table(self, layers: Mapping[str, Sequence[Line]], nought: Line | None) -> TextTable:
        """The columns of the table for screen readers, for the elements of `paper/score.html#score` in their order."""
        left, heads = len(self.widths), 2
        columns = left + 2 * self.players + self.with_check
        feet = heads + self.rows
        parts: list[Head | Lines | Pieces] = [Head(column, rows=heads) for column in range(left)]
        parts += [Head(left + 2 * position, span=2) for position in range(self.players)]
        parts.append(Lines(1, layers["subheadings"], is_head=True))
        parts += [
            Lines(heads, layers[key], layer=key, apart=round(self.row, 3), is_centred=key == "discs")
            for key in ("light", "discs", "heavy")
            if layers[key]
        ]
        parts += [
            Lines(feet, layers[key], layer=key, apart=round(self.foot, 3))
            for key in ("light_feet", "heavy_feet")
            if layers[key]
        ]
        if nought:
            parts.append(Pieces(feet, [nought]))
        return TextTable(columns, parts)

    def _text(self, key: str, width: int, texts: Mapping[str, str]) -> str:
        text = texts.get(key, "")
        if not text:
            return ""
        if key in ("pool", "number"):
            return to_the_right(text, width - 1)
        text = cut_to(text, self.room(key))
        return spaces((width * FIGURE - ems(text)) / 2) + text if key in CENTRED else "  " + text

    def room(self, key: str) -> float:
        """The width of a text in a column before it is cut, in em."""
        return self.widths[key] * FIGURE - (0 if key in CENTRED else 4 * SPACE)


def amount(text: str, width: int) -> str:
    """A number at the right of its column, off the line where there is room for that."""
    spare = width - len(text)
    return blank(spare - 1) + text + blank(1) if spare > 0 else text


def blank(figures: int) -> str:
    return spaces(figures * FIGURE)


# What is drawn behind the lines of a score sheet: hairlines, who deals, who sits out, boxes to tick; their styles.

# Millimetres: of the heads the names, which are their upper part, and the titles; lines; dots and discs by their width.
NAMES, TITLES = 6.0, 7.4
HAIRLINE, LINE, RULE, DOT, DISC = 0.12, 0.3, 0.42, 1.6, 4.2
BOX, DASH = 2.7, 2.2
GREY = "#dcdcdc"


@cache
def stylesheet(grid: Grid) -> str:
    """CSS for a grid's pages in addition to the common style sheet: background picture and positions of headings."""
    page = f".{grid.name}"
    data = b64encode(picture(grid).encode()).decode()
    edges = grid.columns()
    headings = "".join(
        f"{page} .h-{key}{{left:{left:.3f}mm;width:{width:.3f}mm}}" for key, left, width in edges
    )
    dealer = next(f"left:{left:.3f}mm;width:{width:.3f}mm" for key, left, width in edges if key == "dealer")
    players = "".join(
        f"{page} .h-player-{position}"
        f"{{left:{grid.edge(position):.3f}mm;width:{grid.player * CHARACTER:.3f}mm}}"
        for position in range(grid.players)
    )
    feet = grid.top + grid.rows * grid.row
    above = grid.height - grid.top
    return (
        f"{page} .grid{{width:{grid.width:.3f}mm;height:{grid.height:.3f}mm;"
        f"background:url(data:image/svg+xml;base64,{data}) 0 0/100% 100% no-repeat}}"
        f"{page} .heavy,{page} .titles,{page} .check{{left:{grid.edge(0):.3f}mm}}"
        f"{page} .check{{left:{grid.edge(grid.players):.3f}mm;width:{CHECK * CHARACTER:.3f}mm;top:{feet:.3f}mm}}"
        f"{page} .layer{{font-size:{FONT_SIZE:.4f}mm;width:{grid.width:.3f}mm}}"
        f"{page} .titles{{font-size:{SMALL:.4f}mm}}{page} .discs{{{dealer}}}"
        f"{page} .deals{{line-height:{grid.row:.3f}mm;top:{grid.top}mm}}{page} .deals div{{height:{grid.row:.3f}mm}}"
        f"{page} .feet,{page} .check{{line-height:{grid.foot:.3f}mm;top:{feet:.3f}mm}}"
        f"{page} .feet div{{height:{grid.foot:.3f}mm}}"
        f"{page} .head,{page} .titles{{bottom:{above + 0.3:.3f}mm}}{headings}{players}"
    )


def picture(grid: Grid) -> str:
    """The grid as SVG.

    Each kind of mark is one path, with two commands per stroke, since it is rendered again for each page.
    """
    size = f"{grid.width:.3f} {grid.height:.3f}"
    width, height = size.split()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {size}"'
        ' fill="none">'
        f'<path d="{_shades(grid)}" stroke="{GREY}" stroke-width="{grid.row:.3f}"/>'
        f'<path d="{_dots(grid)}" stroke="#000" stroke-width="{DOT}" stroke-linecap="round"/>'
        f'<path d="{_hairlines(grid)}" stroke="#000" stroke-width="{HAIRLINE}"/>'
        f'<path d="{_lines(grid)}" stroke="#000" stroke-width="{LINE}"/>'
        f'<path d="{_rules(grid)}" stroke="#000" stroke-width="{RULE}"/>'
        f"{_repeated(grid)}"
        "</svg>"
    )


def _middles(grid: Grid) -> Iterator[tuple[int, int | None, float]]:
    """The dealer, the player sitting out, and the height of the line's middle, for each deal."""
    for index, (dealer, sits_out) in enumerate(zip(grid.dealers, grid.sits_out, strict=True)):
        yield dealer, sits_out, grid.top + (index + grid.brought_forward + 0.5) * grid.row


def _shades(grid: Grid) -> str:
    width = grid.edge(1) - grid.edge(0)
    return "".join(
        f"M{grid.edge(sits_out):.2f} {middle:.2f}h{width:.2f}"
        for _dealer, sits_out, middle in _middles(grid)
        if sits_out is not None
    )


def _dots(grid: Grid) -> str:
    """The dots at the left of the dealer's tokens: a stroke of no length with a round end."""
    return "".join(
        f"M{grid.edge(dealer) + 0.8 * DOT:.2f} {middle:.2f}h0.01"
        for dealer, _sits_out, middle in _middles(grid)
    )


def _repeated(grid: Grid) -> str:
    """Marks at regular intervals, each kind as one dashed stroke down the page: discs, and lines between deals."""
    row, deals_top = grid.row, grid.top + grid.brought_forward * grid.row
    across = next(left + width / 2 for key, left, width in grid.columns() if key == "dealer")
    disc = min(DISC, row - 0.4)
    first_turn = grid.players - (grid.first - 1) % grid.players
    middle = grid.width / 2
    return (
        _broken(
            across,
            deals_top + row / 2,
            grid.deals,
            row,
            0.01,
            f'stroke-width="{disc:.3f}" stroke-linecap="round"',
        )
        + _broken(middle, grid.top + row, grid.rows - 1, row, HAIRLINE, f'stroke-width="{grid.width:.3f}"')
        + _broken(
            middle,
            deals_top + first_turn * row,
            -(-(grid.deals - first_turn) // grid.players),
            grid.players * row,
            LINE,
            f'stroke-width="{grid.width:.3f}"',
        )
    )


def _broken(across: float, begins: float, count: int, apart: float, long: float, style: str) -> str:
    """`count` dashes of length `long`, the first centred at `begins`, at a distance of `apart`."""
    if count < 1:
        return ""
    top = begins - long / 2
    bottom = top + (count - 1) * apart + long
    return (
        f'<path d="M{across:.3f} {top:.3f}V{bottom:.3f}" stroke="#000"'
        f' stroke-dasharray="{long:.3f} {apart - long:.3f}" {style}/>'
    )


def _hairlines(grid: Grid) -> str:
    """Draw the hairlines between a player's tokens and running total; dashes and boxes."""
    bottom = grid.top + grid.rows * grid.row
    path = ""
    tokens = (grid.edge(1) - grid.edge(0)) * grid.pair[0] / grid.player
    for position in range(grid.players):
        path += f"M{grid.edge(position) + tokens:.2f} {NAMES}V{bottom:.2f}"
    path += f"M{grid.edge(0):.2f} {NAMES}H{grid.edge(grid.players):.2f}"
    return path + _dashes(grid) * grid.with_dashes + _boxes(grid) * grid.with_check


def _dashes(grid: Grid) -> str:
    """Dashes in the fields of the player who sits out."""
    path = ""
    for _dealer, sits_out, middle in _middles(grid):
        if sits_out is None:
            continue
        at = grid.edge(sits_out)
        for figures in grid.pair:
            width = (grid.edge(1) - grid.edge(0)) * figures / grid.player
            path += f"M{at + (width - DASH) / 2:.2f} {middle:.2f}h{DASH}"
            at += width
    return path


def _turns(grid: Grid) -> Iterator[int]:
    """The numbers of the page's deals by turn of the deal around the table; the last may be shorter."""
    last = grid.first - 1 + grid.deals
    for played in range(grid.first, last + 1):
        if played % grid.players == 0 or played == last:
            yield played - grid.first + 1


def _boxes(grid: Grid) -> str:
    """The boxes to tick where the running totals add up to zero, after each turn of the deal."""
    left = (grid.edge(grid.players) + grid.width - BOX) / 2
    path = ""
    for deals in _turns(grid):
        middle = grid.top + (deals + grid.brought_forward - 0.5) * grid.row
        path += f"M{left:.2f} {middle - BOX / 2:.2f}h{BOX}v{BOX}h-{BOX}v-{BOX}"
    return path


def _lines(grid: Grid) -> str:
    """Draw the lines between columns, and between the lines of totals."""
    deals_top = grid.top + grid.brought_forward * grid.row
    bottom = grid.top + grid.rows * grid.row
    path = "".join(
        f"M{edge:.2f} {deals_top if grid.brought_forward else grid.top - TITLES:.2f}V{bottom:.2f}"
        for _key, edge, _width in grid.columns()[1:]
    )
    for foot in range(1, grid.feet):
        path += f"M0 {bottom + foot * grid.foot:.2f}H{grid.width:.2f}"
    return path


def _rules(grid: Grid) -> str:
    """The frame, the edges of the players, and the lines above the deals and the totals."""
    bottom = grid.top + grid.rows * grid.row
    inset = RULE / 2
    names, right, end = f"{grid.edge(0):.2f}", f"{grid.width - inset:.2f}", f"{grid.height - inset:.2f}"
    last = f"{grid.edge(grid.players):.2f}"
    path = f"M{names} {inset}H{last}M0 {end}H{right}M{inset} {grid.top - TITLES:.2f}V{end}M0 {bottom:.2f}H{right}"
    path += f"M0 {grid.top:.2f}H{right}M{right} {grid.top - TITLES if grid.with_check else 0:.2f}V{end}"
    path += f"M0 {grid.top - TITLES:.2f}H{names}"
    if grid.with_check:
        path += f"M{last} {grid.top - TITLES:.2f}H{right}"
    edges = range(grid.players + grid.with_check)
    path += "".join(f"M{grid.edge(position):.2f} 0V{grid.height:.2f}" for position in edges)
    if grid.brought_forward:
        path += f"M0 {grid.top + grid.row:.2f}H{grid.width:.2f}"
    return path
