"""People over the years: only those who have a page of their own in the hall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from django.urls import reverse
from ninja import Path, Query, Router
from pydantic import Field

from tournaments.api.base import (
    LARGEST,
    USUAL_ON_A_PAGE,
    ClubRef,
    Cursor,
    Day,
    Limit,
    OptionalSlug,
    Shape,
    answered,
    page_of,
    read_cursor,
    replies,
)
from tournaments.api.entries import ContractGames, GamesShape
from tournaments.domain.terms import contract_name
from tournaments.hall.club import find_club
from tournaments.hall.years.person import find_person
from tournaments.models import Tournament
from tournaments.people import visibility
from tournaments.people.person import over_the_years

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from clubs.models import Player
    from tournaments.people.person import Evening, OverTheYears
    from tournaments.standings.statistics import Declared

router = Router(tags=["people"])

PersonName = Annotated[
    str,
    Query(
        max_length=200,
        description="Words that stand in the name as it is shown; case and accents do not matter.",
    ),
]
PersonId = Annotated[int, Path(ge=0, le=LARGEST, description="The person’s id over the years.")]


class PersonEvening(Shape):
    """An evening of a person; `place` is null while it is played, and where a pair or team has none."""

    tournament: str = Field(description="The tournament's code.")
    name: str = Field(description="The tournament's name.")
    date: Day = Field(description="The day on which it was played.")
    host: str = Field(description="The host's name.")
    host_ref: ClubRef = Field(description="The club or union that held it.")
    rulebook: str = Field(description="The rulebook's id.")
    format: str = Field(description="The format: `individual`, `pairs` or `teams`.")
    number: int = Field(description="The person's number in the tournament.")
    place: int | None = Field(description="The person's place, or their pair's or team's; null for none.")
    of: int | None = Field(
        description="How many were ranked with them: players, or the pairs or teams of the division."
    )
    division: int | None = Field(description="The division of the pair's or team's place; 1 is the highest.")
    tokens: int = Field(
        description="With rulings once no round is being played; until then, those of the deals."
    )
    deals: int = Field(description="Deals in which the person was dealt cards.")


class AwardShape(Shape):
    """A title that a season gave."""

    title: str = Field(description="The award's title.")
    season: str = Field(description="The season's name.")


class PersonLine(Shape):
    """A person who has a page over the years."""

    id: int = Field(description="The person's id over the years.")
    name: str = Field(description="The name as the hall shows it.")
    page: str = Field(description="The address of their page in the hall.")
    clubs: list[ClubRef] = Field(description="The clubs that they have played for.")


class Persons(Shape):
    """A page of people, by their ids."""

    items: list[PersonLine] = Field(description="The people on this page.")
    next: str | None = Field(description="The address of the next page; null on the last page.")


class PersonShape(Shape):
    """A person's results over the years, as far as they are public."""

    id: int = Field(description="The person's id over the years.")
    name: str = Field(description="The name as the hall shows it.")
    page: str = Field(description="The address of their page in the hall.")
    evenings: list[PersonEvening] = Field(description="In the order of days.")
    tokens: int = Field(description="The sum of the evenings' tokens, rulings included.")
    rulings: int = Field(
        description="What rulings (penalties) added to the tokens of the deals; usually negative."
    )
    deals: int = Field(
        description="Deals in which the person was dealt cards: the sum of the evenings' deals."
    )
    deals_sat_out: int = Field(description="Deals at the person's tables in which they sat out.")
    wins: int = Field(
        description="Evenings that the person, or their pair or team, won; not lower divisions."
    )
    declared: GamesShape = Field(description="All games that they declared.")
    contracts: list[ContractGames] = Field(description="The same by contract.")
    awards: list[AwardShape] = Field(description="The awards of seasons.")
    championships: list[str] = Field(description="The names of the championships that they won.")


@router.get("/persons", response=replies(Persons))
def persons(
    request: HttpRequest,
    name: PersonName = "",
    club: OptionalSlug = "",
    limit: Limit = USUAL_ON_A_PAGE,
    cursor: Cursor = "",
) -> HttpResponseBase:
    """People who have a page over the years, by their ids; filtered by name, club or union."""
    found = visibility.people(find_club(club) if club else None)
    if after := read_cursor(cursor, int):
        found = found.filter(pk__gt=after[0])
    there = visibility.people_called(name, found, limit + 1)
    rows, behind = page_of(request, there, limit, lambda one: (one.pk,))
    clubs = _clubs_of([one.pk for one in rows])
    items = [
        PersonLine(id=one.pk, name=one.name, page=reverse("person", args=[one.pk]), clubs=clubs[one.pk])
        for one in rows
    ]
    return answered(request, Persons(items=items, next=behind))


def _clubs_of(players: Collection[int]) -> dict[int, list[ClubRef]]:
    """Player -> the clubs that they have played for, as far as it is public."""
    played = visibility.with_names(visibility.entries()).filter(player__in=players).exclude(club=None)
    found: dict[int, list[ClubRef]] = {player: [] for player in players}
    for player, club, slug, name in (
        played.order_by("player", "club").values_list("player", "club", "club__slug", "club__name").distinct()
    ):
        found[player].append(ClubRef(id=club, slug=slug, name=name))
    return found


@router.get("/persons/{int:pk}", response=replies(PersonShape))
def person(request: HttpRequest, pk: PersonId) -> HttpResponseBase:
    """A person's years, across clubs. 404 for a person without a page in the hall, as for an unknown one."""
    player, own = find_person(pk)
    return answered(request, _shape(player, own.name, over_the_years(player)))


def _shape(player: Player, name: str, years: OverTheYears) -> PersonShape:
    told, hosts = years.portrait, _hosts(years)
    return PersonShape(
        id=player.pk,
        name=name,
        page=reverse("person", args=[player.pk]),
        evenings=[_evening(one, hosts[one.code]) for one in years.evenings],
        tokens=years.tokens,
        rulings=years.rulings,
        deals=years.dealt,
        deals_sat_out=told.deals - years.dealt,
        wins=years.wins,
        declared=GamesShape(**games_of(told.declared)),
        contracts=[
            ContractGames(contract=name, contract_name=contract_name(name), **games_of(one.own))
            for name, one in told.contracts.items()
        ],
        awards=[AwardShape(title=award.title, season=award.season.name) for award in years.awards],
        championships=[title.name for title in years.titles],
    )


def games_of(games: Declared) -> dict[str, int]:
    return {name: getattr(games, name) for name in GamesShape.model_fields}


def _hosts(years: OverTheYears) -> dict[str, ClubRef]:
    """Tournament's code -> its host."""
    held = Tournament.objects.filter(code__in=[one.code for one in years.evenings]).order_by()
    return {
        code: ClubRef(id=club, slug=slug, name=name)
        for code, club, slug, name in held.values_list("code", "host", "host__slug", "host__name")
    }


def _evening(one: Evening, host: ClubRef) -> PersonEvening:
    return PersonEvening(
        tournament=one.code,
        name=one.name,
        date=one.day,
        host=one.host,
        host_ref=host,
        rulebook=one.rulebook,
        format=one.format,
        number=one.number,
        place=one.place or None,
        of=one.of,
        division=one.division if one.place else None,
        tokens=one.tokens,
        deals=one.deals,
    )
