"""What the page of a draw shows: one round, with the price of a swap at every seat once one is chosen.

A large round is shown by parts: so many tables at a time, or those where somebody is found.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.core.paginator import Page, Paginator

from tournaments.desk.draw.swap import Chosen, Price, find_chosen, price_swaps, seat_name
from tournaments.entries.entering import entries_found
from tournaments.lifecycle.seat_plan import PlannedRound, seat_plan
from tournaments.models import Entry, Round, Seat, Table, Tournament
from tournaments.web.lookup import number_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django.http import QueryDict

# A round of so many tables is shown whole; of a larger one so many tables at a time.
MOST_WHOLE, ON_A_PAGE = 80, 30


@dataclass(frozen=True)
class Place:
    """A player of the round at a seat, or with a bye; `at` is what the place is sent as."""

    entry: Entry
    at: str
    letter: str = ""
    price: Price | None = None
    is_chosen: bool = False


# A table with its places, None for the empty chair at a table of three.
ShownTable = tuple[Table, "list[Place | None]"]


@dataclass(frozen=True)
class Shown:
    """A round with the tables that are shown; `free` is how many swaps of the chosen player cost nothing."""

    planned: PlannedRound
    page: Page[ShownTable]
    byes: list[Place]
    is_long: bool
    q: str
    chosen: Chosen | None = None
    free: int = 0
    only_free: bool = False
    not_found: str = ""
    changed: set[int] = field(default_factory=set)
    """The numbers of the tables that have changed since their sheets were printed."""


def shown_of(
    tournament: Tournament, rounds: Sequence[Round], asked: QueryDict, changed: Sequence[int] = ()
) -> Shown:
    """The round that is asked for, a page of it, what is sought; `seat` is the one that is chosen."""
    round_ = _asked_round(rounds, asked)
    (planned,) = seat_plan(tournament, [round_])
    seat = asked.get("seat", "")
    chosen = find_chosen(planned, seat) if planned.may_swap else None
    prices = price_swaps(planned, chosen) if chosen else {}
    only_free = bool(chosen) and "free" in asked

    def place(entry: Entry, at: str, letter: str = "") -> Place:
        is_chosen = chosen is not None and chosen.at == at
        return Place(entry, at, letter, prices.get(entry.number), is_chosen)

    tables: list[ShownTable] = [
        (table, [_at_table(table, chair, place) if chair else None for chair in chairs])
        for table, chairs in planned.seated
    ]
    byes = [place(entry, seat_name(None, entry.number)) for entry in planned.bye]
    if only_free:
        tables = [
            (table, kept) for table, places in tables if (kept := [one for one in places if _is_free(one)])
        ]
    query, is_long = asked.get("q", ""), len(planned.tables) > MOST_WHOLE
    if query.strip() and is_long:
        tables = _found(tournament, round_, tables, query)
    a_page = ON_A_PAGE if is_long else max(len(tables), 1)
    return Shown(
        planned,
        Paginator(tables, a_page).get_page(asked.get("page")),
        byes,
        is_long,
        query,
        chosen,
        sum(price.is_free for price in prices.values()),
        only_free,
        seat if seat and not chosen and planned.may_swap else "",
        set(changed),
    )


def _at_table(table: Table, seat: Seat, place: Callable[[Entry, str, str], Place]) -> Place:
    return place(seat.entry, seat_name(seat, seat.entry.number, table), seat.letter)


def _is_free(place: Place | None) -> bool:
    return place is not None and (place.is_chosen or (place.price is not None and place.price.is_free))


def _asked_round(rounds: Sequence[Round], asked: QueryDict) -> Round:
    """The round that is asked for; else the first that can still be changed, or the last."""
    number = number_in(asked.get("round", ""))
    drawn = [round_ for round_ in rounds if round_.is_drawn]
    return next((one for one in rounds if one.number == number), drawn[0] if drawn else rounds[-1])


def _found(tournament: Tournament, round_: Round, tables: list[ShownTable], query: str) -> list[ShownTable]:
    """The tables where somebody of this name sits, or of this number."""
    sat = round_.seats.filter(entry__in=entries_found(tournament, query).values("pk"))
    found = set(sat.values_list("table", flat=True))
    return [one for one in tables if one[0].pk in found or str(one[0].number) == query.strip()]
