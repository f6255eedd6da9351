"""The entries of a tournament, by the names that the hall shows; a player's evening; for keys the teams of clubs."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from django.db.models import Exists, OuterRef, Q
from django.shortcuts import get_object_or_404
from ninja import Router
from pydantic import Field

from clubs.models import Scope, format_name
from tournaments.api.base import (
    USUAL_ON_A_PAGE,
    ClubRef,
    Code,
    Cursor,
    Key,
    Limit,
    Number,
    Reference,
    Shape,
    key_in,
    of_tournament,
    page_by,
    page_of,
    people_with_page,
    private,
    read_cursor,
    ref,
    replies,
)
from tournaments.api.standings import Standing, standing_of
from tournaments.boards.folders import sealed_rounds
from tournaments.domain.formats import SEAT_LETTERS
from tournaments.domain.terms import contract_name
from tournaments.hall.live import find_tournament
from tournaments.ledger.queries import rulebook_of
from tournaments.ledger.seating import sittings_of, tables_of
from tournaments.models import Entry, FormerSeat, Objection, Seat, TeamEntry
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


# Endpoints for a key of a union, or of one of its clubs: teams that clubs have entered, and objections.

team_entries_router = Router(tags=["with a key"])


class EnteredPlayer(Shape):
    """A player of a team that a club has entered."""

    name: str = Field(description="The player's own name.")
    captain: bool = Field(description="Whether they are the team's captain.")
    reserve: bool = Field(description="Whether they are a reserve.")


class EntryRuling(Shape):
    """A change of a team by the union's desk after the deadline."""

    what: Literal["changed", "withdrawn", "back", "dissolved"] = Field(description="What was done to it.")
    reason: str = Field(description="Why, as the desk has typed it.")
    ruled_at: datetime = Field(description="When it was ruled.")


class TeamEntryShape(Shape):
    """A team that a club has entered in a union's tournament."""

    tournament: str = Field(description="The tournament's code.")
    number: int = Field(description="The entry's number in the tournament.")
    club: ClubRef = Field(description="The club that entered it.")
    name: str = Field(description="The team's name; a pair without one is called by its players.")
    place: str = Field(description="Where its home matches are; may be empty.")
    status: Literal["entered", "changed", "withdrawn", "accepted", "declined"] = Field(
        description="What has become of it; `entered` and `changed` wait for the union's desk."
    )
    team: int | None = Field(description="The number of the team that was made of it; null for none.")
    answer: str = Field(description="Why it was declined; empty otherwise.")
    entered_at: datetime = Field(description="When it was entered.")
    changed_at: datetime = Field(description="When it was changed last.")
    players: list[EnteredPlayer] = Field(description="Those who play, in their order, then the reserves.")
    rulings: list[EntryRuling] = Field(description="The rulings about it, the first one first.")


class TeamEntries(Shape):
    """A page of teams that clubs have entered, the newest first."""

    items: list[TeamEntryShape] = Field(description="The entries on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class ObjectionShape(Shape):
    """An objection to a match, a deal, the standings or a line-up; an open one keeps the standings provisional."""

    tournament: str = Field(description="The tournament's code.")
    number: int = Field(description="The objection's number in the tournament.")
    by: str = Field(description="Who objects: a team, a player or a club.")
    about: Literal["match", "deal", "standings", "line_up"] = Field(description="What it is about.")
    round: int | None = Field(description="The round's number; null where it is about none.")
    table: int | None = Field(
        description="The table's number, or that of the match; null where it is about none."
    )
    deal: int | None = Field(description="The deal's number; null where it is about none.")
    words: str = Field(description="The objection, as it was typed.")
    made_at: datetime = Field(description="When it was made.")
    status: Literal["open", "upheld", "rejected", "withdrawn"] = Field(description="What has become of it.")
    answer: str = Field(description="The desk's answer; empty while it is open.")
    decided_at: datetime | None = Field(description="When it was decided; null while it is open.")


class Objections(Shape):
    """A page of objections, the newest first."""

    items: list[ObjectionShape] = Field(description="The objections on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


@team_entries_router.get(
    "/club/team-entries", response=replies(TeamEntries, 401, 403, etag=False), auth=Key(Scope.READ)
)
def own_team_entries(
    request: HttpRequest, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The teams that the key's club has entered, and those entered in its own tournaments by any club."""
    club = key_in(request).club
    found = TeamEntry.objects.filter(Q(tournament__host=club) | Q(club=club))
    there = found.select_related("tournament", "club", "team").prefetch_related("players__player", "rulings")
    rows, behind = page_by(request, there, "-pk", limit, cursor)
    return private(TeamEntries(items=[_team_entry(one) for one in rows], next=behind))


def _team_entry(one: TeamEntry) -> TeamEntryShape:
    told = {
        "tournament": one.tournament.code,
        "number": one.number,
        "club": ref(one.club),
        "name": str(one),
        "place": one.place,
        "status": one.state,
        "team": one.team.number if one.team else None,
        "answer": one.answer,
        "entered_at": one.entered_at,
        "changed_at": one.changed_at,
        "players": [
            EnteredPlayer(name=held.player.name, captain=held.is_captain, reserve=held.is_reserve)
            for held in one.players.all()
        ],
        "rulings": [
            {"what": ruling.what, "reason": ruling.reason, "ruled_at": ruling.ruled_at}
            for ruling in one.rulings.all()
        ],
    }
    return TeamEntryShape.model_validate(told)


@team_entries_router.get(
    "/club/objections", response=replies(Objections, 401, 403, etag=False), auth=Key(Scope.READ)
)
def own_objections(
    request: HttpRequest, limit: Limit = USUAL_ON_A_PAGE, cursor: Cursor = ""
) -> HttpResponseBase:
    """The objections in the tournaments of the key's club, and those of its teams and its own elsewhere."""
    club = key_in(request).club
    found = Objection.objects.filter(Q(tournament__host=club) | Q(club=club) | Q(team__club=club))
    there = found.select_related("tournament__host", "club", "team", "entry__player", "entry__club")
    rows, behind = page_by(request, there, "-pk", limit, cursor)
    return private(Objections(items=[_objection(one) for one in rows], next=behind))


def _objection(one: Objection) -> ObjectionShape:
    same = ("number", "about", "words", "made_at", "answer", "decided_at")
    told = {name: getattr(one, name) for name in same}
    told |= {
        "tournament": one.tournament.code,
        "by": str(one.who),
        "round": one.round_number,
        "table": one.table_number,
        "deal": one.deal_number,
        "status": one.state,
    }
    return ObjectionShape.model_validate(told)
