"""A person over the years: who has a page of their own in the hall, and nobody else."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated

from django.urls import reverse
from ninja import Path, Router
from pydantic import Field

from tournaments.api.answers import answered
from tournaments.api.entries import ContractGames, GamesShape
from tournaments.api.shapes import LARGEST, ClubRef, Shape, replies
from tournaments.hall.years.person import find_person
from tournaments.models import Tournament
from tournaments.people.person import over_the_years

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from clubs.models import Player
    from tournaments.people.person import Evening, OverTheYears
    from tournaments.standings.statistics import Declared

router = Router(tags=["people"])

PersonId = Annotated[int, Path(ge=0, le=LARGEST)]


class PersonEvening(Shape):
    """An evening of a person; `place` is null while it is played, and where a pair or team has none."""

    tournament: str
    name: str
    date: date
    host: str
    host_ref: ClubRef
    rulebook: str
    format: str
    number: int
    place: int | None
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

    title: str
    season: str


class PersonShape(Shape):
    """What somebody has played over the years, as far as it may be told."""

    id: int
    name: str
    page: str
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
    declared: GamesShape
    contracts: list[ContractGames]
    awards: list[AwardShape]
    championships: list[str]


@router.get("/persons/{int:pk}", response=replies(PersonShape))
def person(request: HttpRequest, pk: PersonId) -> HttpResponseBase:
    """A person's years, across clubs; who has no page in the hall is not told from who never was (404)."""
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
        contracts=[ContractGames(contract=name, **games_of(one.own)) for name, one in told.contracts.items()],
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
