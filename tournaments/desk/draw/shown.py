"""What a page shows of a draw: all of a small one; of a large one a round, by parts or where somebody sits.

Who is ticked to change seats stays ticked, whichever part is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.paginator import Page, Paginator
from django.db.models import prefetch_related_objects

from tournaments.entries.entering import entries_found
from tournaments.models import Round, Seat, Table, Tournament
from tournaments.rounds.seat_plan import PlannedRound, seat_plan
from tournaments.web.finding import number_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import QueryDict

# A draw of so many tables, all rounds together, is shown whole; of a larger one so many tables at a time.
MOST_WHOLE, ON_A_PAGE = 60, 30

Seated = tuple[Table, list[Seat | None]]


@dataclass(frozen=True)
class ShownRound:
    """A round with the tables that are shown, and who is ticked at others."""

    planned: PlannedRound
    page: Page[Seated]
    ticked_elsewhere: Sequence[Seat] = ()
    # Of several rounds one is open: the first that is not closed.
    is_folded: bool = False


@dataclass(frozen=True)
class Shown:
    rounds: list[ShownRound]
    is_long: bool
    q: str
    ticked: set[int]
    """Seats by primary key; of who has a bye the entry's, below 0."""

    @property
    def ticked_byes(self) -> set[int]:
        return {-key for key in self.ticked}


def shown_of(tournament: Tournament, rounds: Sequence[Round], asked: QueryDict) -> Shown:
    """The part that is asked for: a round, a page of it, what is sought; `seat` are the ticks."""
    is_long = Table.objects.filter(round__tournament=tournament).count() > MOST_WHOLE
    query = asked.get("q", "")
    ticked = {pk for value in asked.getlist("seat") if (pk := _key(value)) is not None}
    if is_long:
        found = [_part(_asked_round(rounds, asked), asked, ticked)]
    else:
        plan = seat_plan(tournament, rounds)
        at = next((round_ for round_ in rounds if not round_.is_closed), None)
        found = [
            ShownRound(one, Paginator(one.seated, len(one.tables) or 1).page(1), is_folded=one.round != at)
            for one in plan
        ]
    return Shown(found, is_long, query, ticked)


def _key(value: str) -> int | None:
    number = number_in(value.removeprefix("-"))
    return -number if number is not None and value.startswith("-") else number


def _asked_round(rounds: Sequence[Round], asked: QueryDict) -> Round:
    """The round that is asked for; else the first that can still be changed, or the last."""
    number = number_in(asked.get("round", ""))
    drawn = [round_ for round_ in rounds if round_.is_drawn]
    return next((one for one in rounds if one.number == number), drawn[0] if drawn else rounds[-1])


def _part(round_: Round, asked: QueryDict, ticked: set[int]) -> ShownRound:
    (planned,) = seat_plan(round_.tournament, [round_], named=False)
    query = asked.get("q", "")
    tables = planned.seated
    if query.strip():
        sat = round_.seats.filter(entry__in=entries_found(round_.tournament, query).values("pk"))
        found = set(sat.values_list("table", flat=True))
        tables = [
            (one, chairs) for one, chairs in tables if one.pk in found or str(one.number) == query.strip()
        ]
    page = Paginator(tables, ON_A_PAGE).get_page(asked.get("page"))
    prefetch_related_objects([one for one, _chairs in page], "seats__entry__player", "seats__entry__club")
    here = {seat.pk for _table, chairs in page for seat in chairs if seat}
    elsewhere = round_.seats.filter(pk__in=ticked - here).select_related("entry__player", "table")
    return ShownRound(planned, page, list(elsewhere))
