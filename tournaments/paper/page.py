"""A page of paper, before it is one: a template and what fills it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from clubs.crests import crest_for_paper
from core.pdf.fonts import plain
from core.pdf.page import Page, chunks
from tournaments.changes.chain import short_head
from tournaments.models import Round

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime


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
