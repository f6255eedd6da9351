"""What is drawn behind the lines of a score sheet: hairlines, who deals, who sits out, boxes to tick; their styles."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from typing import TYPE_CHECKING

from tournaments.paper.grid import CHARACTER, CHECK, FONT_SIZE, SMALL, Grid

if TYPE_CHECKING:
    from collections.abc import Iterator

# Millimetres: of the heads the names, which are their upper part, and the titles; lines; dots and discs by their width.
NAMES, TITLES = 6.0, 7.4
HAIRLINE, LINE, RULE, DOT, DISC = 0.12, 0.3, 0.42, 1.6, 4.2
BOX, DASH = 2.7, 2.2
GREY = "#dcdcdc"


@cache
def stylesheet(grid: Grid) -> str:
    """What a grid's pages need beside the common style sheet: the picture, and the places of the headings."""
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

    A kind of mark is one path of strokes, and a stroke is two commands: it is drawn anew on each page.
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
    """Of each deal who deals, who sits out, and the height of the middle of its line."""
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
    """At the left of the dealer's tokens: a stroke of no length with a round end."""
    return "".join(
        f"M{grid.edge(dealer) + 0.8 * DOT:.2f} {middle:.2f}h0.01"
        for dealer, _sits_out, middle in _middles(grid)
    )


def _repeated(grid: Grid) -> str:
    """What stands at even distances, each kind as one broken stroke down the page: discs, and lines between deals."""
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
    """`count` pieces `long` each, in the middle of which the first stands at `begins`, `apart` from each other."""
    if count < 1:
        return ""
    top = begins - long / 2
    bottom = top + (count - 1) * apart + long
    return (
        f'<path d="M{across:.3f} {top:.3f}V{bottom:.3f}" stroke="#000"'
        f' stroke-dasharray="{long:.3f} {apart - long:.3f}" {style}/>'
    )


def _hairlines(grid: Grid) -> str:
    """Between a player's tokens and running total; dashes and boxes."""
    bottom = grid.top + grid.rows * grid.row
    path = ""
    tokens = (grid.edge(1) - grid.edge(0)) * grid.pair[0] / grid.player
    for position in range(grid.players):
        path += f"M{grid.edge(position) + tokens:.2f} {NAMES}V{bottom:.2f}"
    path += f"M{grid.edge(0):.2f} {NAMES}H{grid.edge(grid.players):.2f}"
    return path + _dashes(grid) * grid.with_dashes + _boxes(grid) * grid.with_check


def _dashes(grid: Grid) -> str:
    """Where whoever sits out has nothing to write."""
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
    """How many of the page's deals are played after each turn of the deal around the table; the last may be shorter."""
    last = grid.first - 1 + grid.deals
    for played in range(grid.first, last + 1):
        if played % grid.players == 0 or played == last:
            yield played - grid.first + 1


def _boxes(grid: Grid) -> str:
    """To be ticked where the running totals come to nothing, after each turn of the deal."""
    left = (grid.edge(grid.players) + grid.width - BOX) / 2
    path = ""
    for deals in _turns(grid):
        middle = grid.top + (deals + grid.brought_forward - 0.5) * grid.row
        path += f"M{left:.2f} {middle - BOX / 2:.2f}h{BOX}v{BOX}h-{BOX}v-{BOX}"
    return path


def _lines(grid: Grid) -> str:
    """Between columns, and between the lines of totals."""
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
