"""A page of paper, before it is one: a template and what fills it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from django.template.loader import render_to_string

from clubs.crests import crest_for_paper
from tournaments.changes.chain import short_head
from tournaments.models import Round
from tournaments.paper.text import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from tournaments.paper.text_tables import TextTable

T = TypeVar("T")


@dataclass(frozen=True)
class Occasion:
    """What is said at the top and bottom of every page."""

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
        """Where the chain of all that is decided ends (`tournaments.chain`), to be compared years later."""
        return short_head(self.round.tournament.chain_head)

    @property
    def is_final(self) -> bool:
        """Whether play is over and this is its last round that was played: its standings are posted, or final."""
        tournament = self.round.tournament
        later = tournament.rounds.filter(number__gt=self.round.number)
        return tournament.is_played and not later.exclude(state=Round.State.DRAWN).exists()

    @property
    def objections_said(self) -> str:
        """Until when final standings are provisional; "" where they are not."""
        return self.round.tournament.objections_said

    @property
    def rounds(self) -> int:
        return self.round.tournament.rounds_planned


@dataclass(frozen=True)
class Page:
    """One page. `name` is for the table of contents; `css` is its class, `styles` the rules it needs.

    `tables` are those that its <article> elements hold as lines of text, in their order.
    """

    template: str
    name: str
    context: Mapping[str, Any] = field(default_factory=dict)
    css: str = ""
    styles: str = ""
    tables: Sequence[TextTable] = ()


def drawn(numbered: Sequence[tuple[int, Page]], of: int) -> list[str]:
    """Pages as HTML, each with its number."""
    return [
        render_to_string(page.template, {**page.context, "css": page.css, "number": number, "of": of})
        for number, page in numbered
    ]


def shares(lines: int, most: int) -> list[tuple[int, int]]:
    """Lines over as few pages as hold them, about the same number on each: (first, count), counted from 0."""
    pages = max(1, -(-lines // most))
    each = max(1, -(-lines // pages))
    return [(first, min(each, lines - first)) for first in range(0, max(lines, 1), each)]


def chunks(items: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


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
