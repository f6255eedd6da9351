"""The columns of standings, each written once: screen, phone, projector, paper, CSV, XLSX and JSON read them here.

A new column is a row of `PLAYERS`, or of `TEAMS` in `standings/team_text.py`. Place and name stand in the rows for
the files; on pages and sheets they are links, and carry marks, so these write them themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Flag, auto
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from tournaments.domain.terms import signed, unsigned
from tournaments.standings.players import Standings
from tournaments.standings.tie_breaks import Row, comparison_name, tie_break_text, tie_breaks_in_words

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

    from core.tables.files import Value
    from tournaments.domain.comparison import Amount

Line_contra = TypeVar("Line_contra", contravariant=True)
Whole_contra = TypeVar("Whole_contra", contravariant=True)

MISSING, UP, DOWN = "–", "↑", "↓"


class On(Flag):
    """The place where a column is shown; a SHEET is a CSV or XLSX.

    A phone gets the screen's page: its style sheet hides some columns, and shows the UNDER_NAME ones as a second
    line. The tournament's front page has room for little more than a total, on a phone with letters of twice the
    size.
    """

    SCREEN = auto()
    PHONE = auto()
    UNDER_NAME = auto()
    FRONT_PAGE = auto()
    PROJECTOR = auto()
    PAPER = auto()
    SHEET = auto()
    JSON = auto()


FILES = On.SHEET | On.JSON
PAGES = On.SCREEN | On.UNDER_NAME | On.PAPER
EVERYWHERE = On.SCREEN | On.PHONE | On.PAPER | On.FRONT_PAGE | On.PROJECTOR | FILES


def always(_whole: object) -> bool:
    return True


def nothing(_whole: object) -> str:
    return ""


@dataclass(frozen=True, kw_only=True)
class Column(Generic[Line_contra, Whole_contra]):
    """A column of the standings `Whole`, a `Line` of which is a player's or a team's.

    `value` is the raw value, for files; `said` the formatted text, else a number without a plus sign. `there`
    decides whether these standings show it on pages and paper; files always have it. `css` is "total" for the
    compared value, "words" for left-aligned text, else "", aligned right.
    """

    # In a JSON file; programs of others read it: it stays as it is.
    name: str
    # On pages and above a CSV's or an XLSX's column.
    heading: StrPromise | str
    on: On
    value: Callable[[Line_contra], Value]
    said: Callable[[Line_contra], str] | None = None
    there: Callable[[Whole_contra], bool] = always
    css: str = ""
    # The heading on paper and below a name, where there is less room, and the characters that the column has on paper
    # at least.
    short: StrPromise | str = ""
    # A count in words, below a name: “Deals 14” could be read as the fourteenth.
    counted: StrPromise | str = ""
    width: int = 6
    # Whether paper places it after the columns that a total sums up.
    behind_sum: bool = False
    # Whether it is left out on paper where a sheet has so many columns that names would have no room.
    gives_way: bool = False
    # Small print in the heading, and a sentence below the table.
    note: Callable[[Whole_contra], str] = nothing
    explained: StrPromise | str = ""

    def cell_text(self, line: Line_contra) -> str:
        """The cell as it is read."""
        if self.said is not None:
            return self.said(line)
        value = self.value(line)
        if isinstance(value, (int, Fraction)):
            return unsigned(value)
        return "" if value is None else str(value)

    @cached_property
    def classes(self) -> str:
        """The cell's classes on a page; the phone hides what is minor."""
        minor = On.SCREEN in self.on and On.PHONE not in self.on
        return " ".join(filter(None, (self.css, "minor" if minor else "")))


@dataclass(frozen=True, slots=True)
class Several(Generic[Line_contra, Whole_contra]):
    """Columns of which the standings themselves say how many there are, or how they read."""

    of: Callable[[Whole_contra], Sequence[Column[Line_contra, Whole_contra]]]


def select_columns(
    columns: Iterable[Column[Line_contra, Whole_contra] | Several[Line_contra, Whole_contra]],
    on: On,
    whole: Whole_contra,
) -> list[Column[Line_contra, Whole_contra]]:
    """The columns that standings have there, in order.

    Words come last on pages. In a file those of which there are several do: the others stand where they do in every
    file.
    """
    in_order = sorted(columns, key=lambda one: on in FILES and isinstance(one, Several))
    found = [
        column
        for one in in_order
        for column in (one.of(whole) if isinstance(one, Several) else [one])
        if on in column.on and (on in FILES or column.there(whole))
    ]
    return found if on in FILES else sorted(found, key=lambda column: column.css == "words")


def explanations(columns: Iterable[Column[Line_contra, Whole_contra]]) -> list[str]:
    """Explanations of these columns, a sentence each."""
    return [str(column.explained) for column in columns if column.explained]


def where_any(amount: Amount) -> str:
    """Format with a sign; "" for 0."""
    return signed(amount) if amount else ""


def places_moved(places: int | None) -> str:
    """Format with an arrow; "" where there was no place before."""
    if places is None:
        return ""
    return f"{UP if places > 0 else DOWN}{abs(places)}" if places else MISSING


# Players and teams alike


class Ranked(Protocol):
    @property
    def deals(self) -> int: ...
    @property
    def gap(self) -> Amount: ...
    @property
    def moved(self) -> int | None: ...


class WithGames(Protocol):
    @property
    def has_deals(self) -> bool: ...
    @property
    def has_gaps(self) -> bool: ...
    @property
    def has_moved(self) -> bool: ...


MOVED = Column[Ranked, WithGames](
    name="moved",
    heading=gettext_lazy("Moved"),
    on=On.SCREEN | On.PHONE | On.PROJECTOR | FILES,
    value=lambda line: line.moved,
    said=lambda line: places_moved(line.moved),
    there=lambda standings: standings.has_moved,
    css="moved",
    explained=gettext_lazy("An arrow shows how many places a player has moved up or down in the last round."),
)

GAP = Column[Ranked, WithGames](
    name="gap",
    heading=gettext_lazy("Gap"),
    on=EVERYWHERE & ~On.FRONT_PAGE & ~On.PROJECTOR,  # a projector has little room beside names
    value=lambda line: line.gap,
    there=lambda standings: standings.has_gaps,
    behind_sum=True,
    gives_way=True,
    explained=gettext_lazy("The gap is how far a total is behind the leader’s."),
)
DEALS = Column[Ranked, WithGames](
    name="deals",
    heading=gettext_lazy("Deals"),
    counted=ngettext_lazy("%(count)d deal", "%(count)d deals", "count"),
    on=PAGES | FILES,
    value=lambda line: line.deals,
    there=lambda standings: standings.has_deals,
    gives_way=True,
    explained=gettext_lazy("Deals are those in which the player was dealt cards."),
)


# Players


def _rounds(standings: Standings) -> list[Column[Row, Standings]]:
    is_alone = len(standings.rounds) == 1
    return [_round(index, number, is_alone=is_alone) for index, number in enumerate(standings.rounds)]


def _round(index: int, number: int, *, is_alone: bool) -> Column[Row, Standings]:
    def format_round(row: Row) -> str:
        tokens = row.rounds[index]
        return MISSING if tokens is None else signed(tokens)

    return Column(
        name=f"round_{number}",
        heading=_("Round %(number)d") % {"number": number},
        # The only round has room for the full heading.
        short="" if is_alone else _("R%(number)d") % {"number": number},
        on=PAGES | On.SHEET,
        value=lambda row: row.rounds[index],
        said=format_round,
        width=7 if is_alone else 5,
    )


def _told_apart(standings: Standings) -> list[Column[Row, Standings]]:
    """The column of the tie-breaks that separated players, in the terms of the rulebook."""
    names = {code: tie_break_text(standings.rulebook, code).name for code in standings.tie_break_codes}
    return [
        Column(
            name="told_apart_by",
            heading=gettext_lazy("Separated by"),
            on=PAGES,
            value=lambda row: tie_breaks_in_words(names, row),
            there=lambda standings: standings.shows_tie_breaks,
            css="words",
        )
    ]


def _same_cards(standings: Standings) -> list[Column[Row, Standings]]:
    """The column, where the organisers show it."""
    shown_there = (SAME_CARDS,) if standings.has_same_cards else ()
    return [replace(column, on=PAGES | On.SHEET) for column in shown_there]


SAME_CARDS = Column[Row, Standings](
    name="same_cards",
    heading=gettext_lazy("Same cards"),
    short=gettext_lazy("Cards"),
    on=On.JSON,
    value=lambda row: row.same_cards,
    said=lambda row: MISSING if row.same_cards is None else signed(row.same_cards),
    there=lambda standings: standings.has_same_cards,
    gives_way=True,
    explained=gettext_lazy(
        "“Same cards” shows the tokens won beyond what others in the same seat won on average with the "
        "same folders."
    ),
)


PLAYERS: tuple[Column[Row, Standings] | Several[Row, Standings], ...] = (
    Column(name="place", heading=gettext_lazy("Place"), on=FILES, value=lambda row: row.rank),
    Column(name="number", heading=gettext_lazy("No."), on=FILES, value=lambda row: row.number),
    Column(name="name", heading=gettext_lazy("Name"), on=FILES, value=lambda row: row.name),
    Column(
        name="club",
        heading=gettext_lazy("Club"),
        # On paper it follows the name.
        on=On.SCREEN | On.UNDER_NAME | FILES,
        value=lambda row: row.club,
        there=lambda standings: standings.has_clubs,
        css="words",
    ),
    MOVED,
    Column(
        name="total",
        heading=gettext_lazy("Total"),
        on=EVERYWHERE,
        value=lambda row: row.total,
        said=lambda row: signed(row.total),
        css="total",
        width=7,
        behind_sum=True,
        note=lambda standings: comparison_name(standings.comparison),
    ),
    GAP,
    Column(
        name="moved_by_deal",
        heading=gettext_lazy("Last deal"),
        on=On.SCREEN | On.JSON,
        value=lambda row: row.moved_by_deal,
        said=lambda row: places_moved(row.moved_by_deal),
        there=lambda standings: standings.has_moved_by_deal,
        css="moved",
        explained=gettext_lazy("“Last deal” shows how many places the latest report moved each player."),
    ),
    Column(
        name="taken_along",
        heading=gettext_lazy("Carried over"),
        short=gettext_lazy("Along"),
        on=PAGES | FILES,
        value=lambda row: row.carried,
        said=lambda row: where_any(row.carried),
        there=lambda standings: standings.has_carried,
    ),
    Several(_rounds),
    Column(
        name="penalties",
        heading=gettext_lazy("Penalties"),
        short=gettext_lazy("Pen."),
        on=PAGES | FILES,
        value=lambda row: row.penalties,
        said=lambda row: where_any(row.penalties),
        there=lambda standings: standings.has_penalties,
    ),
    Column(name="tokens", heading=gettext_lazy("Tokens"), on=FILES, value=lambda row: row.tokens),
    DEALS,
    SAME_CARDS,
    Several(_same_cards),
    Several(_told_apart),
)
