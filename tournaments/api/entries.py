"""The entries of a tournament, by the names that the hall shows; and a player's evening."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, Q
from django.shortcuts import get_object_or_404
from ninja import Router
from pydantic import Field

from clubs.models import format_name
from tournaments.api.base import (
    USUAL_ON_A_PAGE,
    ClubRef,
    Code,
    Cursor,
    Limit,
    Number,
    Reference,
    Shape,
    of_tournament,
    page_of,
    people_with_page,
    read_cursor,
    replies,
)
from tournaments.api.standings import Standing, standing_of
from tournaments.boards.folders import sealed_rounds
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import contract_name
from tournaments.hall.live import find_tournament
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.seating import sittings_of, tables_of
from tournaments.models import Entry, FormerSeat, Seat
from tournaments.models.play import told_apart
from tournaments.standings.players import standings
from tournaments.standings.statistics import deals_of, statistics

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from tournaments.models import Tournament
    from tournaments.standings.statistics import Declared

router = Router(tags=["entries"])


class EntryShape(Shape):
    """A player in a tournament; `name` is as the hall shows it, which may be a number."""

    number: int = Field(description="The player's number in the tournament.")
    name: str = Field(description="The name as the hall shows it.")
    club: ClubRef | None = Field(description="Null for a guest.")
    team: int | None = Field(description="The number of the pair or team.")
    reserve: bool = Field(description="Whether they are a reserve of their team.")
    withdrawn: bool = Field(description="Whether they have withdrawn.")
    person: int | None = Field(description="Who has a page over the years: see `/persons/{pk}`.")


class Entries(Shape):
    """A page of players, by their numbers."""

    items: list[EntryShape] = Field(description="The players on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class SatShape(Shape):
    """A player's seat at a table; with a substitute for a part of the deals."""

    round: int = Field(description="The round's number.")
    table: int = Field(description="The table's number.")
    seat: str = Field(description="The seat: A, B, C, D or E.")
    tokens: int = Field(description="Tokens won there; a loss is negative.")
    first_deal: int = Field(description="The first deal that they sat there for.")
    last_deal: int = Field(description="The last deal that they sat there for.")


class GamesShape(Shape):
    """Games that a player declared, and their outcomes."""

    deals: int = Field(description="Games declared.")
    tokens: int = Field(description="What they came to for the declarer, in tokens.")
    won: int = Field(description="Games won.")
    bete: int = Field(description="Games lost as bete.")
    kodille: int = Field(description="Games lost as kodille.")


class ContractGames(GamesShape):
    """The games of one contract."""

    contract: str = Field(description="The contract's code, as in a report.")
    contract_name: str = Field(description="The contract's name, in the language asked for.")


class PlayerShape(EntryShape):
    """A player's evening: where they sat, how they stand, what they declared."""

    standing: Standing | None = Field(
        description="The player's line in the standings; null where there is none."
    )
    seats: list[SatShape] = Field(description="Where they sat, in the order of rounds.")
    deals: int = Field(description="Deals in which they were dealt cards.")
    declared: GamesShape = Field(description="All games that they declared.")
    contracts: list[ContractGames] = Field(
        description="The same by contract; those that they never declared are left out."
    )


FIELDS = (
    "number", "player__name", "club", "club__slug", "club__name", "club__name_style", "has_namesake", "team__number",
    "reserve", "status", "player",
)  # fmt: skip


def shown_entries(tournament: Tournament) -> Any:
    """The entries that the hall shows: current players, and those who have had a seat."""
    sat = Exists(Seat.objects.filter(entry=OuterRef("pk")))
    left = Exists(FormerSeat.objects.filter(entry=OuterRef("pk")))
    return tournament.entries.filter(~Q(status=Entry.Status.WITHDRAWN) | sat | left)


@router.get("/tournaments/{str:code}/entries", response=replies(Entries))
def entries(
    request: HttpRequest, code: Code, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The players, by their numbers."""
    found, after = find_tournament(code), read_cursor(cursor, int)
    return of_tournament(request, found, lambda: _page(request, found, limit, after))


def _page(
    request: HttpRequest, tournament: Tournament, limit: int, after: tuple[int | str, ...] | None
) -> Entries:
    there = shown_entries(tournament)
    if after:
        there = there.filter(number__gt=after[0])
    rows, behind = page_of(
        request,
        list(there.order_by("number").values_list(*FIELDS)[: limit + 1]),
        limit,
        lambda row: (row[0],),
    )
    pages = people_with_page(tournament, [row[-1] for row in rows])
    style = tournament.host.name_style
    return Entries(items=[_entry(row, style, pages) for row in rows], next=behind)


def _entry(row: tuple[Any, ...], host_style: str, pages: set[int]) -> EntryShape:
    number, name, club, slug, club_name, style, has_namesake, team, reserve, status, player = row
    plain = format_name(name, style or host_style, number)
    return EntryShape(
        number=number,
        name=told_apart(plain, number, has_namesake=has_namesake),
        club=ClubRef(id=club, slug=slug, name=club_name) if club else None,
        team=team,
        reserve=reserve,
        withdrawn=status == Entry.Status.WITHDRAWN,
        person=player if player in pages else None,
    )


@router.get("/tournaments/{str:code}/entries/{int:number}", response=replies(PlayerShape))
def entry(request: HttpRequest, code: Code, number: Number) -> HttpResponseBase:
    """A player's evening; of rounds whose cards others are still to play, only the tokens are published."""
    found = find_tournament(code)
    one = get_object_or_404(
        Entry.objects.select_related("player", "club", "tournament__host"), tournament=found, number=number
    )
    return of_tournament(request, found, lambda: _player(found, one))


def _player(tournament: Tournament, entry: Entry) -> PlayerShape:
    row = Entry.objects.filter(pk=entry.pk).values_list(*FIELDS).get()
    shape = _entry(row, tournament.host.name_style, people_with_page(tournament, [entry.player_id]))
    sealed = sealed_rounds(tournament)
    played = [deal for deal in deals_of(entry) if deal.round not in sealed]
    counted = statistics(played, rulebook_of(tournament).contracts)
    table = standings(tournament)
    own = next((line for line in table.rows if line.entry_id == entry.pk), None)
    return PlayerShape(
        **shape.model_dump(),
        standing=standing_of(own, Reference(shape.person, shape.club)) if own else None,
        seats=_seats(entry),
        deals=counted.deals,
        declared=GamesShape(**_games(counted.declared)),
        contracts=[
            ContractGames(contract=name, contract_name=contract_name(name), **_games(games))
            for name, games in counted.contracts.items()
            if games.deals
        ],
    )


def _games(games: Declared) -> dict[str, int]:
    return {name: getattr(games, name) for name in GamesShape.model_fields}


def _seats(entry: Entry) -> list[SatShape]:
    tables = tables_of(entry).in_bulk()
    return [
        SatShape(
            round=sat.round,
            table=tables[sat.table].number,
            seat=SEAT_LETTERS[sat.position],
            tokens=sat.tokens,
            first_deal=sat.first,
            last_deal=sat.last or tables[sat.table].deals,
        )
        for sat in sittings_of(entry).seats_of(entry.pk)
    ]
