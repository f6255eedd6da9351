"""A page of paper: a template and what fills it; names fitted to the width of a sheet."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from django.utils.translation import gettext_lazy

from clubs.crests import crest_for_paper
from clubs.names import shown_order
from core.pdf.fonts import FIGURE, TEXT, ems, plain
from core.pdf.page import Page, chunks
from core.text import strip_remark
from tournaments.changes.chain import short_head
from tournaments.domain.terms import short_names
from tournaments.models import Round
from tournaments.models.names import as_shown
from tournaments.standings.columns import Column, On

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date, datetime

    from tournaments.models import Entry


# Which tables of a round are printed, by number: those of one hall, where there are halls.
Printed = Callable[[int], bool]


def every_table(_number: int) -> bool:
    return True


T = TypeVar("T")


@dataclass(frozen=True)
class Occasion:
    """Header and footer of every page."""

    round: Round
    printed_at: datetime

    @property
    def tournament(self) -> str:
        return plain(self.round.tournament.name)

    @property
    def host(self) -> str:
        return plain(self.round.tournament.host.name)

    @cached_property
    def crest(self) -> str:
        """The host's crest, in an address that carries it; "" for none."""
        return crest_for_paper(self.round.tournament.host)

    @property
    def colour(self) -> str:
        """The host's colour, on which white letters can be read; "" for none."""
        return self.round.tournament.host.colour

    @property
    def date(self) -> date:
        return self.round.tournament.date

    @property
    def head(self) -> str:
        """The head of the hash chain, to be compared years later."""
        return short_head(self.round.tournament.chain_head)

    @property
    def is_final(self) -> bool:
        """Whether play is over and this is its last round that was played: its standings are posted, or final."""
        tournament = self.round.tournament
        later = tournament.rounds.filter(number__gt=self.round.number)
        return tournament.is_played and not later.exclude(state=Round.State.DRAWN).exists()

    @property
    def provisional_until(self) -> str:
        """Until when final standings are provisional, as text; "" where they are not."""
        return self.round.tournament.provisional_until

    @cached_property
    def has_penalties(self) -> bool:
        """Whether a ruling of the round counts."""
        return self.round.penalties.filter(cancelled_at=None).exists()

    @property
    def rounds(self) -> int:
        return self.round.tournament.rounds_planned


def shares(lines: int, most: int) -> list[tuple[int, int]]:
    """Lines over as few pages as hold them, about the same number on each: (first, count), counted from 0."""
    pages = max(1, -(-lines // most))
    each = max(1, -(-lines // pages))
    return [(first, min(each, lines - first)) for first in range(0, max(lines, 1), each)]


def cards_to_cut(
    template: str,
    occasion: Occasion,
    cards: Sequence[Any],
    a_page: int,
    *,
    name: str,
    css: str,
    styles: str = "",
) -> list[Page]:
    """Cards over pages, so many on each, to be cut apart."""
    return [
        Page(template, name, {"occasion": occasion, "cards": part}, f"cut-cards {css}", styles)
        for part in chunks(cards, a_page)
    ]


def packed(items: Sequence[T], heights: Sequence[float], room: float) -> list[list[T]]:
    """Items over pages in their order, as many on each as have room; each has its height."""
    pages: list[list[T]] = []
    left = 0.0
    for item, height in zip(items, heights, strict=True):
        if not pages or height > left:
            pages.append([])
            left = room
        pages[-1].append(item)
        left -= height
    return pages


# Fitting names on paper: type size for a given width, and abbreviations.

POINT = 25.4 / 72
# A list of more is searched by surnames, as a telephone book is.
BY_SURNAME_ABOVE = 60
# A little less than the room there is: bold letters are wider, and no printer is exact.
FILLED = 0.97


def size_for(text: str, width: float, largest: float, least: float, face: str = TEXT) -> float:
    """Points in which a text fits into `width` millimetres: `largest` where it can be, never under `least`."""
    fits = FILLED * width / (ems(text, face) or 1) / POINT
    return round(max(least, min(largest, fits)), 1)


# Names of a list have the size that the longest needs, but for a name that needs less than this part of the largest.
SHARED = 0.75


def sizes_for(
    texts: Iterable[str], width: float, largest: float, least: float, face: str = TEXT
) -> list[float]:
    """Points for each text of a list: one size for all, smaller only for a text that is much longer than the rest."""
    return in_one_size([size_for(text, width, largest, least, face) for text in texts], largest)


def in_one_size(sizes: Sequence[float], largest: float) -> list[float]:
    """The sizes of a list's texts, made equal but for those that are much smaller."""
    shared = min((size for size in sizes if size >= SHARED * largest), default=largest)
    return [min(size, shared) for size in sizes]


@dataclass(frozen=True)
class Head:
    """A name above a narrow column: one line or two, and their type in points."""

    lines: tuple[str, ...]
    size: float


ONE_LINE, TWO_LINES, LEAST = 8.0, 7.0, 5.5


def heads(names: Sequence[str], width: float) -> list[Head]:
    """Headings for columns of this width in millimetres: full names if all fit, else short ones for all."""
    whole = [plain(name) for name in names]
    found = [_in_one_line(name, width) or _in_two_lines(name, width) for name in whole]
    if all(head.size >= TWO_LINES for head in found):
        return found
    return [_in_one_line(name, width) or _in_two_lines(name, width) for name in short_names(whole)]


def _in_one_line(name: str, width: float) -> Head | None:
    size = size_for(name, width, ONE_LINE, 0)
    return Head((name,), size) if size >= TWO_LINES else None


def _in_two_lines(name: str, width: float) -> Head:
    lines = _in_two(name)
    return Head(lines, min(size_for(line, width, TWO_LINES, LEAST) for line in lines))


def _in_two(name: str) -> tuple[str, ...]:
    """A name in two lines, broken between words or after a hyphen where the longer line is shortest; or in one."""
    ways = [(name[: found.end()].strip(), name[found.end() :]) for found in re.finditer(r"[ -]\b", name)]
    return min(ways, key=lambda way: max(map(ems, way)), default=(name,))


def for_the_wall(entries: Iterable[Entry]) -> list[tuple[Entry, str]]:
    """All players with their names for a list, in its order: as shown, or by surname where they are many."""
    shown = as_shown(entries)
    if len(shown) <= BY_SURNAME_ABOVE:
        return [(entry, entry.shown_name) for entry in shown]
    called = [(entry, surname_first(entry.shown_name)) for entry in shown]
    return sorted(called, key=lambda found: (shown_order(found[1]), found[0].number))


def surname_first(name: str) -> str:
    """“Anna von Lund (Marstal)” as “Lund, Anna von (Marstal)”; a number, or a single word, as it is."""
    whole = strip_remark(name)
    first, _space, last = whole.rpartition(" ")
    if not first or not last[0].isalpha():
        return name
    remark = name.removeprefix(whole) if name.startswith(whole) else ""
    return f"{last}, {first}{remark}"


# The columns of standings on paper: how wide each is, and which give way where there are too many.

Line = TypeVar("Line")
Whole = TypeVar("Whole")


class Numbered(Protocol):
    """A player or a team, by its number in the tournament."""

    @property
    def number(self) -> int: ...


def prize_column(prizes: Mapping[int, str]) -> Column[Numbered, object]:
    """Each prize in kroner, by number."""
    return Column(
        name="prize",
        heading=gettext_lazy("Prize"),
        on=On.PAPER,
        value=lambda line: prizes.get(line.number, ""),
        width=9,
    )


def heading(column: Column[Line, Whole]) -> str:
    return str(column.short or column.heading)


def measured(
    columns: Sequence[Column[Line, Whole]],
    lines: Sequence[Line],
    room: float,
    *,
    between: int = 1,
    wrapped: bool = False,
) -> dict[Column[Line, Whole], int]:
    """The columns that fit, each with its width in figures: its longest text and spacing.

    `wrapped` headings have a line per word.
    """
    widths = {}
    for column in columns:
        heads = heading(column).split() if wrapped else [heading(column)]
        texts = [*heads, *(column.cell_text(line) for line in lines)]
        widths[column] = max(column.width, *(math.ceil(ems(text) / FIGURE) + between for text in texts))
    giving_way = [column for column in columns if column.gives_way]
    while giving_way and sum(widths.values()) > room:
        del widths[giving_way.pop()]
    return widths
