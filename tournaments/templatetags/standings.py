"""Tags for cells of standings and ladders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from html import escape
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tournaments.domain.card_drawing import card_spoken
from tournaments.domain.terms import MINUS, card_words
from tournaments.hall.live import player_pages
from tournaments.standings.columns import DOWN, MISSING, UP, Column, On
from tournaments.standings.tie_breaks import Row

if TYPE_CHECKING:
    from tournaments.hall.projector import Place as WallPlace
    from tournaments.hall.seasons import Cell, Shown
    from tournaments.hall.standings import Line as PlayerLine
    from tournaments.ledger.queries import BoardRow
    from tournaments.lifecycle.playing import Pace


# The head and the rows of standings, as pages write them: see `standings/columns.py`.

register = template.Library()
Line = TypeVar("Line")
Whole = TypeVar("Whole")
MEDALS = (1, 2, 3)  # gold, silver and bronze
TONES = {MINUS: "minus", UP: "up", DOWN: "down"}


class Ranked(Protocol):
    """A line with a place."""

    @property
    def rank(self) -> int: ...

    @property
    def shared(self) -> bool: ...

    @property
    def played(self) -> bool | int | list[int]: ...


class Placed(Ranked, Protocol):
    """A player's or a team's line in standings."""

    number: int
    name: str
    withdrawn: bool


PlacedLine = TypeVar("PlacedLine", bound=Placed)


@register.simple_tag
def headings(columns: Iterable[Column[Line, Whole]], whole: Whole, element: str = "") -> SafeString:
    """A `<th>` for each column, or another element."""
    name, start = element or "th", f"<{element}" if element else '<th scope="col"'
    return _joined(
        f"{start}{_classes(column.classes)}>{escape(capfirst(str(column.heading)))}{_note(column, whole)}</{name}>"
        for column in columns
    )


@register.simple_tag
def cells(
    columns: Iterable[Column[Line, Whole]], line: Line, element: str = "td", css: str = ""
) -> SafeString:
    """A `<td>`, or another element, for each column; all at once, since a thousand rows have ten thousand."""
    return _joined(_cell(element, css, column.classes, column.cell_text(line)) for column in columns)


@register.simple_tag
def player_rows(
    columns: Sequence[Column[Row, Whole]], lines: Iterable[PlayerLine], *, clubs: bool = False
) -> SafeString:
    """A `<tr>` for each player, joined as strings: a page of thousands of players is rendered for every deal."""
    drawn = _PlayerRows(columns, clubs=clubs)
    return _joined(map(drawn.row, lines))


@register.simple_tag
def place_rows(
    columns: Sequence[Column[PlacedLine, Whole]], rows: Iterable[PlacedLine], page: str, code: str
) -> SafeString:
    """A `<tr>` for each player or team, with a link to its `page`."""
    address, withdrawn = player_pages(page), escape(_("withdrawn"))
    mark = f" <small>{withdrawn}</small>"
    return _joined(
        f'<tr><td class="number">{_place(row, "")}</td>'
        f'<th scope="row" class="name"><a href="{address(code, row.number)}">{escape(row.name)}</a>'
        f"{mark if row.withdrawn else ''}</th>{cells(columns, row, 'td', 'number')}</tr>\n"
        for row in rows
    )


class _Each(dict[str, str]):
    """A cache of rendered texts: thousands of rows have the same numbers."""

    def __init__(self, draw: Callable[[str], str]) -> None:
        super().__init__()
        self._draw = draw

    def __missing__(self, text: str) -> str:
        drawn = self[text] = self._draw(text)
        return drawn


class _PlayerRows:
    """Rows of players with these columns, in the reader's language; with `clubs`, each below its player's name."""

    def __init__(self, columns: Sequence[Column[Row, Any]], *, clubs: bool = False) -> None:
        self.clubs = clubs
        self.written = [column.cell_text for column in columns]
        self.cells = [_Each(partial(_cell, "td", "", column.classes)) for column in columns]
        self.under = [
            (place, _Each(partial(_column_cell, column)))
            for place, column in enumerate(columns)
            if On.UNDER_NAME in column.on
        ]
        goes_on, withdrawn = escape(_("qualifies")), escape(_("withdrawn"))
        too_few = escape(_("too few deals"))
        self.goes_on = f' <small class="goes-on">✓ {goes_on}</small>'
        self.withdrawn = f" <small>{withdrawn}</small>"
        self.too_few = f" <small>{too_few}</small>"

    def row(self, line: PlayerLine) -> str:
        row = line.row
        texts = [written(row) for written in self.written]
        cells = "".join([cell[text] for cell, text in zip(self.cells, texts, strict=True)])
        css = ' class="line-below"' if line.last_to_go_on else ""
        marks = (self.goes_on if line.goes_on else "") + (self.withdrawn if row.withdrawn else "")
        if not row.has_enough_deals:
            marks += self.too_few
        under = _under([said[texts[place]] for place, said in self.under], row.club if self.clubs else "")
        return (
            f'<tr{css}{_next(line.next)}><td class="rank">{_place(row, line.place)}</td>'
            f'<th scope="row" class="name"><a href="{line.address}">{escape(row.name)}</a>{marks}'
            f"{under}</th>{cells}</tr>\n"
        )


@register.simple_tag
def under_name(columns: Iterable[Column[Line, Whole]], line: Line) -> SafeString:
    """The values of hidden columns on a phone, as a second line below the name."""
    said = [_column_cell(column, column.cell_text(line)) for column in columns if On.UNDER_NAME in column.on]
    return mark_safe(_under(said))  # noqa: S308 - escaped


@register.simple_tag
def next_seat_attribute(said: str) -> SafeString:
    """The next seat of the row's player or team, as an attribute that `static/js/mine.js` reads."""
    return mark_safe(_next(said))  # noqa: S308 - escaped


@register.simple_tag
def place(row: Placed, said: str = "") -> SafeString:
    """A place as text; the first three on a disc, once a deal has been played."""
    return mark_safe(_place(row, said))  # noqa: S308 - escaped


def _place(row: Ranked, said: str) -> str:
    written = said or f"{row.rank}{'=' if row.shared else ''}"
    if row.rank not in MEDALS or not row.played:
        return escape(written)
    return f'<span class="place p{row.rank}">{escape(written)}</span>'


def _next(said: str) -> str:
    return f' data-next="{escape(said)}"' if said else ""


def _under(said: Iterable[str], club: str = "") -> str:
    """The line below a name: the club, which any screen shows, then what a phone has no columns for."""
    text = " · ".join(filter(None, said))
    if not club:
        return f'<small class="under">{text}</small>' if text else ""
    rest = f' <span class="rest">{text}</span>' if text else ""
    return f'<small class="under with-club"><span class="club">{escape(club)}</span>{rest}</small>'


@lru_cache(maxsize=4096)
def _cell(element: str, css: str, classes: str, text: str) -> str:
    """Render a cell, cached, since a thousand rows repeat the same numbers. Negative ones differ in colour too."""
    return f"<{element}{_classes(css, classes, TONES.get(text[:1], ''))}>{escape(text)}</{element}>"


def _column_cell(column: Column[Line, Whole], text: str) -> str:
    """A cell with its heading, in one piece; words say of themselves what they are."""
    if text in ("", MISSING):
        return ""
    if column.counted:
        return escape((column.counted % {"count": int(text)}).replace(" ", "\N{NO-BREAK SPACE}"))
    return (
        escape(text)
        if column.css == "words"
        else escape(f"{column.short or column.heading}\N{NO-BREAK SPACE}{text}")
    )


def _classes(*names: str) -> str:
    classes = " ".join(filter(None, names))
    return f' class="{classes}"' if classes else ""


def _note(column: Column[Line, Whole], whole: Whole) -> str:
    note = column.note(whole)
    return f" <small>{escape(note)}</small>" if note else ""


def _joined(elements: Iterable[str]) -> SafeString:
    return mark_safe("".join(elements))  # noqa: S308 - what is written is escaped, and classes are our own


# The rows of the projector's slides, which are many: in a tournament of thousands all of them are on the page.


@register.simple_tag
def wall_places(
    columns: Sequence[Column[Row, Whole]], places: Iterable[WallPlace], moved: int, long: int
) -> SafeString:
    """An `<li>` for each place; the player with the number `moved` is marked, names above `long` are set smaller."""
    return _joined(
        f'<li data-key="{one.row.number}" class="{"below-zero" if one.is_first_below else ""}'
        f'{" hit" if one.row.number == moved else ""}"><span class="rank">{_place(one.row, "")}</span> '
        f"{_wall_name(one.row.name, long)} {cells(columns, one.row, 'span', 'number')}</li>"
        for one in places
    )


@register.simple_tag
def wall_seats(seats: Iterable[tuple[str, str]], long: int) -> SafeString:
    """An `<li>` for each player and their seat."""
    return _joined(
        f'<li>{_wall_name(name, long)} <span class="number">{escape(seat)}</span></li>'
        for name, seat in seats
    )


def _wall_name(name: str, long: int) -> str:
    return f'<span class="name{" long" if len(name) > long else ""}">{escape(name)}</span>'


@register.simple_tag
def wall_progress(tables: Iterable[tuple[BoardRow, Pace]]) -> SafeString:
    """An `<li>` for each table of the running round: deals reported, and how fast."""
    table, done, behind = _("Table %(number)s"), escape(_("done")), escape(_("behind"))
    an_hour = _("%(deals)s an hour")

    def pace_of(row: BoardRow, pace: Pace) -> str:
        if pace.is_behind:
            return behind
        return escape(an_hour % {"deals": pace.an_hour}) if pace.an_hour and not row.done else ""

    return _joined(
        f"<li{_classes('behind' if pace.is_behind else '')}>"
        f'<span class="table">{escape(table % {"number": row.table.number})}</span> '
        f'<progress max="{row.table.deals}" value="{row.reported}" aria-hidden="true"></progress> '
        f'<span class="pace">{pace_of(row, pace)}</span> '
        f'<span class="number">{done if row.done else f"{row.reported}/{row.table.deals}"}</span></li>'
        for row, pace in tables
    )


# The rows of a season's ladder, as pages write them: of many evenings and players there are thousands of cells.


@register.simple_tag
def ladder_row(
    line: Shown, *, behind: bool = False, clubs: bool = False, of_teams: bool = False
) -> SafeString:
    """A player's, or a team's, `<tr>` in a season's ladder; `behind`, without a place."""
    row = line.row
    css = ' class="behind"' if behind else ""
    place = "–" if behind else _place(row.line, "")
    tone = " minus" if line.total[:1] == MINUS else ""
    page = player_pages("hall_team" if of_teams else "hall_player")(row.code, row.number)
    note = escape(_("does not count"))
    return mark_safe(  # noqa: S308 - what is written is escaped
        f'<tr{css}><td class="rank">{place}</td>'
        f'<th scope="row" class="name"><a href="{page}">{escape(row.name)}</a></th>'
        f'<td class="total{tone}">{escape(line.total)}</td>{"".join([_ladder_cell(cell, note) for cell in line.cells])}'
        f'<td class="minor">{row.line.played}</td><td class="minor">{row.line.deals}</td>'
        + (f'<td class="words minor">{escape(row.club)}</td></tr>' if clubs else "</tr>")
    )


def _card_index(card: str) -> str:
    """A card as its corner has it, small, and in words for a voice."""
    said = escape(card_spoken(card))
    suit = f"took suit-{card[0].lower()}"
    return f'<small class="{suit}" role="img" aria-label="{said}" title="{said}">{card_words(card)}</small>'


@lru_cache(maxsize=4096)
def _ladder_cell(cell: Cell, note: str) -> str:
    card = _card_index(cell.card) if cell.card else ""
    if not cell.dropped:
        return f"<td>{escape(cell.text)}{card}</td>"
    return f'<td><s class="dropped">{escape(cell.text)}</s><span class="visually-hidden"> {note}</span>{card}</td>'
